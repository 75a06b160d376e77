import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newCustomer } from '../../../test/support/customers.ts'
import { newMember, sql } from '../../../test/support/people.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let seller: Seller
beforeAll(async () => {
  ;(await service()).clock.set('2026-03-15T15:00:00Z')
})
afterAll(async () => (await service()).clock.set(null))
beforeEach(async () => {
  seller = await newSeller()
})

const get = async (id: string) => ok(await seller.client.get(`/invoices/${id}`))
const pay = (id: string, body: object = {}) => seller.client.post(`/invoices/${id}/payments`, body)
const put = (id: string, action: string, body: object = {}) => seller.client.put(`/invoices/${id}/${action}`, body)
const transaction = async (id: string) => ok(await seller.client.get(`/transactions/${id}`))
const close = async (...names: string[]) => {
  const { items } = ok(await seller.client.get('/accounting-periods', { limit: 100 }))
  for (const name of names) ok(await seller.client.put(`/accounting-periods/${items.find((each: { name: string }) => each.name === name).id}/close`, { accept_warnings: true }))
}

describe('a payment', () => {
  it('takes of a deposit what it needs, on the deposit\'s date; by default the balance or what is left', async () => {
    const [one, two] = [await seller.open(), await seller.open()]
    const deposit = await seller.deposit(14_000)
    const first = ok(await pay(one.id, { transaction_id: deposit.id, method: 'check', reference: '1042' }))
    expect(first).toMatchObject({
      amount: 10_000, currency: 'USD', paid_on: '2026-03-12T00:00:00.000Z', kind: 'manual', method: 'check', reference: '1042', transaction_amount: 10_000, realized_fx: 0,
      transaction: { id: deposit.id, amount: 14_000, datetime: '2026-03-12', ledger_id: await seller.ledger('Checking') },
    })
    expect(ok(await pay(two.id, { transaction_id: deposit.id })).amount).toBe(4_000)
    expect(await get(two.id)).toMatchObject({ status: 'partially_paid', balance_due: 6_000 })
    expect(await transaction(deposit.id)).toMatchObject({ status: 'matched', unallocated_amount: 0 })
    expect((await pay(two.id, { transaction_id: deposit.id })).detail).toMatch(/used up/)
    expect(await seller.balances('Checking', 'accounts_receivable')).toEqual([14_000, 6_000])
    expect(ok(await seller.client.get(`/invoices/${one.id}/payments`)).items).toMatchObject([{ id: first.id, transaction: { id: deposit.id } }])
  })

  it('is posted on its own day where the business is', async () => {
    const { id } = await seller.open()
    // Late evening in New York is the next day in Greenwich.
    const late = ok(await pay(id, { amount: 1, paid_on: '2026-03-12T03:30:00Z' }))
    expect([late.paid_on, late.posted_on]).toEqual(['2026-03-12T03:30:00.000Z', '2026-03-11'])
    expect((await pay(id, { amount: 1, paid_on: 'yesterday' })).status).toBe(422)
  })

  it('may be on a ledger of choice; the settings say on which by default', async () => {
    const { id } = await seller.open()
    const checking = await seller.ledger('Checking')
    ok(await pay(id, { amount: 1, deposit_ledger_id: checking }))
    ok(await seller.client.patch(`/businesses/${seller.business_id}/settings`, { sales: { deposit_ledger_id: checking } }))
    ok(await pay(id, { amount: 2 }))
    expect(await seller.balances('Checking', 'undeposited_funds')).toEqual([3, 0])
  })

  it.each([
    ['on a draft', async () => [(await seller.invoice()).id, {}], 400, /draft/],
    ['of nothing', async () => [(await seller.open()).id, { amount: 0 }], 422, null],
    ['above the balance', async () => [(await seller.open()).id, { amount: 10_001 }], 400, /balance of 100.00 USD/],
    ['of a withdrawal', async () => [(await seller.open()).id, { transaction_id: (await seller.deposit(-500)).id }], 400, /withdrawal/],
    ['of an unknown transaction', async () => [(await seller.open()).id, { transaction_id: newId() }], 404, /transaction_id/],
    ['above what is left of the transaction', async () => [(await seller.open()).id, { amount: 501, transaction_id: (await seller.deposit(500)).id }], 400, /has 5.00 USD left/],
    ['on a ledger that is no cash', async () => [(await seller.open()).id, { deposit_ledger_id: await seller.ledger('sales') }], 400, /no cash ledger/],
    ['on an unknown ledger', async () => [(await seller.open()).id, { deposit_ledger_id: newId() }], 404, /deposit_ledger_id/],
    ['in a closed month', async () => {
      const { id } = await seller.open()
      await close('2026-01')
      return [id, { paid_on: '2026-01-20' }]
    }, 400, /2026-01 is closed/],
  ] as [string, () => Promise<[string, object]>, number, RegExp | null][])('%s is refused, and nothing is left of it', async (_name, prepare, status, detail) => {
    const [id, body] = await prepare()
    const before = await get(id)
    const answer = await pay(id, body)
    expect(answer.status).toBe(status)
    if (detail) expect(answer.detail).toMatch(detail)
    expect(await get(id)).toEqual(before)
    expect(await sql('select 1 from transaction_claims where business_id = $1', [seller.business_id])).toEqual([])
  })

  it('removed gives the deposit back, and takes a transaction away that was made for it', async () => {
    const { id } = await seller.open()
    const deposit = await seller.deposit(9_000)
    const [bank, book] = [ok(await pay(id, { transaction_id: deposit.id })), ok(await pay(id))]
    const after = ok(await seller.client.delete(`/invoices/${id}/payments/${bank.id}`))
    expect(after).toMatchObject({ status: 'partially_paid', total_paid: 1_000 })
    expect(await transaction(deposit.id)).toMatchObject({ status: 'unreviewed', unallocated_amount: 9_000 })
    ok(await seller.client.delete(`/invoices/${id}/payments/${book.id}`))
    expect((await seller.client.get(`/transactions/${book.transaction_id}`)).status).toBe(404)
    expect(await get(id)).toMatchObject({ status: 'open', payments: [], base_balance: 10_000 })
    expect(await seller.balances('Checking', 'undeposited_funds', 'accounts_receivable')).toEqual([0, 0, 10_000])
    // Again is no change.
    expect(ok(await seller.client.delete(`/invoices/${id}/payments/${book.id}`)).status).toBe('open')
    expect((await seller.client.delete(`/invoices/${id}/payments/${newId()}`)).status).toBe(404)
  })

  it('in a month that closed since is removed on a later date', async () => {
    const { id } = await seller.open({ invoice_date: '2026-01-05' })
    const payment = ok(await pay(id, { amount: 1_000, paid_on: '2026-01-20' }))
    await close('2026-01')
    expect((await seller.client.delete(`/invoices/${id}/payments/${payment.id}`)).detail).toMatch(/2026-01 is closed/)
    expect(ok(await seller.client.delete(`/invoices/${id}/payments/${payment.id}`, { query: { reversal_date: '2026-02-01' } })).status).toBe('open')
  })

  it('changes: words by themselves, money by reversal and repost', async () => {
    const { id } = await seller.open()
    const payment = ok(await pay(id, { amount: 3_000 }))
    const patch = (body: object) => seller.client.patch(`/invoices/${id}/payments/${payment.id}`, body)
    const entries = async () => (await sql('select count(*)::int as n from journal_entries where business_id = $1', [seller.business_id]))[0].n
    const before = await entries()
    expect(ok(await patch({ note: 'By hand', method: 'cash', reference: null }))).toMatchObject({ id: payment.id, note: 'By hand', method: 'cash', journal_entry_id: payment.journal_entry_id })
    expect(await entries()).toBe(before)
    const more = ok(await patch({ amount: 4_500, paid_on: '2026-03-14' }))
    expect(more).toMatchObject({ id: payment.id, amount: 4_500, posted_on: '2026-03-14', note: 'By hand', method: 'cash' })
    expect(await get(id)).toMatchObject({ total_paid: 4_500, payments: [{ id: payment.id }] })
    expect(await seller.balances('undeposited_funds', 'accounts_receivable')).toEqual([4_500, 5_500])
    const deposit = await seller.deposit(4_500)
    expect(ok(await patch({ transaction_id: deposit.id })).transaction).toMatchObject({ id: deposit.id })
    expect(await seller.balances('undeposited_funds', 'Checking')).toEqual([0, 4_500])
    expect((await patch({ amount: 10_001 })).detail).toMatch(/balance of 100.00/)
    expect(await get(id)).toMatchObject({ total_paid: 4_500, status: 'partially_paid' })
    expect(ok(await seller.client.get('/books/verification')).ok).toBe(true)
  })

  it('that came from the processor can be neither changed nor removed by hand', async () => {
    const { id } = await seller.open()
    const payment = ok(await pay(id, { amount: 3_000 }))
    await sql(`update invoice_payments set kind = 'processor' where id = $1`, [payment.id])
    expect((await seller.client.delete(`/invoices/${id}/payments/${payment.id}`)).detail).toMatch(/refund the charge/)
    expect((await seller.client.patch(`/invoices/${id}/payments/${payment.id}`, { amount: 1 })).detail).toMatch(/refund the charge/)
    expect((await put(id, 'unpaid')).detail).toMatch(/nothing to undo/)
  })
})

