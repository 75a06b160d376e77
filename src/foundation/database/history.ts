// What happened: each change becomes a row of the audit trail and an event, chained by hash and numbered without a gap
// per business, by one call that travels with the commit.
import { canonicalJson } from '../canonical.ts'
import type { Resource } from '../resource.ts'
import { redact } from '../secrets.ts'
import { command } from './statement.ts'
import type { Actor, RequestContext } from './context.ts'
import { newId } from '../ids.ts'

/** The record before and after, as GET shows it: null before creation, null after deletion. */
export type Change = {
  before: Record_ | null
  after: Record_ | null
  reason?: string
}
type Record_ = { id: string } & Record<string, unknown>

/** The audited part of a row: hashed in this form, so whoever holds the row can recompute its hash. */
export type AuditContent = {
  at: string
  actor_kind: string
  actor_id: string | null
  actor_name: string
  on_behalf_of: string | null
  action: string
  resource_type: string
  resource_id: string
  resource_label: string | null
  before: unknown
  after: unknown
  reason: string | null
  request_id: string
  ip: string | null
}

/** A change on its way: the text that is hashed and that the row is made of, and the record as it is now where the text does not hold it whole. */
export type HistoryRow = { event_id: string; content: string; data: string | null }

/** Locks the head of the business's history, so it belongs last in a transaction, right before the commit. */
export const appendHistory = command('select append_history(:business_id, :event_ids::uuid[], :contents::text[], :data::text[])')

const withLateValues = (name: string) => `(select array_agg(with_late_values(content) order by place) from unnest(:${name}::text[]) with ordinality as contents (content, place))`

/** The same where it tells of values that an earlier statement of this flight finds out: they are put in by the database. */
export const appendLateHistory = command(`select append_history(:business_id, :event_ids::uuid[], ${withLateValues('contents')}, ${withLateValues('data')})`)

/** Who changes it, when and through what: a transaction has all three. */
export type Author = { now: string; actor: Actor; request: RequestContext }

export function historyRow(tx: Author, resource: Resource, event: string, change: Change): HistoryRow {
  const record = change.after ?? change.before
  if (!record) throw new Error(`${event} recorded with neither a before nor an after.`)
  const [was, is] = [redact(change.before) as Record_ | null, redact(change.after) as Record_ | null]
  const [before, after] = changedKeys(was, is)
  const label = record[resource.label]
  const content: AuditContent = {
    at: tx.now,
    actor_kind: tx.actor.kind,
    actor_id: tx.actor.id,
    actor_name: tx.actor.name,
    on_behalf_of: tx.actor.user_id === tx.actor.id ? null : tx.actor.user_id,
    action: event,
    resource_type: resource.type,
    resource_id: record.id,
    resource_label: typeof label === 'string' ? label.slice(0, 200) : null,
    before,
    after,
    reason: change.reason ?? null,
    request_id: tx.request.request_id,
    ip: tx.request.ip,
  }
  return { event_id: newId(), content: canonicalJson(content), data: was && is ? JSON.stringify(is) : null }
}

/** Only what differs, so that a reader sees the change and not the record twice. */
function changedKeys(before: Record_ | null, after: Record_ | null): [unknown, unknown] {
  if (!before || !after) return [before, after]
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => key !== 'updated_at' && key !== 'version' && canonicalJson(before[key] ?? null) !== canonicalJson(after[key] ?? null),
  )
  const pick = (record: Record_) => Object.fromEntries(keys.map((key) => [key, record[key] ?? null]))
  return [pick(before), pick(after)]
}
