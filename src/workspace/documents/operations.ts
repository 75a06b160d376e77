// What can be done with documents as records: kept, listed, read and described. Their bytes are in the storage before a row names them.
import { getSettings } from '../../access/business-settings/operations.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { notFound, unavailable } from '../../foundation/refusal.ts'
import type { StoredFile } from '../document-files/operations.ts'
import { cleanName, FORMATS, formatOf, requireFittingName, searchWords } from '../document-files/rules.ts'
import { documentResource, type Document, type DocumentRow, type DocumentUpdate, type Kind, type Source } from './contract.ts'
import { requirePresent, requireRetention, retainedUntil } from './rules.ts'
import * as store from './store.ts'

type DocumentQuery = PageQuery & { binned?: boolean; q?: string; unattached?: boolean }

export function listDocuments(tx: BusinessTx, { binned = false, ...query }: DocumentQuery) {
  const asked = { ...query, ...(query.q === undefined ? {} : { q: searchWords(query.q) }) }
  return tx.page(binned ? store.binned : store.documents, asked)
}

export function getDocument(tx: BusinessTx, document_id: string): Promise<Document> {
  return tx.get(store.findDocument, { id: document_id }, 'Document')
}

/** Those of these that are there, and not in the bin. */
export async function documentsByIds(tx: BusinessTx, document_ids: readonly string[]): Promise<Map<string, Document>> {
  const found = document_ids.length > 0 ? await tx.many(store.findDocuments, { ids: [...new Set(document_ids)] }) : []
  return new Map(found.filter(({ deleted_at }) => deleted_at === null).map((document) => [document.id, document]))
}

/** For this request to change it; If-Match is held against it. */
export async function lockDocument(tx: BusinessTx, document_id: string): Promise<Document> {
  tx.queue(store.holdDocuments, { ids: [document_id] })
  return tx.lock(store.findDocument, { id: document_id }, 'Document')
}

/** Several at once; 404 unless every one is there, and not in the bin unless that does not matter. */
export async function lockDocuments(tx: BusinessTx, document_ids: readonly string[], also_binned = false): Promise<Document[]> {
  const ids = [...new Set(document_ids)]
  tx.queue(store.holdDocuments, { ids })
  const found = await tx.many(store.findDocuments, { ids })
  const missing = document_ids.find((id) => !found.some((document) => document.id === id && (also_binned || document.deleted_at === null)))
  if (missing) throw notFound(`Document ${missing}`)
  return found
}

export async function updateDocument(tx: BusinessTx, document_id: string, input: DocumentUpdate): Promise<Document> {
  const document = await lockDocument(tx, document_id)
  requirePresent(document)
  if (Object.keys(input).length === 0) return document
  const name = input.name === undefined ? document.name : cleanName(input.name)
  if (name !== document.name) requireFittingName(name, formatOf(document.content_type))
  const tags = input.tags && [...new Set(input.tags)]
  const changes: Partial<Document> = { ...input, name, ...(tags ? { tags } : {}) }
  if (input.document_date !== undefined && input.document_date !== document.document_date) {
    const { documents } = await getSettings(tx)
    const retained_until = retainedUntil(input.document_date, documents.retention_years)
    requireRetention(document.retained_until, retained_until, tx.today, tx.actor.permissions.has('documents:correct'))
    changes.retained_until = retained_until
  }
  if (name !== document.name) tx.queue(store.renameWords, { id: document_id, before: searchWords(document.name), after: searchWords(name) })
  return saveDocument(tx, document, changes, 'document.updated')
}

type DocumentEvent = (typeof documentResource.events)[number]

export function saveDocument(tx: BusinessTx, document: Document, changes: Partial<Document>, event: DocumentEvent): Document {
  const after = changed(document, changes, tx.now)
  tx.queue(store.updateDocument, after)
  tx.record(documentResource, event, { before: document, after })
  return after
}

/**
 * What is known of a new document beside its file. `unread`: its words are not looked for, because others tell the same. `id`: one that was
 * promised before the file was made.
 */
export type NewDocument = Known & { id?: string; file: StoredFile; kind?: Kind; source: Source; unread?: boolean }
type Known = Partial<Pick<Document, 'name' | 'description' | 'tags' | 'folder' | 'document_date'>>

/** Documents of files that were stored before this transaction began. Bytes that are there already are kept once. */
export async function keepDocuments(tx: BusinessTx, given: readonly NewDocument[]): Promise<Document[]> {
  if (given.length === 0) return []
  const { documents } = await getSettings(tx)
  const twins = await lockBytes(tx, given.map(({ file }) => file))
  const made = given.map(({ id = newId(), file, source, unread = false, ...known }): Document => {
    const name = known.name ? cleanName(known.name) : file.name
    requireFittingName(name, file.format)
    const twin = twins.get(file.sha256) ?? null
    twins.set(file.sha256, twin ?? id)
    const document_date = known.document_date ?? null
    return {
      id, business_id: tx.business_id, name,
      description: known.description ?? null, tags: [...new Set(known.tags)], folder: known.folder ?? null, document_date, kind: known.kind ?? 'other',
      content_type: file.content_type, size: file.size, sha256: file.sha256, version_number: 1, pages: null,
      text_status: FORMATS[file.format].readable && !unread ? 'pending' : 'none',
      source, uploaded_by: tx.actor.user_id, duplicate_of: twin, retained_until: retainedUntil(document_date, documents.retention_years), deleted_at: null,
      created_at: tx.now, updated_at: tx.now, version: 1, attachments: [],
    }
  })
  tx.queue(store.insertDocuments, { rows: JSON.stringify(made) })
  tx.queue(store.insertVersions, { rows: JSON.stringify(made.map((document, index) => versionOf(tx, document, given[index]?.file.name ?? document.name))) })
  tx.queue(store.saveWords, { ids: made.map(({ id }) => id), words: made.map(({ name }) => searchWords(name)) })
  for (const document of made) {
    tx.record(documentResource, 'document.created', { before: null, after: document })
    readLater(tx, document)
  }
  return made
}

