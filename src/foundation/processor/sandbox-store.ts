// The SQL of the embedded processor.
import { Type } from 'typebox'
import { columns, command, statement } from '../database/statement.ts'
import { cents, date, nullable, oneOf, timestamp } from '../shapes.ts'

const words = Type.String()

export const AccountRow = Type.Object({ id: words, name: words, currency: words, reference: words, idempotency_key: words, created_at: timestamp() })

export const CheckoutRow = Type.Object({
  id: words, account: nullable(words), reference: words, amount: cents(), currency: words, description: words, customer_email: nullable(words),
  success_url: words, cancel_url: words, status: oneOf(['open', 'complete', 'expired']), charge_id: nullable(words), idempotency_key: words,
  expires_at: timestamp(), created_at: timestamp(),
})

export const ChargeRow = Type.Object({
  id: words, account: nullable(words), checkout_id: words, reference: words, status: oneOf(['succeeded', 'failed']), failure_reason: nullable(words),
  amount: cents(), currency: words, settled_amount: nullable(cents()), settled_currency: nullable(words), fee: nullable(cents()),
  card_brand: words, card_last4: words, created_at: timestamp(),
})

export const RefundRow = Type.Object({
  id: words, charge_id: words, reference: nullable(words), amount: cents(), settled_amount: cents(), idempotency_key: words, created_at: timestamp(),
})

export const DisputeRow = Type.Object({
  id: words, charge_id: words, amount: cents(), settled_amount: cents(), fee: cents(), status: oneOf(['open', 'won', 'lost']), due_by: timestamp(),
  created_at: timestamp(),
})

export const PayoutRow = Type.Object({
  id: words, account: words, status: oneOf(['paid', 'failed']), amount: cents(), currency: words, arrival_date: date(),
  failure_reason: nullable(words), created_at: timestamp(),
})

export const MovementRow = Type.Object({
  id: words, account: nullable(words), kind: oneOf(['charge', 'refund', 'dispute', 'dispute_reversal']), amount: cents(), fee: cents(), charge_id: words,
  payout_id: nullable(words), created_at: timestamp(),
})

const insert = (table: string, row: { properties: object }) => {
  const names = Object.keys(row.properties)
  return `insert into ${table} (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})`
}

// A request that is repeated under its key is the same request.
export const insertAccount = command(`${insert('sandbox_accounts', AccountRow)} on conflict (idempotency_key) do nothing`)
export const accountByKey = statement(AccountRow, `select ${columns(AccountRow)} from sandbox_accounts where idempotency_key = :idempotency_key`)
export const findAccount = statement(AccountRow, `select ${columns(AccountRow)} from sandbox_accounts where id = :id`)
export const lockAccount = statement(AccountRow, `select ${columns(AccountRow)} from sandbox_accounts where id = :id for update`)

export const insertCheckout = command(`${insert('sandbox_checkouts', CheckoutRow)} on conflict (idempotency_key) do nothing`)
export const checkoutByKey = statement(CheckoutRow, `select ${columns(CheckoutRow)} from sandbox_checkouts where idempotency_key = :idempotency_key`)
export const findCheckout = statement(CheckoutRow, `select ${columns(CheckoutRow)} from sandbox_checkouts where id = :id`)
export const lockCheckout = statement(CheckoutRow, `select ${columns(CheckoutRow)} from sandbox_checkouts where id = :id for update`)
export const updateCheckout = command('update sandbox_checkouts set status = :status, charge_id = :charge_id where id = :id')

export const insertCharge = command(insert('sandbox_charges', ChargeRow))
export const findCharge = statement(ChargeRow, `select ${columns(ChargeRow)} from sandbox_charges where id = :id`)
export const lockCharge = statement(ChargeRow, `select ${columns(ChargeRow)} from sandbox_charges where id = :id for update`)

export const insertRefund = command(insert('sandbox_refunds', RefundRow))
export const refundsOf = statement(RefundRow, `select ${columns(RefundRow)} from sandbox_refunds where charge_id = :charge_id order by created_at, id`)

export const insertDispute = command(insert('sandbox_disputes', DisputeRow))
export const findDispute = statement(DisputeRow, `select ${columns(DisputeRow)} from sandbox_disputes where id = :id`)
export const disputesOf = statement(DisputeRow, `select ${columns(DisputeRow)} from sandbox_disputes where charge_id = :charge_id order by created_at, id`)
export const updateDispute = command('update sandbox_disputes set status = :status where id = :id')

export const insertMovement = command(insert('sandbox_movements', MovementRow))
export const unpaidMovements = statement(MovementRow,
  `select ${columns(MovementRow)} from sandbox_movements where account = :account and payout_id is null order by id for update`)
export const payMovements = command('update sandbox_movements set payout_id = :payout_id where id = any(:ids)')
export const releaseMovements = command('update sandbox_movements set payout_id = null where payout_id = :payout_id')
export const movementsOf = statement(MovementRow, `select ${columns(MovementRow)} from sandbox_movements where payout_id = :payout_id order by id`)

export const insertPayout = command(insert('sandbox_payouts', PayoutRow))
export const findPayout = statement(PayoutRow, `select ${columns(PayoutRow)} from sandbox_payouts where account = :account and id = :id`)
export const updatePayout = command('update sandbox_payouts set status = :status, failure_reason = :failure_reason where id = :id')
export const payoutsSince = statement(PayoutRow,
  `select ${columns(PayoutRow)} from sandbox_payouts where account = :account and created_at >= :from::date order by created_at, id`)
