// Test doors of the embedded card processor: what customers, their banks and the processor do, done by the owner of the business.
import { Type } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { cents, date, id, integer, oneOf, optional, shape, text } from '../../foundation/shapes.ts'

const ONLY = 'Only with the embedded processor, and for the owner of the business; with a real one this is a 404.'
const door = { scope: 'business', permission: 'processor:write', method: 'POST' } as const
const charge = shape('SandboxChargeParams', { charge_id: id() })
const checkoutDoor = { ...door, allow_read_only: true, description: `${ONLY} Also for the checkout of a plan.` } as const
const checkout = shape('SandboxCheckoutParams', { session_id: text(1, 100) })

export const SandboxDone = shape('SandboxDone', { id: Type.String({ description: 'What the processor calls it.' }), status: Type.String(), amount: cents() })

export const refundSandboxCharge = endpoint({
  ...door, id: 'sandbox_refund_charge', path: '/sandbox/processor/charges/{charge_id}/refund',
  summary: 'Give a charge back at the embedded processor', description: ONLY,
  params: charge,
  body: shape('SandboxRefundInput', { amount: optional(integer(1, Number.MAX_SAFE_INTEGER, { description: 'Default: all that is left.' })) }),
  reply: SandboxDone,
  refusals: ['More than is left of the charge.'],
})

export const disputeSandboxCharge = endpoint({
  ...door, id: 'sandbox_dispute_charge', path: '/sandbox/processor/charges/{charge_id}/dispute', summary: 'Dispute a charge, or decide the dispute',
  description: ONLY,
  params: charge,
  body: shape('SandboxDisputeInput', { status: optional(oneOf(['open', 'won', 'lost'], { default: 'open' })) }),
  reply: SandboxDone,
  refusals: ['The charge failed, was given back in full, or its dispute was decided the other way.'],
})

export const paySandboxOut = endpoint({
  ...door, id: 'sandbox_pay_out', path: '/sandbox/processor/payouts', summary: 'Pay out what the embedded processor holds', description: ONLY,
  body: shape('SandboxPayoutInput', { arrival_date: optional(date({ description: 'Default: today.' })) }),
  reply: SandboxDone,
  refusals: ['There is nothing to pay out.'],
})

export const failSandboxPayout = endpoint({
  ...door, id: 'sandbox_fail_payout', path: '/sandbox/processor/payouts/{payout_id}/fail',
  summary: 'Let a payout of the embedded processor come back', description: ONLY,
  params: shape('SandboxPayoutParams', { payout_id: id() }),
  reply: SandboxDone,
})

export const completeSandboxCheckout = endpoint({
  ...checkoutDoor, id: 'sandbox_complete_checkout', path: '/sandbox/checkouts/{session_id}/complete', summary: 'Pay a checkout of the embedded processor',
  params: checkout,
  body: shape('SandboxCardInput', { card_number: optional(text(12, 30, { default: '4242424242424242', description: '4000000000000002 is declined.' })) }),
  reply: SandboxDone,
  refusals: ['The card is declined.', 'The checkout has expired.'],
})

export const cancelSandboxCheckout = endpoint({
  ...checkoutDoor, id: 'sandbox_cancel_checkout', path: '/sandbox/checkouts/{session_id}/cancel', summary: 'Leave a checkout without paying',
  description: `${checkoutDoor.description} It stays open until it expires.`,
  params: checkout,
  reply: SandboxDone,
})

export const expireSandboxCheckout = endpoint({
  ...checkoutDoor, id: 'sandbox_expire_checkout', path: '/sandbox/checkouts/{session_id}/expire', summary: 'Let a checkout of the embedded processor expire',
  params: checkout,
  reply: SandboxDone,
  refusals: ['It was paid.'],
})
