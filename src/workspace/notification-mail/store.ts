// The SQL of mails that tell of notifications. A person who has left a business is written nothing of it.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { id, nullable, timestamp } from '../../foundation/shapes.ts'
import { topic } from '../notification-kinds/contract.ts'
import { activeSql } from '../notification-kinds/rules.ts'

export const insertHolds = command(
  `insert into notification_holds (user_id, notification_id, due_at)
   select * from unnest(:user_ids::uuid[], :notification_ids::uuid[], :due_at::timestamptz[]) on conflict do nothing`)

/** One at a time, held by one worker. */
export const takeHold = statement(Type.Object({ user_id: id(), notification_id: id(), due_at: timestamp() }),
  `delete from notification_holds where (user_id, notification_id) = (
     select user_id, notification_id from notification_holds where due_at <= :now::timestamptz order by due_at, user_id, notification_id limit 1 for update skip locked)
   returning user_id, notification_id, due_at`)

const Told = Type.Object({
  id: id(), topic, title: Type.String(), body: nullable(Type.String()), action_url: nullable(Type.String()),
  email: Type.String(), business_name: nullable(Type.String()),
})
const told = `select t.id, t.topic, t.title, t.body, t.action_url, u.email, b.name as business_name
  from notifications t join users u on u.id = t.user_id and u.status = 'active' left join businesses b on b.id = t.business_id
  where t.user_id = :user_id and t.read_at is null and ${activeSql}
    and (t.business_id is null or exists (select from memberships m where m.business_id = t.business_id and m.user_id = t.user_id and m.status = 'active'))`

/** Still unread: what was seen or settled meanwhile needs no mail. */
export const findUnmailed = statement(Told, `${told} and t.id = :id and t.mailed_at is null for update of t`)
export const markMailed = command('update notifications set mailed_at = :now where user_id = :user_id and id = :id')

/** What is to be told in a digest, the newest first. What was mailed has been told. */
export const untold = statement(Told, `${told} and t.in_digest and t.mailed_at is null order by t.created_at desc, t.id desc limit 1000`)
export const markTold = command('update notifications set in_digest = false where user_id = :user_id and in_digest')

