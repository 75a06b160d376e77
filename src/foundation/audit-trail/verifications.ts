// What must hold of the audit trail.
import type { Verification } from '../verification.ts'
import { verifyChain } from './operations.ts'

export const auditVerifications: Verification[] = [
  {
    claim: 'The audit trail is unbroken',
    async run(tx) {
      const { checked, ok, first_broken_seq } = await verifyChain(tx)
      return { checked, problems: ok ? [] : [`the chain breaks at entry ${first_broken_seq}`] }
    },
  },
]
