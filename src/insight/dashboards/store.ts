// The SQL of dashboards. What is private exists for its owner only.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { boolean, id } from '../../foundation/shapes.ts'
import { BoardRow } from './contract.ts'

const visible = `(t.visibility = 'business' or t.owner_id = :actor_id)`
const by_id = `select ${columns(BoardRow, 't')} from dashboards t where t.business_id = :business_id and t.id = :id`

export const findBoard = statement(BoardRow, `${by_id} and ${visible}`)
export const lockBoard = statement(BoardRow, `${by_id} and ${visible} for update`)
/** For a public link, which was made by somebody who saw it. */
export const findAnyBoard = statement(BoardRow, by_id)
export const insertBoard = insertion('dashboards', BoardRow)
export const updateBoard = updating('dashboards', 'name', 'visibility', 'filters')
export const deleteBoard = deletion('dashboards')
export const touchBoard = command('update dashboards set updated_at = :now where business_id = :business_id and id = :id')

const Listed = Type.Object({ ...BoardRow.properties, is_default: boolean() })

export const boards = list({
  item: Listed,
  select: `${columns(BoardRow, 't')}, exists (select from dashboard_defaults d
    where d.business_id = t.business_id and d.user_id = :actor_id and d.dashboard_id = t.id) as is_default`,
  from: 'dashboards t',
  where: `t.business_id = :business_id and ${visible}`,
  sorts: { updated_at: { column: 't.updated_at', type: 'timestamptz' }, name: { column: 't.name', type: 'text' } },
  filters: { visibility: 't.visibility = :visibility', owner: 't.owner_id = :owner', q: 't.id in (select search_dashboards(:business_id, :q))' },
})

export const defaultOf = statement(Type.Object({ dashboard_id: id() }),
  'select dashboard_id from dashboard_defaults where business_id = :business_id and user_id = :actor_id')
export const setDefault = command(
  `insert into dashboard_defaults (business_id, user_id, dashboard_id, updated_at) values (:business_id, :actor_id, :dashboard_id, :now)
   on conflict (business_id, user_id) do update set dashboard_id = excluded.dashboard_id, updated_at = excluded.updated_at`)
/** Of those who see it no longer; `kept` is the one who still does. */
export const forgetDefaults = command(
  'delete from dashboard_defaults where business_id = :business_id and dashboard_id = :dashboard_id and user_id is distinct from :kept::uuid')
