// Payment suggestions: what the matcher believes that deposits pay, for a person to accept or reject.
import { Type, type Static } from 'typebox'
import { listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { Deposit, reasons } from '../deposit-candidates/contract.ts'
import { currency, endpoint, params } from '../invoices/contract.ts'

export const STATUSES = ['pending', 'accepted', 'rejected', 'superseded'] as const
export type SuggestionStatus = (typeof STATUSES)[number]

export const DEFAULT_THRESHOLD = 90

/** A suggestion as it is kept, with the deposit as it was when it was made. */
export const SuggestionRow = Type.Object({
  ...record,
  run_id: id({ description: 'The run of the matcher that made it, or spoke for it last.' }),
  transaction_id: id(),
  invoice_ids: list(id()),
  currency,
  total: cents({ description: 'The sum of the allocations.' }),
  confidence: integer(0, 100),
  reasons,
  status: oneOf(STATUSES, { description: 'superseded: its deposit or one of its invoices is no longer what it was.' }),
  transaction_amount: cents(),
  transaction_claimed: cents(),
  decision_reason: nullable(text(0, 500, { description: 'Why it was rejected.' })),
  decided_by: nullable(id({ description: 'Null also where it was accepted by itself.' })),
  decided_at: nullable(timestamp()),
})
export type SuggestionRow = Static<typeof SuggestionRow>

export const AllocationRow = Type.Object({ suggestion_id: id(), position: integer(0), invoice_id: id(), amount: cents(), invoice_paid: cents() })
export type AllocationRow = Static<typeof AllocationRow>

const SuggestedAllocation = shape('SuggestedAllocation', {
  invoice_id: id(),
  number: nullable(Type.String()),
  customer_id: id(),
  customer_name: Type.String(),
  amount: cents({ description: 'Integer cents of the deposit for this invoice.' }),
})

const { invoice_ids: _ids, transaction_amount: _amount, transaction_claimed: _claimed, ...shown } = SuggestionRow.properties

export const PaymentSuggestion = shape('PaymentSuggestion', { ...shown, transaction: Deposit, allocations: list(SuggestedAllocation) })
export type PaymentSuggestion = Static<typeof PaymentSuggestion>

export const suggestionResource = resource({
  type: 'payment_suggestion', group: 'invoices', shape: SuggestionRow, table: null, label: 'id',
  events: [
    'payment_suggestion.created', 'payment_suggestion.updated', 'payment_suggestion.superseded', 'payment_suggestion.accepted', 'payment_suggestion.rejected',
  ],
})

export const MatchRun = Type.Object({
  id: id(), business_id: id(), scanned: integer(0), created: integer(0), updated: integer(0), auto_accepted: integer(0), run_by: nullable(id()), created_at: timestamp(),
})
export type MatchRun = Static<typeof MatchRun>

export const matchRunResource = resource({
  type: 'payment_match_run', group: 'invoices', shape: MatchRun, table: null, label: 'id', events: ['payment_match_run.completed'],
})

const suggestionParams = shape('PaymentSuggestionParams', { suggestion_id: id() })

const filters = {
  status: optional(list(oneOf(STATUSES), { maxItems: STATUSES.length })),
  transaction_id: optional(id()),
  min_confidence: optional(integer(0, 100)),
}

const ids = (what: string) => optional(nullable(list(id(), { minItems: 1, maxItems: 1000, description: `Only these ${what}.` })))

export const MatchInput = shape('PaymentMatchInput', {
  transaction_ids: ids('deposits'),
  invoice_ids: ids('invoices'),
  from: optional(nullable(date({ description: 'Only deposits from this day on.' }))),
  to: optional(nullable(date({ description: 'Only deposits up to this day.' }))),
  auto_accept: optional(nullable(boolean({
    description: `true: also pay what is sure and has no rival within 10, from the threshold of the settings on, or ${DEFAULT_THRESHOLD} where there is none. `
      + 'Absent: only where the settings have one. false: never.',
  }))),
})
export type MatchInput = Static<typeof MatchInput>

export const matchPayments = endpoint({
  id: 'match_payments', method: 'POST', path: '/match', summary: 'Run the matcher over deposits and open invoices',
  description: 'One run at a time. What it finds becomes suggestions; what was suggested and is no longer found is superseded; what was rejected is not '
    + 'proposed again. At most the 2,000 newest deposits: narrow the days for older ones.',
  body: MatchInput,
  reply: shape('PaymentMatchResult', { run_id: id(), scanned: integer(0), created: integer(0), updated: integer(0), auto_accepted: integer(0) }),
  refusals: ['What is to be accepted by itself cannot be posted.'],
  example: {},
})

export const listSuggestions = endpoint({
  id: 'list_payment_suggestions', method: 'GET', path: '/suggestions', summary: 'List payment suggestions',
  description: 'Those that are pending, unless `status` says otherwise.',
  query: listQuery(['created_at', 'confidence'], filters),
  live: true,
  reply: pageOf(PaymentSuggestion),
})

export const listInvoiceSuggestions = endpoint({
  id: 'list_invoice_suggestions', method: 'GET', path: '/{invoice_id}/suggestions', summary: 'List the payment suggestions that touch an invoice',
  description: 'In every status, unless `status` says otherwise.',
  params,
  query: listQuery(['created_at', 'confidence'], filters),
  live: true,
  reply: pageOf(PaymentSuggestion),
})

export const AcceptInput = shape('PaymentSuggestionAccept', {
  allocations: optional(nullable(list(shape('AcceptedAllocation', {
    invoice_id: id(), amount: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Integer cents.' }),
  }), { minItems: 1, maxItems: 20, description: 'Other amounts than suggested; an invoice that is not named is not paid.' }))),
})
export type AcceptInput = Static<typeof AcceptInput>

export const acceptSuggestion = endpoint({
  id: 'accept_payment_suggestion', method: 'POST', path: '/suggestions/{suggestion_id}/accept', summary: 'Accept a payment suggestion',
  description: 'Records all its payments, dated the day of the deposit, or none. Accepted already: nothing happens.',
  params: suggestionParams,
  body: AcceptInput,
  reply: PaymentSuggestion,
  refusals: [
    'It was rejected, or overtaken: the answer says what has changed.', 'An amount is above the balance, or their sum above what is left of the deposit.',
    'An invoice is not part of it, or named twice.', 'The day of the deposit lies in a closed period.',
  ],
  example: {},
})

export const rejectSuggestion = endpoint({
  id: 'reject_payment_suggestion', method: 'POST', path: '/suggestions/{suggestion_id}/reject', summary: 'Reject a payment suggestion',
  description: 'This deposit is not proposed for this set of invoices again. Rejected already: nothing happens.',
  params: suggestionParams,
  body: shape('PaymentSuggestionReject', { reason: optional(nullable(text(0, 500))) }),
  reply: PaymentSuggestion,
  refusals: ['It was accepted, or overtaken: the answer says what has changed.'],
  example: { reason: 'Paid for another company of theirs.' },
})
