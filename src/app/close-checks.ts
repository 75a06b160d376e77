// What each room finds in the way of closing a period, in this order.
import { unreviewedTransactionsCheck } from '../banking/transactions/operations.ts'
import type { CloseCheck } from '../ledger/accounting-periods/operations.ts'
import { draftsCheck } from '../ledger/journal-drafts/operations.ts'
import { controlAccountsCheck, parkedBalancesCheck } from '../ledger/close-checks/operations.ts'
import { revaluationCheck } from '../ledger/revaluation/operations.ts'

export const closeChecks: CloseCheck[] = [draftsCheck, controlAccountsCheck, parkedBalancesCheck, revaluationCheck, unreviewedTransactionsCheck]
