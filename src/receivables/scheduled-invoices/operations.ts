// What will become an invoice by itself.
import type { PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { HORIZON_DAYS } from './contract.ts'
import * as store from './store.ts'

export function listScheduledInvoices(tx: BusinessTx, { horizon_days = HORIZON_DAYS, descending = false, ...query }: PageQuery & { horizon_days?: number }) {
  return tx.page(store.scheduledInvoices, { ...query, descending, horizon_days } as PageQuery)
}
