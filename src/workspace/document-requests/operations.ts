// Reading document requests, and writing whatever was changed of one.
import type { PageQuery } from '../../foundation/database/list.ts'
import { plainRequest, transact, type Database } from '../../foundation/database/transact.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { requestResource, type DocumentRequest, type Loaded, type RequestEvent } from './contract.ts'
import { shown } from './rules.ts'
import * as store from './store.ts'

type RequestQuery = PageQuery & { overdue?: boolean; recipient?: string }

export async function listRequests(tx: BusinessTx, query: RequestQuery) {
  const recipient = query.recipient?.toLowerCase()
  const page = await tx.page(store.requests, { ...query, ...(recipient === undefined ? {} : { recipient }), overdue: query.overdue || undefined } as PageQuery)
  return { ...page, items: page.items.map((request) => shown(request, tx.today)) }
}

export async function summarizeRequests(tx: BusinessTx) {
  const [counts, by_recipient] = await Promise.all([tx.get(store.summary, {}, 'Summary'), tx.many(store.byRecipient)])
  return { ...counts, by_recipient }
}

export async function getRequest(tx: BusinessTx, request_id: string): Promise<DocumentRequest> {
  return shown(await loadRequest(tx, request_id), tx.today)
}

export function loadRequest(tx: BusinessTx, request_id: string): Promise<Loaded> {
  return tx.get(store.findRequest, { id: request_id }, 'Document request')
}

/** For this request to change it; If-Match is held against it. */
export async function lockRequest(tx: BusinessTx, request_id: string): Promise<Loaded> {
  tx.queue(store.holdRequest, { id: request_id })
  return tx.lock(store.findRequest, { id: request_id }, 'Document request')
}

/** The request that a recipient's link opens, for the caller to change where `locked`; null where no link is called so. */
export async function requestOfLink(tx: BusinessTx, link_id: string, locked: boolean): Promise<Loaded | null> {
  const found = await tx.find(store.requestOfLink, { link_id })
  if (!found) return null
  if (locked) tx.queue(store.holdRequest, { id: found.request_id })
  return tx.find(store.findRequest, { id: found.request_id })
}

/** Writes what differs, counts the change, and tells of it: each event shows the request as it is after all of it. */
export function save(tx: BusinessTx, before: Loaded, changed: Loaded, events: readonly RequestEvent[], reason?: string | null): Loaded {
  const after = { ...changed, updated_at: tx.now, version: before.version + 1 }
  tx.queue(store.updateRequest, after)
  savePlaces(tx, store.saveRecipients, store.removeRecipients, after.id, before.recipients, after.recipients)
  savePlaces(tx, store.saveItems, store.removeItems, after.id, before.items.map(withoutFiles), after.items.map(withoutFiles))
  saveFiles(tx, before, after)
  for (const event of events) record(tx, event, before, after, reason)
  return after
}

export function record(tx: BusinessTx, event: RequestEvent, before: Loaded | null, after: Loaded | null, reason?: string | null): void {
  const as = (request: Loaded | null) => request && shown(request, tx.today)
  tx.record(requestResource, event, { before: as(before), after: as(after), ...(reason ? { reason } : {}) })
}

/** New ones, drafts or sent at once; the caller tells of the sending. */
export function insert(tx: BusinessTx, requests: readonly Loaded[]): void {
  if (requests.length === 0) return
  tx.queue(store.insertRequests, { rows: JSON.stringify(requests) })
  insertParts(tx, requests)
}

/** Those of these next ones of their series that were not there already. */
export async function insertOccurrences(tx: BusinessTx, requests: readonly Loaded[]): Promise<Loaded[]> {
  if (requests.length === 0) return []
  const written = new Set((await tx.many(store.insertOccurrences, { rows: JSON.stringify(requests) })).map(({ id }) => id))
  const made = requests.filter(({ id }) => written.has(id))
  insertParts(tx, made)
  return made
}

function insertParts(tx: BusinessTx, requests: readonly Loaded[]): void {
  const placed = (parts: (request: Loaded) => readonly object[]) =>
    JSON.stringify(requests.flatMap((request) => parts(request).map((part, position) => ({ ...part, request_id: request.id, position }))))
  tx.queue(store.saveRecipients, { rows: placed(({ recipients }) => recipients) })
  tx.queue(store.saveItems, { rows: placed(({ items }) => items.map(withoutFiles)) })
  for (const request of requests) record(tx, 'document_request.created', null, request)
}

export function deleteRequest(tx: BusinessTx, request: Loaded): void {
  tx.queue(store.deleteRequest, request)
  record(tx, 'document_request.deleted', request, null)
}

const DUE = { reminders: store.dueReminders, occurrences: store.dueOccurrences, overdue: store.markOverdue } as const

/** Up to a hundred for which the clock has something to do, held until the commit; what others hold is theirs. Overdue ones are given once per due date. */
export async function holdDue(tx: BusinessTx, what: keyof typeof DUE): Promise<Loaded[]> {
  const ids = (await tx.many(DUE[what])).map(({ id }) => id)
  return ids.length > 0 ? tx.many(store.findRequests, { ids }) : []
}

/** Where the clock has something to do at all. */
export async function businessesWithDue(database: Database): Promise<string[]> {
  const found = await transact(database, { business_id: null, read_only: true, request: plainRequest }, ({ tx }) => tx.many(store.businessesWithDue))
  return found.map(({ business_id }) => business_id)
}

/** Those of them who are active members; they stay so until the commit. */
export async function activeMembers(tx: BusinessTx, user_ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(user_ids.length === 0 ? [] : (await tx.many(store.holdMembers, { user_ids: [...user_ids] })).map(({ user_id }) => user_id))
}

type Statement = typeof store.saveItems

type Parts = readonly { id: string }[]

function savePlaces(tx: BusinessTx, saving: Statement, removing: Statement, request_id: string, before: Parts, after: Parts): void {
  const placed = (parts: Parts) => new Map(parts.map((part, position) => [part.id, JSON.stringify({ ...part, position, request_id })]))
  const [old, now] = [placed(before), placed(after)]
  const removed = [...old.keys()].filter((id) => !now.has(id))
  if (removed.length > 0) tx.queue(removing, { ids: removed })
  const rows = [...now].filter(([id, text]) => old.get(id) !== text).map(([, text]) => text)
  if (rows.length > 0) tx.queue(saving, { rows: `[${rows.join(',')}]` })
}

function saveFiles(tx: BusinessTx, before: Loaded, after: Loaded): void {
  const filed = ({ items }: Loaded) =>
    new Map(items.flatMap((item) => item.files.map((file) => [file.id, JSON.stringify({ ...file, item_id: item.id })] as const)))
  const [old, now] = [filed(before), filed(after)]
  const removed = [...old.keys()].filter((id) => !now.has(id))
  if (removed.length > 0) tx.queue(store.removeFiles, { ids: removed })
  const rows = [...now].filter(([id, text]) => old.get(id) !== text).map(([, text]) => text)
  if (rows.length > 0) tx.queue(store.saveFiles, { rows: `[${rows.join(',')}]` })
}

function withoutFiles<Item extends { files: unknown }>({ files: _files, ...item }: Item): Omit<Item, 'files'> {
  return item
}
