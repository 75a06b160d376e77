// Listing all public links of a business that open something.
import type { PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import * as store from './store.ts'

export function listShareLinks(tx: BusinessTx, query: PageQuery) {
  return tx.page(store.shareLinks, query)
}
