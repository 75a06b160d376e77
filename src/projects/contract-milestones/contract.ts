// Milestones of a contract: the parts in which it is done and billed.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { cents, date, id, integer, list, nullable, partial, record, shape, text } from '../../foundation/shapes.ts'
import { percent } from '../projects/contract.ts'

export const MOST_MILESTONES = 200

const name = text(1, 200, { pattern: '\\S' })
const measures = {
  amount: integer(1, undefined, { description: 'Integer cents of the contract\'s currency. Either this or percent.' }),
  percent: percent('Of the value of the contract; the amount follows.'),
}
const dates = { due_on: nullable(date()), done_on: nullable(date()) }

export const Milestone = shape('ContractMilestone', {
  ...record,
  contract_id: id(),
  name,
  amount: cents({ description: 'Where percent is given, its share of the value, so that all shares together have no cent too few or too many.' }),
  percent: nullable(Type.String()),
  ...dates,
  invoice_id: nullable(id({ description: 'The invoice that it is on.' })),
})

export const MilestoneUpdate = partial('ContractMilestoneUpdate', { name, ...measures, ...dates })
export const MilestoneInput = shape('ContractMilestoneInput', { ...MilestoneUpdate.properties, name })

export type Milestone = Static<typeof Milestone>
export type MilestoneInput = Static<typeof MilestoneInput>
export type MilestoneUpdate = Static<typeof MilestoneUpdate>

export const milestoneResource = resource({
  type: 'contract_milestone', group: 'contracts', shape: Milestone, table: 'contract_milestones', label: 'name',
  events: ['contract_milestone.created', 'contract_milestone.updated', 'contract_milestone.deleted'],
})

const endpoint = endpointsOf('contracts', 'business')
const contractParams = shape('ContractMilestonesParams', { contract_id: id() })
const params = shape('ContractMilestoneParams', { contract_id: id(), milestone_id: id() })

const misuse = [
  'Neither or both of amount and percent.', 'All milestones together would be above the value of the contract.', 'The contract is completed or terminated.',
]

export const listMilestones = endpoint({
  id: 'list_contract_milestones', method: 'GET', path: '/{contract_id}/milestones', summary: 'List the milestones of a contract',
  description: 'By due date, those without one last.',
  params: contractParams,
  reply: list(Milestone),
})

export const addMilestone = endpoint({
  id: 'add_contract_milestone', method: 'POST', path: '/{contract_id}/milestones', summary: 'Add a milestone',
  params: contractParams,
  body: MilestoneInput,
  reply: Milestone,
  refusals: [...misuse, `The contract has ${MOST_MILESTONES} milestones.`],
  example: { name: 'Foundations', percent: '25', due_on: '2026-09-30' },
})

export const updateMilestone = endpoint({
  id: 'update_contract_milestone', method: 'PUT', path: '/{contract_id}/milestones/{milestone_id}', summary: 'Update a milestone',
  params,
  body: MilestoneUpdate,
  reply: Milestone,
  refusals: ['It is billed.', ...misuse],
  example: { done_on: '2026-09-28' },
})

export const deleteMilestone = endpoint({
  id: 'delete_contract_milestone', method: 'DELETE', path: '/{contract_id}/milestones/{milestone_id}', summary: 'Delete a milestone',
  params,
  reply: Milestone,
  refusals: ['It is billed.', 'The contract is completed or terminated.'],
})
