// Checkouts: the processor's page on which one invoice is paid.
import { Type, type Static } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { cents, id, integer, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'

/** A checkout as it is kept. */
export const CheckoutRow = Type.Object({
  ...record,
  processor_checkout_id: Type.String(),
  invoice_id: id(),
  amount: cents(),
  currency: Type.String(),
  status: oneOf(['open', 'complete', 'expired']),
  url: Type.String(),
  expires_at: timestamp(),
})
export type CheckoutRow = Static<typeof CheckoutRow>

export const checkoutResource = resource({
  type: 'processor_checkout', group: 'processor', shape: CheckoutRow, table: null, label: 'processor_checkout_id',
  events: ['checkout.opened', 'checkout.completed', 'checkout.expired'],
})

export const openCheckout = endpoint({
  id: 'open_hosted_checkout', method: 'POST', path: '/processor/hosted/{token}/checkout', summary: 'Pay an invoice by its link', scope: 'public',
  permission: null, limit_per_minute: 30,
  description: 'For whoever has the link of an invoice: the address of the page at the processor on which it is paid. One that is open for the same '
    + 'amount is used again. In a dry run nobody is asked: checkout_url is null.',
  params: shape('HostedCheckoutParams', { token: text(1, 100) }),
  body: shape('HostedCheckoutInput', {
    amount: optional(integer(1, Number.MAX_SAFE_INTEGER, { description: 'Integer cents; default: all that is due. Less only where the invoice allows it.' })),
  }),
  reply: shape('HostedCheckout', {
    checkout_url: nullable(Type.String()), session_id: nullable(Type.String()), amount: cents(), currency: Type.String(), expires_at: nullable(timestamp()),
  }),
  refusals: ['The invoice is paid, or is not paid online.', 'The amount is above what is due, or less and the invoice wants all of it.'],
})
export type HostedCheckout = Static<typeof openCheckout.reply>
