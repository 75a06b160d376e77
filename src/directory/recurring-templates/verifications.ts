// What must hold of recurring templates.
import type { Verification } from '../../foundation/verification.ts'
import * as store from './store.ts'

export const recurringVerifications: Verification[] = [
  {
    claim: 'Every recurring template counts its dates as they came, without a gap',
    async run(tx) {
      const [{ count }, wrong] = await Promise.all([tx.get(store.countTemplates, {}, 'Business'), tx.many(store.miscounted)])
      return { checked: count, problems: wrong.map(({ id, name }) => `the figures of recurring template ${name} (${id}) are not those of its dates`) }
    },
  },
]
