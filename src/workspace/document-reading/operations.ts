// Beginning to read documents, and keeping what was read.
import { getSettings } from '../../access/business-settings/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Currency } from '../../foundation/money.ts'
import { forbidden, invalid } from '../../foundation/refusal.ts'
import type { FileAddress } from '../../foundation/storage/storage.ts'
import { FORMATS, formatOf } from '../document-files/rules.ts'
import { documentResource, type Document } from '../documents/contract.ts'
import { getDocument, lockDocument, saveReading } from '../documents/operations.ts'
import { requirePresent } from '../documents/rules.ts'
import type { Job } from '../jobs/contract.ts'
import { startJob } from '../jobs/operations.ts'
import type { ReadingContext } from './rules.ts'

export const EXTRACTION = 'document_extraction'

export async function extractDocument(tx: BusinessTx, document_id: string): Promise<Job> {
  const document = await getDocument(tx, document_id)
  const { ai } = await getSettings(tx)
  if (!ai.enabled) throw forbidden('Reading documents is turned off in the settings of this business (ai.enabled).')
  requirePresent(document)
  const format = formatOf(document.content_type)
  if (!FORMATS[format].readable) throw invalid(`${document.name} is ${FORMATS[format].words}, which cannot be read: PDF, PNG, JPEG, CSV, TXT and EML can.`)
  return startJob(tx, { kind: EXTRACTION, subject: document_id, input: { document_id, version_number: document.version_number }, total: 1 })
}

export type ToRead = { document: Document; address: FileAddress; context: ReadingContext }

/** The file that is to be read; null where the document is gone, or has another file by now. */
export async function planReading(tx: BusinessTx, document_id: string, version_number: number): Promise<ToRead | null> {
  const document = await getDocument(tx, document_id)
  if (document.version_number !== version_number) return null
  const context = { base_currency: tx.business.base_currency as Currency, today: tx.today }
  return { document, address: { business_id: tx.business_id, sha256: document.sha256 }, context }
}

type Read = { text: string; pages: number | null; failed: boolean }

type ReadingEvent = 'document.read' | 'document.extracted'

export async function finishReading(tx: BusinessTx, { document }: ToRead, { text, pages, failed }: Read, event: ReadingEvent): Promise<void> {
  const { id, version_number } = document
  const before = await lockDocument(tx, id)
  if (before.version_number !== version_number) return
  const after = saveReading(tx, before, { text, pages: pages ?? before.pages, text_status: failed ? 'failed' : 'read' })
  tx.record(documentResource, event, { before, after })
}