describe('many at once', () => {
  it('share one transaction of the sum, or have one each; all or nothing', async () => {
    const [one, two] = [await seller.open(), await seller.open()]
    const both = ok(await seller.client.post('/invoices/bulk-payments', { payments: [{ invoice_id: one.id, amount: 2_500 }, { invoice_id: two.id }], method: 'ach' }))
    expect(both).toMatchObject({ invoices: [{ id: one.id, status: 'partially_paid', balance_due: 7_500 }, { id: two.id, status: 'manual_paid', balance_due: 0 }] })
    expect(both.transaction_ids).toHaveLength(1)
    expect(await transaction(both.transaction_ids[0])).toMatchObject({ amount: 12_500, status: 'matched', matches: [{ amount: 2_500 }, { amount: 10_000 }] })
    const more = [await seller.open(), await seller.open()]
    expect(ok(await seller.client.post('/invoices/bulk-payments', { payments: more.map(({ id }) => ({ invoice_id: id })), one_transaction: false })).transaction_ids).toHaveLength(2)
    const rest = await seller.open()
    const refuse = async (payments: object[], extra: object = {}) => (await seller.client.post('/invoices/bulk-payments', { payments, ...extra })).detail
    expect(await refuse([{ invoice_id: rest.id }, { invoice_id: two.id }])).toMatch(/manual paid/)
    expect(await refuse([{ invoice_id: rest.id, amount: 1 }, { invoice_id: rest.id, amount: 1 }])).toMatch(/named twice/)
    const euros = await seller.open({ customer_id: await newCustomer(seller.client, { currency: 'EUR' }), fx_rate: '1.1' })
    expect(await refuse([{ invoice_id: rest.id }, { invoice_id: euros.id }])).toMatch(/USD and EUR/)
    expect(await refuse([{ invoice_id: rest.id }, { invoice_id: one.id }], { transaction_id: (await seller.deposit(17_499)).id })).toMatch(/left/)
    expect(await get(rest.id)).toMatchObject({ status: 'open', total_paid: 0 })
  })
})

