// The stories of deposits: a week of money from three customers, and that every week adds up whatever is done to it.
import fc from 'fast-check'
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

type Suggestion = { id: string; transaction_id: string; total: number; confidence: number; allocations: { invoice_id: string; number: string; amount: number }[] }

const match = async (body: object = {}) => ok(await seller.client.post('/invoices/match', body))
const pending = async (): Promise<Suggestion[]> => ok(await seller.client.get('/invoices/suggestions', { limit: 500 })).items
const decide = (id: string, verb: string) => seller.client.post(`/invoices/suggestions/${id}/${verb}`, {})
const open = (customer_id: string, unit_price: number, more: object = {}) =>
  seller.open({ customer_id, invoice_date: '2026-03-02', line_items: [{ description: 'Work', unit_price }], ...more })
const week = async () => ok(await seller.client.get('/invoices/cash-receipts/week-detail', { week_start: '2026-03-09' }))

describe('a week of deposits of three customers', () => {
  it('is matched, decided, run again and reconciled', async () => {
    const [acme, bolt, cedar] = [seller.customer_id, await newCustomer(seller.client, { name: 'Bolt Brothers' }), await newCustomer(seller.client, { name: 'Cedar & Sons Ltd' })]
    const one = await open(acme, 120_000)
    const [two, three] = [await open(bolt, 45_000), await open(bolt, 55_000)]
    const four = await open(cedar, 120_000)
    const byNumber = await seller.deposit(120_000, { datetime: '2026-03-09', description: 'WIRE IN INV-0001' })
    const bySum = await seller.deposit(100_000, { datetime: '2026-03-11', counterparty: 'BOLT BROTHERS LLC' })
    const wrong = await seller.deposit(120_000, { datetime: '2026-03-13' })
    const loan = await seller.deposit(500_000, { datetime: '2026-03-15', counterparty: 'Bank' })
    expect((await week()).week).toMatchObject({ deposits: 840_000, unmatched: 840_000, unmatched_count: 4, status: 'open' })

    expect(await match()).toMatchObject({ scanned: 4, auto_accepted: 0 })
    const suggested = await pending()
    const best = (transaction_id: string) => suggested.filter((each) => each.transaction_id === transaction_id).toSorted((a, b) => b.confidence - a.confidence)[0]!
    expect(best(byNumber.id).allocations).toMatchObject([{ invoice_id: one.id, number: 'INV-0001', amount: 120_000 }])
    expect(new Set(best(bySum.id).allocations.map(({ invoice_id }) => invoice_id))).toEqual(new Set([two.id, three.id]))
    expect(suggested.filter(({ transaction_id }) => transaction_id === loan.id)).toEqual([])

    ok(await decide(best(byNumber.id).id, 'accept'))
    ok(await decide(best(bySum.id).id, 'accept'))
    // The one that wanted the same invoice for another deposit is gone with it; the rest is a guess that somebody turns down.
    const left = await pending()
    expect(left.map(({ transaction_id, allocations: [first] }) => [transaction_id, first?.invoice_id])).toEqual([[wrong.id, four.id]])
    ok(await decide(left[0]!.id, 'reject'))
    expect(await match()).toMatchObject({ created: 0 })
    expect(await pending()).toEqual([])
    ok(await seller.client.post('/invoices/cash-receipts/dismiss', { transaction_id: loan.id, reason: 'loan' }))
    expect((await week()).week).toMatchObject({ deposits: 840_000, invoice_payments: 220_000, dismissed: 500_000, unmatched: 120_000, unmatched_count: 1, status: 'open' })
    expect(await seller.balances('Checking', 'accounts_receivable')).toEqual([220_000, 120_000])

    // Somebody knows better, by hand.
    ok(await seller.client.post(`/invoices/${four.id}/payments`, { transaction_id: wrong.id }))
    expect((await week()).week).toMatchObject({ unmatched: 0, status: 'reconciled' })
    ok(await seller.client.post('/invoices/cash-receipts/restore', { transaction_id: loan.id }))
    expect((await week()).week).toMatchObject({ unmatched: 500_000, dismissed: 0, status: 'open' })
    expect(await seller.balances('Checking', 'accounts_receivable')).toEqual([340_000, 0])
  })
})

