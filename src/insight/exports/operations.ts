// What can be done with exports, by people and by the job that makes their files.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { toTimestamp } from '../../foundation/calendar.ts'
import { Download } from '../../foundation/endpoint.ts'
import { newId } from '../../foundation/ids.ts'
import { notFound, Refusal } from '../../foundation/refusal.ts'
import type { RecordStates } from '../../workspace/document-attachments/contract.ts'
import { deleteDocument } from '../../workspace/document-bin/operations.ts'
import type { StoredFile } from '../../workspace/document-files/operations.ts'
import { documentsByIds, keepDocument } from '../../workspace/documents/operations.ts'
import type { Job } from '../../workspace/jobs/contract.ts'
import { startJob } from '../../workspace/jobs/operations.ts'
import type { ExportKind } from '../export-kinds/contract.ts'
import { exportResource, type Export, type ExportInput, type KindDescription } from './contract.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

export const EXPORT = 'exports.make'

type Kinds = readonly ExportKind[]

export async function listKinds(tx: BusinessTx, kinds: Kinds): Promise<KindDescription[]> {
  return rules.visibleKinds(kinds, tx.actor.permissions).map(rules.described)
}

export function listExports(tx: BusinessTx, kinds: Kinds, query: PageQuery & { kind?: string }) {
  const visible = rules.visibleKinds(kinds, tx.actor.permissions).map(({ kind }) => kind)
  return tx.page(store.exports, { ...query, ...(visible.length === kinds.length ? {} : { kinds: visible }) } as PageQuery)
}

export async function getExport(tx: BusinessTx, kinds: Kinds, export_id: string): Promise<Export> {
  return requireVisible(tx, kinds, await tx.get(store.findExport, { id: export_id }, 'Export'))
}

/** Of what the caller may not read there is nothing to be seen, not even that somebody exported it. */
function requireVisible(tx: BusinessTx, kinds: Kinds, row: Export): Export {
  if (!rules.visibleKinds(kinds, tx.actor.permissions).some(({ kind }) => kind === row.kind)) throw notFound('Export')
  return row
}

export async function createExport(tx: BusinessTx, kinds: Kinds, input: ExportInput): Promise<Export> {
  const kind = rules.requireKind(kinds, input.kind, tx.actor.permissions)
  const format = input.format ?? 'csv'
  const filters = rules.checkedFilters(kind, input.filters ?? {})
  rules.requireFormat(kind, format)
  rules.requireColumns(kind, input.columns)
  const id = newId()
  const job = await startJob(tx, { kind: EXPORT, subject: id, input: { export_id: id } })
  const made: Export = {
    id, business_id: tx.business_id, kind: kind.kind, title: kind.title, format, filters, columns: input.columns ?? null, status: 'queued', job_id: job.id,
    rows: null, as_of: null, document_id: null, file_name: null, size: null, error: null, expires_at: null, created_by: tx.actor.user_id,
    created_at: tx.now, updated_at: tx.now, version: 1,
  }
  tx.queue(store.insertExport, { ...made, columns: made.columns && JSON.stringify(made.columns) })
  tx.record(exportResource, 'export.created', { before: null, after: made })
  return made
}

export async function deleteExport(tx: BusinessTx, kinds: Kinds, export_id: string, states: RecordStates): Promise<Export> {
  const row = requireVisible(tx, kinds, await tx.lock(store.lockExport, { id: export_id }, 'Export'))
  rules.requireEnded(row)
  if (row.document_id) await dropFile(tx, row.document_id, states)
  tx.queue(store.removeExport, { id: export_id })
  tx.record(exportResource, 'export.deleted', { before: row, after: null })
  return row
}

async function dropFile(tx: BusinessTx, document_id: string, states: RecordStates): Promise<void> {
  const present = await documentsByIds(tx, [document_id])
  if (present.has(document_id)) await deleteDocument(tx, document_id, states)
}

