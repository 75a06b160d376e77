// Stock for tests: products that are kept, movements through the doors, and what the books say of them.
import { newId } from '../../src/foundation/ids.ts'
import { issueStock, receiveStock, returnStock, reverseStock, type IssueLine, type Moved } from '../../src/inventory/stock/operations.ts'
import { inside } from './books.ts'
import type { Client } from './client.ts'
import { sql } from './people.ts'

export type Item = { product_id: string; variant_id: string; sku: string }

/** A product with one variant. */
export async function newItem(client: Client, product: object = {}, variant: object = {}): Promise<Item> {
  const sku = `SKU-${newId().slice(-12)}`
  const { data, detail } = await client.post('/inventory/products', { name: `Item ${sku}`, ...product, variants: [{ sku, ...variant }] })
  if (!data) throw new Error(`No product: ${JSON.stringify(detail)}`)
  return { product_id: data.id, variant_id: data.variants[0].id, sku }
}

export async function mainLocation(business_id: string): Promise<string> {
  const [{ id }] = await sql('select id from locations where business_id = $1 and is_default', [business_id])
  return id
}

type Extra = { location_id?: string; type?: 'purchase_receipt' | 'opening' }

export async function receive(
  business_id: string, variant_id: string, quantity: number, value: number, date: string, extra: Extra = {},
): Promise<{ source_id: string; moved: Moved }> {
  const source_id = newId()
  const { type = 'purchase_receipt', ...place } = extra
  const lines = [{ source_line_id: newId(), variant_id, quantity, value, ...place }]
  return { source_id, moved: await inside(business_id, (tx) => receiveStock(tx, { source_type: 'purchase_order', source_id, date, type, lines })) }
}

export type Delivery = { source_id: string; source_line_id: string; moved: Moved; cost: number }

export async function deliver(
  business_id: string, variant_id: string, quantity: number, date: string, line: Partial<IssueLine> & { source_id?: string } = {},
): Promise<Delivery> {
  const { source_id = newId(), ...more } = line
  const source_line_id = line.source_line_id ?? newId()
  const lines = [{ ...more, source_line_id, variant_id, quantity }]
  const moved = await inside(business_id, (tx) => issueStock(tx, { source_type: 'invoice', source_id, date, lines }))
  return { source_id, source_line_id, moved, cost: moved.lines[0]?.value ?? 0 }
}

export function giveBack(
  business_id: string, delivery: Delivery, quantity: number, date: string, extra: { location_id?: string; source_id?: string; source_line_id?: string } = {},
): Promise<Moved> {
  const { source_id = newId(), source_line_id = newId(), ...place } = extra
  const lines = [
    { source_line_id, issued_source_type: 'invoice', issued_source_id: delivery.source_id, issued_line_id: delivery.source_line_id, quantity, ...place },
  ]
  return inside(business_id, (tx) => returnStock(tx, { source_type: 'credit_memo', source_id, date, lines }))
}

export function undo(business_id: string, source_type: string, source_id: string, reversal_date?: string) {
  return inside(business_id, (tx) => reverseStock(tx, { source_type, source_id, ...(reversal_date ? { reversal_date } : {}) }))
}

/** The balance of the ledger with a role, from the lines of the journal. */
export async function balance(business_id: string, role: string, until = '9999-12-31', known_at = '9999-12-31'): Promise<number> {
  const [{ amount }] = await sql(
    `select coalesce(sum(l.base_amount), 0)::float8 as amount from journal_lines l join journal_entries e on e.business_id = l.business_id and e.id = l.entry_id
     join ledgers g on g.business_id = l.business_id and g.id = l.ledger_id where l.business_id = $1 and g.role = $2 and l.date <= $3 and e.recorded_at < $4`,
    [business_id, role, until, known_at])
  return amount
}

/** Stock and cost of sales as the books have them. */
export async function stockAndCost(business_id: string): Promise<[inventory: number, cost: number]> {
  return [await balance(business_id, 'inventory'), await balance(business_id, 'cost_of_goods_sold')]
}
