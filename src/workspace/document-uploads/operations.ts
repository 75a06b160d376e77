// Files become documents: what they belong to is checked first, then their bytes are stored, and last the rows are written.
import type { Static } from 'typebox'
import type { Surroundings } from '../../foundation/database/context.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { GivenFile } from '../../foundation/endpoint.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { RecordStates } from '../document-attachments/contract.ts'
import { attach, nameOf, requireAttachable, statesOf } from '../document-attachments/operations.ts'
import { storeFiles, type StoragePlan, type StoredFile } from '../document-files/operations.ts'
import type { Document } from '../documents/contract.ts'
import { addVersion as addFile, getDocument, keepDocuments, lockDocument } from '../documents/operations.ts'
import { requirePresent } from '../documents/rules.ts'
import type { DocumentInput } from './contract.ts'
import { placeOf, requireFiles, requireNewVersion, requireOneName } from './rules.ts'

const MOST_FILES = 20

type Upload = { body: Partial<Static<typeof DocumentInput>>; files: readonly GivenFile[] }

const outside = {
  call: (surroundings: Surroundings, plan: StoragePlan) => storeFiles(surroundings, plan),
  /** Looked at, and not kept. */
  rehearse: (surroundings: Surroundings, plan: StoragePlan) => storeFiles(surroundings, plan, true),
}

export const uploadDocuments = {
  ...outside,

  async read(tx: BusinessTx, { body, files }: Upload): Promise<StoragePlan> {
    const place = placeOf(body)
    if (place) await requireAttachable(tx, place.resource_type, [place.resource_id])
    requireFiles(files, MOST_FILES)
    requireOneName(body.name, files.length)
    return { business_id: tx.business_id, now: tx.now, files }
  },

  async write(tx: BusinessTx, { body }: Upload, _plan: StoragePlan, stored: StoredFile[] | null): Promise<Document[]> {
    const { file_name: _file, content_base64: _content, resource_type: _type, resource_id: _id, ...known } = body
    const place = placeOf(body)
    if (place) await requireAttachable(tx, place.resource_type, [place.resource_id])
    const documents = await keepDocuments(tx, (stored ?? []).map((file) => ({ ...known, file, source: 'upload' as const })))
    return place ? attach(tx, documents, place) : documents
  },
}

type Version = { params: { document_id: string }; files: readonly GivenFile[] }

export const addVersion = (states: RecordStates) => ({
  ...outside,

  async read(tx: BusinessTx, { params, files }: Version): Promise<StoragePlan> {
    await requireOpen(tx, await getDocument(tx, params.document_id), states)
    requireFiles(files, 1)
    return { business_id: tx.business_id, now: tx.now, files }
  },

  async write(tx: BusinessTx, { params }: Version, _plan: StoragePlan, stored: StoredFile[] | null): Promise<Document> {
    const document = await lockDocument(tx, params.document_id)
    await requireOpen(tx, document, states)
    const [file] = stored ?? []
    if (!file) return document
    requireNewVersion(document, file)
    return addFile(tx, document, file)
  },
})

async function requireOpen(tx: BusinessTx, document: Document, states: RecordStates): Promise<void> {
  requirePresent(document)
  const closed = (await statesOf(tx, document.attachments, states)).find((state) => state.closed)
  if (!closed) return
  const record = `${nameOf(closed.resource_type)} ${closed.resource_id}`
  throw invalid(`${document.name} is attached to the ${record}, whose period is closed: reopen the period, or upload the file as a document of its own.`)
}
