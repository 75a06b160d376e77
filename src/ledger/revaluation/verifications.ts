// What must hold of revaluations.
import type { Verification } from '../../foundation/verification.ts'
import * as store from './store.ts'

export const revaluationVerifications: Verification[] = [
  {
    claim: 'Each revaluation and its mirror cancel, and one stands per day',
    async run(tx) {
      const [{ count }, open, twice] = await Promise.all([
        tx.get(store.countRevaluations, {}, 'Business'), tx.many(store.withoutMirror), tx.many(store.standingTwice),
      ])
      return {
        checked: count,
        problems: [
          ...open.map(({ as_of }) => `the revaluation at ${as_of} is not undone by its mirror`),
          ...twice.map(({ as_of }) => `more than one revaluation stands at ${as_of}`),
        ],
      }
    },
  },
]
