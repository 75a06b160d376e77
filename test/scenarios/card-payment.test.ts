// A customer pays by card on the hosted page, the processor pays out, the bank shows the deposit, a part is given back: over HTTP alone, with a worker.
// And what an unreliable line makes of it: events that come late, twice, in another order, or from somebody else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SANDBOX_SIGNATURE, signedMessage } from '../../src/foundation/processor/sandbox.ts'
import { checkout, connect, newInvoice } from '../support/cards.ts'
import { client, type Client } from '../support/client.ts'
import { problemsOf } from '../support/damage.ts'
import { runJobs } from '../support/jobs.ts'
import { ownService, type Own, type Owner } from '../support/own.ts'
import { newBusiness, sql, type Team } from '../support/people.ts'
import { until } from '../support/process.ts'
import { ok } from '../support/sales.ts'
import { service, type Service } from '../support/service.ts'

type Query = (text: string, values: unknown[]) => Promise<any[]>

async function balancesOf(query: Query, business_id: string): Promise<Record<string, number>> {
  const rows = await query(
    `select coalesce(l.role, 'bank') as name, sum(m.debit - m.credit)::int as balance from ledger_months m join ledgers l on l.business_id = m.business_id and l.id = m.ledger_id
     where m.business_id = $1 group by 1 having sum(m.debit - m.credit) <> 0`, [business_id])
  return Object.fromEntries(rows.map(({ name, balance }) => [name, balance]))
}

type Event = { processor_event_id: string; type: string; subject: 'charge'; object_id: string }
type Signing = { changed?: string; signed_at?: Date; created_at?: string }

/** An event as the processor sends it, once more or for the first time. */
async function send({ url, program, clock }: Service, account: string, { processor_event_id, type, subject, object_id }: Event, { changed = '', signed_at, created_at }: Signing = {}) {
  const event = { id: processor_event_id, type, subject, object_id, account, created_at: created_at ?? clock.now().toISOString() }
  const { body, headers } = signedMessage(program.database.surroundings.encryption_key, event, signed_at ?? clock.now())
  return client(null, null, url).post('/processor/events', undefined, { raw: `${body.toString()}${changed}`, headers: { [SANDBOX_SIGNATURE]: String(headers[SANDBOX_SIGNATURE]) } })
}

