// Files of document requests: supplied from inside, and sent by whoever has a link.
import type { Static } from 'typebox'
import type { Surroundings } from '../../foundation/database/context.ts'
import type { BusinessTx, PublicTx } from '../../foundation/database/transaction.ts'
import type { GivenFile } from '../../foundation/endpoint.ts'
import { newId } from '../../foundation/ids.ts'
import { notFound } from '../../foundation/refusal.ts'
import { resources } from '../../foundation/resource.ts'
import { attach, detach } from '../document-attachments/operations.ts'
import { storeFiles, type StoragePlan, type StoredFile } from '../document-files/operations.ts'
import { openLink, type OpenedLink } from '../document-links/operations.ts'
import { REQUEST_LINK } from '../document-request-letters/operations.ts'
import { itemResource, type DocumentRequest, type Loaded, type RecipientRow, type RequestFile, type RequestItem } from '../document-requests/contract.ts'
import { loadRequest, lockRequest, requestOfLink, save } from '../document-requests/operations.ts'
import { isOpen, itemOf, requireOpen, shown, withItem } from '../document-requests/rules.ts'
import type { Document } from '../documents/contract.ts'
import { keepDocuments, lockDocuments, saveDocument } from '../documents/operations.ts'
import type { SuppliedFile } from './contract.ts'
import * as rules from './rules.ts'

/** Files are looked at and their bytes kept outside any transaction. */
export const outside = {
  call: (surroundings: Surroundings, plan: StoragePlan) => storeFiles(surroundings, plan),
  /** Looked at, and not kept. */
  rehearse: (surroundings: Surroundings, plan: StoragePlan) => storeFiles(surroundings, plan, true),
}

type Supply = { params: { request_id: string; item_id: string }; body: Static<typeof SuppliedFile>; files: readonly GivenFile[] }

export const supplyFiles = {
  ...outside,

  async read(tx: BusinessTx, { params, body, files }: Supply): Promise<StoragePlan> {
    takingItem(await loadRequest(tx, params.request_id), params.item_id)
    rules.requireOneSource(files.length, body.document_id)
    return { business_id: tx.business_id, now: tx.now, files }
  },

  async write(tx: BusinessTx, { params, body: { document_id } }: Supply, _plan: StoragePlan, stored: StoredFile[] | null): Promise<DocumentRequest> {
    const request = await lockRequest(tx, params.request_id)
    const item = takingItem(request, params.item_id)
    if (document_id !== undefined && item.files.some((file) => file.document_id === document_id)) return shown(request, tx.today)
    const documents = document_id === undefined ? await keep(tx, request, stored ?? [], null) : await lockDocuments(tx, [document_id])
    return shown((await receive(tx, request, item, documents, null)).after, tx.today)
  },
}

type Filed = { request_id: string; item_id: string; document_id: string }

export async function removeFile(tx: BusinessTx, { request_id, item_id, document_id }: Filed): Promise<DocumentRequest> {
  const request = await lockRequest(tx, request_id)
  const item = itemOf(request, item_id)
  const file = item.files.find((one) => one.document_id === document_id)
  if (!file) throw notFound('File')
  requireOpen(request, 'its files stay')
  rules.requireRemovable(item)
  detach(tx, await lockDocuments(tx, [document_id], true), placeOf(item))
  const { after, events } = withItem(request, rules.withoutFile(item, file))
  return shown(save(tx, request, after, ['document_request.updated', ...events]), tx.today)
}

/** What a link opens: the request, and whose link it is. */
export type OpenRequest = { tx: BusinessTx; request: Loaded; recipient: RecipientRow }

/** null where the link is of something else. Replaced, expired, of a request that has ended or of a business that is closed: the same 404 as an unknown one. */
export async function requestOf({ tx, document_type, document_id: link_id }: OpenedLink, locked = false): Promise<OpenRequest | null> {
  if (document_type !== REQUEST_LINK) return null
  const request = await requestOfLink(tx, link_id, locked)
  const recipient = request?.recipients.find((one) => one.link_id === link_id)
  const alive = request !== null && isOpen(request) && request.links_expire_at !== null && request.links_expire_at > tx.now
  if (!recipient || !alive || tx.business.read_only !== null) throw notFound('Document')
  return { tx, request, recipient }
}

/** Where only a request will do; `locked` for whoever changes it. */
export async function openRequest(tx: PublicTx, token: string, locked = false): Promise<OpenRequest> {
  const opened = await requestOf(await openLink(tx, token), locked)
  if (!opened) throw notFound('Document')
  return opened
}

