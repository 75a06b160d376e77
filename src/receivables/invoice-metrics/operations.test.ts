// Tests of metrics: each figure is the sum of its list.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newCustomer } from '../../../test/support/customers.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { STATUSES, type Invoice, type InvoicePayment } from '../invoices/contract.ts'
import type { InvoiceSum } from './contract.ts'

const at = async (time: string | null) => (await service()).clock.set(time)
let seller: Seller
beforeAll(() => at('2026-03-15T15:00:00Z'))
afterAll(() => at(null))
beforeEach(async () => {
  await at('2026-03-15T15:00:00Z')
  seller = await newSeller()
})

const metrics = async (query = {}) => ok(await seller.client.get('/invoices/metrics', query))
const of = (unit_price: number) => ({ line_items: [{ description: 'Work', unit_price }] })
const pay = async (id: string, body: object) => ok(await seller.client.post(`/invoices/${id}/payments`, body))

describe('metrics', () => {
  it('of nothing are zero', async () => {
    const found = await metrics()
    expect(found).toMatchObject({
      from: '2025-04-01', to: '2026-03-15', base_currency: 'USD', invoiced: 0, collected: 0, credited: 0, written_off: 0, overdue: { count: 0, total: 0 }, average_days_to_pay: null, dso_days: null,
    })
    expect(Object.keys(found.by_status)).toEqual([...STATUSES])
    expect(found.months).toHaveLength(12)
  })

  it('are each the sum of their list', async () => {
    const euro = await newCustomer(seller.client, { currency: 'EUR' })
    const invoices = [
      await seller.open({ ...of(10_000), invoice_date: '2026-01-10', due_date: '2026-02-10' }),
      await seller.open({ ...of(20_000), invoice_date: '2026-02-10', due_date: '2026-03-10' }),
      await seller.open({ ...of(30_000), invoice_date: '2026-02-20', due_date: '2026-04-20' }),
      await seller.open({ ...of(40_000), customer_id: euro, fx_rate: '1.10', invoice_date: '2026-03-01', due_date: '2026-03-05' }),
      await seller.open({ ...of(5_000), invoice_date: '2026-03-02' }),
      await seller.open({ ...of(8_000), invoice_date: '2026-03-03', due_date: '2026-03-04' }),
    ]
    const [first, second, third, foreign, gone, lost] = invoices.map(({ id }) => id)
    await seller.invoice(of(777))
    await seller.invoice({ ...of(900), invoice_date: '2026-05-01' })
    await pay(first, { amount: 4_000, paid_on: '2026-01-20' })
    await pay(first, { amount: 6_000, paid_on: '2026-02-09' })
    await pay(second, { amount: 5_000, paid_on: '2026-03-01' })
    await pay(foreign, { amount: 10_000, transaction_amount: 12_000, deposit_ledger_id: await seller.ledger('Checking'), paid_on: '2026-03-06' })
    const removed = await pay(third, { amount: 1_000, paid_on: '2026-03-01' })
    ok(await seller.client.delete(`/invoices/${third}/payments/${removed.id}`))
    ok(await seller.client.put(`/invoices/${gone}/void`, {}))
    ok(await seller.client.put(`/invoices/${lost}/uncollectible`, { uncollectible_on: '2026-03-14' }))
    await pay(lost, { amount: 3_000, paid_on: '2026-03-15' })
    const note = ok(await seller.client.post('/credit-memos', { customer_id: seller.customer_id, kind: 'credit_note', credit_date: '2026-03-10', ...of(2_000), finalize: true }))
    ok(await seller.client.post(`/credit-memos/${note.id}/apply`, { allocations: [{ invoice_id: second, amount: 1_500 }], applied_on: '2026-03-12' }))

    const range = { from: '2026-01-15', to: '2026-03-31' }
    const found = await metrics(range)
    const listed = async (query: object): Promise<Invoice[]> => ok(await seller.client.get('/invoices', { limit: 100, include: 'payments', ...query })).items
    const sum = <Row>(rows: readonly Row[], pick: (row: Row) => number | null) => rows.reduce((total, row) => total + (pick(row) ?? 0), 0)
    const dated = { invoice_date_from: range.from, invoice_date_to: range.to }
    for (const status of STATUSES) {
      const rows = [...(await listed({ status, ...dated })), ...(status === 'draft' ? (await listed({ status })).filter(({ invoice_date }) => invoice_date === null) : [])]
      expect([status, found.by_status[status]]).toEqual([status, { count: rows.length, total: sum(rows, ({ base_total, total }) => base_total ?? total) }])
    }
    expect(found.by_status.draft).toEqual({ count: 1, total: 777 })
    const finalized = await listed({ status: ['open', 'partially_paid', 'manual_paid', 'processor_paid'], ...dated })
    expect(found.invoiced).toBe(sum(finalized, ({ base_total }) => base_total))
    expect(found.invoiced).toBe(20_000 + 30_000 + 44_000 + 8_000)
    const payments = (await listed({})).flatMap((invoice) => invoice.payments ?? []).filter(({ posted_on }) => posted_on >= range.from && posted_on <= range.to)
    const money = ({ kind, amount, base_amount, realized_fx }: InvoicePayment) => (kind === 'recovery' ? amount : base_amount + realized_fx)
    expect(found.collected).toBe(sum(payments, money))
    expect(found.collected).toBe(4_000 + 6_000 + 5_000 + 12_000 + 3_000)
    expect(found.credited).toBe(1_500)
    expect(found.written_off).toBe(sum(await listed({ uncollectible: true }), ({ written_off }) => written_off))
    expect(found.written_off).toBe(5_000)
    const late = await listed({ overdue: true })
    expect(found.overdue).toEqual({ count: late.length, total: sum(late, ({ base_balance }) => base_balance) } satisfies InvoiceSum)
    expect(found.overdue).toEqual({ count: 2, total: 13_500 + 33_000 })
    expect(found.months.map(({ month, invoiced, collected }: { month: string; invoiced: number; collected: number }) => [month, invoiced, collected]))
      .toEqual([['2026-01', 0, 4_000], ['2026-02', 50_000, 6_000], ['2026-03', 52_000, 20_000]])
    expect((await metrics({ ...range, from: '2026-01-01' })).average_days_to_pay).toBe(30)
    const [receivable = 0] = await seller.balances('accounts_receivable')
    expect(found.dso_days).toBe(Math.round((receivable * 90) / 112_000))
    expect(await metrics({ ...range, currency: 'EUR' })).toMatchObject({
      invoiced: 44_000, collected: 12_000, credited: 0, written_off: 0, overdue: { count: 1, total: 33_000 }, by_status: { draft: { count: 0 }, partially_paid: { count: 1, total: 44_000 } }, dso_days: 68,
    })
  })

  it.each([['from=2026-04-01', 422], ['from=2000-01-01', 400], ['currency=XXX', 422], ['to=2026-02-30', 422]])('%s is refused', async (query, status) => {
    expect((await seller.client.get(`/invoices/metrics?${query}`)).status).toBe(status)
  })
})
