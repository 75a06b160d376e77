// The SQL of authorization requests.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { boolean, id, list, nullable, oneOf, text, timestamp } from '../../foundation/shapes.ts'
import { ROLES } from '../permissions.ts'

const Request = Type.Object({
  id: id(), client_id: id(), redirect_uri: text(1, 2000), scopes: list(text(1, 100)), state: nullable(text(0, 2000)), code_challenge: text(43, 43),
  expires_at: timestamp(), decided_at: nullable(timestamp()),
})

const selected = `select id, client_id, redirect_uri, scopes, state, code_challenge, expires_at, decided_at from oauth_requests where id = :id`

export const insertRequest = command(
  `insert into oauth_requests (id, client_id, redirect_uri, scopes, state, code_challenge, created_at, expires_at)
   values (:id, :client_id, :redirect_uri, :scopes, :state, :code_challenge, :now, :expires_at)`)
export const findRequest = statement(Request, selected)
export const lockRequest = statement(Request, `${selected} for update`)
export const decideRequest = command('update oauth_requests set decided_at = :now where id = :id')
export const deleteOldRequests = command(`delete from oauth_requests where expires_at < :now::timestamptz - interval '1 day'`)

const Place = Type.Object({ business_id: id(), name: text(1, 200), role: oneOf(ROLES), is_sample: boolean() })
const places = `select m.business_id, b.name, m.role, b.is_sample from memberships m join businesses b on b.id = m.business_id
  where m.user_id = :actor_id and m.status = 'active'`

export const ownPlaces = statement(Place, `${places} order by b.name, b.id`)

/** Held until the commit: whoever takes the person out of a business meanwhile finds the new grant, or this finds no membership. */
export const holdPlaces = statement(Place, `${places} and m.business_id = any(:business_ids::uuid[]) order by b.id for share of m`)
