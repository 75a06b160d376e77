// What the card processor does, end to end over HTTP: pay, pay out, match, dispute; in any order and as often as told.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf } from '../../../test/support/books.ts'
import { checkout, connect, newInvoice, pay } from '../../../test/support/cards.ts'
import { client } from '../../../test/support/client.ts'
import { problemsOf } from '../../../test/support/damage.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { SANDBOX_SIGNATURE, signedMessage } from '../../foundation/processor/sandbox.ts'

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

const events = (of: Team) => sql('select body, type, outcome, detail from processor_events where business_id = $1 order by created_at, id', [of.business_id])

/** The same bytes, signed anew, as a processor sends them that did not hear our answer. */
async function sendAgain(body: string) {
  const { program, clock } = await service()
  const message = signedMessage(program.database.surroundings.encryption_key, JSON.parse(body), clock.now())
  return client().post('/processor/events', undefined, { raw: message.body, headers: { [SANDBOX_SIGNATURE]: String(message.headers[SANDBOX_SIGNATURE]) } })
}

describe('a card', () => {
  it('pays an invoice once, is paid out, matched, and reconciles', async () => {
    const own = await connected()
    const invoice = await newInvoice(own)
    const charge = await pay(own, invoice.token)
    expect(charge).toMatchObject({ invoice_id: invoice.id, customer_id: invoice.customer_id, amount: 100_000, settled_amount: 100_000, fee: 2_930, status: 'succeeded', card_last4: '4242', payout_id: null })

    for (const { body } of [...(await events(own)), ...(await events(own)), ...(await events(own))]) expect(await sendAgain(body)).toMatchObject({ status: 200, body: { received: true } })
    expect(await runJobs(own.business_id)).toEqual([])
    expect((await events(own)).map(({ type, outcome }) => [type, outcome])).toEqual([['charge.succeeded', 'processed'], ['checkout.completed', 'processed']])

    const paid = (await own.client.get(`/invoices/${invoice.id}`)).data
    expect(paid).toMatchObject({ status: 'processor_paid', balance_due: 0, processor_settlement: null })
    expect(paid.payments).toEqual([expect.objectContaining({ id: charge.payment_id, kind: 'processor', method: 'card', amount: 100_000, processor_charge_id: charge.processor_charge_id })])
    expect(await balances(own)).toEqual({ processor_clearing: 100_000, sales: -100_000 })
    expect((await own.client.get('/processor/reconciliation')).data).toMatchObject({ charges: 100_000, expected: 100_000, ledger_balance: 100_000, difference: 0, rows: [] })

    expect((await own.client.post('/sandbox/processor/payouts', {})).data).toMatchObject({ amount: 97_070, status: 'paid' })
    await runJobs(own.business_id)
    const { items: [payout] } = (await own.client.get('/processor/payouts')).data
    expect(payout).toMatchObject({ status: 'paid', amount_cents: 97_070, fee_amount_cents: 2_930, gross_amount_cents: 100_000, is_matched: false, posting_problem: null, payment_summary: expect.stringContaining('INV-') })
    const chart = await chartOf(own.business_id)
    const books = await balances(own)
    const [bank_name] = Object.keys(books).filter((name) => books[name] === 97_070)
    expect(books).toEqual({ processor_fees: 2_930, sales: -100_000, [bank_name ?? '']: 97_070 })
    const settled = (await own.client.get(`/invoices/${invoice.id}`)).data
    expect(settled.processor_settlement.payout).toMatchObject({
      processor_payout_id: payout.processor_payout_id, is_matched: false, journal_entry_id: payout.journal_entry_id,
      invoice_breakdown: [{ amount_cents: 100_000, processor_charge_id: charge.processor_charge_id, service_invoice_id: invoice.id, invoice_number: settled.number, label: settled.customer_name }],
    })

    const { data: deposit } = await own.client.post('/transactions', { ledger_id: chart.named(bank_name ?? ''), amount: 97_070, datetime: payout.arrival_date, counterparty: 'PROCESSOR', description: 'ACH credit' })
    expect((await own.client.get(`/processor/payouts/${payout.id}/candidates`)).data.map(({ id }: { id: string }) => id)).toEqual([deposit.id])
    const matched = await own.client.post(`/processor/payouts/${payout.id}/match`, { transaction_id: deposit.id })
    expect(matched.data).toMatchObject({ is_matched: true, bank_deposit_match_id: deposit.id, bank_transaction: { id: deposit.id, amount: 97_070 } })
    expect((await own.client.get(`/processor/payouts/${payout.id}/candidates`)).data).toEqual([])
    expect(await balances(own)).toEqual(books)
    expect((await own.client.get(`/transactions/${deposit.id}`)).data).toMatchObject({ status: 'matched', matches: [{ type: 'processor_payout', id: payout.id, amount: 97_070 }] })
    expect((await own.client.get('/processor/reconciliation')).data).toMatchObject({ expected: 0, ledger_balance: 0, difference: 0, rows: [] })

    expect((await own.client.delete(`/processor/payouts/${payout.id}/match`)).data).toMatchObject({ is_matched: false, bank_transaction: null })
    expect((await own.client.get(`/transactions/${deposit.id}`)).data).toMatchObject({ status: 'unreviewed', matches: [] })
    expect(await balances(own)).toEqual(books)
  })

  it('of which a part is paid leaves the rest due', async () => {
    const invoice = await newInvoice(team, 10_000, { allow_partial_payments: true })
    await pay(team, invoice.token, 4_000)
    expect((await team.client.get(`/invoices/${invoice.id}`)).data).toMatchObject({ status: 'partially_paid', balance_due: 6_000 })
    await pay(team, invoice.token)
    expect((await team.client.get(`/invoices/${invoice.id}`)).data).toMatchObject({ status: 'processor_paid', balance_due: 0 })
  })

  it('charged for an invoice that was paid meanwhile leaves the money with the customer', async () => {
    const own = await connected()
    const invoice = await newInvoice(own, 10_000)
    const { data } = await checkout(invoice.token)
    await own.client.post(`/invoices/${invoice.id}/payments`, { amount: 7_000, paid_on: '2026-03-03' })
    expect((await own.client.post(`/sandbox/checkouts/${data.session_id}/complete`, {})).status).toBe(201)
    await runJobs(own.business_id)
    expect((await own.client.get(`/invoices/${invoice.id}`)).data).toMatchObject({ status: 'processor_paid', balance_due: 0 })
    expect(await balances(own)).toEqual({ processor_clearing: 10_000, customer_deposits: -7_000, undeposited_funds: 7_000, sales: -10_000 })
    expect((await own.client.get('/processor/reconciliation')).data).toMatchObject({ expected: 10_000, difference: 0 })
    const { items: [surplus] } = (await own.client.get('/credit-memos')).data
    expect(surplus).toMatchObject({ kind: 'overpayment', status: 'open', total: 7_000, remaining: 7_000, customer_id: invoice.customer_id })
    expect((await own.client.get('/processor/charges')).data.items[0]).toMatchObject({ credit_memo_id: surplus.id })
    expect(await problemsOf(own.client)).toEqual({})
  })

  it('that is declined changes nothing but the list of charges', async () => {
    const own = await connected()
    const invoice = await newInvoice(own, 10_000)
    const { data } = await checkout(invoice.token)
    expect(await own.client.post(`/sandbox/checkouts/${data.session_id}/complete`, { card_number: '4000000000000002' })).toMatchObject({ status: 400, detail: expect.stringMatching(/declined/) })
    await runJobs(own.business_id)
    expect((await own.client.get('/processor/charges')).data.items).toEqual([expect.objectContaining({ status: 'failed', failure_reason: expect.stringMatching(/declined/), settled_amount: null })])
    expect((await own.client.get(`/invoices/${invoice.id}`)).data).toMatchObject({ status: 'open', balance_due: 10_000 })
  })
})

