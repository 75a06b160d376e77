// When a credential was last used, to the minute, and what connected apps do, by day: gathered in memory and written in one
// go now and then, because a write per request would cost more than the request.
import { newId } from '../foundation/ids.ts'
import { command } from '../foundation/database/statement.ts'
import { plainRequest, transact, type Database } from '../foundation/database/transact.ts'
import type { CredentialKind } from './caller.ts'

/** One call of a connected app. */
export type Use = { grant_id: string; day: string; operation: string; business_id: string | null; write: boolean; refused: boolean }

export type Touches = {
  seen(kind: CredentialKind, id: string, now: string, ip: string | null): void
  used(use: Use): void
  flush(database: Database): Promise<void>
}

const touchTokens = command(
  `update api_tokens t set last_used_at = used.at, last_used_ip = used.ip
   from (select * from unnest(:ids::uuid[], :times::timestamptz[], :ips::text[])) as used (id, at, ip) where t.id = used.id`)
const touchSessions = command(
  `update sessions s set last_seen_at = used.at from (select * from unnest(:ids::uuid[], :times::timestamptz[])) as used (id, at)
   where s.id = used.id and s.last_seen_at < used.at`)
const touchGrants = command(
  `update oauth_grants g set last_used_at = used.at from (select * from unnest(:ids::uuid[], :times::timestamptz[])) as used (id, at)
   where g.id = used.id and (g.last_used_at is null or g.last_used_at < used.at)`)
const countUses = command(
  `insert into oauth_activity (id, grant_id, day, operation, business_id, requests, writes, refusals)
   select * from jsonb_to_recordset(:uses::jsonb) as used (id uuid, grant_id uuid, day date, operation text, business_id uuid, requests int, writes int, refusals int)
   on conflict (grant_id, day, operation, business_id) do update set requests = oauth_activity.requests + excluded.requests,
     writes = oauth_activity.writes + excluded.writes, refusals = oauth_activity.refusals + excluded.refusals`)

type Touch = { at: string; ip: string | null }
type Counted = Omit<Use, 'write' | 'refused'> & { id: string; requests: number; writes: number; refusals: number }

const MINUTE_MS = 60_000
const MOST_KNOWN = 20_000

export function openTouches(): Touches {
  const waiting = { token: new Map<string, Touch>(), user: new Map<string, Touch>(), grant: new Map<string, Touch>() }
  const counted = new Map<string, Counted>()
  const lately = new Map<string, number>()
  return {
    seen(kind, id, now, ip) {
      const at = Date.parse(now)
      if (Math.abs(at - (lately.get(id) ?? 0)) < MINUTE_MS) return
      if (lately.size >= MOST_KNOWN) lately.clear()
      lately.set(id, at)
      waiting[kind].set(id, { at: now, ip })
    },
    used({ write, refused, ...what }) {
      const key = `${what.grant_id} ${what.day} ${what.operation} ${what.business_id}`
      const count = counted.get(key) ?? { id: newId(), ...what, requests: 0, writes: 0, refusals: 0 }
      count.requests += 1
      if (refused) count.refusals += 1
      else if (write) count.writes += 1
      counted.set(key, count)
    },
    async flush(database) {
      const [tokens, sessions, grants] = [drain(waiting.token), drain(waiting.user), drain(waiting.grant)]
      // Sorted, so that two processes write in the same order.
      const uses = [...counted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
      counted.clear()
      if (tokens.ids.length + sessions.ids.length + grants.ids.length + uses.length === 0) return
      await transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => {
        tx.queue(touchTokens, tokens)
        tx.queue(touchSessions, { ids: sessions.ids, times: sessions.times })
        tx.queue(touchGrants, { ids: grants.ids, times: grants.times })
        if (uses.length > 0) tx.queue(countUses, { uses: JSON.stringify(uses) })
      })
    },
  }
}

/** Sorted, so that two processes lock rows in the same order. */
function drain(touched: Map<string, Touch>): { ids: string[]; times: string[]; ips: (string | null)[] } {
  const rows = [...touched].sort(([a], [b]) => (a < b ? -1 : 1))
  touched.clear()
  return { ids: rows.map(([id]) => id), times: rows.map(([, touch]) => touch.at), ips: rows.map(([, touch]) => touch.ip) }
}
