// The SQL of mail tokens.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { id, timestamp } from '../../foundation/shapes.ts'

const MailToken = Type.Object({ user_id: id(), email: Type.String(), created_at: timestamp() })

export const insertToken = command(
  `insert into mail_tokens (token_hash, user_id, purpose, email, created_at, expires_at)
   values (:token_hash, :user_id, :purpose, :email, :now, :expires_at)`)

const usable = 'token_hash = :token_hash and purpose = :purpose and used_at is null and expires_at > :now'

export const findToken = statement(MailToken, `select user_id, email, created_at from mail_tokens where ${usable}`)

/** Of two callers at once the second waits here, then finds the token used. */
export const useToken = statement(MailToken, `update mail_tokens set used_at = :now where ${usable} returning user_id, email, created_at`)

export const voidTokens = command('update mail_tokens set used_at = :now where user_id = :user_id and purpose = any(:purposes) and used_at is null')

/** An undo token that is older than this moment survives: it leads further back. */
export const voidTokensSince = command(
  `update mail_tokens set used_at = :now where user_id = :user_id and used_at is null and (purpose <> 'undo_email' or created_at >= :since)`)