describe('events', () => {
  it('in the wrong order lead to the same books', async () => {
    const own = await connected()
    const invoice = await newInvoice(own)
    const { data } = await checkout(invoice.token)
    await own.client.post(`/sandbox/checkouts/${data.session_id}/complete`, {})
    await own.client.post('/sandbox/processor/payouts', {})
    const waiting = await sql(
      `delete from graphile_worker._private_jobs where payload->'event'->>'account' in (select account_id from processor_accounts where business_id = $1) returning id::bigint as id, payload`, [own.business_id])
    for (const { payload } of waiting.toSorted((a, b) => Number(b.id) - Number(a.id))) {
      await sendAgain(JSON.stringify(payload.event))
      await runJobs(own.business_id)
    }
    expect((await events(own)).map(({ type, outcome }) => [type, outcome])).toEqual([['payout.paid', 'processed'], ['checkout.completed', 'processed'], ['charge.succeeded', 'processed']])
    expect((await own.client.get(`/invoices/${invoice.id}`)).data).toMatchObject({ status: 'processor_paid', processor_settlement: { payout: { amount_cents: 97_070 } } })
    expect(await balances(own)).not.toHaveProperty('processor_clearing')
  })

  it('at the same time are processed once', async () => {
    const own = await connected()
    const invoice = await newInvoice(own)
    const { data } = await checkout(invoice.token)
    await own.client.post(`/sandbox/checkouts/${data.session_id}/complete`, {})
    await Promise.all([runJobs(own.business_id), runJobs(own.business_id)])
    await runJobs(own.business_id)
    const [{ body }] = await events(own) as [{ body: string }]
    await Promise.all([sendAgain(body), sendAgain(body), sendAgain(body)])
    expect(await runJobs(own.business_id)).toEqual([])
    expect((await own.client.get(`/invoices/${invoice.id}/payments`)).data.items).toHaveLength(1)
    expect(await balances(own)).toMatchObject({ processor_clearing: 100_000 })
  })

  it('with a wrong signature are a 401, of nobody here are taken and forgotten', async () => {
    const { program, clock } = await service()
    const event = { id: 'evt_x', type: 'charge.succeeded', subject: 'charge' as const, object_id: 'ch_x', account: 'acct_nobody', created_at: clock.now().toISOString() }
    const { body, headers } = signedMessage(program.database.surroundings.encryption_key, event, clock.now())
    const post = (raw: Buffer | string, signature: string) => client().post('/processor/events', undefined, { raw, headers: { [SANDBOX_SIGNATURE]: signature } })
    expect(await post(body, String(headers[SANDBOX_SIGNATURE]))).toMatchObject({ status: 200, body: { received: true } })
    expect((await post(`${body.toString()} `, String(headers[SANDBOX_SIGNATURE]))).status).toBe(401)
    expect((await post(body, 't=1,v1=00')).status).toBe(401)
    expect((await client().post('/processor/events', event)).status).toBe(401)
    expect(await sql(`select from processor_events where processor_event_id = 'evt_x'`)).toEqual([])
  })

  it('that fail say why, and can be processed again', async () => {
    const own = await connected()
    await newInvoice(own)
    const { program, clock } = await service()
    const { account_id } = (await own.client.get('/processor/connection')).data
    const send = async (more: object) => {
      const message = signedMessage(program.database.surroundings.encryption_key, { id: `evt_${newId()}`, type: 'charge.succeeded', subject: 'charge', object_id: 'ch_missing', account: account_id, created_at: clock.now().toISOString(), ...more }, clock.now())
      await client().post('/processor/events', undefined, { raw: message.body, headers: { [SANDBOX_SIGNATURE]: String(message.headers[SANDBOX_SIGNATURE]) } })
      await runJobs(own.business_id)
    }
    await send({})
    await send({ type: 'customer.created', subject: null, object_id: 'cus_1' })
    const { items: [ignored, failed] } = (await own.client.get('/processor/events')).data
    expect([ignored.outcome, failed.outcome, failed.detail, failed.attempts]).toEqual(['ignored', 'failed', 'Charge not found.', 1])
    expect((await own.client.get('/processor/events', { outcome: 'failed' })).data.items).toHaveLength(1)
    expect(failed).not.toHaveProperty('body')
    expect((await own.client.post(`/processor/events/${failed.id}/replay`)).data.outcome).toBe('pending')
    await runJobs(own.business_id)
    expect((await own.client.get('/processor/events', { outcome: 'failed' })).data.items[0]).toMatchObject({ attempts: 2 })
    expect(await own.client.post(`/processor/events/${ignored.id}/replay`)).toMatchObject({ status: 400, detail: expect.stringMatching(/was ignored/) })
  })
})

