import { afterAll, beforeAll, expect, it } from 'vitest'
import { creditInvoice, newNote } from '../../../test/support/credits.ts'
import { letGo, problemsOf, whileDamaged } from '../../../test/support/damage.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'

let seller: Seller
beforeAll(async () => {
  (await service()).clock.set('2026-03-15T15:00:00Z')
  seller = await newSeller()
  const invoice = await seller.open({ line_items: [{ description: 'Work', quantity: 2, unit_price: 5_000 }] })
  ok(await seller.client.post(`/invoices/${invoice.id}/payments`, { amount: 2_000 }))
  await creditInvoice(seller, invoice.id, { mode: 'lines', lines: [{ invoice_line_id: invoice.line_items[0].id, quantity: 1 }], apply: true })
  const note = await newNote(seller, 900)
  ok(await seller.client.post(`/credit-memos/${note.id}/refund`, { amount: 300, method: 'bank', ledger_id: await seller.ledger('Checking') }))
  ok(await seller.client.post('/credit-memos', { customer_id: seller.customer_id, kind: 'deposit', amount: 700, finalize: true }))
})
afterAll(async () => {
  (await service()).clock.set(null)
  await letGo()
})

const OPEN_INVOICE = 'Every invoice is open in the books for its balance less what is written off, in both currencies'
const PAID = 'What is paid of every invoice is the sum of its standing payments and credits'
const STATUS = 'The status of every invoice follows from its figures, and it has the one entry that it should'
const TOTAL = 'The total of every invoice is that of its lines and their tax'
const PAYMENT = 'Every standing payment has its part of a transaction and one standing entry of its date'
const NOTE_TOTAL = 'The total of every credit note is that of its lines and their tax'
const USED = 'What is used of every credit memo is the sum of its standing applications and refunds'
const OPEN_NOTE = 'Every credit note is open in the books for what remains of it, in both currencies'
const HELD = 'What the books hold for customers is what remains of their deposits and overpayments, in both currencies'
const WITHIN = 'The credit notes of an invoice are together no more than the invoice'
const UNITS = 'Every line of an invoice says how many of its units are credited, and no more is than it has'
const some = expect.any(Array)

it('finds nothing where nobody has touched anything', async () => {
  expect(await problemsOf(seller.client)).toEqual({})
})

it.each<[what: string, table: string, change: string, found: Record<string, unknown>]>([
  ['a line of another amount', 'invoice_lines', 'update invoice_lines set amount = amount + 1, gross = gross + 1 where business_id = $1', {
    [TOTAL]: ['Invoice INV-0001 says 100.00; its lines come to 100.01, or its subtotal, tax or discount is another'],
  }],
  ['a payment of another amount', 'invoice_payments', 'update invoice_payments set amount = 1900 where business_id = $1', {
    [PAID]: ['Invoice INV-0001 says that 70.00 is paid, 50.00 of it by credits; its payments are 19.00, its credits 50.00'],
  }],
  ['a payment without its entry', 'invoice_payments', 'update invoice_payments set posted_on = posted_on + 1 where business_id = $1', {
    [PAYMENT]: ['the payment of 20.00 USD on Invoice INV-0001 has no such transaction or entry'],
  }],
  ['an invoice without its entry', 'invoice_entries', `update invoice_entries set standing = false where business_id = $1 and role = 'finalization'`, {
    [STATUS]: ['Invoice INV-0001 is partially paid, which neither its figures nor its 2 standing entries say'],
  }],
  ['a write-off that the books do not know', 'invoices', 'update invoices set written_off = 100 where business_id = $1', {
    [OPEN_INVOICE]: ['Invoice INV-0001: 29.00 USD (30.00 USD) is owed; in the books 30.00 (30.00) is open'],
  }],
  ['a credit line of another amount', 'credit_memo_lines', 'update credit_memo_lines set amount = amount + 1, gross = gross + 1 where business_id = $1 and invoice_line_id is null', {
    [NOTE_TOTAL]: ['Credit memo CM-0002 says 9.00; its lines come to 9.01, or its subtotal or tax is another'],
  }],
  ['a refund of another amount', 'credit_refunds', 'update credit_refunds set amount = 200 where business_id = $1', {
    [USED]: ['Credit memo CM-0002 says 0.00 applied and 3.00 refunded; its applications are 0.00, its refunds 2.00'],
  }],
  ['a note that is carried at another amount', 'credit_memos', `update credit_memos set base_remaining = 500 where business_id = $1 and number = 'CM-0002'`, {
    [OPEN_NOTE]: ['Credit memo CM-0002: 6.00 USD (5.00 USD) remains; in the books 6.00 (6.00) is open'],
  }],
  ['a deposit that the books do not hold', 'credit_memos', `update credit_memos set status = 'void' where business_id = $1 and kind = 'deposit'`, { [HELD]: [expect.stringContaining('the books hold 7.00 USD (7.00 USD); 0.00 (0.00) remains')] }],
  ['an invoice that is credited beyond itself', 'credit_memos', `update credit_memos set total = 20000, status = 'open' where business_id = $1 and invoice_id is not null`, {
    [WITHIN]: ['Invoice INV-0001 over 100.00 USD is credited with 200.00'], [NOTE_TOTAL]: some, [OPEN_NOTE]: some,
  }],
  ['units that no note credits', 'invoice_lines', 'update invoice_lines set quantity_credited = 2 where business_id = $1', {
    [UNITS]: ['line 1 of Invoice INV-0001 says 2 units; its credit notes say 1, or more than its amount'],
  }],
])('finds %s', async (_what, table, change, found) => {
  expect(await whileDamaged(seller.business_id, table, change, () => problemsOf(seller.client))).toEqual(found)
})
