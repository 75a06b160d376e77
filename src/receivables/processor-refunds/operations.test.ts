// Refunds in the books: what they pay out, once, and what they give back when they fail.
import { beforeAll, describe, expect, it } from 'vitest'
import { checkout, connect, newInvoice, pay } from '../../../test/support/cards.ts'
import { problemsOf } from '../../../test/support/damage.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { ok } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem } from '../../foundation/database/transact.ts'
import type { Refund } from '../../foundation/processor/processor.ts'
import { newId } from '../../foundation/ids.ts'
import { applySubject } from '../processor-flows/operations.ts'

let team: Team
beforeAll(async () => {
  team = await connected()
})

async function connected(): Promise<Team> {
  const made = await newBusiness()
  await connect(made)
  return made
}

async function balances(of: Team): Promise<Record<string, number>> {
  const rows = await sql(
    `select coalesce(l.role, l.name) as name, sum(m.debit - m.credit)::int as balance from ledger_months m join ledgers l on l.business_id = m.business_id and l.id = m.ledger_id
     where m.business_id = $1 group by 1 having sum(m.debit - m.credit) <> 0`, [of.business_id])
  return Object.fromEntries(rows.map(({ name, balance }) => [name, balance]))
}

const memosOf = async (of: Team, query: Record<string, string>) => ok(await of.client.get('/credit-memos', query)).items
const memo = async (of: Team, id: string) => ok(await of.client.get(`/credit-memos/${id}`))
const charge = async (of: Team, id: string) => ok(await of.client.get(`/processor/charges/${id}`))
const refund = (of: Team, id: string, body: object = {}) => of.client.post(`/processor/charges/${id}/refund`, body)
const refundThere = async (of: Team, id: string, body: object = {}) => ok(await of.client.post(`/sandbox/processor/charges/${id}/refund`, body))
const reconciled = async (of: Team) => ok(await of.client.get('/processor/reconciliation')).difference

/** Pays twice: by hand, and by the card. */
async function overpaid(of: Team, amount: number, by_hand: number) {
  const invoice = await newInvoice(of, amount)
  const { data } = await checkout(invoice.token)
  ok(await of.client.post(`/invoices/${invoice.id}/payments`, { amount: by_hand, paid_on: '2026-03-03' }))
  ok(await of.client.post(`/sandbox/checkouts/${data.session_id}/complete`, {}))
  await runJobs(of.business_id)
  return { invoice, charge: ok(await of.client.get('/processor/charges', { limit: 1 })).items[0] }
}

/** What the processor says of the charge now, told as if it had this to say of its refunds. */
async function tell(of: Team, processor_charge_id: string, change: (refunds: Refund[]) => Refund[], times = 1): Promise<(string | null)[]> {
  const { database } = (await service()).program
  const business = await findBusiness(database, of.business_id)
  if (!business) throw new Error('There is no such business.')
  const { account_id } = ok(await of.client.get('/processor/connection'))
  const found = await database.surroundings.processor.readCharge(account_id, processor_charge_id)
  return Promise.all(Array.from({ length: times }, () =>
    asSystem(database, business, 'test', (tx) => applySubject(tx, { subject: 'charge', charge: { ...found, refunds: change(found.refunds) } }))))
}

