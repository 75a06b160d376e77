// The SQL of the milestones of contracts.
import { Type } from 'typebox'
import { changing, deletion, insertions, updatings } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { cents, id, oneOf } from '../../foundation/shapes.ts'
import { Milestone } from './contract.ts'

export const insertMilestones = insertions('contract_milestones', Milestone)
export const updateMilestones = updatings('contract_milestones', changing(Milestone, 'contract_id'))
export const deleteMilestone = deletion('contract_milestones')

/** All that changes milestones locks their contract first. */
export const milestonesOf = statement(
  Milestone,
  `select ${columns(Milestone)} from contract_milestones where business_id = :business_id and contract_id = any(:contract_ids) order by contract_id, due_on, id`)

export const lockContract = statement(
  Type.Object({ id: id(), number: Type.String(), status: Type.String(), value: cents(), currency: oneOf(CURRENCIES) }),
  'select id, number, status, value, currency from contracts where business_id = :business_id and id = :id for update')

export const findContract = statement(Type.Object({ id: id() }), 'select id from contracts where business_id = :business_id and id = :id')
