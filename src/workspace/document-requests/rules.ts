// The states of a document request, which follow from those of its items, and the days on which something is due.
import { addDays, daysBetween, occurrence } from '../../foundation/calendar.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { DocumentRequest, Loaded, RequestEvent, RequestItem } from './contract.ts'

type Status = Loaded['status']

const OPEN: readonly Status[] = ['sent', 'partially_received', 'received']
export const isOpen = ({ status }: Pick<Loaded, 'status'>): boolean => OPEN.includes(status)

/** What the request is about: the required items, or all of them where none is required. */
export function neededOf(items: readonly RequestItem[]): readonly RequestItem[] {
  const required = items.filter((item) => item.required)
  return required.length > 0 ? required : items
}

const DONE: readonly RequestItem['status'][] = ['received', 'accepted', 'waived']
const isDone = ({ status }: RequestItem): boolean => DONE.includes(status)

export const isComplete = (items: readonly RequestItem[]): boolean => neededOf(items).every(isDone)

/** What people still have to send. */
export const missingOf = (items: readonly RequestItem[]): RequestItem[] => items.filter(({ status }) => status === 'open' || status === 'rejected')

/** The state of a request that was sent. Papers that came and were not good enough have come all the same. */
export function statusOf(items: readonly RequestItem[]): Status {
  if (isComplete(items)) return 'received'
  return items.some(({ status }) => status !== 'open' && status !== 'waived') ? 'partially_received' : 'sent'
}

/** The request with these items, in the state that follows; and what is to be told of that. */
export function withItems(request: Loaded, items: RequestItem[]): { after: Loaded; events: RequestEvent[] } {
  const status = isOpen(request) ? statusOf(items) : request.status
  return { after: { ...request, items, status }, events: status === 'received' && request.status !== 'received' ? ['document_request.received'] : [] }
}

export function itemOf(request: Loaded, item_id: string): RequestItem {
  const item = request.items.find(({ id }) => id === item_id)
  if (!item) throw notFound('Item')
  return item
}

export const withItem = (request: Loaded, item: RequestItem) => withItems(request, request.items.map((one) => (one.id === item.id ? item : one)))

/** What an item is by its files alone: those that were rejected are past. */
export function statusByFiles(files: RequestItem['files']): RequestItem['status'] {
  if (files.some(({ rejected_at }) => rejected_at === null)) return 'received'
  return files.length > 0 ? 'rejected' : 'open'
}

export function shown({ recipients, ...request }: Loaded, today: string): DocumentRequest {
  const needed = neededOf(request.items)
  return {
    ...request,
    recipients: recipients.map(({ link_id: _link, ...recipient }) => recipient),
    received_count: needed.filter(isDone).length,
    required_count: needed.length,
    overdue: (request.status === 'sent' || request.status === 'partially_received') && request.due_date !== null && request.due_date < today,
  }
}

const WORDS: Record<Status, string> = {
  draft: 'a draft', sent: 'sent', partially_received: 'partially received', received: 'received', completed: 'completed', canceled: 'canceled',
}
export const stateWords = ({ status }: Pick<Loaded, 'status'>): string => WORDS[status]

const HOW: Partial<Record<Status, string>> = { draft: 'send it first', completed: 'reopen it first', canceled: 'reopen it first' }

/** `what` happens only to one that was sent and has not ended. */
export function requireOpen(request: Loaded, what: string): void {
  if (!isOpen(request)) throw invalid(`“${request.title}” is ${stateWords(request)}, so ${what}: ${HOW[request.status] ?? ''}.`)
}

/** Its items may be changed until it has ended. */
export function requireUnended(request: Loaded): void {
  if (request.status === 'completed' || request.status === 'canceled') {
    throw invalid(`“${request.title}” is ${stateWords(request)}, so its items stay as they are: reopen it first.`)
  }
}

/** What must be true of a request however it came about. */
export function requireConsistent({ resource_type, resource_id, recurrence, due_date, recipients }: Loaded): void {
  if ((resource_type === null) !== (resource_id === null)) throw invalid('resource_type and resource_id go together: give both or neither.')
  const twice = recipients.find(({ email }, index) => recipients.findIndex((other) => other.email === email) !== index)
  if (twice) throw invalid(`${twice.email} is named twice: each recipient has one link.`)
  if (!recurrence) return
  if (due_date === null) throw invalid('A recurring request needs a due_date, from which the next ones are counted.')
  if (recurrence.end_date && recurrence.end_date < due_date) throw invalid(`The recurrence ends on ${recurrence.end_date}, before the due date ${due_date}.`)
}

/** Each day once, in their order. */
export function tidyDays(days: readonly number[]): number[] {
  return [...new Set(days)].toSorted((a, b) => a - b)
}

/** The first day after this one on which people are to be reminded. */
export function nextReminder({ reminder_days, due_date }: Pick<Loaded, 'reminder_days' | 'due_date'>, sent_on: string, after: string): string | null {
  const days = reminder_days.map((offset) => addDays(due_date ?? sent_on, offset)).filter((day) => day > after)
  return days.toSorted()[0] ?? null
}

type Place = Pick<Loaded, 'recurrence' | 'series_start' | 'occurrence'>

/** The due date of the one that follows in the series, counted from its start so that a short month shifts nothing; null after the last. */
export function nextDue({ recurrence, series_start, occurrence: place }: Place): string | null {
  if (!recurrence || series_start === null || place === null) return null
  const due = occurrence({ frequency: recurrence.frequency, start_date: series_start }, place + 1)
  return recurrence.end_date && due > recurrence.end_date ? null : due
}

/** It is sent as many days before it is due as the one before it was. */
export function nextOn(place: Place, lead_days: number): string | null {
  const due = nextDue(place)
  return due === null ? null : addDays(due, -lead_days)
}

export const leadDays = (sent_on: string, due_date: string): number => Math.max(0, daysBetween(sent_on, due_date))

/** The day on which the series has this one due, wherever its own due date was moved to. */
export function scheduledDue({ recurrence, series_start, occurrence: place }: Place): string | null {
  if (!recurrence || series_start === null || place === null) return null
  return occurrence({ frequency: recurrence.frequency, start_date: series_start }, place)
}

/** A period moves on as the due date does: a month by months, a quarter by quarters, a year by years. */
export function movedPeriod(period: string | null, from: string, to: string): string | null {
  if (period === null) return null
  const per_year = period.includes('Q') ? 4 : period.length === 7 ? 12 : 1
  const place = (date: string) => Number(date.slice(0, 4)) * per_year + Math.floor(((Number(date.slice(5, 7)) - 1) * per_year) / 12)
  const now = Number(period.slice(0, 4)) * per_year + (per_year === 1 ? 0 : Number(period.slice(5).replace('Q', '')) - 1)
  const then = now + place(to) - place(from)
  const [year, part] = [Math.floor(then / per_year), (then % per_year) + 1]
  if (year > 9999) return period
  const text = String(year).padStart(4, '0')
  return per_year === 1 ? text : per_year === 4 ? `${text}-Q${part}` : `${text}-${String(part).padStart(2, '0')}`
}
