// Attaching documents to records, and taking them off again.
import type { PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { requireRecords } from '../../foundation/records.ts'
import { forbidden, notFound } from '../../foundation/refusal.ts'
import { resources } from '../../foundation/resource.ts'
import type { Attachment, Document } from '../documents/contract.ts'
import { listDocuments, lockDocument, lockDocuments, saveDocument } from '../documents/operations.ts'
import { requirePresent } from '../documents/rules.ts'
import type { RecordState, RecordStates } from './contract.ts'
import * as store from './store.ts'

type Place = { resource_type: string; resource_id: string }

/** 403 unless the caller may change records of this type, 404 unless they are there. */
export async function requireAttachable(tx: BusinessTx, resource_type: string, resource_ids: readonly string[]): Promise<void> {
  requireWrite(tx, resource_type)
  await requireRecords(tx, resource_type, resource_ids)
}

export async function attachDocument(tx: BusinessTx, document_id: string, place: Place): Promise<Attachment> {
  await requireAttachable(tx, place.resource_type, [place.resource_id])
  const document = await lockDocument(tx, document_id)
  requirePresent(document)
  const [after = document] = attach(tx, [document], place)
  const attachment = after.attachments.find((one) => isAt(one, place))
  if (!attachment) throw new Error('A document was attached and is not.')
  return attachment
}

/** Attaches documents that the caller has locked, or has just made, to a record that is there; those attached before stay as they are. */
export function attach(tx: BusinessTx, documents: readonly Document[], { resource_type, resource_id }: Place): Document[] {
  const made: Attachment[] = []
  const after = documents.map((document) => {
    if (document.attachments.some((one) => isAt(one, { resource_type, resource_id }))) return document
    const attachment = { id: newId(), document_id: document.id, resource_type, resource_id, attached_by: tx.actor.user_id, created_at: tx.now }
    made.push(attachment)
    return saveDocument(tx, document, { attachments: [...document.attachments, attachment] }, 'document.attached')
  })
  if (made.length > 0) tx.queue(store.insertAttachments, { rows: JSON.stringify(made) })
  return after
}

/** For a group that names documents in its own records: each of these is attached to its record. The caller has checked that they are there. */
export async function attachTo(
  tx: BusinessTx, resource_type: string, wanted: readonly { resource_id: string; document_ids: readonly string[] }[],
): Promise<void> {
  const ids = wanted.flatMap(({ document_ids }) => document_ids)
  if (ids.length === 0) return
  const documents = new Map((await lockDocuments(tx, ids)).map((document) => [document.id, document]))
  for (const { resource_id, document_ids } of wanted) {
    const here = [...new Set(document_ids)].flatMap((id) => documents.get(id) ?? [])
    for (const document of attach(tx, here, { resource_type, resource_id })) documents.set(document.id, document)
  }
}

export async function detachDocument(tx: BusinessTx, document_id: string, attachment_id: string, states: RecordStates): Promise<Attachment> {
  const document = await lockDocument(tx, document_id)
  const attachment = document.attachments.find(({ id }) => id === attachment_id)
  if (!attachment) throw notFound('Attachment')
  requireWrite(tx, attachment.resource_type)
  const [state] = await statesOf(tx, [attachment], states)
  if (state?.posted && !tx.actor.permissions.has('documents:correct')) {
    throw forbidden(`The ${nameOf(attachment.resource_type)} is posted: only an accountant can take a document off it.`)
  }
  takeOff(tx, document, attachment)
  return attachment
}

export async function listAttachments(tx: BusinessTx, query: PageQuery & Place) {
  await requireRecords(tx, query.resource_type, [query.resource_id])
  return listDocuments(tx, query)
}

/** How the records stand that these documents are attached to, in the order of the attachments; those of a kind that posts nothing are left out. */
export async function statesOf(tx: BusinessTx, attachments: readonly Attachment[], states: RecordStates): Promise<(Attachment & RecordState)[]> {
  const types = [...new Set(attachments.map(({ resource_type }) => resource_type))].filter((type) => Object.hasOwn(states, type))
  const found = await Promise.all(types.map(async (type): Promise<[string, RecordState][]> => {
    const ids = attachments.filter(({ resource_type }) => resource_type === type).map(({ resource_id }) => resource_id)
    return ((await states[type]?.(tx, ids)) ?? []).map((state) => [`${type} ${state.id}`, state])
  }))
  const known = new Map(found.flat())
  return attachments.flatMap((attachment) => {
    const state = known.get(`${attachment.resource_type} ${attachment.resource_id}`)
    return state ? [{ ...state, ...attachment }] : []
  })
}

/** What a deleted record was proved by stays, attached to nothing. */
export async function dropAttachments(tx: BusinessTx, place: Place): Promise<void> {
  const attached = await tx.many(store.attachedTo, place)
  if (attached.length === 0) return
  const documents = await lockDocuments(tx, attached.map(({ document_id }) => document_id), true)
  for (const document of documents) {
    const attachment = document.attachments.find((one) => isAt(one, place))
    if (attachment) takeOff(tx, document, attachment)
  }
}

export function nameOf(resource_type: string): string {
  return resource_type.replaceAll('_', ' ')
}

/** Takes documents that the caller has locked off a record; one that is not attached to it stays as it is. */
export function detach(tx: BusinessTx, documents: readonly Document[], place: Place): Document[] {
  return documents.map((document) => {
    const attachment = document.attachments.find((one) => isAt(one, place))
    return attachment ? takeOff(tx, document, attachment) : document
  })
}

function takeOff(tx: BusinessTx, document: Document, attachment: Attachment): Document {
  tx.queue(store.deleteAttachment, { id: attachment.id })
  return saveDocument(tx, document, { attachments: document.attachments.filter(({ id }) => id !== attachment.id) }, 'document.detached')
}

function requireWrite(tx: BusinessTx, resource_type: string): void {
  const group = resources.get(resource_type)?.group
  if (!group || resource_type === 'document') throw notFound(`Record of type ${resource_type}`)
  if (tx.actor.permissions.has(`${group}:write`)) return
  throw forbidden(`This needs the permission ${group}:write, because it changes what belongs to a record of that kind.`)
}

function isAt(attachment: Place, { resource_type, resource_id }: Place): boolean {
  return attachment.resource_type === resource_type && attachment.resource_id === resource_id
}
