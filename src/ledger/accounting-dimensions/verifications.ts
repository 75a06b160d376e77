// What must hold of the values of dimensions on posted lines.
import type { Verification } from '../../foundation/verification.ts'
import * as store from './store.ts'

export const dimensionVerifications: Verification[] = [
  {
    claim: 'The index of dimension values names every line that carries one, and no other',
    async run(tx) {
      const [counted, found] = await Promise.all([tx.get(store.countCarried, {}, 'Lines'), tx.many(store.disagreements)])
      const problems = found.map(({ line_id, value_id, indexed }) => (indexed
        ? `the index says that line ${line_id} carries value ${value_id}, which it does not`
        : `line ${line_id} carries value ${value_id}, which the index does not say`))
      return { checked: counted.carried, problems }
    },
  },
  {
    claim: 'A line carries known values of dimensions, at most one of each',
    async run(tx) {
      const [counted, found] = await Promise.all([tx.get(store.countCarried, {}, 'Lines'), tx.many(store.strayValues)])
      const problems = found.map(({ line_id, known, dimensions, values }) =>
        `line ${line_id} carries ${values} values, of which ${known} are known, of ${dimensions} dimensions`)
      return { checked: counted.carried, problems }
    },
  },
]