/** What is to be looked at before it is taken. */
export function planSending({ tx, request, recipient }: OpenRequest, item_id: string, files: readonly GivenFile[]): StoragePlan {
  takingItem(request, item_id)
  rules.requireOneSource(files.length, undefined)
  rules.requireRoom(request, recipient, files.length)
  return { business_id: tx.business_id, now: tx.now, files }
}

/** Takes in what a recipient has sent. */
export async function takeFiles({ tx, request, recipient }: OpenRequest, item_id: string, stored: readonly StoredFile[]): Promise<RequestFile[]> {
  const item = takingItem(request, item_id)
  rules.requireRoom(request, recipient, stored.length)
  return (await receive(tx, request, item, await keep(tx, request, stored, recipient), recipient)).files
}

/** A recipient takes back what they have not handed over yet: it goes into the bin. */
export async function withdrawFile({ tx, request, recipient }: OpenRequest, file_id: string): Promise<RequestFile> {
  const { item, file } = rules.requireOwn(request, recipient, file_id)
  const [document] = await lockDocuments(tx, [file.document_id], true)
  if (document) {
    const [bare = document] = detach(tx, detach(tx, [document], placeOf(item)), recordOf(request) ?? placeOf(item))
    if (bare.attachments.length === 0 && bare.deleted_at === null) saveDocument(tx, bare, { deleted_at: tx.now }, 'document.deleted')
  }
  const { after, events } = withItem(request, rules.withoutFile(item, file))
  save(tx, request, after, ['document_request.updated', ...events])
  return file
}

export function submitFiles({ tx, request, recipient }: OpenRequest): OpenRequest {
  const after = rules.submitted(request, recipient, tx.now)
  if (!after) return { tx, request, recipient }
  return { tx, request: save(tx, request, after, ['document_request.submitted']), recipient: { ...recipient, submitted_at: tx.now } }
}

/** The first look counts. */
export async function markViewed({ tx, recipient }: OpenRequest): Promise<void> {
  if (recipient.viewed_at !== null || recipient.link_id === null) return
  const request = await requestOfLink(tx, recipient.link_id, true)
  if (!request || request.recipients.some(({ id, viewed_at }) => id === recipient.id && viewed_at !== null)) return
  const recipients = request.recipients.map((one) => (one.id === recipient.id ? { ...one, viewed_at: tx.now } : one))
  save(tx, request, { ...request, recipients }, ['document_request.updated'])
}

function takingItem(request: Loaded, item_id: string): RequestItem {
  const item = itemOf(request, item_id)
  requireOpen(request, 'it takes no files')
  rules.requireTaking(item)
  return item
}

function keep(tx: BusinessTx, { title }: Loaded, stored: readonly StoredFile[], sender: RecipientRow | null): Promise<Document[]> {
  const description = `${sender === null ? 'For' : `From ${sender.name} for`} “${title}”`
  return keepDocuments(tx, stored.map((file) => ({ file, source: 'request' as const, description })))
}

async function receive(tx: BusinessTx, request: Loaded, item: RequestItem, documents: Document[], sender: RecipientRow | null) {
  const resource = await presentRecord(tx, request)
  const placed = attach(tx, documents, placeOf(item))
  if (resource) attach(tx, placed, resource)
  const files = documents.map(({ id, name, content_type, size }): RequestFile => ({
    id: newId(), document_id: id, name, content_type, size, recipient_id: sender?.id ?? null, submitted_at: null, rejected_at: null, created_at: tx.now,
  }))
  if (files.length === 0) return { after: request, files }
  const { after, events } = withItem(request, rules.withFiles(item, files))
  return { after: save(tx, request, after, ['document_request.file_received', ...events]), files }
}

const placeOf = ({ id }: RequestItem) => ({ resource_type: itemResource.type, resource_id: id })
const recordOf = ({ resource_type, resource_id }: Loaded) => (resource_type && resource_id ? { resource_type, resource_id } : null)

/** The record of the request, as long as it is there. Whoever has a link may not read it, and need not. */
async function presentRecord(tx: BusinessTx, request: Loaded) {
  const record = recordOf(request)
  const lookup = record && resources.get(record.resource_type)?.lookup
  return lookup && (await tx.many(lookup, { ids: [record.resource_id] })).length > 0 ? record : null
}
