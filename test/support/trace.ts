// What a call could have left behind: the rows of a business in every tenant table, and the rows of its caller.
import { sql, type Team } from './people.ts'

let tables: string[] | null = null

export async function traceOf(team: Team, user_id: string): Promise<unknown> {
  tables ??= (await sql("select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relrowsecurity and relname <> 'subscriber_positions' order by relname")).map(({ relname }) => relname)
  const counts = tables.map((table) => `select '${table}' as name, count(*)::text as rows, coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as content from ${table} t where business_id = $1`)
  const own = [
    `select 'businesses', count(*)::text, md5(string_agg(b::text, ',' order by b::text)) from businesses b join memberships m on m.business_id = b.id where m.user_id = $2`,
    `select 'memberships', count(*)::text, md5(string_agg(m::text, ',' order by m::text)) from memberships m where m.business_id = $1 or m.user_id = $2`,
    `select 'users', count(*)::text, md5(string_agg(u::text, ',')) from users u where u.id = $2`,
    `select 'sessions', count(*)::text, md5(string_agg(s.id::text || coalesce(s.ended_at::text, '') || s.reauthenticated_at::text, ',' order by s.id)) from sessions s where s.user_id = $2`,
    `select 'tokens', count(*)::text, md5(string_agg(t.id::text || t.version::text, ',' order by t.id)) from api_tokens t where t.user_id = $2`,
    `select 'token secrets', count(*)::text, '' from api_token_secrets s join api_tokens t on t.id = s.token_id where t.user_id = $2`,
    `select 'oauth clients', count(*)::text, md5(string_agg(c.id::text || c.version::text, ',' order by c.id)) from oauth_clients c where c.owner_id = $2`,
    `select 'oauth grants', count(*)::text, md5(string_agg(g.id::text || g.version::text, ',' order by g.id)) from oauth_grants g where g.user_id = $2`,
    `select 'oauth tokens', count(*)::text, count(t.ended_at)::text from oauth_tokens t join oauth_grants g on g.id = t.grant_id where g.user_id = $2`,
    `select 'invitations', count(*)::text, md5(string_agg(i::text, ',' order by i::text)) from invitations i where i.business_id = $1`,
    `select 'preferences', count(*)::text, md5(string_agg(p::text, ',' order by p::text)) from notification_preferences p where p.user_id = $2`,
    `select 'notification settings', count(*)::text, md5(string_agg(s::text, ',')) from notification_settings s where s.user_id = $2`,
    `select 'mails', count(*)::text, '' from mails m where m.recipient = (select email from users where id = $2) or m.business_id = $1`,
  ]
  // Ordered: a plan that works in parallel gives the parts in any order.
  return sql(`${[...counts, ...own].join(' union all ')} order by 1`, [team.business_id, user_id])
}