describe('whatever is done, in whatever order', () => {
  const days = ['2026-03-02', '2026-03-08', '2026-03-09', '2026-03-12', '2026-03-15']
  const step = fc.record({
    what: fc.constantFrom('deposit', 'deposit', 'invoice', 'match', 'accept', 'reject', 'dismiss', 'restore', 'pay', 'pay', 'unpay', 'exclude', 'auto', 'void', 'book'),
    place: fc.nat(1_000), amount: fc.integer({ min: 1, max: 6 }).map((count) => count * 1_000),
  })

  it('uses and what is unmatched are the deposits of every week, and no invoice or deposit gives more than it has', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 30 }), async (steps) => {
      seller = await newSeller()
      const customers = [seller.customer_id, await newCustomer(seller.client, { name: 'Bolt Brothers' })]
      const [deposits, invoices]: [string[], string[]] = [[], []]
      const one = <Item>(items: readonly Item[], place: number) => items[place % Math.max(1, items.length)]
      for (const { what, place, amount } of steps) {
        const [deposit, invoice] = [one(deposits, place), one(invoices, place >> 3)]
        if (what === 'deposit') deposits.push((await seller.deposit(amount, { datetime: one(days, place), counterparty: one(['Acme Widgets', 'BOLT BROTHERS', null], place) })).id)
        else if (what === 'invoice') invoices.push((await open(one(customers, place)!, amount)).id)
        else if (what === 'match' || what === 'auto') await match({ auto_accept: what === 'auto' })
        else if (what === 'accept' || what === 'reject') {
          const chosen = one(await pending(), place)
          if (chosen) ok(await decide(chosen.id, what))
        } else if (what === 'book' && invoice) await seller.client.post(`/invoices/${invoice}/payments`, { amount: 500, paid_on: one(days, place) })
        else if (what === 'pay' && deposit && invoice) await seller.client.post(`/invoices/${invoice}/payments`, { transaction_id: deposit })
        else if (what === 'unpay' && invoice) await seller.client.put(`/invoices/${invoice}/unpaid`, {})
        else if (what === 'void' && invoice) await seller.client.put(`/invoices/${invoice}/void`, {})
        else if (what === 'exclude' && deposit) await seller.client.put(`/transactions/${deposit}/exclude`, {})
        else if (deposit) await seller.client.post(`/invoices/cash-receipts/${what === 'dismiss' ? 'dismiss' : 'restore'}`, { transaction_id: deposit, ...(what === 'dismiss' ? { reason: 'other' } : {}) })
      }
      const { weeks, totals } = ok(await seller.client.get('/invoices/cash-receipts', { from: '2026-02-23', to: '2026-03-15' }))
      const rows = ok(await seller.client.get('/transactions', { kind: 'bank', limit: 1000 })).items.filter(({ status }: { status: string }) => status !== 'excluded')
      for (const each of weeks) {
        expect(each.deposits).toBe(each.invoice_payments + each.sales_receipts + each.customer_deposits + each.payouts + each.other + each.dismissed + each.unmatched)
        const own = rows.filter(({ datetime }: { datetime: string }) => datetime >= each.week_start && datetime <= each.week_end)
        expect([each.deposit_count, each.deposits]).toEqual([own.length, own.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)])
        const detail = ok(await seller.client.get('/invoices/cash-receipts/week-detail', { week_start: each.week_start }))
        expect(detail.week).toEqual(each)
        expect(detail.undeposited.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(each.undeposited)
        for (const { transaction, uses, remaining } of detail.rows) expect(uses.reduce((sum: number, { amount }: { amount: number }) => sum + amount, remaining)).toBe(transaction.amount)
      }
      // What was received is in the bank or on its way, and what waits to be decided can be paid as it stands.
      const [checking, undeposited] = await seller.balances('Checking', 'undeposited_funds')
      expect([totals.invoice_payments, totals.undeposited]).toEqual([checking, undeposited])
      const waiting = await pending()
      for (const { id } of waiting.slice(0, 3)) expect((await seller.client.post(`/invoices/suggestions/${id}/accept`, {}, { query: { dry_run: true } })).status).toBe(201)
    }), { numRuns: 6 })
  })
})
