// The SQL of the security log.
import { list } from '../../foundation/database/list.ts'
import { command } from '../../foundation/database/statement.ts'
import { SecurityEvent } from './contract.ts'

export const insertEvent = command(
  `insert into user_events (id, user_id, type, at, ip, user_agent, request_id, detail)
   values (:id, :user_id, :type, :now, :ip, :user_agent, :request_id, :detail::jsonb)`)

export const securityEvents = list({
  item: SecurityEvent,
  from: 'user_events t',
  where: 't.user_id = :actor_id',
  sorts: { at: { column: 't.at', type: 'timestamptz' } },
  filters: { type: 't.type = :type' },
})
