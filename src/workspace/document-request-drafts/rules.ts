// How a request is put together from what was given and its template, and what may still be changed of one that was sent.
import { addDays } from '../../foundation/calendar.ts'
import { invalid, unprocessable } from '../../foundation/refusal.ts'
import type { RequestTemplate } from '../document-request-templates/contract.ts'
import type { Loaded, RecipientRow, RequestItem } from '../document-requests/contract.ts'
import { stateWords, tidyDays } from '../document-requests/rules.ts'
import { STILL_EDITABLE, type ItemInput, type KeptItemInput, type RecipientInput, type RequestInput, type RequestUpdate } from './contract.ts'

type Origin = { business_id: string; now: string; today: string; user_id: string | null; makeId: () => string }

export function draftOf(input: RequestInput, template: RequestTemplate | null, { business_id, now, today, user_id, makeId }: Origin): Loaded {
  const title = input.title ?? template?.title
  if (title === undefined) throw unprocessable([{ loc: ['body', 'title'], msg: 'Field required where no template gives it.', type: 'missing' }])
  const due = template?.due_in_days ?? null
  const given = <T>(value: T | undefined, otherwise: T): T => (value === undefined ? otherwise : value)
  return {
    id: makeId(), business_id, title,
    message: given(input.message, template?.message ?? null),
    due_date: given(input.due_date, due === null ? null : addDays(today, due)),
    reminder_days: tidyDays(input.reminder_days ?? template?.reminder_days ?? []),
    recurrence: input.recurrence ?? null,
    resource_type: input.resource_type ?? null,
    resource_id: input.resource_id ?? null,
    template_id: template?.id ?? null,
    status: 'draft',
    series_id: null, series_start: null, occurrence: null, next_on: null, next_reminder_on: null,
    sent_at: null, sent_by: null, links_expire_at: null, last_reminded_at: null, completed_at: null, canceled_at: null,
    created_by: user_id,
    recipients: (input.recipients ?? []).map((recipient) => recipientOf(recipient, makeId())),
    items: (input.items ?? template?.items ?? []).map((item) => itemOf(item, makeId())),
    created_at: now, updated_at: now, version: 1,
  }
}

export function recipientOf({ name, email, user_id = null }: RecipientInput, id: string): RecipientRow {
  return { id, name: name.trim(), email: email.toLowerCase(), user_id, viewed_at: null, submitted_at: null, link_id: null }
}

export function itemOf({ label, kind = 'other', required = true, period = null, note = null }: ItemInput, id: string): RequestItem {
  return { id, label: label.trim(), kind, required, period, note, status: 'open', reason: null, decided_at: null, decided_by: null, files: [] }
}

/** The draft with what was given; an item or a recipient that was there keeps its id. */
export function edited(request: Loaded, { recipients, items, reminder_days, title, ...plain }: RequestUpdate, makeId: () => string): Loaded {
  const idOf = (address: string) => request.recipients.find(({ email }) => email === address.toLowerCase())?.id
  const changes = Object.fromEntries(Object.entries({ ...plain, title }).filter(([, value]) => value !== undefined))
  return {
    ...request, ...changes,
    ...(reminder_days && { reminder_days: tidyDays(reminder_days) }),
    ...(recipients && { recipients: recipients.map((given) => recipientOf(given, idOf(given.email) ?? makeId())) }),
    ...(items && { items: itemsOf(items, request.items, makeId) }),
  }
}

function itemsOf(given: readonly KeptItemInput[], before: readonly RequestItem[], makeId: () => string): RequestItem[] {
  const unclaimed = new Set(before.map(({ id }) => id))
  return given.map(({ id, ...item }) => itemOf(item, id !== undefined && unclaimed.delete(id) ? id : makeId()))
}

/** Refuses what would change the request under the hands of those who were asked. */
export function requireEditable(request: Loaded, input: RequestUpdate): void {
  if (request.status === 'draft') return
  if (request.status === 'completed' || request.status === 'canceled') throw invalid(`“${request.title}” is ${stateWords(request)}: reopen it first.`)
  const kept = (Object.keys(input) as (keyof RequestUpdate)[]).find((name) =>
    input[name] !== undefined && !(STILL_EDITABLE as readonly string[]).includes(name) && JSON.stringify(input[name]) !== JSON.stringify(request[name]))
  if (kept) throw invalid(`“${request.title}” was sent, so ${kept} stays as it is: only ${STILL_EDITABLE.slice(0, 3).join(', ')} can be changed now.`)
  if (input.recurrence) throw invalid(`“${request.title}” was sent: its recurrence can be ended (null), not changed.`)
  if (request.recurrence && input.due_date === null) throw invalid(`“${request.title}” recurs, so it needs a due_date.`)
}
