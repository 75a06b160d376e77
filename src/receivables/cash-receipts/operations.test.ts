// Tests of the weekly reconciliation of deposits over HTTP.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect, newInvoice, pay } from '../../../test/support/cards.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newMember, sql } from '../../../test/support/people.ts'
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

const report = async (query = {}) => ok(await seller.client.get('/invoices/cash-receipts', query))
const weekOf = async (week_start: string, query = {}) => ok(await seller.client.get('/invoices/cash-receipts/week-detail', { week_start, ...query }))
const dismiss = (transaction_id: string, more: object = {}) => seller.client.post('/invoices/cash-receipts/dismiss', { transaction_id, reason: 'loan', ...more })
const restore = (transaction_id: string) => seller.client.post('/invoices/cash-receipts/restore', { transaction_id })

const nothing = {
  deposits: 0, deposit_count: 0, invoice_payments: 0, sales_receipts: 0, customer_deposits: 0, payouts: 0, other: 0, dismissed: 0, unmatched: 0, unmatched_count: 0, undeposited: 0,
}

describe('weeks', () => {
  it('are thirteen whole ones up to today, also where nothing happened', async () => {
    const { from, to, currency, ledger_id, weeks, totals } = await report()
    expect({ from, to, currency, ledger_id, totals }).toEqual({ from: '2025-12-15', to: '2026-03-15', currency: 'USD', ledger_id: null, totals: nothing })
    expect(weeks).toHaveLength(13)
    expect(weeks[0]).toEqual({ week_start: '2025-12-15', week_end: '2025-12-21', ...nothing, status: 'reconciled' })
    expect(weeks[12].week_start).toBe('2026-03-09')
  })

  it('are taken whole, from Monday to Sunday', async () => {
    expect((await report({ from: '2026-03-04', to: '2026-03-10' })).weeks.map((week: { week_start: string }) => week.week_start)).toEqual(['2026-03-02', '2026-03-09'])
    expect((await report({ from: '2026-01-01' })).weeks).toHaveLength(13)
    expect((await report({ to: '2026-01-01' }))).toMatchObject({ to: '2026-01-04' })
    expect((await report({ from: '2024-03-18', to: '2026-03-15' })).weeks).toHaveLength(104)
    for (const query of [{ from: '2024-03-17', to: '2026-03-15' }, { from: '2026-03-15', to: '2026-03-08' }]) {
      const { status, detail } = await seller.client.get('/invoices/cash-receipts', query)
      expect([status, detail[0]]).toMatchObject([422, { loc: ['query', 'to'], type: 'value_error' }])
    }
    const tuesday = await seller.client.get('/invoices/cash-receipts/week-detail', { week_start: '2026-03-10' })
    expect([tuesday.status, tuesday.detail[0]]).toMatchObject([422, { loc: ['query', 'week_start'], type: 'value_error', msg: expect.stringContaining('2026-03-09') }])
    expect((await seller.client.get('/invoices/cash-receipts', { ledger_id: newId() })).status).toBe(404)
  })
})

describe('uses', () => {
  it('and what is left are the deposits, to the cent', async () => {
    const invoice = await seller.open({ line_items: [{ description: 'Work', unit_price: 30_000 }] })
    const used = await seller.deposit(25_000, { datetime: '2026-03-09', counterparty: 'Acme' })
    const part = await seller.deposit(9_000, { datetime: '2026-03-15' })
    const loan = await seller.deposit(70_001)
    await seller.deposit(-4_000)
    await seller.deposit(11, { datetime: '2026-03-08' })
    const gone = await seller.deposit(12)
    ok(await seller.client.put(`/transactions/${gone.id}/exclude`, {}))
    ok(await seller.client.post(`/invoices/${invoice.id}/payments`, { transaction_id: used.id }))
    ok(await seller.client.post(`/invoices/${invoice.id}/payments`, { transaction_id: part.id, amount: 5_000 }))
    ok(await dismiss(loan.id, { note: 'From the bank' }))
    const week = { ...nothing, deposits: 104_001, deposit_count: 3, invoice_payments: 30_000, dismissed: 70_001, unmatched: 4_000, unmatched_count: 1 }
    const { weeks, totals } = await report({ from: '2026-03-02' , to: '2026-03-15' })
    expect(weeks).toMatchObject([{ deposits: 11, unmatched: 11, status: 'open' }, { ...week, status: 'open' }])
    expect(totals).toEqual({ ...week, deposits: 104_012, deposit_count: 4, unmatched: 4_011, unmatched_count: 2 })
    const detail = await weekOf('2026-03-09')
    expect(detail).toEqual({
      week: weeks[1],
      rows: [
        { transaction: expect.objectContaining({ id: used.id, counterparty: 'Acme' }), uses: [{ type: 'invoice', id: invoice.id, number: 'INV-0001', amount: 25_000 }], remaining: 0, dismissal: null, status: 'matched' },
        expect.objectContaining({ uses: [], remaining: 70_001, status: 'dismissed', dismissal: expect.objectContaining({ reason: 'loan', note: 'From the bank' }) }),
        expect.objectContaining({ remaining: 4_000, status: 'partially_matched' }),
      ],
      undeposited: [],
    })
    expect((await report({ ledger_id: await seller.ledger('undeposited_funds') })).totals).toEqual(nothing)
    expect((await report({ currency: 'EUR' })).totals).toEqual(nothing)
  })

  it('has receipts that are not in the bank yet', async () => {
    const invoice = await seller.open({ line_items: [{ description: 'Work', unit_price: 30_000 }] })
    const payment = ok(await seller.client.post(`/invoices/${invoice.id}/payments`, { amount: 12_000, paid_on: '2026-03-10' }))
    ok(await seller.client.post(`/invoices/${invoice.id}/payments`, { amount: 1_000, paid_on: '2026-03-10', deposit_ledger_id: await seller.ledger('Checking') }))
    expect(await weekOf('2026-03-09')).toMatchObject({
      week: { ...nothing, undeposited: 12_000, status: 'open' },
      undeposited: [{ type: 'invoice', id: invoice.id, number: 'INV-0001', amount: 12_000, payment_id: payment.id, transaction: { id: payment.transaction_id } }],
    })
    ok(await seller.client.delete(`/invoices/${invoice.id}/payments/${payment.id}`))
    expect(await weekOf('2026-03-09')).toMatchObject({ week: { ...nothing, status: 'reconciled' }, undeposited: [] })
  })

  it('knows other documents by what they are: payouts, money on account, the rest', async () => {
    const deposit = await seller.deposit(10_000)
    for (const [document_type, amount] of [['credit_memo', 1_000], ['sales_receipt', 2_000], ['processor_payout', 3_000], ['bank_transfer', 500]] as const) {
      await sql(`insert into transaction_claims (business_id, id, transaction_id, document_type, document_id, amount, created_at) values ($1, $2, $3, $4, $5, $6, now())`,
        [seller.business_id, newId(), deposit.id, document_type, newId(), amount])
    }
    await sql('update transactions set claimed = 6500 where id = $1', [deposit.id])
    expect((await report({ to: '2026-03-15' })).totals).toEqual({
      ...nothing, deposits: 10_000, deposit_count: 1, customer_deposits: 1_000, sales_receipts: 2_000, payouts: 3_000, other: 500, unmatched: 3_500, unmatched_count: 1,
    })
    expect((await weekOf('2026-03-09')).rows[0].uses).toHaveLength(4)
  })

  it('a card payment is undeposited until its payout is in the books', async () => {
    await connect(seller)
    const { token } = await newInvoice(seller, 100_000)
    await pay(seller, token)
    expect((await report()).totals).toMatchObject({ undeposited: 100_000 })
    ok(await seller.client.post('/sandbox/processor/payouts', {}))
    await runJobs(seller.business_id)
    expect((await report()).totals).toEqual(nothing)
  })
})