/** One file that the service itself made; its bytes were stored with `storeFiles`. */
export async function keepDocument(tx: BusinessTx, given: Omit<NewDocument, 'source'> & { source?: Source }): Promise<Document> {
  const [document] = await keepDocuments(tx, [{ source: 'generated', ...given }])
  if (!document) throw new Error('A document was given and none was kept.')
  return document
}

/** The document goes on with another file; the old one stays as a version. The caller has locked it. */
export async function addVersion(tx: BusinessTx, document: Document, file: StoredFile): Promise<Document> {
  await lockBytes(tx, [file])
  const { content_type, size, sha256 } = file
  const after = saveDocument(tx, document, {
    content_type, size, sha256, version_number: document.version_number + 1, pages: null, text_status: FORMATS[file.format].readable ? 'pending' : 'none',
  }, 'document.version_added')
  tx.queue(store.insertVersions, { rows: JSON.stringify([versionOf(tx, after, file.name)]) })
  tx.queue(store.saveWords, { ids: [after.id], words: [searchWords(after.name)] })
  readLater(tx, after)
  return after
}

export async function listVersions(tx: BusinessTx, document_id: string, query: PageQuery) {
  await getDocument(tx, document_id)
  return tx.page(store.versions, { ...query, document_id } as PageQuery)
}

/** The file of one version, the current one unless another is named. */
export async function getVersion(tx: BusinessTx, document: Document, number: number = document.version_number) {
  return tx.get(store.findVersion, { document_id: document.id, number }, `Version ${number}`)
}

/** What was read of the file of this version; nothing where another has taken its place. */
export function saveReading(tx: BusinessTx, document: Document, read: { text: string; pages: number | null; text_status: Document['text_status'] }): Document {
  const { text, ...found } = read
  const after = { ...document, ...found }
  tx.queue(store.saveReading, { id: document.id, version_number: document.version_number, ...found })
  tx.queue(store.saveWords, { ids: [document.id], words: [searchWords(document.name, text)] })
  return after
}

/** Nobody else keeps or removes files of this business until the end: the first document of each of these bytes. */
async function lockBytes(tx: BusinessTx, files: readonly StoredFile[]): Promise<Map<string, string>> {
  await lockFiles(tx)
  const hashes = [...new Set(files.map(({ sha256 }) => sha256))]
  const since = files.map(({ stored_after }) => stored_after).toSorted()[0] ?? tx.now
  const [gone, twins] = await Promise.all([tx.many(store.removedSince, { hashes, since }), tx.many(store.firstWithBytes, { hashes })])
  // They were in place when this call looked, and old enough that a job took them away.
  if (gone.length > 0) throw unavailable('The file was being cleaned up while it came in again. Send it once more.', 1)
  return new Map(twins.map(({ sha256, id }) => [sha256, id]))
}

export function lockFiles(tx: BusinessTx): Promise<void> {
  return tx.exclusive(`files of ${tx.business_id}`)
}

/** Of these bytes those that no document is or has been: marked as on their way out. The caller holds the files of the business. */
export async function markUnused(tx: BusinessTx, hashes: readonly string[]): Promise<string[]> {
  const used = new Set((await tx.many(store.usedBytes, { hashes })).map(({ sha256 }) => sha256))
  const unused = hashes.filter((sha256) => !used.has(sha256))
  tx.queue(store.forgetRemoved)
  if (unused.length > 0) tx.queue(store.markRemoved, { hashes: unused })
  return unused
}

/**
 * Removes what has been in the bin since before then; false where nothing was left to do. What must stay after all, because the record
 * it is attached to was posted meanwhile, comes back. Only the history of the others remains.
 */
export async function emptyBin(tx: BusinessTx, before: string, mustStay: (documents: readonly Document[]) => Promise<ReadonlySet<string>>): Promise<boolean> {
  const ids = (await tx.many(store.oldestInBin, { before })).map(({ id }) => id)
  if (ids.length === 0) return false
  const old = await tx.many(store.findDocuments, { ids })
  const staying = await mustStay(old)
  const going = old.filter(({ id }) => !staying.has(id))
  tx.queue(store.removeDocuments, { ids: going.map(({ id }) => id) })
  for (const document of going) tx.record(documentResource, 'document.removed', { before: document, after: null })
  for (const document of old) if (staying.has(document.id)) saveDocument(tx, document, { deleted_at: null }, 'document.restored')
  return true
}

function versionOf(tx: BusinessTx, { id, version_number, content_type, size, sha256 }: DocumentRow, file_name: string) {
  return {
    id: newId(), business_id: tx.business_id, document_id: id, number: version_number, file_name, content_type, size, sha256,
    uploaded_by: tx.actor.user_id, created_at: tx.now,
  }
}

function readLater(tx: BusinessTx, { id, version_number, text_status }: DocumentRow): void {
  if (text_status !== 'pending') return
  const job_key = `document:${id}:${version_number}`
  tx.enqueue('documents.read', { business_id: tx.business_id, document_id: id, version_number }, { job_key, max_attempts: 5 })
}
