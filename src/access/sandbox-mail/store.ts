// The SQL of the sandbox mailbox.
import { list } from '../../foundation/database/list.ts'
import { SandboxMail } from './contract.ts'

export const mails = list({
  item: SandboxMail,
  from: 'mails t',
  where: `(lower(t.recipient) = (select lower(u.email) from users u where u.id = :actor_id)
    or t.business_id in (select m.business_id from memberships m where m.user_id = :actor_id and m.role = 'owner' and m.status = 'active'))`,
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { to: 'lower(t.recipient) = lower(:to)' },
})