describe('disputes', () => {
  it('take the payment back, and give it again where they are won', async () => {
    const own = await connected()
    const invoice = await newInvoice(own)
    const charge = await pay(own, invoice.token)
    const dispute = async (status: string) => {
      expect((await own.client.post(`/sandbox/processor/charges/${charge.id}/dispute`, { status })).status).toBe(201)
      await runJobs(own.business_id)
      return [(await own.client.get(`/invoices/${invoice.id}`)).data, (await own.client.get(`/processor/charges/${charge.id}`)).data]
    }
    const [opened, taken] = await dispute('open')
    expect(opened).toMatchObject({ status: 'open', balance_due: 100_000, disputed: true })
    expect(taken).toMatchObject({ status: 'disputed', payment_id: null })
    expect(await balances(own)).toEqual({ accounts_receivable: 100_000, sales: -100_000 })
    expect((await own.client.get('/processor/disputes')).data.items).toEqual([expect.objectContaining({ charge_id: charge.id, status: 'open', amount: 100_000, fee: 1_500 })])
    expect((await own.client.get('/processor/reconciliation')).data).toMatchObject({ charges: 100_000, disputes: 100_000, expected: 0, difference: 0 })
    const [won, back] = await dispute('won')
    expect(won).toMatchObject({ status: 'processor_paid', balance_due: 0, disputed: false })
    expect(back).toMatchObject({ status: 'succeeded', payment_id: expect.any(String) })
    expect(await balances(own)).toEqual({ processor_clearing: 100_000, sales: -100_000 })
    await own.client.post('/sandbox/processor/payouts', {})
    await runJobs(own.business_id)
    expect((await own.client.get('/processor/reconciliation')).data).toMatchObject({ expected: 0, ledger_balance: 0, difference: 0, rows: [] })
  })

  it('that are lost leave the invoice open', async () => {
    const own = await connected()
    const invoice = await newInvoice(own)
    const other = await newInvoice(own)
    const charge = await pay(own, invoice.token)
    await pay(own, other.token)
    for (const status of ['open', 'lost']) await own.client.post(`/sandbox/processor/charges/${charge.id}/dispute`, { status })
    await runJobs(own.business_id)
    expect((await own.client.get(`/invoices/${invoice.id}`)).data).toMatchObject({ status: 'open', disputed: true })
    await own.client.post('/sandbox/processor/payouts', {})
    await runJobs(own.business_id)
    const { items: [payout] } = (await own.client.get('/processor/payouts')).data
    expect(payout).toMatchObject({ amount_cents: 92_640, fee_amount_cents: 7_360, gross_amount_cents: 200_000 })
    expect(await balances(own)).not.toHaveProperty('processor_clearing')
    expect((await own.client.get('/processor/reconciliation')).data).toMatchObject({ expected: 0, difference: 0, rows: [] })
  })
})

