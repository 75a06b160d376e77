// The stories of receivables over HTTP alone, to the cent, with the clock set.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newCustomer } from '../support/customers.ts'
import { newSeller, ok, type Seller } from '../support/sales.ts'
import { service } from '../support/service.ts'

let seller: Seller
const at = async (time: string | null) => (await service()).clock.set(time)
beforeAll(() => at('2026-03-15T15:00:00Z'))
afterAll(() => at(null))
beforeEach(async () => {
  seller = await newSeller()
})

const get = async (id: string, query = {}) => ok(await seller.client.get(`/invoices/${id}`, query))
const put = (id: string, action: string, body: object = {}) => seller.client.put(`/invoices/${id}/${action}`, body)

describe('story 1: tax and states', () => {
  it('goes from draft to void, the ledgers follow to the cent', async () => {
    const agency = ok(await seller.client.post('/tax/agencies', { name: 'State', country: 'US', filing_frequency: 'monthly', basis: 'accrual', due_day: 20 }))
    const rate = ok(await seller.client.post('/tax/rates', { agency_id: agency.id, name: 'State tax', versions: [{ percent: '8.25', valid_from: '2020-01-01' }] }))
    const code = ok(await seller.client.post('/tax/codes', { code: 'STATE', name: 'State tax', treatment: 'taxable', rate_id: rate.id }))
    const draft = await seller.invoice({ line_items: [
      { description: 'Widgets', quantity: 3, unit_price: 12_500, tax_code_id: code.id }, { description: 'Freight', unit_price: 8_333, tax_code_id: code.id },
    ] })
    expect(draft).toMatchObject({ status: 'draft', number: null, subtotal: 45_833, tax_total: 3_781, total: 49_614, journal_entries: [], hosted_invoice_url: null })
    expect(draft.line_items.map((line: { tax_amount: number }) => line.tax_amount)).toEqual([3_094, 687])
    const open = ok(await put(draft.id, 'finalize'))
    expect(open).toMatchObject({ status: 'open', number: 'INV-0001', invoice_date: '2026-03-15', balance_due: 49_614, journal_entries: [{ role: 'finalization', total: 49_614 }] })
    expect(await get(draft.id)).toEqual({ ...open, updated_at: expect.anything() })
    expect(await seller.balances('accounts_receivable', 'sales', 'sales_tax_payable')).toEqual([49_614, -45_833, -3_781])
    ok(await seller.client.post(`/invoices/${draft.id}/payments`, { amount: 20_000 }))
    expect(await get(draft.id)).toMatchObject({ status: 'partially_paid', total_paid: 20_000, balance_due: 29_614 })
    const refused = await seller.client.post(`/invoices/${draft.id}/payments`, { amount: 29_615 })
    expect([refused.status, refused.detail]).toEqual([400, expect.stringContaining('296.14 USD')])
    const paid = ok(await put(draft.id, 'paid'))
    expect(paid).toMatchObject({ status: 'manual_paid', balance_due: 0, paid_on: '2026-03-15T00:00:00.000Z' })
    expect(paid.payments).toHaveLength(2)
    expect(await seller.balances('undeposited_funds', 'accounts_receivable')).toEqual([49_614, 0])
    expect(ok(await put(draft.id, 'paid')).payments).toHaveLength(2)
    const unpaid = ok(await put(draft.id, 'unpaid'))
    expect(unpaid).toMatchObject({ status: 'open', total_paid: 0, payments: [], paid_on: null })
    expect(await seller.balances('undeposited_funds', 'accounts_receivable')).toEqual([0, 49_614])
    expect(await get(draft.id, { include_superseded: true })).toMatchObject({ payments: [{ reversed_at: expect.any(String), transaction: null }, { transaction: null }] })
    const gone = ok(await put(draft.id, 'void'))
    expect(gone).toMatchObject({ status: 'void', number: 'INV-0001', journal_entries: [], hosted_invoice_url: null })
    expect(await seller.balances('undeposited_funds', 'accounts_receivable', 'sales', 'sales_tax_payable')).toEqual([0, 0, 0, 0])
    expect((await seller.open()).number).toBe('INV-0002')
  })
})