describe('with a worker', () => {
  let own: Own
  let owner: Owner
  let books: Client
  beforeAll(async () => {
    own = await ownService({ DAYBOOK_POOL_SIZE: '10' })
    owner = await own.owner()
    books = owner.client
    await own.program.startWorker()
  })
  afterAll(() => own.stop())

  const balances = () => balancesOf(own.sql, owner.business_id)

  it('from the link to the bank, and a part of it back', async () => {
    expect(ok(await books.post('/processor/connection', { return_url: 'https://example.com/a', refresh_url: 'https://example.com/b' })).status).toBe('active')
    const customer = ok(await books.post('/customers', { name: 'Harbor Books', email: 'accounts@harbor.example' }))
    const invoice = ok(await books.post('/invoices', { customer_id: customer.id, finalize: true, line_items: [{ description: 'Work', quantity: 1, unit_price: 100_000 }] }))
    const led = await fetch(invoice.hosted_invoice_url, { method: 'POST', redirect: 'manual', body: new URLSearchParams() })
    expect(led.status).toBe(303)
    const paid = await fetch(led.headers.get('location') ?? '', { method: 'POST', redirect: 'manual', body: new URLSearchParams({ number: '4242 4242 4242 4242', expiry: '12/90', cvc: '123' }) })
    expect([paid.status, paid.headers.get('location')]).toEqual([303, `${invoice.hosted_invoice_url}?paid=100000`])
    const get = async () => ok(await books.get(`/invoices/${invoice.id}`))
    await until('the invoice is paid', async () => (await get()).status === 'processor_paid')
    await until('both events are processed', async () => ok(await books.get('/processor/events', { outcome: 'processed' })).items.length === 2)
    const { account_id, bank_ledger_id } = ok(await books.get('/processor/connection'))
    for (const event of ok(await books.get('/processor/events')).items) {
      expect(await Promise.all([1, 2, 3].map(async () => (await send(own, account_id, event)).status))).toEqual([200, 200, 200])
    }
    expect((await get()).payments).toEqual([expect.objectContaining({ kind: 'processor', amount: 100_000 })])
    expect(await balances()).toEqual({ processor_clearing: 100_000, sales: -100_000 })

    ok(await books.post('/sandbox/processor/payouts', {}))
    const settlement = await until('the payout is known', async () => (await get()).processor_settlement)
    expect(settlement.payout).toMatchObject({ status: 'paid', amount_cents: 97_070, fee_amount_cents: 2_930, gross_amount_cents: 100_000, is_matched: false })
    expect(await balances()).toEqual({ bank: 97_070, processor_fees: 2_930, sales: -100_000 })

    const { items: [payout] } = ok(await books.get('/processor/payouts'))
    const deposit = ok(await books.post('/transactions', { ledger_id: bank_ledger_id, amount: 97_070, datetime: payout.arrival_date, counterparty: 'PROCESSOR PAYOUT' }))
    const week = async () => ok(await books.get('/invoices/cash-receipts', { from: payout.arrival_date, to: payout.arrival_date })).weeks[0]
    expect(await week()).toMatchObject({ deposits: 97_070, payouts: 0, unmatched: 97_070 })
    expect(ok(await books.post(`/processor/payouts/${payout.id}/match`, { transaction_id: deposit.id })).is_matched).toBe(true)
    expect((await get()).processor_settlement.payout).toMatchObject({ is_matched: true, bank_transaction: { id: deposit.id, amount: 97_070 } })
    expect(await balances()).toEqual({ bank: 97_070, processor_fees: 2_930, sales: -100_000 })
    expect(ok(await books.get('/processor/reconciliation'))).toMatchObject({ ledger_balance: 0, difference: 0, rows: [] })
    expect(await week()).toMatchObject({ deposits: 97_070, payouts: 97_070, unmatched: 0, undeposited: 0, status: 'reconciled' })

    const { items: [charge] } = ok(await books.get('/processor/charges', { invoice_id: invoice.id }))
    const refund = ok(await books.post(`/processor/charges/${charge.id}/refund`, { amount: 40_000 }))
    await until('the processor has refunded', async () => ok(await books.get(`/processor/charges/${charge.id}`)).refunds[0].status === 'succeeded')
    await until('all events are processed', async () => ok(await books.get('/processor/events')).items.filter(({ outcome }: { outcome: string }) => outcome === 'processed').length === 4)
    expect(await get()).toMatchObject({ status: 'processor_paid', balance_due: 0, total_paid: 100_000 })
    expect(ok(await books.get(`/credit-memos/${refund.credit_memo_id}`))).toMatchObject({ kind: 'credit_note', reason: 'processor_refund', invoice_id: invoice.id, total: 40_000, refunded_total: 40_000, status: 'closed' })
    expect(await balances()).toEqual({ bank: 97_070, processor_fees: 2_930, sales: -60_000, processor_clearing: -40_000 })
    expect(ok(await books.get('/processor/reconciliation'))).toMatchObject({ charges: 0, refunds: 40_000, expected: -40_000, ledger_balance: -40_000, difference: 0, rows: [] })
    expect(await problemsOf(books)).toEqual({})
  })
})