describe('disputes of a charge that was more than the invoice could take', () => {
  /** 3,000 of 10,000 paid the invoice; 7,000 are an overpayment. */
  async function overpaid() {
    const own = await connected()
    const invoice = await newInvoice(own, 10_000)
    const { data } = await checkout(invoice.token)
    await own.client.post(`/invoices/${invoice.id}/payments`, { amount: 7_000, paid_on: '2026-03-03' })
    await own.client.post(`/sandbox/checkouts/${data.session_id}/complete`, {})
    await runJobs(own.business_id)
    const { items: [charge] } = (await own.client.get('/processor/charges')).data
    const dispute = async (status: string) => {
      await own.client.post(`/sandbox/processor/charges/${charge.id}/dispute`, { status })
      await runJobs(own.business_id)
    }
    const memo = async () => (await own.client.get(`/credit-memos/${charge.credit_memo_id}`)).data
    return { own, invoice, charge, dispute, memo }
  }

  it('take the surplus back too, and give it again where they are won', async () => {
    const { own, invoice, dispute, memo } = await overpaid()
    const before = await balances(own)
    await dispute('open')
    expect(await memo()).toMatchObject({ status: 'closed', refunded_total: 7_000 })
    expect((await own.client.get(`/invoices/${invoice.id}`)).data).toMatchObject({ status: 'partially_paid', balance_due: 3_000, disputed: true })
    expect(await balances(own)).toEqual({ accounts_receivable: 3_000, undeposited_funds: 7_000, sales: -10_000 })
    expect((await own.client.get('/processor/reconciliation')).data).toMatchObject({ disputes: 10_000, difference: 0, rows: [] })
    expect(await problemsOf(own.client)).toEqual({})
    await dispute('won')
    expect(await memo()).toMatchObject({ status: 'open', refunded_total: 0, remaining: 7_000 })
    expect((await own.client.get(`/invoices/${invoice.id}`)).data).toMatchObject({ status: 'processor_paid', balance_due: 0, disputed: false })
    expect(await balances(own)).toEqual(before)
    expect(await problemsOf(own.client)).toEqual({})
  })

  it('leave what of the surplus is used where it is, say why, and take it by a replay once it is free', async () => {
    const { own, invoice, charge, dispute, memo } = await overpaid()
    const other = (await own.client.post('/invoices', { customer_id: invoice.customer_id, finalize: true, line_items: [{ description: 'More', unit_price: 2_000 }] })).data
    const { data: applied } = await own.client.post(`/credit-memos/${charge.credit_memo_id}/apply`, { allocations: [{ invoice_id: other.id, amount: 2_000 }] })
    expect(applied).toMatchObject({ applied_total: 2_000 })
    await dispute('open')
    expect(await memo()).toMatchObject({ status: 'closed', applied_total: 2_000, refunded_total: 5_000 })
    const { items: [failed] } = (await own.client.get('/processor/events', { outcome: 'failed' })).data
    expect(failed).toMatchObject({ type: 'dispute.opened', detail: expect.stringMatching(/^20\.00 USD of charge ch_.* are disputed, but were used as a credit, Overpayment CM-/) })
    expect((await balances(own))['processor_clearing']).toBe(2_000)
    expect((await own.client.get('/processor/reconciliation')).data).toMatchObject({ disputes: 8_000, expected: 2_000, difference: 0 })
    expect(await problemsOf(own.client)).toEqual({})
    const { items: [application] } = (await own.client.get(`/credit-memos/${charge.credit_memo_id}/applications`)).data
    expect((await own.client.delete(`/credit-memos/${charge.credit_memo_id}/applications/${application.id}`)).status).toBe(200)
    await own.client.post(`/processor/events/${failed.id}/replay`)
    await runJobs(own.business_id)
    expect(await memo()).toMatchObject({ status: 'closed', applied_total: 0, refunded_total: 7_000 })
    expect(await balances(own)).not.toHaveProperty('processor_clearing')
    await dispute('won')
    expect(await memo()).toMatchObject({ status: 'open', remaining: 7_000 })
    expect((await balances(own))['processor_clearing']).toBe(10_000)
    expect(await problemsOf(own.client)).toEqual({})
  })

  it('won after the invoice was paid otherwise make an overpayment of what they give back', async () => {
    const own = await connected()
    const invoice = await newInvoice(own)
    const charge = await pay(own, invoice.token)
    for (const status of ['open', 'won']) {
      await own.client.post(`/sandbox/processor/charges/${charge.id}/dispute`, { status })
      if (status === 'won') await own.client.put(`/invoices/${invoice.id}/paid`, {})
      await runJobs(own.business_id)
    }
    const { data: after } = await own.client.get(`/processor/charges/${charge.id}`)
    expect(after).toMatchObject({ status: 'succeeded', payment_id: null, credit_memo_id: expect.any(String) })
    expect((await own.client.get(`/credit-memos/${after.credit_memo_id}`)).data).toMatchObject({ kind: 'overpayment', total: 100_000 })
    expect(await balances(own)).toEqual({ processor_clearing: 100_000, customer_deposits: -100_000, undeposited_funds: 100_000, sales: -100_000 })
    expect(await problemsOf(own.client)).toEqual({})
  })

  it('of which a part was refunded take the rest', async () => {
    const own = await connected()
    const invoice = await newInvoice(own)
    const charge = await pay(own, invoice.token)
    await own.client.post(`/processor/charges/${charge.id}/refund`, { amount: 40_000 })
    await runJobs(own.business_id)
    await own.client.post(`/sandbox/processor/charges/${charge.id}/dispute`, {})
    await runJobs(own.business_id)
    expect((await own.client.get(`/invoices/${invoice.id}`)).data).toMatchObject({ status: 'partially_paid', balance_due: 60_000, disputed: true })
    expect(await balances(own)).toEqual({ accounts_receivable: 60_000, sales: -60_000 })
    expect((await own.client.get('/processor/reconciliation')).data).toMatchObject({ charges: 100_000, refunds: 40_000, disputes: 60_000, difference: 0 })
    expect(await problemsOf(own.client)).toEqual({})
  })
})