describe('story 2: update to the letter', () => {
  it('changes what may change, and nothing where it may not', async () => {
    const invoice = await seller.open({ invoice_date: '2026-03-10' })
    const update = (body: object, id = invoice.id) => seller.client.put(`/invoices/${id}`, { id, ...body })
    expect((await update({ line_items: [] })).status).toBe(400)
    const draft = await seller.invoice()
    const negative = await update({ line_items: [{ description: 'x', unit_price: 1, quantity: -1 }] }, draft.id)
    expect([negative.status, negative.detail[0].loc]).toEqual([422, ['body', 'line_items', 0, 'quantity']])
    expect((await update({ invoice_number: 'inv-0001 ' }, draft.id)).detail).toMatch(/used already/)
    expect((await seller.client.put(`/invoices/${invoice.id}`, { id: draft.id })).status).toBe(400)
    const income = async (start_date: string, end_date: string) => ok(await seller.client.get('/reports/profit-and-loss', { start_date, end_date })).rows.at(-1).cells[0].amount
    const dated = ok(await update({ invoice_date: '2026-02-20' }))
    expect(dated).toMatchObject({ invoice_date: '2026-02-20', journal_entries: [{ date: '2026-02-20', role: 'finalization' }] })
    expect([await income('2026-02-01', '2026-02-28'), await income('2026-03-01', '2026-03-31')]).toEqual([10_000, 0])
    const periods = ok(await seller.client.get('/accounting-periods', { limit: 100 })).items
    for (const name of ['2026-01', '2026-02']) ok(await seller.client.put(`/accounting-periods/${periods.find((each: { name: string }) => each.name === name).id}/close`, { accept_warnings: true }))
    const before = await get(invoice.id)
    expect((await update({ invoice_date: '2026-03-01', description: 'never' })).detail).toMatch(/2026-02 is closed/)
    expect(await get(invoice.id)).toEqual(before)
    const contract = ok(await seller.client.post('/contracts', { customer_id: seller.customer_id, title: 'Frame', original_value: 30_000, start_date: '2026-01-01' }))
    expect(ok(await update({ contract_id: contract.id })).contract_id).toBe(contract.id)
    expect(ok(await seller.client.get(`/contracts/${contract.id}`))).toMatchObject({ billed_amount: 10_000, billing_status: 'active', status: 'active' })
    const other = ok(await seller.client.post('/contracts', { customer_id: await newCustomer(seller.client), title: 'Other', original_value: 30_000, start_date: '2026-01-01' }))
    expect((await update({ contract_id: other.id })).status).toBe(400)
    expect(ok(await update({ contract_id: null })).contract_id).toBeNull()
    expect(ok(await seller.client.get(`/contracts/${contract.id}`))).toMatchObject({ billed_amount: 0, billing_status: 'not_started', status: 'active' })
  })
})

describe('story 5: write-off and recovery', () => {
  it('gives up the balance, takes a recovery, and takes it all back', async () => {
    const { id } = await seller.open({ line_items: [{ description: 'Work', unit_price: 50_000 }] })
    ok(await seller.client.post(`/invoices/${id}/payments`, { amount: 10_000 }))
    expect(ok(await put(id, 'uncollectible'))).toMatchObject({ status: 'partially_paid', balance_due: 40_000, written_off: 40_000, uncollectible: true, uncollectible_on: '2026-03-15', is_overdue: false })
    expect(await seller.balances('accounts_receivable', 'bad_debt')).toEqual([0, 40_000])
    expect(ok(await put(id, 'uncollectible')).journal_entries).toHaveLength(3)
    expect(await seller.balances('bad_debt')).toEqual([40_000])
    expect((await put(id, 'void')).status).toBe(400)
    const recovery = ok(await seller.client.post(`/invoices/${id}/payments`, { amount: 15_000 }))
    expect(recovery).toMatchObject({ kind: 'recovery', amount: 15_000 })
    expect(await get(id)).toMatchObject({ balance_due: 25_000, written_off: 25_000 })
    expect(await seller.balances('accounts_receivable', 'bad_debt')).toEqual([0, 25_000])
    expect((await put(id, 'unpaid')).detail).toMatch(/recovered/)
    ok(await seller.client.delete(`/invoices/${id}/payments/${recovery.id}`))
    expect(ok(await put(id, 'unpaid'))).toMatchObject({ status: 'partially_paid', balance_due: 40_000, written_off: 0, uncollectible: false, base_balance: 40_000 })
    expect(await seller.balances('accounts_receivable', 'bad_debt')).toEqual([40_000, 0])
  })
})

describe('story 6: currency', () => {
  it('settles a foreign invoice to zero in both currencies, the rest is realized', async () => {
    const customer_id = await newCustomer(seller.client, { currency: 'EUR' })
    const { id, ...open } = await seller.open({ customer_id, fx_rate: '1.10' })
    expect(open).toMatchObject({ currency: 'EUR', total: 10_000, base_total: 11_000, fx_rate: '1.1' })
    expect(await seller.balances('accounts_receivable')).toEqual([11_000])
    const ledger_id = await seller.ledger('Checking')
    const first = ok(await seller.client.post(`/invoices/${id}/payments`, { amount: 4_000, transaction_amount: 4_480, deposit_ledger_id: ledger_id }))
    expect(first).toMatchObject({ amount: 4_000, transaction_amount: 4_480, realized_fx: 80, currency: 'EUR' })
    expect(await get(id)).toMatchObject({ balance_due: 6_000, base_balance: 6_600 })
    const second = ok(await seller.client.post(`/invoices/${id}/payments`, { amount: 6_000, transaction_amount: 6_300, deposit_ledger_id: ledger_id }))
    expect(second.realized_fx).toBe(-300)
    expect(await get(id)).toMatchObject({ balance_due: 0, base_balance: 0, status: 'manual_paid' })
    expect(await seller.balances('accounts_receivable', 'Checking', 'realized_fx')).toEqual([0, 10_780, 220])
  })
})
