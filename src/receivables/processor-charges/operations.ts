// What is known of charges and refunds. Whoever changes them here has locked the connection; the books are told elsewhere.
import type { Static } from 'typebox'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Charge, Refund } from '../../foundation/processor/processor.ts'
import { chargeResource, refundResource, type ChargeRow, type ProcessorChargeDetail, type ProcessorRefund, type RefundRow } from './contract.ts'
import { knownRefund, refundedOf, requireRefundable, settledPart, statusOf } from './rules.ts'
import * as store from './store.ts'

export function listCharges(tx: BusinessTx, query: PageQuery) {
  return tx.page(store.charges, query)
}

export async function getCharge(tx: BusinessTx, charge_id: string): Promise<Static<typeof ProcessorChargeDetail>> {
  const [row, refunds] = await Promise.all([tx.get(store.findCharge, { id: charge_id }, 'Charge'), tx.many(store.refundsOf, { charge_id })])
  const { booked: _booked, ...charge } = row
  return { ...charge, refunds: refunds.map(shownRefund) }
}

export function findCharge(tx: BusinessTx, charge_id: string): Promise<ChargeRow> {
  return tx.get(store.findCharge, { id: charge_id }, 'Charge')
}

export function lockCharge(tx: BusinessTx, charge_id: string): Promise<ChargeRow> {
  return tx.get(store.lockCharge, { id: charge_id }, 'Charge')
}

export function chargeOf(tx: BusinessTx, processor_charge_id: string): Promise<ChargeRow | null> {
  return tx.find(store.chargeByProcessorId, { processor_charge_id })
}

/** A refund that somebody here asks for: it counts at once, and the processor is asked by a job. */
export async function requestRefund(tx: BusinessTx, charge_id: string, { amount: asked, reason, credit_memo_id }: Asked): Promise<Requested> {
  const [charge, refunds] = await Promise.all([lockCharge(tx, charge_id), tx.many(store.refundsOf, { charge_id })])
  const amount = requireRefundable(charge, asked)
  const refund: RefundRow = {
    id: newId(), business_id: tx.business_id, charge_id, processor_refund_id: null, amount, settled_amount: settledPart(charge, refunds, amount),
    status: 'pending', reason, failure_reason: null, credit_memo_id, booked: false, credit_refund_ids: [], created_at: tx.now, updated_at: tx.now, version: 1,
  }
  tx.queue(store.insertRefund, refund)
  tx.record(refundResource, 'charge.refund_requested', { before: null, after: refund })
  tx.enqueue('processor.refund', { business_id: tx.business_id, refund_id: refund.id })
  return { charge: saveCharge(tx, charge, withRefunded(charge, charge.refunded + amount), 'charge.refunded'), refund }
}

type Asked = { amount: number | undefined; reason: string | null; credit_memo_id: string | null }
export type Requested = { charge: ChargeRow; refund: RefundRow }

export function shownRefund({ booked: _booked, credit_refund_ids: _ids, ...refund }: RefundRow): ProcessorRefund {
  return refund
}

export function findRefund(tx: BusinessTx, refund_id: string): Promise<RefundRow> {
  return tx.get(store.findRefund, { id: refund_id }, 'Refund')
}

export type Applied = { charge: ChargeRow; refunds: RefundRow[] }

/** What the processor says of a charge now, with its refunds. `invoice` is what was paid for, where we know it. */
export async function applyCharge(tx: BusinessTx, found: Charge, invoice: { id: string; customer_id: string } | null): Promise<Applied> {
  const before = await tx.find(store.chargeByProcessorId, { processor_charge_id: found.id })
  const known = before ? await tx.many(store.refundsOf, { charge_id: before.id }) : []
  const charge_id = before?.id ?? newId()
  const { kept, added } = mergeRefunds(tx, charge_id, known, found.refunds)
  const refunds = [...kept, ...added]
  const refunded = refundedOf(refunds, found.amount)
  const said = {
    status: statusOf({ status: found.status, amount: found.amount, refunded, disputed: before?.status === 'disputed' }), refunded,
    failure_reason: found.failure_reason,
    settled_amount: found.settled?.amount ?? before?.settled_amount ?? null,
    settled_currency: found.settled?.currency ?? before?.settled_currency ?? null, fee: found.settled?.fee ?? before?.fee ?? null,
    card_brand: found.card?.brand ?? null, card_last4: found.card?.last4 ?? null,
  }
  const charge = before ? (isNews(before, said) ? saveCharge(tx, before, said, eventOf(before, said)) : before) : insertCharge(tx, {
    id: charge_id, business_id: tx.business_id, processor_charge_id: found.id, invoice_id: invoice?.id ?? null,
    customer_id: invoice?.customer_id ?? null, payment_id: null, credit_memo_id: null,
    amount: found.amount, currency: found.currency, ...said, payout_id: null, charged_at: found.created_at, booked: false, created_at: tx.now,
    updated_at: tx.now, version: 1,
  })
  // After the charge that they belong to.
  for (const refund of added) insertRefund(tx, refund)
  return { charge, refunds }
}

