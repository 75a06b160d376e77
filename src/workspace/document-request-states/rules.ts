// What may happen to a request as a whole, and how one follows another.
import { addDays } from '../../foundation/calendar.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { Loaded } from '../document-requests/contract.ts'
import { leadDays, movedPeriod, neededOf, nextDue, nextOn, nextReminder, requireOpen, scheduledDue, stateWords } from '../document-requests/rules.ts'
import { LINK_DAYS } from './contract.ts'

export type Moment = { now: string; today: string }

export function requireSendable({ title, items, recipients }: Loaded): void {
  if (items.length === 0) throw invalid(`“${title}” asks for nothing yet: add an item.`)
  if (recipients.length === 0) throw invalid(`“${title}” has nobody to go to: add a recipient.`)
}

/** The request as it leaves, with a new link for each recipient. */
export function sent(request: Loaded, { now, today }: Moment, makeId: () => string): Loaded {
  return {
    ...request,
    status: 'sent', sent_at: now, links_expire_at: new Date(Date.parse(now) + LINK_DAYS * 86_400_000).toISOString(),
    completed_at: null, canceled_at: null,
    next_reminder_on: nextReminder(request, today, today),
    recipients: request.recipients.map((recipient) => ({ ...recipient, link_id: makeId() })),
  }
}

type Series = Pick<Loaded, 'series_id' | 'series_start' | 'occurrence' | 'next_on'>

/** The first of a series says how long before its due date each is sent. */
export function seriesOf({ recurrence, due_date }: Loaded, today: string, series_id: string): Series {
  if (!recurrence || due_date === null) return { series_id: null, series_start: null, occurrence: null, next_on: null }
  const place = { recurrence, series_start: due_date, occurrence: 0 }
  return { series_id, series_start: due_date, occurrence: 0, next_on: nextOn(place, leadDays(today, due_date)) }
}

/** The request that follows, sent at once; null where none does. The one before it is left without a next_on. */
export function successorOf(request: Loaded, moment: Moment, makeId: () => string): Loaded | null {
  const [from, due_date] = [scheduledDue(request), nextDue(request)]
  if (from === null || due_date === null || request.next_on === null || request.occurrence === null) return null
  const lead = leadDays(request.next_on, due_date)
  const place = { recurrence: request.recurrence, series_start: request.series_start, occurrence: request.occurrence + 1 }
  const fresh: Loaded = {
    ...request, ...place, id: makeId(), due_date, next_on: nextOn(place, lead), last_reminded_at: null,
    recipients: request.recipients.map((recipient) => ({ ...recipient, id: makeId(), viewed_at: null, submitted_at: null })),
    items: request.items.map((item) => ({
      ...item, id: makeId(), period: movedPeriod(item.period, from, due_date), status: 'open', reason: null, decided_at: null, decided_by: null, files: [],
    })),
    created_at: moment.now, updated_at: moment.now, version: 1,
  }
  return sent(fresh, moment, makeId)
}

export function requireCompletable(request: Loaded): void {
  requireOpen(request, 'it cannot be completed')
  const undecided = neededOf(request.items).find(({ status }) => status !== 'accepted' && status !== 'waived')
  if (undecided) throw invalid(`“${undecided.label}” is ${undecided.status}: accept or waive every required item first.`)
}

export function requireCancelable(request: Loaded): void {
  if (request.status === 'draft') throw invalid(`“${request.title}” is a draft: delete it.`)
  if (request.status === 'completed') throw invalid(`“${request.title}” is completed: reopen it first.`)
}

export function requireReopenable(request: Loaded): void {
  if (request.status === 'draft') throw invalid(`“${request.title}” is a draft: send it.`)
  if (request.status !== 'completed' && request.status !== 'canceled') {
    throw invalid(`“${request.title}” is ${stateWords(request)}: only one that is completed or canceled can be reopened.`)
  }
}

export const hasExpired = ({ links_expire_at }: Loaded, now: string): boolean => links_expire_at === null || links_expire_at <= now

/** A canceled series goes on where it stopped, with what is still to come. */
export function resumedOn(request: Loaded, lead_from: string, today: string): string | null {
  const due = nextDue(request)
  if (due === null || request.due_date === null) return null
  const on = addDays(due, -leadDays(lead_from, scheduledDue(request) ?? request.due_date))
  return on > today ? on : null
}
