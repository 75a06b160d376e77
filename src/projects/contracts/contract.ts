// Contracts: what a customer agreed to buy, and the counters that invoices move.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { LIST_FILE_REFUSALS, LIST_FILE_WORDS, listFileFormat, listFileReply } from '../../foundation/list-file.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { Milestone, MilestoneInput, MOST_MILESTONES } from '../contract-milestones/contract.ts'
import { percent } from '../projects/contract.ts'

export const BILLING_TYPES = ['fixed', 'milestone', 'time_and_materials', 'retainer'] as const
export const STORED_STATUSES = ['draft', 'active', 'completed', 'terminated'] as const
export const CONTRACT_STATUSES = ['draft', 'active', 'expired', 'completed', 'terminated'] as const
export const BILLING_STATUSES = ['not_started', 'active', 'complete'] as const
export type ContractStatus = (typeof CONTRACT_STATUSES)[number]

const fields = {
  customer_id: id(),
  title: text(1, 200, { pattern: '\\S' }),
  currency: oneOf(CURRENCIES, { description: 'Of the customer unless said otherwise.' }),
  original_value: integer(0, undefined, { description: 'Integer cents.' }),
  billing_type: oneOf(BILLING_TYPES),
  start_date: date(),
  end_date: nullable(date()),
  auto_renew: boolean({ description: 'Needs end_date and renewal_months.' }),
  renewal_months: nullable(integer(1, 120, { description: 'How long the next term is.' })),
  notice_days: nullable(integer(0, 3660)),
  retention_percent: nullable(percent('Held back of what is billed.')),
  allow_overbilling: boolean({ description: 'More than the value may be billed.' }),
  document_ids: list(id(), { maxItems: 100 }),
  project_id: nullable(id()),
  signed_on: nullable(date()),
}

const counters = {
  billed_amount: cents({ description: 'The totals of its finalized invoices that are not void.' }),
  credited_amount: cents({ description: 'What credit notes took back of them.' }),
  paid_amount: cents(),
  retained_amount: cents({ description: 'Held back, and not released yet.' }),
  billing_status: oneOf(BILLING_STATUSES, { description: 'complete once the value is billed.' }),
  billing_started_on: nullable(date({ description: 'The date of the first amount that stands.' })),
}

/** A row of the table. */
export const ContractRow = Type.Object({
  ...record,
  ...fields,
  number: Type.String(),
  change_total: cents({ description: 'What change orders added or took away.' }),
  value: cents({ description: 'original_value and change_total.' }),
  status: oneOf(STORED_STATUSES),
  terminated_on: nullable(date()),
  termination_reason: nullable(Type.String()),
  renewed_from_id: nullable(id({ description: 'The contract of the term before.' })),
  renewed_by_id: nullable(id({ description: 'The contract of the next term.' })),
  ...counters,
})

/** What its history tells. */
export const ContractRecord = shape('ContractRecord', {
  ...ContractRow.properties,
  status: oneOf(CONTRACT_STATUSES, { description: 'expired: active, and the end date has passed.' }),
  unbilled_amount: cents({ description: 'What is left of the value.' }),
})

export const Contract = shape('Contract', { ...ContractRecord.properties, milestones: list(Milestone) })

const { customer_id, title, original_value, start_date } = fields
export const ContractInput = shape('ContractInput', {
  ...partial('ContractFields', fields).properties, customer_id, title, original_value, start_date,
  milestones: optional(list(MilestoneInput, { maxItems: MOST_MILESTONES })),
})
export const ContractUpdate = partial('ContractUpdate', fields)

export type ContractRow = Static<typeof ContractRow>
export type ContractRecord = Static<typeof ContractRecord>
export type Contract = Static<typeof Contract>
export type ContractInput = Static<typeof ContractInput>
export type ContractUpdate = Static<typeof ContractUpdate>

export const contractResource = resource({
  type: 'contract', group: 'contracts', shape: ContractRecord, table: 'contracts', label: 'title',
  events: [
    'contract.created', 'contract.updated', 'contract.deleted', 'contract.activated', 'contract.billing_activated', 'contract.billed', 'contract.completed',
    'contract.terminated', 'contract.renewed',
  ],
})