describe('currencies', () => {
  it('a foreign invoice is paid at the rate of the day; a foreign deposit pays a domestic one', async () => {
    for (const [date, rate] of [['2026-03-01', '1.10'], ['2026-03-12', '1.20']]) ok(await seller.client.post('/fx/rates', { from_currency: 'EUR', to_currency: 'USD', date, rate }))
    const customer_id = await newCustomer(seller.client, { currency: 'EUR' })
    const euros = await seller.open({ customer_id, invoice_date: '2026-03-05' })
    expect(euros).toMatchObject({ base_total: 11_000, fx_rate: '1.1' })
    expect(ok(await put(euros.id, 'paid', { paid_on: '2026-03-13' })).payments).toMatchObject([{ amount: 10_000, transaction_amount: 12_000, realized_fx: 1_000 }])
    expect(await seller.balances('accounts_receivable', 'undeposited_funds', 'realized_fx')).toEqual([0, 12_000, -1_000])
    const account = ok(await seller.client.post('/ledgers', { name: 'Euro account', type: 'asset', subtype: 'bank', is_bank: true, currency: 'EUR' }))
    const dollars = await seller.open()
    const deposit = await seller.deposit(9_000, { ledger_id: account.id })
    const payment = ok(await pay(dollars.id, { amount: 10_000, transaction_id: deposit.id, transaction_amount: 8_400 }))
    expect(payment).toMatchObject({ amount: 10_000, transaction_amount: 8_400, realized_fx: 0 })
    expect(await transaction(deposit.id)).toMatchObject({ unallocated_amount: 600 })
    expect(await get(dollars.id)).toMatchObject({ status: 'manual_paid', base_balance: 0 })
    expect(ok(await seller.client.get('/books/verification')).ok).toBe(true)
  })
})