describe('payouts', () => {
  it('that fail afterwards are taken out of the books and come again', async () => {
    const own = await connected()
    const invoice = await newInvoice(own)
    const charge = await pay(own, invoice.token)
    await own.client.post('/sandbox/processor/payouts', {})
    await runJobs(own.business_id)
    const { items: [payout] } = (await own.client.get('/processor/payouts')).data
    expect((await own.client.post(`/sandbox/processor/payouts/${payout.id}/fail`)).status).toBe(201)
    await runJobs(own.business_id)
    expect((await own.client.get(`/processor/payouts/${payout.id}`)).data).toMatchObject({ status: 'failed', journal_entry_id: null, transaction_id: null, items: [] })
    expect((await own.client.get(`/processor/charges/${charge.id}`)).data.payout_id).toBeNull()
    expect(await balances(own)).toEqual({ processor_clearing: 100_000, sales: -100_000 })
    await own.client.post('/sandbox/processor/payouts', {})
    await runJobs(own.business_id)
    expect(await balances(own)).not.toHaveProperty('processor_clearing')
    expect((await own.client.get('/processor/payouts', { status: 'paid' })).data.items).toHaveLength(1)
  })

  it('into a closed period wait until somebody posts them', async () => {
    const own = await connected()
    const invoice = await newInvoice(own)
    await pay(own, invoice.token)
    const { data: { items: periods } } = await own.client.get('/accounting-periods', { limit: 100, descending: false })
    const january = periods.find(({ start_date }: { start_date: string }) => start_date === '2026-01-01')
    const closed = await own.client.put(`/accounting-periods/${january.id}/close`, {})
    expect(closed.status, JSON.stringify(closed.detail)).toBe(200)
    await own.client.post('/sandbox/processor/payouts', { arrival_date: '2026-01-15' })
    await runJobs(own.business_id)
    const { items: [payout] } = (await own.client.get('/processor/payouts')).data
    expect(payout).toMatchObject({ status: 'paid', journal_entry_id: null, posting_problem: expect.stringMatching(/closed/) })
    expect(await own.client.post(`/processor/payouts/${payout.id}/match`, { transaction_id: payout.id })).toMatchObject({ status: 400, detail: expect.stringMatching(/not in the books/) })
    expect((await own.client.post(`/processor/payouts/${payout.id}/journal-entry`, {})).status).toBe(400)
    const posted = await own.client.post(`/processor/payouts/${payout.id}/journal-entry`, { date: '2026-04-01' })
    expect(posted.data).toMatchObject({ journal_entry_id: expect.any(String), posting_problem: null })
    expect((await own.client.post(`/processor/payouts/${payout.id}/journal-entry`, {})).detail).toBe('The entry of this payout stands.')
    expect(await balances(own)).not.toHaveProperty('processor_clearing')
  })

  it('are read again: what is known does not change', async () => {
    const own = await connected()
    const invoice = await newInvoice(own)
    await pay(own, invoice.token)
    await own.client.post('/sandbox/processor/payouts', {})
    await sql(`delete from graphile_worker._private_jobs where payload->'event'->>'account' in (select account_id from processor_accounts where business_id = $1)`, [own.business_id])
    expect((await own.client.post('/processor/payouts/sync', { from: '2020-01-01' })).data).toEqual({ found: 1, queued: 1 })
    await runJobs(own.business_id)
    expect((await own.client.get('/processor/payouts')).data.items).toEqual([expect.objectContaining({ amount_cents: 97_070, status: 'paid', journal_entry_id: expect.any(String) })])
    expect((await own.client.post('/processor/payouts/sync', { from: '2020-01-01' })).data).toEqual({ found: 1, queued: 0 })
  })

  it.each([['another amount', 97_071], ['a withdrawal', -97_070]])('are not matched to %s', async (_, amount) => {
    const own = await connected()
    await pay(own, (await newInvoice(own)).token)
    await own.client.post('/sandbox/processor/payouts', {})
    await runJobs(own.business_id)
    const { items: [payout] } = (await own.client.get('/processor/payouts')).data
    const { bank_ledger_id } = (await own.client.get('/processor/connection')).data
    const { data } = await own.client.post('/transactions', { ledger_id: bank_ledger_id, amount, datetime: payout.arrival_date })
    expect(await own.client.post(`/processor/payouts/${payout.id}/match`, { transaction_id: data.id })).toMatchObject({ status: 400, detail: expect.stringMatching(/another amount/) })
  })
})
