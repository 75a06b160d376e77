// The SQL of the milestones of contracts.
import { Type } from 'typebox'
import { deletion } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { cents, id, oneOf } from '../../foundation/shapes.ts'
import { Milestone } from './contract.ts'

const rows = 'jsonb_populate_recordset(null::contract_milestones, :rows::jsonb)'

export const insertMilestones = command(
  `insert into contract_milestones (${columns(Milestone)}) select ${columns(Milestone)} from ${rows} where business_id = :business_id`)
export const updateMilestones = command(
  `update contract_milestones t set name = r.name, amount = r.amount, percent = r.percent, due_on = r.due_on, done_on = r.done_on, invoice_id = r.invoice_id,
     updated_at = r.updated_at, version = r.version
   from ${rows} r where t.business_id = :business_id and t.id = r.id`)
export const deleteMilestone = deletion('contract_milestones')

/** All that changes milestones locks their contract first. */
export const milestonesOf = statement(
  Milestone,
  `select ${columns(Milestone)} from contract_milestones where business_id = :business_id and contract_id = any(:contract_ids) order by contract_id, due_on, id`)

export const lockContract = statement(
  Type.Object({ id: id(), number: Type.String(), status: Type.String(), value: cents(), currency: oneOf(CURRENCIES) }),
  'select id, number, status, value, currency from contracts where business_id = :business_id and id = :id for update')

export const findContract = statement(Type.Object({ id: id() }), 'select id from contracts where business_id = :business_id and id = :id')
