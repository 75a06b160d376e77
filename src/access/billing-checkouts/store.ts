// The SQL of checkouts of plans.
import { Type } from 'typebox'
import { insertion, updating } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { nullable } from '../../foundation/shapes.ts'
import { SessionRow } from './contract.ts'

const selected = `select ${columns(SessionRow)} from billing_sessions where business_id = :business_id`

export const insertSession = insertion('billing_sessions', SessionRow)
export const updateSession = updating('billing_sessions', 'status', 'subscription_id', 'outcome', 'settled', 'completed_at')
export const findSession = statement(SessionRow, `${selected} and session_id = :session_id`)
export const lockSession = statement(SessionRow, `${selected} and session_id = :session_id for update`)
export const openSession = statement(SessionRow, `${selected} and status = 'open'`)
export const unsettledSessions = statement(SessionRow, `${selected} and not settled order by id`)
export const lockSessions = statement(SessionRow, `${selected} and session_id = any(:session_ids) order by id for update`)

export const buyer = statement(
  Type.Object({ name: Type.String(), email: nullable(Type.String()) }),
  `select b.name, coalesce(b.email, (select u.email from users u where u.id = :actor_id)) as email from businesses b where b.id = :business_id`)
