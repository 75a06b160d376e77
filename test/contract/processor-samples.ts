// Samples for the endpoints of the card processor: a business that is connected, with a charge and a payout at the embedded processor.
import { newId } from '../../src/foundation/ids.ts'
import { SANDBOX_SIGNATURE, signedMessage } from '../../src/foundation/processor/sandbox.ts'
import { checkout, connect, newInvoice } from '../support/cards.ts'
import { client } from '../support/client.ts'
import { runJobs } from '../support/jobs.ts'
import { sql, type Team } from '../support/people.ts'
import { service } from '../support/service.ts'

type Made = { params?: Record<string, string>; body?: unknown; query?: Record<string, string>; client?: ReturnType<typeof client>; raw?: Buffer; headers?: Record<string, string> }
type Maker = (team: Team) => Promise<Made>

/** A charge that the processor knows and the books have heard of, without an invoice behind it. */
export async function chargeOf(team: Team): Promise<string> {
  await connect(team)
  const [{ account_id }] = await sql('select account_id from processor_connections where business_id = $1', [team.business_id])
  const [session, charge] = [`cs_${newId()}`, `ch_${newId()}`]
  await sql(
    `insert into sandbox_checkouts (id, account, reference, amount, currency, description, success_url, cancel_url, status, charge_id, idempotency_key, expires_at, created_at)
     values ($1, $2, 'nothing', 10000, 'USD', 'Sample', 'https://example.com', 'https://example.com', 'complete', $3, $1, now(), now())`, [session, account_id, charge])
  await sql(
    `insert into sandbox_charges (id, account, checkout_id, reference, status, amount, currency, settled_amount, settled_currency, fee, card_brand, card_last4, created_at)
     values ($1, $2, $3, 'nothing', 'succeeded', 10000, 'USD', 10000, 'USD', 320, 'visa', '4242', now())`, [charge, account_id, session])
  await sql(
    `insert into sandbox_movements (id, account, kind, amount, fee, charge_id, created_at) values ($1, $2, 'charge', 10000, 320, $3, now())`, [`bt_${newId()}`, account_id, charge])
  const id = newId()
  await sql(
    `insert into processor_charges (business_id, id, processor_charge_id, amount, currency, settled_amount, settled_currency, fee, refunded, status, charged_at, booked, created_at, updated_at, version)
     values ($1, $2, $3, 10000, 'USD', 10000, 'USD', 320, 0, 'succeeded', now(), false, now(), now(), 1)`, [team.business_id, id, charge])
  return id
}

/** A payout that the books have heard of; one that arrived before the books began is not posted. */
export async function payoutOf(team: Team, arrival_date?: string): Promise<string> {
  await chargeOf(team)
  await team.client.post('/sandbox/processor/payouts', arrival_date ? { arrival_date } : {})
  await runJobs(team.business_id)
  return (await team.client.get('/processor/payouts')).data.items[0].id
}

async function depositFor(team: Team, payout_id: string): Promise<string> {
  const { amount_cents, arrival_date } = (await team.client.get(`/processor/payouts/${payout_id}`)).data
  const { bank_ledger_id } = (await team.client.get('/processor/connection')).data
  return (await team.client.post('/transactions', { ledger_id: bank_ledger_id, amount: amount_cents, datetime: arrival_date })).data.id
}

async function event(team: Team, object_id: string | null = 'ch_missing') {
  const { program, clock } = await service()
  const { account_id } = (await team.client.get('/processor/connection')).data
  const message = signedMessage(program.database.surroundings.encryption_key, {
    id: `evt_${newId()}`, type: 'charge.succeeded', subject: 'charge', object_id, account: account_id, created_at: clock.now().toISOString(),
  }, clock.now())
  return { raw: message.body, headers: { [SANDBOX_SIGNATURE]: String(message.headers[SANDBOX_SIGNATURE]) } }
}

const connected: Maker = async (team) => (await connect(team), {})
const charged: Maker = async (team) => ({ params: { charge_id: await chargeOf(team) } })
const paidOut: Maker = async (team) => ({ params: { payout_id: await payoutOf(team) } })
const opened: Maker = async (team) => {
  await connect(team)
  return { params: { session_id: (await checkout((await newInvoice(team)).token)).data.session_id } }
}

export const processorSamples: Record<string, Maker> = {
  update_processor_connection: async (team) => (await connect(team), { body: { sync_invoices: true } }),
  disconnect_processor: connected,
  refresh_processor_connection: connected,
  get_processor_reconciliation: connected,
  sync_processor_payouts: connected,
  sandbox_pay_out: async (team) => (await chargeOf(team), {}),
  get_processor_charge: charged,
  refund_processor_charge: charged,
  rotate_invoice_link: async (team) => ({ params: { invoice_id: (await newInvoice(team)).id } }),
  sandbox_refund_charge: charged,
  sandbox_dispute_charge: charged,
  get_processor_payout: paidOut,
  list_processor_payout_candidates: paidOut,
  sandbox_fail_payout: paidOut,
  match_processor_payout: async (team) => {
    const payout_id = await payoutOf(team)
    return { params: { payout_id }, body: { transaction_id: await depositFor(team, payout_id) } }
  },
  unmatch_processor_payout: async (team) => {
    const payout_id = await payoutOf(team)
    await team.client.post(`/processor/payouts/${payout_id}/match`, { transaction_id: await depositFor(team, payout_id) })
    return { params: { payout_id } }
  },
  post_processor_payout: async (team) => ({ params: { payout_id: await payoutOf(team, '2019-01-01') }, body: { date: '2026-04-01' } }),
  receive_processor_event: async (team) => {
    await connect(team)
    return { ...(await event(team)), client: client() }
  },
  replay_processor_event: async (team) => {
    await connect(team)
    const { raw, headers } = await event(team)
    await client().post('/processor/events', undefined, { raw, headers })
    await runJobs(team.business_id)
    return { params: { event_id: (await team.client.get('/processor/events')).data.items[0].id } }
  },
  open_hosted_checkout: async (team) => {
    await connect(team)
    return { params: { token: (await newInvoice(team)).token }, client: client() }
  },
  sandbox_complete_checkout: opened,
  sandbox_cancel_checkout: opened,
  sandbox_expire_checkout: opened,
}

/** They act at the processor, whose tables belong to no business, or find nothing new there. */
export const processorWithoutTrace = [
  'refresh_processor_connection', 'sync_processor_payouts', 'sandbox_pay_out', 'sandbox_refund_charge', 'sandbox_dispute_charge', 'sandbox_fail_payout', 'sandbox_complete_checkout', 'sandbox_cancel_checkout',
  'sandbox_expire_checkout',
]