const filters = {
  status: optional(list(oneOf(CONTRACT_STATUSES), { minItems: 1 })),
  billing_status: optional(oneOf(BILLING_STATUSES)),
  customer_id: optional(id()),
  project_id: optional(id()),
  end_before: optional(date()),
  search: optional(text(1, 200, { description: 'Beginnings of words of the number or the title.' })),
  tag_id: optional(id()),
  updated_since: optional(timestamp()),
}
const ContractFilters = Type.Object(filters)
export type ContractFilters = Static<typeof ContractFilters>

const endpoint = endpointsOf('contracts', 'business')
const params = shape('ContractParams', { contract_id: id() })

const misuse = [
  'The customer or the project is archived.', 'The project is one of another customer.', 'The end lies before the start.', 'auto_renew without end_date and renewal_months.',
]

export const listContracts = endpoint({
  id: 'list_contracts', method: 'GET', path: '', summary: 'List contracts',
  query: listQuery(['created_at', 'start_date', 'end_date', 'value', 'billed_amount'], filters),
  reply: pageOf(Contract),
})

export const createContract = endpoint({
  id: 'create_contract', method: 'POST', path: '', summary: 'Create a contract',
  description: 'A draft, with the next number of the business.',
  body: ContractInput,
  reply: Contract,
  refusals: [...misuse, 'The milestones come to more than the value, or, where billing goes by milestones, to another sum.'],
})

export const exportContracts = endpoint({
  id: 'export_contracts', method: 'GET', path: '/export', summary: 'Take contracts away as a file',
  description: LIST_FILE_WORDS,
  query: shape('ContractExportQuery', { format: listFileFormat, ...filters }),
  reply: listFileReply,
  refusals: LIST_FILE_REFUSALS,
})

export const getContract = endpoint({
  id: 'get_contract', method: 'GET', path: '/{contract_id}', summary: 'Get a contract',
  live: true,
  params,
  reply: Contract,
})

export const updateContract = endpoint({
  id: 'update_contract', method: 'PUT', path: '/{contract_id}', summary: 'Update a contract',
  description: 'A draft can change in everything. An active contract keeps its customer, currency, value, billing type and retention; '
    + 'a completed or terminated one changes in its documents only.',
  params,
  body: ContractUpdate,
  reply: Contract,
  refusals: [...misuse, 'What stays in this status would change.', 'The value would be below the milestones.', 'allow_overbilling would end while more than the value is billed.'],
  example: { notice_days: 30 },
})

export const deleteContract = endpoint({
  id: 'delete_contract', method: 'DELETE', path: '/{contract_id}', summary: 'Delete a draft contract',
  params,
  reply: Contract,
  refusals: ['It is no draft.', 'A project or a document points at it.'],
})

export const activateContract = endpoint({
  id: 'activate_contract', method: 'PUT', path: '/{contract_id}/activate', summary: 'Activate a contract',
  params,
  body: shape('ContractActivation', { signed_on: optional(date()) }),
  reply: Contract,
  refusals: ['It is completed or terminated.', 'Billing goes by milestones, and they do not come to the value.'],
  example: { signed_on: '2026-03-01' },
})

export const completeContract = endpoint({
  id: 'complete_contract', method: 'PUT', path: '/{contract_id}/complete', summary: 'Complete a contract',
  params,
  body: shape('ContractCompletion', { waive_unbilled: optional(boolean({ default: false, description: 'What is not billed will never be.' })) }),
  reply: Contract,
  refusals: ['It is a draft or terminated.', 'Part of its value is not billed.'],
  example: { waive_unbilled: true },
})

export const terminateContract = endpoint({
  id: 'terminate_contract', method: 'PUT', path: '/{contract_id}/terminate', summary: 'Terminate a contract',
  params,
  body: shape('ContractTermination', { date: optional(date({ description: 'Default: today.' })), reason: optional(text(1, 1000)) }),
  reply: Contract,
  refusals: ['It is a draft or completed.', 'The date lies before its start.'],
  example: { reason: 'Agreed with the customer' },
})

export const renewContract = endpoint({
  id: 'renew_contract', method: 'POST', path: '/{contract_id}/renew', summary: 'Renew a contract for the next term',
  description: 'A new active contract of the same value, from the day after the end, for renewal_months. Its milestones are those of this one, as many months later.',
  params,
  reply: Contract,
  refusals: ['It is a draft or terminated.', 'It has no end_date or no renewal_months.', 'It is renewed already.'],
})
