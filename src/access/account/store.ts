// The SQL of users, with the columns that never leave the service.
import { Type, type Static } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { Count } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { integer, nullable, timestamp } from '../../foundation/shapes.ts'
import { User } from './contract.ts'

const bytes = Type.Unsafe<Buffer | null>({ type: ['buffer', 'null'] })

export const Account = Type.Object({
  ...User.properties,
  password_hash: Type.String(),
  totp_secret: bytes,
  totp_last_step: nullable(integer()),
  totp_pending: bytes,
  totp_pending_until: nullable(timestamp()),
})
export type AccountRow = Static<typeof Account>

constraintMeans('users_email', 'This e-mail address belongs to another account. Use another one.')

const names = Object.keys(Account.properties)
const written = names.filter((name) => name !== 'id' && name !== 'created_at')

/** No row where the address is taken, so that two sign-ups at once end like one after the other. */
export const insertAccount = command(
  `insert into users (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')}) on conflict (lower(email)) do nothing`)

export const updateAccount = command(`update users set ${written.map((name) => `${name} = :${name}`).join(', ')} where id = :id`)

// Rows that point at a user may still be inserted while it is locked this way.
export const lockByEmail = statement(Account, `select ${columns(Account)} from users where lower(email) = lower(:email) for no key update`)
export const lockById = statement(Account, `select ${columns(Account)} from users where id = :id for no key update`)

export const findUser = statement(User, `select ${columns(User)} from users where id = :id`)
export const countByEmail = statement(Count, 'select count(*) as count from users where lower(email) = lower(:email)')

/** Mail of the service itself to one address, for the limit on what strangers can have sent there. */
export const countMails = statement(
  Count, `select count(*) as count from mails where recipient = :email and business_id is null and created_at > :now::timestamptz - interval '1 hour'`)

export const revokeTokens = command(
  `update api_tokens set revoked_at = :now, revoked_by = :user_id, updated_at = :now, version = version + 1
   where user_id = :user_id and revoked_at is null`)
