// Sending, reminding, completing, canceling and reopening document requests; and what the clock does to them.
import { today as dateOf } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid } from '../../foundation/refusal.ts'
import { mailRequests, openLinks } from '../document-request-letters/operations.ts'
import type { DocumentRequest, Loaded } from '../document-requests/contract.ts'
import { holdDue, insertOccurrences, lockRequest, record, save } from '../document-requests/operations.ts'
import { isComplete, isOpen, nextReminder, requireOpen, shown, stateWords } from '../document-requests/rules.ts'
import * as rules from './rules.ts'

export async function sendRequest(tx: BusinessTx, request_id: string): Promise<DocumentRequest> {
  const request = await lockRequest(tx, request_id)
  if (isOpen(request)) return shown(request, tx.today)
  if (request.status !== 'draft') throw invalid(`“${request.title}” is ${stateWords(request)}: reopen it, and it is sent again.`)
  const after = outgoing(tx, request)
  await announce(tx, [after])
  return shown(save(tx, request, after, ['document_request.sent']), tx.today)
}

/** A draft as it leaves; whoever writes it mails it too. */
export function outgoing(tx: BusinessTx, request: Loaded): Loaded {
  rules.requireSendable(request)
  return { ...rules.sent(request, tx, newId), ...rules.seriesOf(request, tx.today, newId()), sent_by: tx.actor.user_id }
}

export async function announce(tx: BusinessTx, sent: readonly Loaded[]): Promise<void> {
  openLinks(tx, sent)
  await mailRequests(tx, 'request', sent)
}

export async function remindRequest(tx: BusinessTx, request_id: string, force: boolean): Promise<DocumentRequest> {
  const request = await lockRequest(tx, request_id)
  requireOpen(request, 'nobody can be reminded of it')
  if (isComplete(request.items)) throw invalid(`“${request.title}” has all it asked for: there is nothing to remind of.`)
  if (rules.hasExpired(request, tx.now)) throw invalid(`The links of “${request.title}” have expired: cancel it and reopen it, and new ones are sent.`)
  if (remindedToday(tx, request) && !force) throw invalid(`The recipients of “${request.title}” were reminded today: wait until tomorrow, or force it.`)
  await mailRequests(tx, 'reminder', [request])
  return shown(save(tx, request, reminded(tx, request), ['document_request.reminded']), tx.today)
}

export async function completeRequest(tx: BusinessTx, request_id: string): Promise<DocumentRequest> {
  const request = await lockRequest(tx, request_id)
  if (request.status === 'completed') return shown(request, tx.today)
  rules.requireCompletable(request)
  const after: Loaded = { ...request, status: 'completed', completed_at: tx.now, next_reminder_on: null }
  return shown(save(tx, request, after, ['document_request.completed']), tx.today)
}

export async function cancelRequest(tx: BusinessTx, request_id: string, reason: string | undefined): Promise<DocumentRequest> {
  const request = await lockRequest(tx, request_id)
  if (request.status === 'canceled') return shown(request, tx.today)
  rules.requireCancelable(request)
  const after: Loaded = { ...request, status: 'canceled', canceled_at: tx.now, next_reminder_on: null, next_on: null }
  return shown(save(tx, request, after, ['document_request.canceled'], reason), tx.today)
}

export async function reopenRequest(tx: BusinessTx, request_id: string): Promise<DocumentRequest> {
  const request = await lockRequest(tx, request_id)
  if (request.status === 'sent') return shown(request, tx.today)
  rules.requireReopenable(request)
  const next_on = request.status === 'canceled' ? rules.resumedOn(request, sentOn(tx, request), tx.today) : request.next_on
  const after = { ...rules.sent(request, tx, newId), next_on }
  openLinks(tx, [after])
  await mailRequests(tx, 'reopened', [after])
  return shown(save(tx, request, after, ['document_request.reopened']), tx.today)
}

/** Reminds by the calendar of the business, at most once a day and not of what has all come; true while there may be more. */
export async function remindDue(tx: BusinessTx): Promise<boolean> {
  const due = await holdDue(tx, 'reminders')
  const waiting = due.filter((request) => !isComplete(request.items) && !rules.hasExpired(request, tx.now) && !remindedToday(tx, request))
  await mailRequests(tx, 'reminder', waiting)
  for (const request of due) {
    if (waiting.includes(request)) save(tx, request, reminded(tx, request), ['document_request.reminded'])
    else save(tx, request, { ...request, next_reminder_on: nextReminder(request, sentOn(tx, request), tx.today) }, ['document_request.updated'])
  }
  return due.length > 0
}

/** Makes and sends what follows in a series, each occurrence once; true while there may be more. */
export async function recurDue(tx: BusinessTx): Promise<boolean> {
  const due = await holdDue(tx, 'occurrences')
  for (const request of due) save(tx, request, { ...request, next_on: null }, ['document_request.updated'])
  const made = await insertOccurrences(tx, due.flatMap((request) => rules.successorOf(request, tx, newId) ?? []))
  await announce(tx, made)
  for (const request of made) record(tx, 'document_request.sent', request, request)
  return due.length > 0
}

/** Tells of due dates that have passed, once each; true while there may be more. */
export async function recordOverdue(tx: BusinessTx): Promise<boolean> {
  const late = await holdDue(tx, 'overdue')
  for (const request of late) record(tx, 'document_request.overdue', request, request)
  return late.length > 0
}

function reminded(tx: BusinessTx, request: Loaded): Loaded {
  return { ...request, last_reminded_at: tx.now, next_reminder_on: nextReminder(request, sentOn(tx, request), tx.today) }
}

const dayOf = (tx: BusinessTx, moment: string): string => dateOf(new Date(moment), tx.business.timezone)
const remindedToday = (tx: BusinessTx, { last_reminded_at }: Loaded): boolean => last_reminded_at !== null && dayOf(tx, last_reminded_at) === tx.today
export const sentOn = (tx: BusinessTx, { sent_at }: Loaded): string => (sent_at === null ? tx.today : dayOf(tx, sent_at))
