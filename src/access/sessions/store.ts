// The SQL of sessions.
import { list } from '../../foundation/database/list.ts'
import { Count } from '../../foundation/database/rows.ts'
import { command, statement } from '../../foundation/database/statement.ts'
import { StoredSession } from './contract.ts'

export const insertSession = command(
  `insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, reauthenticated_at, ip, user_agent)
   values (:id, :user_id, :token_hash, :now, :now, :expires_at, :now, :ip, :user_agent)`)

const live = `ended_at is null and expires_at > :now and last_seen_at > :now::timestamptz - interval '14 days'`

export const liveSessions = list({
  item: StoredSession,
  from: 'sessions t',
  where: `t.user_id = :actor_id and ${live}`,
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
})

export const endSession = command(`update sessions set ended_at = :now where user_id = :user_id and id = :id and ${live}`)

/** As if they had been used that much later. */
export const shiftSessions = command(
  `update sessions set last_seen_at = last_seen_at + :milliseconds::bigint * interval '1 millisecond',
     expires_at = expires_at + :milliseconds::bigint * interval '1 millisecond' where ${live}`)

/** All of a user, but for the one that is kept where there is one. */
export const endSessions = command(
  `update sessions set ended_at = :now where user_id = :user_id and id is distinct from :kept_id::uuid and ${live}`)

export const reauthenticateSession = command('update sessions set reauthenticated_at = :now, last_seen_at = :now where user_id = :actor_id and id = :id')

export const countFromDevice = statement(
  Count,
  `select count(*) as count from sessions where user_id = :user_id and ip is not distinct from :ip and user_agent is not distinct from :user_agent`)
