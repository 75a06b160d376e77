// Reading the stock ledger.
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { notFound } from '../../foundation/refusal.ts'
import type { ProductMovement } from './contract.ts'
import * as store from './store.ts'

export function listMovements(tx: BusinessTx, query: PageQuery) {
  return tx.page(store.movements, query)
}

export async function listProductMovements(
  tx: BusinessTx, product_id: string, query: PageQuery & { variant_id?: string; location_id?: string },
): Promise<Page<ProductMovement>> {
  const own = (await tx.many(store.variantsOf, { product_id })).map(({ id }) => id)
  if (own.length === 0) throw notFound('Product')
  const { variant_id, location_id = null, ...paging } = query
  if (variant_id !== undefined && !own.includes(variant_id)) throw notFound('Variant')
  const variant_ids = variant_id === undefined ? own : [variant_id]
  const page = await tx.page(store.movements, { ...paging, variant_ids, ...(location_id === null ? {} : { location_id }) } as PageQuery)
  const [first] = page.items.toSorted((a, b) => a.sequence - b.sequence)
  if (!first) return { ...page, items: [] }
  let { quantity, value } = await tx.get(store.before, { variant_ids, location_id, sequence: first.sequence }, 'Stock')
  const running = new Map(page.items.toSorted((a, b) => a.sequence - b.sequence).map((movement) => {
    quantity += movement.quantity
    value += movement.value
    return [movement.id, { running_quantity: quantity, running_value: value }]
  }))
  return { ...page, items: page.items.map((movement) => ({ ...movement, ...(running.get(movement.id) ?? { running_quantity: 0, running_value: 0 }) })) }
}
