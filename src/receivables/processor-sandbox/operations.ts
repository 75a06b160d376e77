// The test doors: they act at the embedded processor, which then tells the books by its events as a real one would.
import { findSession } from '../../access/billing-checkouts/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import {
  closeDispute, expireCheckout, failPayout, openDispute, payCheckout, payOut, refundCharge, requireCheckout, type CheckoutRow,
} from '../../foundation/processor/sandbox-records.ts'
import { expireSession, paySession, requireSession } from '../../foundation/processor/sandbox-plan-records.ts'
import { forbidden, invalid, notFound, type Refusal } from '../../foundation/refusal.ts'
import { findCharge } from '../processor-charges/operations.ts'
import { requireRefundable } from '../processor-charges/rules.ts'
import { requireAccount } from '../processor-connections/operations.ts'
import { getPayout } from '../processor-payouts/operations.ts'

type Done = { id: string; status: string; amount: number }

export async function refundSandboxCharge(tx: BusinessTx, charge_id: string, asked: number | undefined): Promise<Done> {
  const account = await openDoor(tx)
  const charge = await findCharge(tx, charge_id)
  const amount = requireRefundable(charge, asked)
  const refund = await refundCharge(tx, { account, charge: charge.processor_charge_id, amount, reference: null, idempotency_key: newId() })
  return { id: refund.id, status: 'succeeded', amount }
}

export async function disputeSandboxCharge(tx: BusinessTx, charge_id: string, status: 'open' | 'won' | 'lost'): Promise<Done> {
  const account = await openDoor(tx)
  const { processor_charge_id } = await findCharge(tx, charge_id)
  const dispute = status === 'open' ? await openDispute(tx, account, processor_charge_id) : await closeDispute(tx, account, processor_charge_id, status)
  return { id: dispute.id, status: dispute.status, amount: dispute.amount }
}

export async function paySandboxOut(tx: BusinessTx, arrival_date: string | undefined): Promise<Done> {
  const { id, status, amount } = await payOut(tx, await openDoor(tx), arrival_date ?? tx.today)
  return { id, status, amount }
}

export async function failSandboxPayout(tx: BusinessTx, payout_id: string): Promise<Done> {
  const account = await openDoor(tx)
  const { id, status, amount } = await failPayout(tx, account, (await getPayout(tx, payout_id)).processor_payout_id)
  return { id, status, amount }
}

export async function completeSandboxCheckout(tx: BusinessTx, session_id: string, number = '4242424242424242'): Promise<Done | Refusal> {
  const card = { number, expiry: '12/99', cvc: '123' }
  if (await isOfPlan(tx, session_id)) {
    const { paid, message, session } = await paySession(tx, session_id, card)
    return paid ? shown(session) : invalid(message ?? 'The card was declined.')
  }
  await ownCheckout(tx, session_id)
  const { paid, message, checkout } = await payCheckout(tx, session_id, card)
  // Returned, not thrown: a card that was declined leaves its trace.
  if (!paid) return invalid(message ?? 'The card was declined.')
  return { id: checkout.charge_id ?? checkout.id, status: checkout.status, amount: checkout.amount }
}

export async function cancelSandboxCheckout(tx: BusinessTx, session_id: string): Promise<Done> {
  return shown(await isOfPlan(tx, session_id) ? await requireSession(tx, session_id) : await ownCheckout(tx, session_id))
}

export async function expireSandboxCheckout(tx: BusinessTx, session_id: string): Promise<Done> {
  const of_plan = await isOfPlan(tx, session_id)
  const { status } = of_plan ? await requireSession(tx, session_id) : await ownCheckout(tx, session_id)
  if (status === 'complete') throw invalid('This checkout was paid.')
  return shown(of_plan ? await expireSession(tx, session_id) : await expireCheckout(tx, session_id))
}

const shown = ({ id, status, amount }: Pick<CheckoutRow, 'id' | 'status' | 'amount'>): Done => ({ id, status, amount })

function requireDoor(tx: BusinessTx): void {
  if (tx.actor.role !== 'owner') throw forbidden('Only the owner of the business may use the test doors.')
  if (tx.surroundings.processor.name !== 'sandbox') throw notFound('Test door')
}

/** Whether this session is the checkout of the plan of this business, and not of an invoice. */
async function isOfPlan(tx: BusinessTx, session_id: string): Promise<boolean> {
  requireDoor(tx)
  return (await findSession(tx, session_id)) !== null
}

/** The account of the business at the embedded processor. */
async function openDoor(tx: BusinessTx): Promise<string> {
  requireDoor(tx)
  return (await requireAccount(tx)).account_id
}

async function ownCheckout(tx: BusinessTx, session_id: string): Promise<CheckoutRow> {
  const account = await openDoor(tx)
  const checkout = await requireCheckout(tx, session_id)
  if (checkout.account !== account) throw notFound('Checkout')
  return checkout
}
