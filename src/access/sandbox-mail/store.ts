// The SQL of the sandbox mailbox.
import { list } from '../../foundation/database/list.ts'
import { SandboxMail } from './contract.ts'

export const mails = list({
  item: SandboxMail,
  select: `t.id, t.business_id, t.recipient, t.also_to, t.cc, t.bcc, t.reply_to, t.sender_name, t.subject, t.text_body, t.html_body, t.headers, t.created_at, t.sent_at,
    coalesce((select jsonb_agg(jsonb_build_object('file_name', a.file_name, 'content_type', a.content_type, 'size', length(a.content)) order by a.position)
      from mail_attachments a where a.mail_id = t.id), '[]') as attachments`,
  from: 'mails t',
  where: `(lower(t.recipient) = (select lower(u.email) from users u where u.id = :actor_id)
    or t.business_id in (select m.business_id from memberships m where m.user_id = :actor_id and m.role = 'owner' and m.status = 'active'))`,
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { to: 'exists (select from unnest(t.recipient || t.also_to || t.cc || t.bcc) as address where lower(address) = lower(:to))' },
})
