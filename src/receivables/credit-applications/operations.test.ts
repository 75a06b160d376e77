import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newCustomer } from '../../../test/support/customers.ts'
import { creditInvoice, expectSound, newNote, newTaxCode } from '../../../test/support/credits.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let seller: Seller
const at = async (time: string | null) => (await service()).clock.set(time)
beforeAll(() => at('2026-03-15T15:00:00Z'))
afterAll(() => at(null))
beforeEach(async () => {
  seller = await newSeller()
})

const invoiceOf = async (id: string) => ok(await seller.client.get(`/invoices/${id}`))
const memoOf = async (id: string) => ok(await seller.client.get(`/credit-memos/${id}`))
const open = (unit_price: number, more: object = {}) => seller.open({ line_items: [{ description: 'Work', unit_price }], ...more })
const apply = (memo_id: string, allocations: object[], more: object = {}) => seller.client.post(`/credit-memos/${memo_id}/apply`, { allocations, ...more })
const money = (kind: string, amount: number, more: object = {}) => seller.client.post('/credit-memos', { customer_id: seller.customer_id, kind, amount, finalize: true, ...more })
const customer = async (id = seller.customer_id) => ok(await seller.client.get(`/customers/${id}`))

describe('story 3: one deposit, three uses', () => {
  it('is used to the cent and no further', async () => {
    const deposit = await seller.deposit(130_000)
    const invoices = [await open(80_000), await open(40_000)]
    ok(await seller.client.post('/invoices/bulk-payments', { payments: invoices.map(({ id }) => ({ invoice_id: id })), transaction_id: deposit.id }))
    const extra = ok(await money('overpayment', 10_000, { transaction_id: deposit.id }))
    expect(extra).toMatchObject({ status: 'open', number: 'CM-0001', remaining: 10_000, transaction_id: deposit.id, credit_date: '2026-03-12' })
    expect(ok(await seller.client.get(`/transactions/${deposit.id}`))).toMatchObject({ unallocated_amount: 0, status: 'matched' })
    expect((await money('overpayment', 1, { transaction_id: deposit.id })).detail).toMatch(/is used up/)
    expect(await seller.balances('Checking', 'accounts_receivable', 'customer_deposits')).toEqual([130_000, 0, -10_000])
    expect(await customer()).toMatchObject({ open_balance: 0, deposit_balance: 10_000, unapplied_credit: 0, last_payment_on: '2026-03-12' })
    const later = await open(25_000)
    expect(ok(await apply(extra.id, [{ invoice_id: later.id, amount: 10_000 }]))).toMatchObject({ status: 'closed', remaining: 0, applied_total: 10_000 })
    expect(await invoiceOf(later.id)).toMatchObject({ status: 'partially_paid', total_paid: 10_000, balance_due: 15_000, journal_entries: [{ role: 'finalization' }, { role: 'payment' }] })
    expect(await seller.balances('accounts_receivable', 'customer_deposits')).toEqual([15_000, 0])
    const both = await Promise.all([1, 2].map(() => seller.client.post(`/invoices/${later.id}/payments`, { amount: 15_000 })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400])
    expect(await seller.balances('accounts_receivable')).toEqual([0])
    expect((await invoiceOf(later.id)).status).toBe('manual_paid')
    await expectSound(seller)
  })

  it('one cent more than the transaction has is refused', async () => {
    const deposit = await seller.deposit(1_000)
    ok(await money('deposit', 400, { transaction_id: deposit.id }))
    expect((await money('deposit', 601, { transaction_id: deposit.id })).detail).toMatch(/has 6.00 USD left, less than 6.01/)
    expect(ok(await seller.client.post('/credit-memos', { customer_id: seller.customer_id, kind: 'deposit', transaction_id: deposit.id })).total).toBe(600)
    const withdrawal = await seller.deposit(-500)
    expect((await money('deposit', 100, { transaction_id: withdrawal.id })).detail).toMatch(/withdrawal/)
  })
})