describe('a refund', () => {
  it.each(['here', 'at the processor'])('asked for %s issues a credit note over the lines and pays it out', async (where) => {
    const own = await connected()
    const invoice = await newInvoice(own, 0, { line_items: [{ description: 'Work', unit_price: 75_000 }, { description: 'Travel', unit_price: 25_000 }] })
    const paid = await pay(own, invoice.token)
    if (where === 'here') expect(ok(await refund(own, paid.id, { amount: 40_000, reason: 'Too late' }))).toMatchObject({ status: 'pending', credit_memo_id: expect.any(String) })
    else await refundThere(own, paid.id, { amount: 40_000 })
    await runJobs(own.business_id)
    const [note] = await memosOf(own, { invoice_id: invoice.id })
    expect(note).toMatchObject({ kind: 'credit_note', status: 'closed', reason: 'processor_refund', total: 40_000, refunded_total: 40_000, remaining: 0 })
    expect((await memo(own, note.id)).line_items.map(({ amount }: { amount: number }) => amount)).toEqual([30_000, 10_000])
    expect(ok(await own.client.get(`/credit-memos/${note.id}/refunds`)).items).toEqual([
      expect.objectContaining({ amount: 40_000, method: 'processor', transaction_amount: 40_000, reference: paid.processor_charge_id }),
    ])
    expect((await charge(own, paid.id)).refunds).toEqual([expect.objectContaining({ status: 'succeeded', amount: 40_000, settled_amount: 40_000, credit_memo_id: note.id })])
    expect(ok(await own.client.get(`/invoices/${invoice.id}`))).toMatchObject({ status: 'processor_paid', balance_due: 0, total_paid: 100_000 })
    expect(await balances(own)).toEqual({ processor_clearing: 60_000, sales: -60_000 })
    expect(await reconciled(own)).toBe(0)
    expect(await sql('select booked from processor_refunds where business_id = $1', [own.business_id])).toEqual([{ booked: true }])

    await tell(own, paid.processor_charge_id, (refunds) => refunds, 3)
    expect(await balances(own)).toEqual({ processor_clearing: 60_000, sales: -60_000 })
    expect(await memosOf(own, {})).toHaveLength(1)
    expect(await problemsOf(own.client)).toEqual({})
  })

  it('is in the books before the processor was asked, and in a dry run not at all', async () => {
    const own = await connected()
    const paid = await pay(own, (await newInvoice(own)).token)
    expect(ok(await refund(own, paid.id, { amount: 1_000 })).processor_refund_id).toBeNull()
    const before = await balances(own)
    expect(before).toEqual({ processor_clearing: 99_000, sales: -99_000 })
    ok(await own.client.post(`/processor/charges/${paid.id}/refund?dry_run=true`, { amount: 1_000 }))
    expect(await balances(own)).toEqual(before)
    await runJobs(own.business_id)
    expect(await balances(own)).toEqual(before)
    expect(await reconciled(own)).toBe(0)
  })

  it('pays out the credit that it names', async () => {
    const own = await connected()
    const invoice = await newInvoice(own)
    const paid = await pay(own, invoice.token)
    const note = ok(await own.client.post('/credit-memos/from-invoice', { invoice_id: invoice.id, mode: 'amount', amount: 30_000, reason: 'goodwill', finalize: true }))
    expect(await refund(own, paid.id, { amount: 30_001, credit_memo_id: note.id })).toMatchObject({ status: 400, detail: expect.stringMatching(/has 300\.00 USD left, less than 300\.01 USD/) })
    expect(ok(await refund(own, paid.id, { amount: 20_000, credit_memo_id: note.id }))).toMatchObject({ credit_memo_id: note.id })
    await runJobs(own.business_id)
    expect(await memo(own, note.id)).toMatchObject({ status: 'open', refunded_total: 20_000, remaining: 10_000 })
    expect(await memosOf(own, {})).toHaveLength(1)
    expect(await balances(own)).toEqual({ accounts_receivable: -10_000, processor_clearing: 80_000, sales: -70_000 })
    expect(await problemsOf(own.client)).toEqual({})
  })

  it('of an invoice that is credited in full pays out its open credit notes', async () => {
    const own = await connected()
    const invoice = await newInvoice(own)
    const paid = await pay(own, invoice.token)
    const part = ok(await own.client.post('/credit-memos/from-invoice', { invoice_id: invoice.id, mode: 'amount', amount: 30_000, finalize: true }))
    ok(await own.client.post('/credit-memos/from-invoice', { invoice_id: invoice.id, mode: 'full', finalize: true }))
    await refundThere(own, paid.id)
    await runJobs(own.business_id)
    expect(await memosOf(own, { status: 'closed' })).toHaveLength(2)
    expect((await charge(own, paid.id)).refunds[0].credit_memo_id).toBe(part.id)
    expect(await balances(own)).toEqual({})
    expect(await problemsOf(own.client)).toEqual({})
  })

  it('gives what was paid beyond the invoice back first', async () => {
    const own = await connected()
    const { invoice, charge: paid } = await overpaid(own, 10_000, 7_000)
    const [surplus] = await memosOf(own, { kind: 'overpayment' })
    expect(paid).toMatchObject({ credit_memo_id: surplus.id, amount: 10_000 })
    expect(surplus).toMatchObject({ status: 'open', total: 7_000, customer_id: invoice.customer_id, description: expect.stringMatching(/^Paid beyond Invoice INV-/) })
    ok(await refund(own, paid.id, { amount: 5_000 }))
    await runJobs(own.business_id)
    expect(await memo(own, surplus.id)).toMatchObject({ remaining: 2_000 })
    expect(await memosOf(own, { kind: 'credit_note' })).toEqual([])
    await refundThere(own, paid.id)
    await runJobs(own.business_id)
    expect(await memo(own, surplus.id)).toMatchObject({ status: 'closed', refunded_total: 7_000 })
    expect(await memosOf(own, { kind: 'credit_note' })).toEqual([expect.objectContaining({ total: 3_000, status: 'closed' })])
    expect(await balances(own)).toEqual({ undeposited_funds: 7_000, sales: -7_000 })
    expect(await reconciled(own)).toBe(0)
    expect(await problemsOf(own.client)).toEqual({})
  })

  it.each<[what: string, given: (own: Team, customer_id: string) => Promise<string>, status: number, detail: RegExp]>([
    ['that does not exist', async () => newId(), 404, /^credit_memo_id: credit memo .* not found/],
    ['of another customer', async (own) => {
      const other = ok(await own.client.post('/customers', { name: 'Somebody else' }))
      return ok(await own.client.post('/credit-memos', { customer_id: other.id, line_items: [{ description: 'x', unit_price: 5_000 }], finalize: true })).id
    }, 400, /another customer/],
    ['that is a draft', async (own, customer_id) => ok(await own.client.post('/credit-memos', { customer_id, line_items: [{ description: 'x', unit_price: 5_000 }] })).id, 400, /is draft/],
    ['that is void', async (own, customer_id) => {
      const { id } = ok(await own.client.post('/credit-memos', { customer_id, line_items: [{ description: 'x', unit_price: 5_000 }], finalize: true }))
      return ok(await own.client.put(`/credit-memos/${id}/void`, {})).id
    }, 400, /is void/],
  ])('refuses a credit %s, and leaves nothing', async (_, given, status, detail) => {
    const invoice = await newInvoice(team, 10_000)
    const paid = await pay(team, invoice.token)
    const credit_memo_id = await given(team, invoice.customer_id)
    expect(await refund(team, paid.id, { amount: 1_000, credit_memo_id })).toMatchObject({ status, detail: expect.stringMatching(detail) })
    expect(await charge(team, paid.id)).toMatchObject({ refunded: 0, refunds: [] })
  })

  it('asked for twice at once by the same credit is paid once', async () => {
    const invoice = await newInvoice(team, 10_000)
    const paid = await pay(team, invoice.token)
    const note = ok(await team.client.post('/credit-memos/from-invoice', { invoice_id: invoice.id, mode: 'amount', amount: 3_000, finalize: true }))
    const answers = await Promise.all([1, 2, 3].map(() => refund(team, paid.id, { amount: 3_000, credit_memo_id: note.id })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
    expect(await memo(team, note.id)).toMatchObject({ status: 'closed', refunded_total: 3_000 })
  })

  it('and the same credit applied at once: one of both', async () => {
    const invoice = await newInvoice(team, 10_000)
    const paid = await pay(team, invoice.token)
    const note = ok(await team.client.post('/credit-memos/from-invoice', { invoice_id: invoice.id, mode: 'amount', amount: 3_000, finalize: true }))
    const other = ok(await team.client.post('/invoices', { customer_id: invoice.customer_id, finalize: true, line_items: [{ description: 'More', unit_price: 9_000 }] }))
    const answers = await Promise.all([
      refund(team, paid.id, { amount: 3_000, credit_memo_id: note.id }), team.client.post(`/credit-memos/${note.id}/apply`, { allocations: [{ invoice_id: other.id, amount: 3_000 }] }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
  })
})

describe('a refund that cannot be booked', () => {
  it('is known all the same, says why, and is booked by a replay', async () => {
    const own = await connected()
    const invoice = await newInvoice(own)
    const paid = await pay(own, invoice.token)
    const draft = ok(await own.client.post('/credit-memos/from-invoice', { invoice_id: invoice.id, mode: 'full' }))
    expect(await refund(own, paid.id, { amount: 1_000 })).toMatchObject({ status: 400, detail: expect.stringMatching(/no credit to pay out/) })
    await refundThere(own, paid.id, { amount: 25_000 })
    await runJobs(own.business_id)
    expect(await charge(own, paid.id)).toMatchObject({ status: 'partially_refunded', refunded: 25_000, refunds: [{ status: 'succeeded', credit_memo_id: null }] })
    expect(await balances(own)).toEqual({ processor_clearing: 100_000, sales: -100_000 })
    const [failed] = ok(await own.client.get('/processor/events', { outcome: 'failed' })).items
    expect(failed).toMatchObject({ type: 'charge.refunded', detail: expect.stringMatching(/^250\.00 USD of the refund of charge ch_.* have no credit to pay out/) })
    ok(await own.client.delete(`/credit-memos/${draft.id}`))
    ok(await own.client.post(`/processor/events/${failed.id}/replay`))
    await runJobs(own.business_id)
    expect(ok(await own.client.get('/processor/events', { outcome: 'failed' })).items).toEqual([])
    expect(await balances(own)).toEqual({ processor_clearing: 75_000, sales: -75_000 })
    expect(await problemsOf(own.client)).toEqual({})
  })
})

describe('a refund that fails', () => {
  it('because the processor refuses it gives the credit back', async () => {
    const own = await connected()
    const paid = await pay(own, (await newInvoice(own)).token)
    const { account_id } = ok(await own.client.get('/processor/connection'))
    const { processor } = (await service()).program.database.surroundings
    const asked = ok(await refund(own, paid.id, { amount: 60_000 }))
    // Meanwhile somebody gave back the same money there.
    await processor.refund({ account: account_id, charge: paid.processor_charge_id, amount: 50_000, reference: '', idempotency_key: newId() })
    await runJobs(own.business_id)
    expect((await charge(own, paid.id)).refunds.map(({ amount, status }: { amount: number; status: string }) => [amount, status]).toSorted()).toEqual([[50_000, 'succeeded'], [60_000, 'failed']])
    expect(await memo(own, asked.credit_memo_id)).toMatchObject({ total: 60_000, remaining: expect.any(Number) })
    expect((await eventsOf(asked.credit_memo_id)).filter((type) => type === 'credit_memo.refund_failed')).toHaveLength(1)
    expect((await balances(own))['processor_clearing']).toBe(50_000)
    expect(await reconciled(own)).toBe(0)
    expect(await problemsOf(own.client)).toEqual({})
  })

  it('after it was done gives the credit back, once, and may succeed after all', async () => {
    const own = await connected()
    const paid = await pay(own, (await newInvoice(own)).token)
    ok(await refund(own, paid.id, { amount: 40_000 }))
    await runJobs(own.business_id)
    const [{ credit_memo_id }] = (await charge(own, paid.id)).refunds
    const failed = (refunds: Refund[]): Refund[] => refunds.map((each) => ({ ...each, status: 'failed', failure_reason: 'The account is closed.' }))
    expect(await tell(own, paid.processor_charge_id, failed, 3)).toEqual([null, null, null])
    expect(await memo(own, credit_memo_id)).toMatchObject({ status: 'open', refunded_total: 0, remaining: 40_000 })
    expect((await eventsOf(credit_memo_id)).filter((type) => type === 'credit_memo.refund_failed')).toHaveLength(1)
    expect(await charge(own, paid.id)).toMatchObject({ refunded: 0, status: 'succeeded', refunds: [{ status: 'failed', failure_reason: 'The account is closed.' }] })
    expect(await balances(own)).toEqual({ accounts_receivable: -40_000, processor_clearing: 100_000, sales: -60_000 })
    expect(await problemsOf(own.client)).toEqual({})
    await tell(own, paid.processor_charge_id, (refunds) => refunds)
    expect(await memosOf(own, {})).toEqual([expect.objectContaining({ id: credit_memo_id, status: 'closed' })])
    expect(await balances(own)).toEqual({ processor_clearing: 60_000, sales: -60_000 })
  })

  it('or takes another amount of the money there is booked anew on the same credit', async () => {
    const own = await connected()
    const paid = await pay(own, (await newInvoice(own, 100_000, { currency: 'EUR', fx_rate: '1.1' })).token)
    expect(paid).toMatchObject({ currency: 'EUR', amount: 100_000, settled_currency: 'USD', settled_amount: 110_000 })
    expect(ok(await refund(own, paid.id, { amount: 40_000 }))).toMatchObject({ settled_amount: 44_000 })
    await runJobs(own.business_id)
    expect((await balances(own))['processor_clearing']).toBe(66_000)
    await tell(own, paid.processor_charge_id, (refunds) => refunds.map((each) => ({ ...each, settled_amount: 45_000 })), 2)
    expect(await balances(own)).toEqual({ processor_clearing: 65_000, sales: -66_000, realized_fx: 1_000 })
    expect(await memosOf(own, {})).toEqual([expect.objectContaining({ currency: 'EUR', total: 40_000, status: 'closed' })])
    expect(await reconciled(own)).toBe(0)
    expect(await problemsOf(own.client)).toEqual({})
  })
})
