// Payouts: what the processor sent to the bank, what each carried, and the deposit that proves it.
import { Type, type Static } from 'typebox'
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { PAYOUT_ITEM_KINDS } from '../../foundation/processor/processor.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, record, shape } from '../../foundation/shapes.ts'
import { TransactionSummary } from '../../ledger/cash-book/contract.ts'
import { ProcessorPayout } from '../processor-settlements/contract.ts'

export const PAYOUT_STATUSES = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const

/** A payout as it is kept. */
export const PayoutRow = Type.Object({
  ...record,
  processor_payout_id: Type.String(),
  status: oneOf(PAYOUT_STATUSES),
  amount_cents: cents(),
  currency: Type.String(),
  gross_amount_cents: nullable(cents()),
  fee_amount_cents: nullable(cents()),
  arrival_date: date(),
  automatic: boolean(),
  failure_reason: nullable(Type.String()),
  processor_dashboard_url: nullable(Type.String()),
  transaction_id: nullable(id()),
  journal_entry_id: nullable(id()),
  posting_problem: nullable(Type.String()),
  bank_deposit_match_id: nullable(id()),
})
export type PayoutRow = Static<typeof PayoutRow>

const item = { kind: oneOf(PAYOUT_ITEM_KINDS), amount: cents(), fee: cents(), net: cents({ description: 'amount - fee.' }) }

export const PayoutItem = shape('ProcessorPayoutItem', { ...item, processor_charge_id: nullable(Type.String()) })
export type PayoutItem = Static<typeof PayoutItem>

export const Payout = shape('ProcessorPayoutRecord', {
  ...ProcessorPayout.properties,
  ...record,
  currency: Type.String(),
  automatic: boolean({ description: 'Made by the processor by its schedule. Of one made by hand nobody knows what it carried.' }),
  failure_reason: nullable(Type.String()),
  transaction_id: nullable(id({ description: 'The row of the cash book that stands for the deposit.' })),
  posting_problem: nullable(Type.String({ description: 'Why it is not in the books although it was paid.' })),
})
export const PayoutDetail = shape('ProcessorPayoutDetail', { ...Payout.properties, items: list(PayoutItem) })
export type Payout = Static<typeof Payout>
export type PayoutDetail = Static<typeof PayoutDetail>

export const payoutResource = resource({
  type: 'processor_payout', group: 'processor', shape: PayoutRow, table: 'processor_payouts', label: 'processor_payout_id',
  events: ['payout.created', 'payout.updated', 'payout.paid', 'payout.failed', 'payout.matched', 'payout.unmatched', 'payout.posted'],
})

const params = shape('ProcessorPayoutParams', { payout_id: id() })
const [read, write] = ['processor:read', 'processor:write'] as const

export const listPayouts = endpoint({
  id: 'list_processor_payouts', method: 'GET', path: '/processor/payouts', summary: 'List payouts', scope: 'business', permission: read,
  query: listQuery(['created_at', 'arrival_date', 'amount'], {
    status: optional(oneOf(PAYOUT_STATUSES)), is_matched: optional(boolean()), arrival_from: optional(date()), arrival_to: optional(date()),
  }),
  reply: pageOf(Payout),
})

export const getPayout = endpoint({
  id: 'get_processor_payout', method: 'GET', path: '/processor/payouts/{payout_id}', summary: 'Get a payout with what it carried', scope: 'business',
  permission: read, live: true,
  params,
  reply: PayoutDetail,
})

export const syncPayouts = endpoint({
  id: 'sync_processor_payouts', method: 'POST', path: '/processor/payouts/sync', summary: 'Read the payouts at the processor again',
  scope: 'business', permission: write,
  description: 'Those that are not known yet, or have another status by now, are read and booked after the answer. What is known does not change.',
  body: shape('SyncPayoutsInput', { from: optional(date({ description: 'Payouts made on or after this day; default: the last 30 days.' })) }),
  reply: shape('SyncedPayouts', { found: integer(0), queued: integer(0) }),
  example: { from: '2026-01-01' },
})

export const payoutCandidates = endpoint({
  id: 'list_processor_payout_candidates', method: 'GET', path: '/processor/payouts/{payout_id}/candidates',
  summary: 'Find the bank deposit of a payout', scope: 'business', permission: read,
  description: 'Deposits on the bank account of the same amount, five days around the arrival, that nothing else has claimed; the nearest first.',
  params,
  reply: list(TransactionSummary),
})

export const matchPayout = endpoint({
  id: 'match_processor_payout', method: 'POST', path: '/processor/payouts/{payout_id}/match', summary: 'Tie a payout to its bank deposit',
  scope: 'business', permission: write,
  description: 'The deposit proves what the payout has posted; nothing new is posted.',
  params,
  body: shape('MatchPayoutInput', { transaction_id: id() }),
  reply: PayoutDetail,
  refusals: ['Another amount or bank account, or something else has claimed the deposit.', 'The payout is matched to another deposit, or is not in the books.'],
})

export const unmatchPayout = endpoint({
  id: 'unmatch_processor_payout', method: 'DELETE', path: '/processor/payouts/{payout_id}/match', summary: 'Untie a payout from its bank deposit',
  scope: 'business', permission: write,
  params,
  reply: PayoutDetail,
})

export const postPayout = endpoint({
  id: 'post_processor_payout', method: 'POST', path: '/processor/payouts/{payout_id}/journal-entry',
  summary: 'Post a payout that could not be posted', scope: 'business', permission: write,
  params,
  body: shape('PostPayoutInput', { date: optional(date({ description: 'Default: the day it arrived.' })) }),
  reply: PayoutDetail,
  refusals: ['Its entry stands.', 'It was not paid.', 'The period is closed.'],
})