describe('applying', () => {
  it('settles by a credit note without moving a ledger, and takes it back', async () => {
    const invoice = await open(10_000)
    const note = await newNote(seller, 4_000)
    expect(await customer()).toMatchObject({ open_balance: 10_000, unapplied_credit: 4_000 })
    const applied = ok(await apply(note.id, [{ invoice_id: invoice.id, amount: 3_000 }]))
    expect(applied).toMatchObject({ status: 'open', remaining: 1_000, base_remaining: 1_000, journal_entries: [{ role: 'finalization' }, { role: 'application' }] })
    expect(await seller.balances('accounts_receivable', 'sales')).toEqual([6_000, -6_000])
    expect(await invoiceOf(invoice.id)).toMatchObject({ status: 'partially_paid', balance_due: 7_000, base_balance: 7_000, total_credited: 3_000 })
    expect(await customer()).toMatchObject({ open_balance: 7_000, unapplied_credit: 1_000 })
    ok(await apply(note.id, [{ invoice_id: invoice.id, amount: 1_000 }]))
    expect((await memoOf(note.id)).status).toBe('closed')
    const { items } = ok(await seller.client.get(`/credit-memos/${note.id}/applications`, { descending: false }))
    expect(items).toMatchObject([{ amount: 3_000, invoice_number: 'INV-0001', applied_on: '2026-03-15', reversed_at: null }, { amount: 1_000 }])
    const back = ok(await seller.client.delete(`/credit-memos/${note.id}/applications/${items[0].id}`))
    expect(back).toMatchObject({ status: 'open', remaining: 3_000, base_remaining: 3_000 })
    expect(ok(await seller.client.delete(`/credit-memos/${note.id}/applications/${items[0].id}`))).toEqual(back)
    expect(await invoiceOf(invoice.id)).toMatchObject({ status: 'partially_paid', balance_due: 9_000, total_credited: 1_000 })
    expect(ok(await seller.client.get(`/credit-memos/${note.id}/applications`)).items).toHaveLength(1)
    expect(ok(await seller.client.get(`/credit-memos/${note.id}/applications`, { include_superseded: true })).items).toHaveLength(2)
    expect((await seller.client.delete(`/credit-memos/${note.id}/applications/${newId()}`)).status).toBe(404)
    expect((await seller.client.put(`/invoices/${invoice.id}/void`, {})).detail).toMatch(/has credits/)
    // Re-dating the invoice takes the application along.
    ok(await seller.client.put(`/invoices/${invoice.id}`, { id: invoice.id, invoice_date: '2026-03-01' }))
    ok(await seller.client.delete(`/credit-memos/${note.id}/applications/${items[1].id}`))
    expect(await invoiceOf(invoice.id)).toMatchObject({ status: 'open', balance_due: 10_000, base_balance: 10_000 })
    await expectSound(seller)
  })

  it('leaves the cash basis as it was', async () => {
    const tax_code_id = await newTaxCode(seller, '10')
    const invoice = await seller.open({ line_items: [{ description: 'Widgets', quantity: 3, unit_price: 10_000, tax_code_id }] })
    ok(await seller.client.post(`/invoices/${invoice.id}/payments`, { amount: 11_000 }))
    const report = async (basis: string) => ok(await seller.client.get('/reports/profit-and-loss', { start_date: '2026-01-01', end_date: '2026-12-31', basis })).rows.at(-1).cells[0].amount
    const note = await creditInvoice(seller, invoice.id, { mode: 'amount', amount: 5_500 })
    const before = [await report('cash'), await report('accrual')]
    ok(await apply(note.id, [{ invoice_id: invoice.id, amount: 5_500 }]))
    expect([await report('cash'), await report('accrual')]).toEqual(before)
    expect(before).toEqual([10_000, 25_000])
    ok(await seller.client.put(`/invoices/${invoice.id}/paid`, {}))
    expect(await report('cash')).toBe(before[1])
    await expectSound(seller)
  })

  it('refuses what does not fit', async () => {
    const note = await newNote(seller, 4_000)
    const draft = ok(await seller.client.post('/credit-memos', { customer_id: seller.customer_id, line_items: [{ description: 'x', unit_price: 5 }] }))
    const invoice = await open(3_000)
    const other = await open(9_000, { customer_id: await newCustomer(seller.client) })
    const unfinished = await seller.invoice()
    const future = await open(9_000, { invoice_date: '2026-03-20' })
    const lost = await open(9_000)
    ok(await seller.client.put(`/invoices/${lost.id}/uncollectible`, {}))
    const detail = async (body: object, more: object = {}, memo_id = note.id) => (await apply(memo_id, [{ amount: 100, ...body }], more)).detail
    expect(await detail({ invoice_id: invoice.id, amount: 3_001 })).toMatch(/INV-0001 has a balance of 30.00 USD/)
    expect(await detail({ invoice_id: other.id, amount: 4_001 })).toMatch(/one of another customer/)
    expect(await detail({ invoice_id: lost.id, amount: 4_001 })).toMatch(/CM-0001 has 40.00 USD left/)
    expect(await detail({ invoice_id: lost.id })).toMatch(/written off/)
    expect(await detail({ invoice_id: unfinished.id })).toMatch(/is draft/)
    expect(await detail({ invoice_id: future.id })).toMatch(/INV-0003 is of 2026-03-20/)
    expect(await detail({ invoice_id: invoice.id }, { applied_on: '2026-03-14' })).toMatch(/CM-0001 is of 2026-03-15/)
    expect(await detail({ invoice_id: invoice.id }, {}, draft.id)).toMatch(/is draft: only finalized credits/)
    expect((await apply(note.id, [{ invoice_id: newId(), amount: 1 }])).status).toBe(404)
    const mixed = await apply(note.id, [{ invoice_id: invoice.id, amount: 100 }, { invoice_id: invoice.id, amount: 3_000 }])
    expect([mixed.status, (await invoiceOf(invoice.id)).total_paid]).toEqual([400, 0])
    const raced = await Promise.all([1, 2].map(() => apply(note.id, [{ invoice_id: invoice.id, amount: 3_000 }])))
    expect(raced.map(({ status }) => status).toSorted()).toEqual([201, 400])
    await expectSound(seller)
  })

  it('reaches the parent and the child of a customer', async () => {
    const child = await newCustomer(seller.client, { parent_id: seller.customer_id })
    const note = await newNote(seller, 4_000)
    const invoice = await open(10_000, { customer_id: child })
    ok(await apply(note.id, [{ invoice_id: invoice.id, amount: 4_000 }]))
    expect([(await customer()).open_balance, (await customer(child)).open_balance]).toEqual([0, 6_000])
    await expectSound(seller)
  })

  it('realises what the rates have made of a credit in another currency', async () => {
    const customer_id = await newCustomer(seller.client, { currency: 'EUR' })
    const invoice = await open(10_000, { customer_id, fx_rate: '1.10' })
    const note = await newNote(seller, 4_000, { customer_id, fx_rate: '1.20' })
    expect(note).toMatchObject({ currency: 'EUR', base_total: 4_800, fx_rate: '1.2' })
    ok(await apply(note.id, [{ invoice_id: invoice.id, amount: 1_500 }]))
    expect(await invoiceOf(invoice.id)).toMatchObject({ balance_due: 8_500, base_balance: 9_350 })
    expect(await memoOf(note.id)).toMatchObject({ remaining: 2_500, base_remaining: 3_000 })
    expect(await seller.balances('accounts_receivable', 'realized_fx')).toEqual([6_350, -150])
    const { items: [application] } = ok(await seller.client.get(`/credit-memos/${note.id}/applications`))
    ok(await seller.client.delete(`/credit-memos/${note.id}/applications/${application.id}`))
    expect(await seller.balances('accounts_receivable', 'realized_fx')).toEqual([6_200, 0])
    // The note on the invoice itself takes the rate of the invoice: nothing is left in either currency.
    const rest = await creditInvoice(seller, invoice.id, { mode: 'full', apply: true })
    expect(rest).toMatchObject({ fx_rate: '1.1', status: 'closed', base_remaining: 0 })
    expect(await invoiceOf(invoice.id)).toMatchObject({ balance_due: 0, base_balance: 0 })
    await expectSound(seller)
  })

  it('uses a deposit in another currency at what it is carried at', async () => {
    const ledger = ok(await seller.client.post('/ledgers', { name: 'Euro account', type: 'asset', subtype: 'bank', currency: 'EUR', is_bank: true }))
    const customer_id = await newCustomer(seller.client, { currency: 'EUR' })
    const deposit = ok(await money('deposit', 3_000, { customer_id, deposit_ledger_id: ledger.id, fx_rate: '1.00' }))
    expect(deposit).toMatchObject({ currency: 'EUR', base_total: 3_000 })
    const invoice = await open(10_000, { customer_id, fx_rate: '1.10' })
    ok(await apply(deposit.id, [{ invoice_id: invoice.id, amount: 1_000 }]))
    expect(await seller.balances('customer_deposits', 'accounts_receivable', 'realized_fx')).toEqual([-2_000, 9_900, 100])
    ok(await apply(deposit.id, [{ invoice_id: invoice.id, amount: 500 }, { invoice_id: invoice.id, amount: 1_500 }]))
    expect(await memoOf(deposit.id)).toMatchObject({ status: 'closed', base_remaining: 0 })
    expect(await seller.balances('customer_deposits', 'accounts_receivable')).toEqual([0, 7_700])
    await expectSound(seller)
  })
})