describe('after a write-off', () => {
  it('what was paid before it and taken back is no part of it: a recovery brings no more than was given up', async () => {
    const { id } = await seller.open()
    const early = ok(await pay(id, { amount: 3_000 }))
    ok(await put(id, 'uncollectible'))
    ok(await seller.client.delete(`/invoices/${id}/payments/${early.id}`))
    expect(await get(id)).toMatchObject({ balance_due: 10_000, written_off: 7_000, base_balance: 3_000 })
    const refused = await pay(id, { amount: 8_000 })
    expect([refused.status, refused.detail]).toEqual([400, expect.stringContaining('written off with 70.00 USD')])
    expect(ok(await pay(id, { amount: 7_000 })).kind).toBe('recovery')
    expect(ok(await pay(id)).kind).toBe('manual')
    expect(await get(id)).toMatchObject({ status: 'manual_paid', written_off: 0, base_balance: 0 })
    expect(await seller.balances('accounts_receivable', 'bad_debt')).toEqual([0, 0])
  })

  it('undone, all is owed again, also a payment from before that was taken back meanwhile', async () => {
    const { id } = await seller.open()
    const early = ok(await pay(id, { amount: 3_000 }))
    ok(await put(id, 'uncollectible'))
    ok(await seller.client.delete(`/invoices/${id}/payments/${early.id}`))
    expect(ok(await put(id, 'unpaid'))).toMatchObject({ status: 'open', balance_due: 10_000, written_off: 0, base_balance: 10_000 })
    expect(await seller.balances('accounts_receivable', 'bad_debt')).toEqual([10_000, 0])
    ok(await pay(id))
    expect(await get(id)).toMatchObject({ status: 'manual_paid', base_balance: 0 })
  })
})

describe('roles', () => {
  it('a bookkeeper pays, but neither voids nor writes off', async () => {
    const { client } = await newMember(seller.business_id, 'bookkeeper')
    const { id } = await seller.open()
    expect((await client.post(`/invoices/${id}/payments`, { amount: 1 })).status).toBe(201)
    expect((await client.put(`/invoices/${id}/void`, {})).status).toBe(403)
    expect((await client.put(`/invoices/${id}/uncollectible`, {})).status).toBe(403)
  })
})
