// Credits for tests of receivables: shorthands over HTTP, tax codes, and the books re-derived.
import { expect } from 'vitest'
import { ok, type Seller } from './sales.ts'

/** A sales tax of so many percent; the id of its code. */
export async function newTaxCode({ client }: Seller, percent: string): Promise<string> {
  const agency = ok(await client.post('/tax/agencies', { name: 'State', country: 'US', filing_frequency: 'monthly', basis: 'accrual', due_day: 20 }))
  const rate = ok(await client.post('/tax/rates', { agency_id: agency.id, name: 'State tax', versions: [{ percent, valid_from: '2020-01-01' }] }))
  return ok(await client.post('/tax/codes', { code: 'STATE', name: 'State tax', treatment: 'taxable', rate_id: rate.id })).id
}

/** A finalized credit note of one line by hand. */
export async function newNote({ client, customer_id }: Seller, unit_price: number, more: object = {}): Promise<any> {
  return ok(await client.post('/credit-memos', { customer_id, line_items: [{ description: 'Taken back', unit_price }], finalize: true, ...more }))
}

export async function creditInvoice({ client }: Seller, invoice_id: string, body: object): Promise<any> {
  return ok(await client.post('/credit-memos/from-invoice', { invoice_id, finalize: true, ...body }))
}

/** Everything that can be re-derived holds. */
export async function expectSound({ client }: Seller): Promise<void> {
  const { checks } = ok(await client.get('/books/verification'))
  expect(checks.flatMap(({ problems }: { problems: string[] }) => problems)).toEqual([])
}
