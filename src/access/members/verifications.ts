// What must hold of the people of a business.
import type { Verification } from '../../foundation/verification.ts'
import * as store from './store.ts'

export const memberVerifications: Verification[] = [
  {
    claim: 'Every business has an active owner',
    async run(tx) {
      const { members, owners } = await tx.get(store.countOwners, {}, 'Business')
      return { checked: members, problems: owners > 0 ? [] : ['nobody is an active owner'] }
    },
  },
]
