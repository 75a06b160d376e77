// What an item does when files come and go.
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Loaded, RecipientRow, RequestFile, RequestItem } from '../document-requests/contract.ts'
import { statusByFiles } from '../document-requests/rules.ts'
import { MOST_FILES_OF_LINK } from './contract.ts'

export function requireTaking({ label, status }: RequestItem): void {
  if (status === 'accepted') throw invalid(`“${label}” was accepted: nothing more is needed.`)
  if (status === 'waived') throw invalid(`“${label}” is no longer needed.`)
}

export function requireRemovable({ label, status }: RequestItem): void {
  if (status === 'accepted') throw invalid(`“${label}” is accepted: reopen it before you take a file off.`)
}

export function requireOneSource(files: number, document_id: string | undefined): void {
  if (files === 0 && document_id === undefined) throw invalid('Send at least one file, or the document_id of one that is here already.')
  if (files > 0 && document_id !== undefined) throw invalid('Send files or a document_id, not both.')
}

/** New files count as received, whatever was rejected before. */
export function withFiles(item: RequestItem, files: readonly RequestFile[]): RequestItem {
  return { ...item, files: [...item.files, ...files], status: 'received', reason: null, decided_at: null, decided_by: null }
}

/** Without this file; a waived item stays waived. */
export function withoutFile(item: RequestItem, file: RequestFile): RequestItem {
  const files = item.files.filter((one) => one !== file)
  return { ...item, files, status: item.status === 'waived' ? 'waived' : statusByFiles(files) }
}

export function filesOf({ items }: Loaded, recipient_id: string): RequestFile[] {
  return items.flatMap(({ files }) => files.filter((file) => file.recipient_id === recipient_id))
}

export function requireRoom(request: Loaded, { id }: RecipientRow, coming: number): void {
  const room = MOST_FILES_OF_LINK - filesOf(request, id).length
  if (coming > room) throw invalid(`Through one link ${MOST_FILES_OF_LINK} files can be sent; there is room for ${Math.max(0, room)} more.`)
}

/** A file that its sender may still take back. Files of others are not there for them. */
export function requireOwn(request: Loaded, { id }: RecipientRow, file_id: string): { item: RequestItem; file: RequestFile } {
  for (const item of request.items) {
    const file = item.files.find((one) => one.id === file_id && one.recipient_id === id)
    if (!file) continue
    if (file.submitted_at !== null) throw invalid(`${file.name} was handed over and cannot be taken back.`)
    if (item.status === 'accepted') throw invalid(`${file.name} was accepted and cannot be taken back.`)
    return { item, file }
  }
  throw notFound('File')
}

/** All that this recipient has sent is handed over; null where nothing is new. */
export function submitted(request: Loaded, recipient: RecipientRow, now: string): Loaded | null {
  const own = filesOf(request, recipient.id)
  if (own.length === 0) throw invalid('Nothing was sent yet: choose at least one file first.')
  if (own.every((file) => file.submitted_at !== null)) return null
  return {
    ...request,
    recipients: request.recipients.map((one) => (one.id === recipient.id ? { ...one, submitted_at: now } : one)),
    items: request.items.map((item) => ({
      ...item, files: item.files.map((file) => (file.recipient_id === recipient.id ? { ...file, submitted_at: file.submitted_at ?? now } : file)),
    })),
  }
}
