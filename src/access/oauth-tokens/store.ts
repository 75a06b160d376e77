// The SQL of codes and tokens. What each of them rests on, the grant and the person, comes with it.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { boolean, id, list, nullable, oneOf, text, timestamp } from '../../foundation/shapes.ts'

const onGrant = { grant_id: id(), client_id: id(), user_id: id(), business_ids: list(id()), grant_scopes: list(text(1, 100)), stands: boolean() }
const grantColumns = `g.id as grant_id, g.client_id, g.user_id, g.business_ids, g.scopes as grant_scopes, (g.status = 'active' and u.status in ('unverified', 'active')) as stands`
const grantJoin = (table: string) => `join oauth_grants g on g.id = ${table}.grant_id join users u on u.id = g.user_id`

const Code = Type.Object({
  id: id(), redirect_uri: text(1, 2000), code_challenge: text(43, 43), scopes: list(text(1, 100)), expires_at: timestamp(), used_at: nullable(timestamp()), ...onGrant,
})
const Token = Type.Object({
  kind: oneOf(['access', 'refresh']), code_id: id(), scopes: list(text(1, 100)), created_at: timestamp(), expires_at: timestamp(),
  rotated_at: nullable(timestamp()), ended_at: nullable(timestamp()), ...onGrant,
})

export const insertCode = command(
  `insert into oauth_codes (id, code_hash, grant_id, redirect_uri, code_challenge, scopes, created_at, expires_at)
   values (:id, :code_hash, :grant_id, :redirect_uri, :code_challenge, :scopes, :now, :expires_at)`)

/** Held with its grant: of two who bring the same code, the second finds it used. */
export const lockCode = statement(Code,
  `select c.id, c.redirect_uri, c.code_challenge, c.scopes, c.expires_at, c.used_at, ${grantColumns}
   from oauth_codes c ${grantJoin('c')} where c.code_hash = :code_hash for update of c, g`)

export const useCode = command('update oauth_codes set used_at = :now where id = :id')

const tokenColumns = `t.kind, t.code_id, t.scopes, t.created_at, t.expires_at, t.rotated_at, t.ended_at, ${grantColumns}`
export const findToken = statement(Token, `select ${tokenColumns} from oauth_tokens t ${grantJoin('t')} where t.token_hash = :token_hash`)
export const lockToken = statement(Token, `select ${tokenColumns} from oauth_tokens t ${grantJoin('t')} where t.token_hash = :token_hash for update of t, g`)

export const insertToken = command(
  `insert into oauth_tokens (token_hash, kind, grant_id, code_id, scopes, created_at, expires_at)
   values (:token_hash, :kind, :grant_id, :code_id, :scopes, :now, :expires_at)`)

export const rotateToken = command('update oauth_tokens set rotated_at = :now where token_hash = :token_hash')

const living = `ended_at is null and expires_at > :now::timestamptz`
export const endToken = command(`update oauth_tokens set ended_at = :now where token_hash = :token_hash and ${living}`)
export const endTokensOfGrant = command(`update oauth_tokens set ended_at = :now where grant_id = :grant_id and ${living}`)
export const endTokensOfCode = command(`update oauth_tokens set ended_at = :now where code_id = :code_id and ${living}`)

/** Kept a while longer, so that a late second use is still known for what it is. */
export const deleteOldCodes = command(`delete from oauth_codes where expires_at < :now::timestamptz - interval '7 days'`)
export const deleteOldTokens = command(`delete from oauth_tokens where expires_at < :now::timestamptz - interval '7 days'`)