/** The processor will not do it: the charge has that much left again. Null where that is known. */
export async function failRefund(tx: BusinessTx, refund_id: string, failure_reason: string): Promise<Applied | null> {
  const refund = await tx.get(store.lockRefund, { id: refund_id }, 'Refund')
  if (refund.status !== 'pending') return null
  saveRefund(tx, refund, { status: 'failed', failure_reason })
  const [charge, refunds] = await Promise.all([lockCharge(tx, refund.charge_id), tx.many(store.refundsOf, { charge_id: refund.charge_id })])
  return { charge: saveCharge(tx, charge, withRefunded(charge, refundedOf(refunds, charge.amount))), refunds }
}

export function saveRefund(tx: BusinessTx, before: RefundRow, changes: Partial<RefundRow>): RefundRow {
  const after = changed(before, changes, tx.now)
  tx.queue(store.updateRefund, after)
  tx.record(refundResource, 'charge.refund_updated', { before, after })
  return after
}

type ChargeEvent = (typeof chargeResource.events)[number]

export function saveCharge(tx: BusinessTx, before: ChargeRow, changes: Partial<ChargeRow>, event: ChargeEvent = 'charge.updated'): ChargeRow {
  const after = changed(before, changes, tx.now)
  tx.queue(store.updateCharge, after)
  tx.record(chargeResource, event, { before, after })
  return after
}

/** A dispute has begun, or has ended well. */
export function markDisputed(tx: BusinessTx, charge: ChargeRow, disputed: boolean): ChargeRow {
  const status = statusOf({ status: 'succeeded', amount: charge.amount, refunded: charge.refunded, disputed })
  return status === charge.status ? charge : saveCharge(tx, charge, { status })
}

/** These charges went out with a payout. */
export async function payOutCharges(tx: BusinessTx, payout_id: string, processor_charge_ids: readonly string[]): Promise<void> {
  if (processor_charge_ids.length === 0) return
  const charges = await tx.many(store.chargesByProcessorIds, { processor_charge_ids })
  movePayout(tx, charges.filter((charge) => charge.payout_id !== payout_id), payout_id)
}

/** The payout came back: they wait for the next one. */
export async function releaseCharges(tx: BusinessTx, payout_id: string): Promise<void> {
  movePayout(tx, await tx.many(store.chargesOfPayout, { payout_id }), null)
}

function movePayout(tx: BusinessTx, charges: readonly ChargeRow[], payout_id: string | null): void {
  if (charges.length === 0) return
  tx.queue(store.movePayout, { ids: charges.map(({ id }) => id), payout_id })
  for (const before of charges) tx.record(chargeResource, 'charge.updated', { before, after: changed(before, { payout_id }, tx.now) })
}

/** Refunds that are known are brought up to date; `added` are new and still to be written. */
function mergeRefunds(tx: BusinessTx, charge_id: string, known: readonly RefundRow[], found: readonly Refund[]): { kept: RefundRow[]; added: RefundRow[] } {
  const told = new Map<RefundRow, Refund>()
  const added: RefundRow[] = []
  for (const refund of found) {
    const row = knownRefund(known, refund)
    if (row) told.set(row, refund)
    else added.push({
      id: newId(), business_id: tx.business_id, charge_id, processor_refund_id: refund.id, amount: refund.amount,
      settled_amount: refund.settled_amount, status: refund.status, reason: null,
      failure_reason: refund.failure_reason, credit_memo_id: null, booked: false, credit_refund_ids: [], created_at: tx.now, updated_at: tx.now, version: 1,
    })
  }
  const kept = known.map((row) => {
    const refund = told.get(row)
    if (!refund) return row
    const said = saidOf(row, refund)
    return isNews(row, said) ? saveRefund(tx, row, said) : row
  })
  return { kept, added }
}

/** What the processor says of a refund that is known. */
function saidOf(row: RefundRow, { id: processor_refund_id, status, settled_amount, failure_reason }: Refund) {
  return { processor_refund_id, status, settled_amount: settled_amount ?? row.settled_amount, failure_reason }
}

function insertCharge(tx: BusinessTx, charge: ChargeRow): ChargeRow {
  tx.queue(store.insertCharge, charge)
  tx.record(chargeResource, eventOf(null, charge), { before: null, after: charge })
  return charge
}

function insertRefund(tx: BusinessTx, refund: RefundRow): void {
  tx.queue(store.insertRefund, refund)
  tx.record(refundResource, 'charge.refund_updated', { before: null, after: refund })
}

function withRefunded(charge: ChargeRow, refunded: number): Pick<ChargeRow, 'refunded' | 'status'> {
  return { refunded, status: statusOf({ status: 'succeeded', amount: charge.amount, refunded, disputed: charge.status === 'disputed' }) }
}

function isNews<Row extends object>(before: Row, said: Partial<Row>): boolean {
  return Object.entries(said).some(([name, value]) => before[name as keyof Row] !== value)
}

function eventOf(before: ChargeRow | null, said: Pick<ChargeRow, 'status' | 'refunded'>): ChargeEvent {
  const was = before?.status ?? null
  if (said.status === 'pending') return 'charge.pending'
  if (said.status === 'failed') return was === 'failed' ? 'charge.updated' : 'charge.failed'
  if (was === null || was === 'pending' || was === 'failed') return 'charge.succeeded'
  return said.refunded > (before?.refunded ?? 0) ? 'charge.refunded' : 'charge.updated'
}