describe('applying by itself', () => {
  it('takes the oldest credit to the invoice that is due for longest', async () => {
    const [late, early] = [await open(5_000, { due_date: '2026-05-01' }), await open(5_000, { due_date: '2026-04-01' })]
    const second = await newNote(seller, 4_000, { credit_date: '2026-03-12' })
    const first = await newNote(seller, 3_000, { credit_date: '2026-03-11' })
    await newNote(seller, 900, { credit_date: '2026-03-16' })
    const answer = ok(await seller.client.post('/credit-memos/auto-apply', { customer_id: seller.customer_id }))
    expect(answer.applications.map(({ credit_memo_id, invoice_id, amount }: Record<string, unknown>) => [credit_memo_id, invoice_id, amount]))
      .toEqual([[first.id, early.id, 3_000], [second.id, early.id, 2_000], [second.id, late.id, 2_000]])
    expect([(await invoiceOf(early.id)).status, (await invoiceOf(late.id)).balance_due]).toEqual(['manual_paid', 3_000])
    const again = await Promise.all([1, 2].map(() => seller.client.post('/credit-memos/auto-apply', { customer_id: seller.customer_id, applied_on: '2026-03-16' })))
    expect(again.map((each) => ok(each).applications.length).toSorted()).toEqual([0, 1])
    expect((await seller.client.post('/credit-memos/auto-apply', { customer_id: newId() })).status).toBe(404)
    await expectSound(seller)
  })
})

describe('the figures of a customer', () => {
  it('tell what is overdue today', async () => {
    await open(5_000, { invoice_date: '2026-03-01', due_date: '2026-03-14' })
    await open(7_000, { due_date: '2026-03-15' })
    expect((await customer()).overdue_balance).toBe(5_000)
    await at('2026-03-16T15:00:00Z')
    try {
      expect((await customer()).overdue_balance).toBe(12_000)
    } finally {
      await at('2026-03-15T15:00:00Z')
    }
  })
})