describe('on a line that is not to be relied on', () => {
  /** What waits at the processor to be told to this business, taken off its hands. */
  async function unsent(team: Team): Promise<Event[]> {
    const rows = await sql(
      `delete from graphile_worker._private_jobs where payload->'event'->>'account' in (select account_id from processor_accounts where business_id = $1) returning payload->'event' as event`, [team.business_id])
    return rows.map(({ event: { id, type, subject, object_id } }) => ({ processor_event_id: id, type, subject, object_id }))
  }

  /** Paid, paid out, and refunded in part; the books have heard that there is a charge, and nothing since. */
  async function busy() {
    const team = await newBusiness()
    await connect(team)
    const invoice = await newInvoice(team)
    const { account_id } = ok(await team.client.get('/processor/connection'))
    const { session_id } = ok(await checkout(invoice.token))
    ok(await team.client.post(`/sandbox/checkouts/${session_id}/complete`, {}))
    const first = await unsent(team)
    const deliver = async (event: Event | undefined, signing: Signing = {}) => {
      const answer = await send(await service(), account_id, event as Event, signing)
      await runJobs(team.business_id)
      return answer.status
    }
    await deliver(first.find(({ type }) => type === 'checkout.completed'))
    const { items: [charge] } = ok(await team.client.get('/processor/charges'))
    ok(await team.client.post('/sandbox/processor/payouts', {}))
    ok(await team.client.post(`/sandbox/processor/charges/${charge.id}/refund`, { amount: 40_000 }))
    const events = new Map([...first, ...(await unsent(team))].map((event) => [event.type, event]))
    return { team, invoice, charge, deliver, event: (type: string) => events.get(type) }
  }

  it.each([
    ['charge.refunded', 'payout.paid', 'charge.succeeded'], ['payout.paid', 'charge.succeeded', 'charge.refunded'], ['charge.succeeded', 'charge.refunded', 'payout.paid'],
  ])('%s, %s, %s, each twice and a week late, come to the same books', async (...order) => {
    const { team, invoice, deliver, event } = await busy()
    for (const type of order) {
      const sent = { created_at: new Date(Date.now() - 7 * 86_400_000).toISOString() }
      expect(await Promise.all([deliver(event(type), sent), deliver(event(type), sent)])).toEqual([200, 200])
    }
    expect(ok(await team.client.get('/processor/events')).items.map(({ outcome, attempts }: { outcome: string; attempts: number }) => [outcome, attempts])).toEqual(Array.from({ length: 4 }, () => ['processed', 1]))
    expect(await balancesOf(sql, team.business_id)).toEqual({ bank: 97_070, processor_fees: 2_930, sales: -60_000, processor_clearing: -40_000 })
    expect(ok(await team.client.get(`/invoices/${invoice.id}`))).toMatchObject({ status: 'processor_paid', processor_settlement: { payout: { amount_cents: 97_070 } } })
    expect(ok(await team.client.get('/credit-memos')).items).toHaveLength(1)
    expect(ok(await team.client.get('/processor/reconciliation'))).toMatchObject({ difference: 0, rows: [] })
    expect(await problemsOf(team.client)).toEqual({})
  })

  it('what was changed, signed by somebody else or signed long ago is refused, and nothing is kept of it', async () => {
    const { team, charge, deliver, event } = await busy()
    const before = await balancesOf(sql, team.business_id)
    const now = (await service()).clock.now().getTime()
    const refunded = event('charge.refunded')
    expect(await deliver(refunded, { changed: ' ' })).toBe(401)
    for (const minutes of [-6, 6]) expect(await deliver(refunded, { signed_at: new Date(now + minutes * 60_000) })).toBe(401)
    const forged = JSON.stringify({ id: 'evt_forged', type: 'charge.refunded', subject: 'charge', object_id: charge.processor_charge_id, account: 'acct_x', created_at: new Date(now).toISOString() })
    for (const signature of ['', 'x', `t=${Math.floor(now / 1000)},v1=${'0'.repeat(64)}`]) {
      expect((await client().post('/processor/events', undefined, { raw: forged, headers: { [SANDBOX_SIGNATURE]: signature } })).status).toBe(401)
    }
    await runJobs(team.business_id)
    expect(ok(await team.client.get('/processor/events')).items).toHaveLength(1)
    expect(await balancesOf(sql, team.business_id)).toEqual(before)
    expect(await deliver(refunded, { signed_at: new Date(now - 4 * 60_000) })).toBe(200)
    expect(ok(await team.client.get(`/processor/charges/${charge.id}`)).refunded).toBe(40_000)
  })
})
