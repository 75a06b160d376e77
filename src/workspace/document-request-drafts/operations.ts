// Making, changing and deleting document requests.
import { attemptEach, type BulkResult } from '../../foundation/bulk.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid } from '../../foundation/refusal.ts'
import { announce, outgoing, sentOn } from '../document-request-states/operations.ts'
import { usableTemplate } from '../document-request-templates/operations.ts'
import type { DocumentRequest, Loaded } from '../document-requests/contract.ts'
import { activeMembers, deleteRequest as remove, insert, lockRequest, record, save } from '../document-requests/operations.ts'
import { nextReminder, requireConsistent, shown } from '../document-requests/rules.ts'
import type { RequestBulk, RequestInput, RequestUpdate } from './contract.ts'
import * as rules from './rules.ts'

export async function createRequest(tx: BusinessTx, { send = false, ...input }: RequestInput): Promise<DocumentRequest> {
  const template = input.template_id ? await usableTemplate(tx, input.template_id) : null
  const draft = rules.draftOf(input, template, originOf(tx))
  await requireSound(tx, draft)
  if (!send) {
    insert(tx, [draft])
    return shown(draft, tx.today)
  }
  const request = outgoing(tx, draft)
  insert(tx, [request])
  await announce(tx, [request])
  record(tx, 'document_request.sent', request, request)
  return shown(request, tx.today)
}

export async function updateRequest(tx: BusinessTx, request_id: string, input: RequestUpdate): Promise<DocumentRequest> {
  const request = await lockRequest(tx, request_id)
  if (Object.keys(input).length === 0) return shown(request, tx.today)
  rules.requireEditable(request, input)
  const after = rules.edited(request, input, newId)
  if (request.status === 'draft') {
    await requireSound(tx, after)
    return shown(save(tx, request, after, ['document_request.updated']), tx.today)
  }
  // What was sent keeps everybody and everything; only the days on which something happens follow.
  const next_reminder_on = nextReminder(after, sentOn(tx, request), tx.today)
  const ended = input.recurrence === null ? { next_on: null } : {}
  const { recipients, items, title } = request
  return shown(save(tx, request, { ...after, recipients, items, title, next_reminder_on, ...ended }, ['document_request.updated']), tx.today)
}

export async function deleteRequest(tx: BusinessTx, request_id: string): Promise<DocumentRequest> {
  const request = await lockRequest(tx, request_id)
  if (request.status !== 'draft') throw invalid(`“${request.title}” was sent and cannot be deleted: cancel it.`)
  remove(tx, request)
  return shown(request, tx.today)
}

export async function bulkRequests(tx: BusinessTx, { template_id, recipients, due_date, send = true, atomic = true }: RequestBulk): Promise<BulkResult> {
  const template = await usableTemplate(tx, template_id)
  const members = await activeMembers(tx, recipients.flatMap(({ user_id }) => user_id ?? []))
  const seen = new Set<string>()
  const made: Loaded[] = []
  const result = attemptEach(recipients, atomic, (recipient) => {
    const email = recipient.email.toLowerCase()
    if (seen.has(email)) throw invalid(`${email} is named twice: each recipient has one request.`)
    requireMember(members, recipient.user_id ?? null)
    seen.add(email)
    const draft = rules.draftOf({ recipients: [recipient], ...(due_date === undefined ? {} : { due_date }) }, template, originOf(tx))
    made.push(send ? outgoing(tx, draft) : draft)
    return draft.id
  })
  insert(tx, made)
  if (send) {
    await announce(tx, made)
    for (const request of made) record(tx, 'document_request.sent', request, request)
  }
  return result
}

function originOf(tx: BusinessTx) {
  return { business_id: tx.business_id, now: tx.now, today: tx.today, user_id: tx.actor.user_id, makeId: newId }
}

async function requireSound(tx: BusinessTx, request: Loaded): Promise<void> {
  if (request.resource_type && request.resource_id) await requireRecords(tx, request.resource_type, [request.resource_id])
  requireConsistent(request)
  const asked = request.recipients.flatMap(({ user_id }) => user_id ?? [])
  const members = await activeMembers(tx, asked)
  for (const user_id of asked) requireMember(members, user_id)
}

function requireMember(members: ReadonlySet<string>, user_id: string | null): void {
  if (user_id !== null && !members.has(user_id)) throw invalid(`${user_id} is no active member of this business: leave user_id out for somebody outside.`)
}
