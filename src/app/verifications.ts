// Everything that `daybook verify` re-derives.
import { memberVerifications } from '../access/members/verifications.ts'
import { auditVerifications } from '../foundation/audit-trail/verifications.ts'
import { eventVerifications } from '../foundation/events/verifications.ts'
import type { Verification } from '../foundation/verification.ts'

export const verifications: Verification[] = [...memberVerifications, ...eventVerifications, ...auditVerifications]
