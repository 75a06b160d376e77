// The SQL of the second factor.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { TwoFactorState } from './contract.ts'

export const twoFactorState = statement(
  TwoFactorState,
  `select u.two_factor_enabled as enabled,
     (select count(*) from recovery_codes c where c.user_id = u.id and c.used_at is null) as recovery_codes_left,
     case when u.totp_pending_until > :now then u.totp_pending_until end as enrollment_expires_at
   from users u where u.id = :user_id`)

export const deleteRecoveryCodes = command('delete from recovery_codes where user_id = :user_id')
export const insertRecoveryCodes = command(
  'insert into recovery_codes (user_id, code_hash, created_at) select :user_id, unnest(:code_hashes::bytea[]), :now')
export const useRecoveryCode = command(
  'update recovery_codes set used_at = :now where user_id = :user_id and code_hash = :code_hash and used_at is null')

export const requiringBusinesses = statement(
  Type.Object({ name: Type.String() }),
  `select b.name from memberships m join businesses b on b.id = m.business_id
   where m.user_id = :user_id and (b.settings -> 'security' ->> 'require_two_factor')::boolean order by b.name, b.id`)
