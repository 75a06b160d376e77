// Everything that `daybook verify` re-derives.
import { memberVerifications } from '../access/members/verifications.ts'
import { recurringVerifications } from '../directory/recurring-templates/verifications.ts'
import { auditVerifications } from '../foundation/audit-trail/verifications.ts'
import { eventVerifications } from '../foundation/events/verifications.ts'
import { dimensionVerifications } from '../ledger/accounting-dimensions/verifications.ts'
import { periodVerifications } from '../ledger/accounting-periods/verifications.ts'
import { cashBasisVerifications } from '../ledger/cash-basis/verifications.ts'
import { cashBookVerifications } from '../ledger/cash-book/verifications.ts'
import { journalVerifications } from '../ledger/journal/verifications.ts'
import { ledgerVerifications } from '../ledger/ledgers/verifications.ts'
import { revaluationVerifications } from '../ledger/revaluation/verifications.ts'
import { stockVerifications } from '../inventory/stock-pools/verifications.ts'
import { creditMemoVerifications } from '../receivables/credit-memos/verifications.ts'
import { invoiceVerifications } from '../receivables/invoices/verifications.ts'
import { processorVerifications } from '../receivables/processor-reconciliation/verifications.ts'
import { categoryVerifications } from '../banking/categories/verifications.ts'
import type { Verification } from '../foundation/verification.ts'

export const verifications: Verification[] = [
  ...memberVerifications,
  ...journalVerifications,
  ...cashBasisVerifications,
  ...periodVerifications,
  ...ledgerVerifications,
  ...dimensionVerifications,
  ...revaluationVerifications,
  ...stockVerifications,
  ...cashBookVerifications,
  ...categoryVerifications,
  ...invoiceVerifications,
  ...creditMemoVerifications,
  ...processorVerifications,
  ...recurringVerifications,
  ...eventVerifications,
  ...auditVerifications,
]
