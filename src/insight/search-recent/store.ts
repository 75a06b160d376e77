// The SQL of what people opened last.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { id, timestamp } from '../../foundation/shapes.ts'
import type { SearchType } from '../search-index/contract.ts'

export const recent = statement(
  Type.Object({ type: Type.Unsafe<SearchType>({ type: 'string' }), id: id(), opened_at: timestamp() }),
  `select type, id, opened_at from search_recent where business_id = :business_id and user_id = :actor_id order by opened_at desc, id desc limit 20`,
)

export const remember = command(
  `insert into search_recent (business_id, user_id, type, id, opened_at) values (:business_id, :actor_id, :type, :id, :now)
   on conflict (business_id, user_id, type, id) do update set opened_at = greatest(search_recent.opened_at, excluded.opened_at)`)

export const dropOlder = command(
  `delete from search_recent where business_id = :business_id and user_id = :actor_id and (type, id) in (
     select type, id from search_recent where business_id = :business_id and user_id = :actor_id order by opened_at desc, id desc offset 20)`)

export const forget = command('delete from search_recent where business_id = :business_id and user_id = :actor_id')