export async function downloadExport(tx: BusinessTx, kinds: Kinds, export_id: string): Promise<Download> {
  const row = await getExport(tx, kinds, export_id)
  rules.requireReady(row)
  const { document_id, file_name, expires_at } = row
  const document = document_id && (await documentsByIds(tx, [document_id])).get(document_id)
  if (!document || !file_name || row.status !== 'ready' || (expires_at ?? '') <= tx.now) throw notFound('The file of this export')
  const { surroundings, business_id } = tx
  const { size, sha256 } = document
  const read = (range?: { start: number; end: number }) => surroundings.storage.read({ business_id, sha256 }, range)
  return new Download(rules.namesOf(row, tx.today).content_type, file_name, { size, tag: sha256, read })
}

/** The job has it: whatever an earlier attempt wrote goes, because it shows another moment. */
export async function beginExport(tx: BusinessTx, export_id: string, job_id: string, as_of: string): Promise<Export> {
  const row = await tx.get(store.lockExport, { id: export_id }, 'Export')
  tx.queue(store.removeParts, { export_id })
  return save(tx, row, { status: 'running', job_id, as_of, error: null })
}

export async function addPart(tx: BusinessTx, export_id: string, position: number, content: Buffer): Promise<void> {
  tx.queue(store.insertPart, { export_id, position, content })
}

export async function readParts(tx: BusinessTx, export_id: string): Promise<{ row: Export; content: Buffer }> {
  const row = await tx.get(store.findExport, { id: export_id }, 'Export')
  const parts = await tx.many(store.partsOf, { export_id })
  return { row, content: Buffer.concat(parts.map(({ content }) => content)) }
}

/** The file is in the storage: from here on it can be taken away. */
export async function finishExport(tx: BusinessTx, export_id: string, file: StoredFile, file_name: string, rows: number | null): Promise<Export> {
  const row = await tx.get(store.lockExport, { id: export_id }, 'Export')
  const document = await keepDocument(tx, { file, kind: 'export', description: `Export of ${row.title}`, unread: true })
  tx.queue(store.removeParts, { export_id })
  const expires_at = later(tx.now, rules.KEPT_MS)
  const after = save(tx, row, { status: 'ready', document_id: document.id, file_name, size: file.size, rows, expires_at })
  tx.record(exportResource, 'export.ready', { before: row, after })
  return after
}

/** How the job ended is how the export ended, unless its file was ready before. */
export async function noteEnd(tx: BusinessTx, job: Job, export_id: string): Promise<void> {
  if (job.status !== 'failed' && job.status !== 'canceled') return
  const row = await tx.find(store.lockExport, { id: export_id })
  if (!row || row.status === 'ready' || row.status === 'expired') return
  tx.queue(store.removeParts, { export_id })
  const after = save(tx, row, { status: job.status, job_id: job.id, error: job.status === 'failed' ? job.error : null })
  tx.record(exportResource, `export.${job.status}`, { before: row, after })
}

/** Files whose days are over go into the bin; true while there may be more. */
export async function expireExports(tx: BusinessTx, states: RecordStates): Promise<boolean> {
  const due = await tx.many(store.lockDue)
  for (const row of due) {
    if (row.document_id) await dropFile(tx, row.document_id, states).catch(unlessHeld)
    const after = save(tx, row, { status: 'expired' })
    tx.record(exportResource, 'export.expired', { before: row, after })
  }
  return due.length === 100
}

/** A file that somebody attached to a posted record belongs to the books by now. */
function unlessHeld(error: unknown): void {
  if (!(error instanceof Refusal) || error.status !== 400) throw error
}

function save(tx: BusinessTx, row: Export, changes: Partial<Export>): Export {
  const after = changed(row, changes, tx.now)
  tx.queue(store.saveExport, after)
  return after
}

function later(now: string, milliseconds: number): string {
  return toTimestamp(new Date(Date.parse(now) + milliseconds))
}
