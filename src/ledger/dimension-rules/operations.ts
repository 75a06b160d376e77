// Reads the dimensions of a business for the books, which remember them until something changes.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { BookDimensions } from './contract.ts'
import { arranged } from './rules.ts'
import * as store from './store.ts'

export async function loadDimensions(tx: BusinessTx): Promise<BookDimensions> {
  const [dimensions, values, rules] = await Promise.all([tx.many(store.dimensions), tx.many(store.values), tx.many(store.rules)])
  return arranged(dimensions, values, rules)
}
