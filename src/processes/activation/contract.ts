// Activation: how far the business has come, and a place to try things.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, shape, timestamp } from '../../foundation/shapes.ts'
import { INDUSTRIES } from '../../ledger/charts/rules.ts'
import { SampleFigures } from '../sample-business/contract.ts'

/** Seen by the service itself. */
export const OBSERVED = [
  'bank_connected', 'first_transaction_categorized', 'first_invoice_sent', 'first_invoice_paid', 'first_bill_recorded', 'opening_balances_posted',
  'first_reconciliation', 'first_period_closed', 'second_member',
] as const
/** Told by the program that people use. */
export const REPORTED = ['report_viewed', 'tour_completed', 'sample_explored', 'checklist_dismissed', 'mobile_opened'] as const
export const MILESTONES = [...OBSERVED, ...REPORTED] as const
export type Milestone = (typeof MILESTONES)[number]

/** With all of these a business is activated. */
export const CORE: readonly Milestone[] = ['bank_connected', 'first_transaction_categorized', 'first_invoice_sent', 'report_viewed']

const MilestoneStatus = shape('MilestoneStatus', {
  milestone: oneOf(MILESTONES),
  kind: oneOf(['observed', 'reported'], { description: 'observed: the service sees it by itself. reported: a client tells of it.' }),
  reached: boolean(),
  reached_at: nullable(timestamp({ description: 'The first time; it stays, even where the fact itself goes.' })),
  reached_by: nullable(id({ description: 'The person whose doing it was.' })),
})
export type MilestoneStatus = Static<typeof MilestoneStatus>

const SampleReference = shape('SampleReference', { business_id: id(), expires_at: timestamp() })

export const ActivationStatus = shape('ActivationStatus', {
  milestones: list(MilestoneStatus),
  reached_count: integer(0),
  total: integer(0),
  activated: boolean({ description: `Has reached ${CORE.join(', ')}.` }),
  sample: nullable(SampleReference),
})
export type ActivationStatus = Static<typeof ActivationStatus>

export const SamplePreview = shape('SamplePreview', {
  sample_business_id: id({ description: 'The x-business-id to look around in it.' }),
  expires_at: timestamp(),
  reused: boolean({ description: 'It was there already.' }),
  figures: SampleFigures,
})
export type SamplePreview = Static<typeof SamplePreview>

/** A row of the table. */
export const Reached = Type.Object({ milestone: oneOf(MILESTONES), reached_at: timestamp(), reached_by: nullable(id()) })
export type Reached = Static<typeof Reached>

export const milestoneResource = resource({
  type: 'activation_milestone', group: 'activation', table: null, label: 'milestone',
  shape: shape('ActivationMilestone', { id: id(), business_id: id(), ...Reached.properties }),
  events: ['activation.milestone_reached', 'activation.activated'],
})

const endpoint = endpointsOf('activation', 'business')

export const getActivation = endpoint({
  id: 'get_activation', method: 'GET', path: '', summary: 'How far the business has come',
  description: 'Every milestone with the first time it was reached, and the sample of the caller where there is one.',
  reply: ActivationStatus,
})

export const previewSample = endpoint({
  id: 'preview_sample', method: 'POST', path: '/sample-preview', summary: 'Make a sample to look around in',
  description: [
    'A business of its own with three months of posted books. Only the caller is in it, nothing of it appears in this business, and it is gone after 14 days;',
    'it sends no mail and no token or connected app can enter it. Called again, the same one is answered.',
  ].join(' '),
  body: shape('SampleRequest', {
    industry: optional(oneOf(INDUSTRIES, { description: 'That of this business unless said.' })),
    reset: optional(boolean({ default: false, description: 'Drops the old one and makes a fresh one.' })),
  }),
  reply: SamplePreview,
  refusals: ['This business is a sample itself.'],
  example: {},
})

export const reportMilestone = endpoint({
  id: 'report_milestone', method: 'POST', path: '/{milestone}', summary: 'Report a milestone',
  description: `One of ${REPORTED.join(', ')}. Reported again, the first time stays. Answers the whole status.`,
  params: shape('MilestoneParams', { milestone: oneOf(MILESTONES) }),
  reply: ActivationStatus,
  refusals: ['The milestone is one that the service observes by itself.'],
})
