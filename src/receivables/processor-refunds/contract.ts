// Refunds of charges: asking for one.
import type { Static } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { id, integer, nullable, optional, shape, text } from '../../foundation/shapes.ts'
import { params, ProcessorRefund } from '../processor-charges/contract.ts'

export const RefundInput = shape('ProcessorRefundInput', {
  amount: optional(integer(1, Number.MAX_SAFE_INTEGER, { description: 'Integer cents in the currency of the charge; default: all that is left.' })),
  reason: optional(nullable(text(1, 500))),
  credit_memo_id: optional(nullable(id({ description: 'The credit that is paid out; without one, a credit note is issued.' }))),
})
export type RefundInput = Static<typeof RefundInput>

export const refundCharge = endpoint({
  id: 'refund_processor_charge', method: 'POST', path: '/processor/charges/{charge_id}/refund', summary: 'Give a charge back', scope: 'business',
  permission: 'documents:correct',
  description: 'It is in the books at once, and the processor is asked after the answer: the refund is pending until it has agreed. What it refuses is given '
    + 'back to the credit. Without credit_memo_id, what was paid beyond the invoice goes back first; for the rest a credit note over the lines of the invoice '
    + 'in proportion is issued and paid out, or where all of it is credited already, its open credit notes are.',
  params,
  body: RefundInput,
  reply: ProcessorRefund,
  refusals: [
    'More than is left of the charge.', 'The charge failed, is pending or disputed.', 'More than is left of the credit memo, or it is one of another customer.',
    'Less is left to credit of the invoice.',
  ],
})
