// When a credential was last used, to the minute: gathered in memory and written in one statement now and then, because
// a write per request would cost more than the request.
import { command } from '../foundation/database/statement.ts'
import { plainRequest, transact, type Database } from '../foundation/database/transact.ts'

export type Touches = {
  seen(kind: 'token' | 'user', id: string, now: string, ip: string | null): void
  flush(database: Database): Promise<void>
}

const touchTokens = command(
  `update api_tokens t set last_used_at = used.at, last_used_ip = used.ip
   from (select * from unnest(:ids::uuid[], :times::timestamptz[], :ips::text[])) as used (id, at, ip) where t.id = used.id`)
const touchSessions = command(
  `update sessions s set last_seen_at = used.at from (select * from unnest(:ids::uuid[], :times::timestamptz[])) as used (id, at)
   where s.id = used.id and s.last_seen_at < used.at`)

type Touch = { at: string; ip: string | null }

const MINUTE_MS = 60_000
const MOST_KNOWN = 20_000

export function openTouches(): Touches {
  const waiting = { token: new Map<string, Touch>(), user: new Map<string, Touch>() }
  const lately = new Map<string, number>()
  return {
    seen(kind, id, now, ip) {
      const at = Date.parse(now)
      if (Math.abs(at - (lately.get(id) ?? 0)) < MINUTE_MS) return
      if (lately.size >= MOST_KNOWN) lately.clear()
      lately.set(id, at)
      waiting[kind].set(id, { at: now, ip })
    },
    async flush(database) {
      const [tokens, sessions] = [drain(waiting.token), drain(waiting.user)]
      if (tokens.ids.length + sessions.ids.length === 0) return
      await transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => {
        tx.queue(touchTokens, tokens)
        tx.queue(touchSessions, { ids: sessions.ids, times: sessions.times })
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
