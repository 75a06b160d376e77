// Changing what a document request asks for, and judging what came.
import type { Static } from 'typebox'
import { getSettings } from '../../access/business-settings/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { ItemInput } from '../document-request-drafts/contract.ts'
import { itemOf as newItem } from '../document-request-drafts/rules.ts'
import { mailRequests } from '../document-request-letters/operations.ts'
import { MOST_ITEMS, type DocumentRequest, type Loaded, type RequestEvent, type RequestItem } from '../document-requests/contract.ts'
import { lockRequest, save } from '../document-requests/operations.ts'
import { itemOf, requireOpen, requireUnended, shown, withItem, withItems } from '../document-requests/rules.ts'
import { documentsByIds, lockDocuments, saveDocument } from '../documents/operations.ts'
import { retainedUntil } from '../documents/rules.ts'
import type { ItemUpdate } from './contract.ts'
import * as rules from './rules.ts'

type Place = { request_id: string; item_id: string }

export async function addItem(tx: BusinessTx, request_id: string, input: ItemInput): Promise<DocumentRequest> {
  const request = await lockRequest(tx, request_id)
  requireUnended(request)
  if (request.items.length >= MOST_ITEMS) throw invalid(`“${request.title}” asks for ${MOST_ITEMS} items already: make another request.`)
  return finish(tx, request, withItems(request, [...request.items, newItem(input, newId())]), 'document_request.updated')
}

export async function updateItem(tx: BusinessTx, { request_id, item_id }: Place, input: Static<typeof ItemUpdate>): Promise<DocumentRequest> {
  const request = await lockRequest(tx, request_id)
  const item = itemOf(request, item_id)
  requireUnended(request)
  const changes = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<RequestItem>
  if (Object.keys(changes).length === 0) return shown(request, tx.today)
  return finish(tx, request, withItem(request, { ...item, ...changes }), 'document_request.updated')
}

export async function deleteItem(tx: BusinessTx, { request_id, item_id }: Place): Promise<DocumentRequest> {
  const request = await lockRequest(tx, request_id)
  const item = itemOf(request, item_id)
  requireUnended(request)
  if (item.files.length > 0) throw invalid(`“${item.label}” has files and stays: waive it.`)
  if (request.status !== 'draft' && request.items.length === 1) throw invalid(`“${item.label}” is all that is asked for: cancel the request instead.`)
  return finish(tx, request, withItems(request, request.items.filter((one) => one !== item)), 'document_request.updated')
}

export async function acceptItem(tx: BusinessTx, place: Place): Promise<DocumentRequest> {
  const { request, item } = await openItem(tx, place, 'nothing of it can be accepted')
  const after = rules.accepted(item, decision(tx))
  if (!after) return shown(request, tx.today)
  await fileAway(tx, after)
  return finish(tx, request, withItem(request, after), 'document_request.updated')
}

export async function rejectItem(tx: BusinessTx, place: Place, reason: string): Promise<DocumentRequest> {
  const { request, item } = await openItem(tx, place, 'nothing of it can be rejected')
  const after = rules.rejected(item, decision(tx, reason))
  if (!after) return shown(request, tx.today)
  const moved = withItem(request, after)
  const senders = new Set(item.files.flatMap(({ recipient_id, rejected_at }) => (rejected_at === null && recipient_id !== null ? [recipient_id] : [])))
  await mailRequests(tx, 'rejection', [moved.after], { rejected: after, ...(senders.size > 0 && { only: senders }) })
  return finish(tx, request, moved, 'document_request.item_rejected', reason)
}

export async function waiveItem(tx: BusinessTx, place: Place, reason: string | undefined): Promise<DocumentRequest> {
  const { request, item } = await openItem(tx, place, 'nothing of it can be waived')
  const after = rules.waived(item, decision(tx, reason))
  return after ? finish(tx, request, withItem(request, after), 'document_request.updated', reason) : shown(request, tx.today)
}

export async function reopenItem(tx: BusinessTx, place: Place): Promise<DocumentRequest> {
  const { request, item } = await openItem(tx, place, 'nothing of it can be reopened')
  const after = rules.reopened(item)
  return after ? finish(tx, request, withItem(request, after), 'document_request.updated') : shown(request, tx.today)
}

async function openItem(tx: BusinessTx, { request_id, item_id }: Place, what: string): Promise<{ request: Loaded; item: RequestItem }> {
  const request = await lockRequest(tx, request_id)
  const item = itemOf(request, item_id)
  requireOpen(request, what)
  return { request, item }
}

type Moved = { after: Loaded; events: RequestEvent[] }

function finish(tx: BusinessTx, before: Loaded, { after, events }: Moved, event: RequestEvent, reason?: string): DocumentRequest {
  return shown(save(tx, before, after, [event, ...events], reason), tx.today)
}

const decision = (tx: BusinessTx, reason?: string): rules.Decision => ({ now: tx.now, user_id: tx.actor.user_id, reason: reason ?? null })

/** Accepted documents are what the item says; a date that somebody gave them stays. */
async function fileAway(tx: BusinessTx, { files, kind, period }: RequestItem): Promise<void> {
  const ids = files.filter(({ rejected_at }) => rejected_at === null).map(({ document_id }) => document_id)
  const [day, present, { documents: { retention_years } }] = [rules.dayOfPeriod(period), await documentsByIds(tx, ids), await getSettings(tx)]
  for (const document of await lockDocuments(tx, [...present.keys()])) {
    const dated = day !== null && document.document_date === null ? { document_date: day, retained_until: retainedUntil(day, retention_years) } : {}
    if ('document_date' in dated || document.kind !== kind) saveDocument(tx, document, { kind, ...dated }, 'document.updated')
  }
}