describe('dismissing', () => {
  it('and restoring are told once, and keep the deposit from invoices meanwhile', async () => {
    const invoice = await seller.open()
    const deposit = await seller.deposit(10_000)
    const out = ok(await dismiss(deposit.id, { note: 'Bridge loan' }))
    expect(out).toMatchObject({
      transaction: { id: deposit.id }, allocated: 0, remaining: 10_000, dismissed: true, score: null,
      dismissal: { reason: 'loan', note: 'Bridge loan', dismissed_by: seller.owner.user_id, dismissed_at: '2026-03-15T15:00:00.000Z' },
    })
    expect(ok(await dismiss(deposit.id, { reason: 'owner' }))).toEqual(out)
    expect(await seller.client.post(`/invoices/${invoice.id}/payments`, { transaction_id: deposit.id })).toMatchObject({ status: 400, detail: expect.stringMatching(/dismissed/) })
    expect(ok(await restore(deposit.id))).toMatchObject({ dismissed: false, dismissal: null })
    expect(ok(await restore(deposit.id))).toMatchObject({ dismissed: false })
    const told = (await eventsOf(deposit.id)).filter((type) => type.startsWith('cash_receipt'))
    expect(told).toEqual(['cash_receipt.dismissed', 'cash_receipt.restored'])
    ok(await seller.client.post(`/invoices/${invoice.id}/payments`, { transaction_id: deposit.id }))
  })

  it('is for free deposits of the bank alone', async () => {
    const invoice = await seller.open()
    const used = await seller.deposit(10_000)
    ok(await seller.client.post(`/invoices/${invoice.id}/payments`, { transaction_id: used.id, amount: 1 }))
    const book = ok(await seller.client.post(`/invoices/${invoice.id}/payments`, { amount: 1 }))
    const excluded = await seller.deposit(5)
    ok(await seller.client.put(`/transactions/${excluded.id}/exclude`, {}))
    const refusals: [string, RegExp][] = [
      [used.id, /is used by invoice/], [book.transaction_id, /was posted by/], [(await seller.deposit(-5)).id, /withdrawal/], [excluded.id, /excluded/],
    ]
    for (const [id, said] of refusals) expect(await dismiss(id)).toMatchObject({ status: 400, detail: expect.stringMatching(said) })
    expect((await dismiss(newId())).status).toBe(404)
    expect((await restore(newId())).status).toBe(404)
    expect((await dismiss(used.id, { reason: 'because' })).status).toBe(422)
    const viewer = await newMember(seller.business_id, 'viewer')
    expect((await viewer.client.post('/invoices/cash-receipts/dismiss', { transaction_id: used.id, reason: 'loan' })).status).toBe(403)
  })

  it('and a payment at once: one of them wins', async () => {
    const invoice = await seller.open()
    const deposit = await seller.deposit(10_000)
    const [out, paid] = await Promise.all([dismiss(deposit.id), seller.client.post(`/invoices/${invoice.id}/payments`, { transaction_id: deposit.id })])
    expect([out.status, paid.status].sort()).toEqual([201, 400])
    const { unmatched, dismissed, invoice_payments } = (await report()).totals
    expect([unmatched, dismissed + invoice_payments]).toEqual([0, 10_000])
  })
})
