// Exports of decks: started by people, and carried on by the job that makes the file.
import { getBusiness } from '../../access/businesses/operations.ts'
import type { Surroundings } from '../../foundation/database/context.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { readPicture, type Picture } from '../../foundation/pictures.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { readWhole, type FileAddress } from '../../foundation/storage/storage.ts'
import type { StoredFile } from '../../workspace/document-files/operations.ts'
import { documentsByIds, keepDocument } from '../../workspace/documents/operations.ts'
import { startJob } from '../../workspace/jobs/operations.ts'
import { deckResource, type Deck } from '../decks/contract.ts'
import { getDeck, lockReadyDeck } from '../decks/operations.ts'
import { requireReady } from '../decks/rules.ts'
import type { DeckFileOptions } from '../deck-files/contract.ts'
import type { Block } from '../slides/contract.ts'
import type { DeckExport, DeckExportInput, DeckFormat } from './contract.ts'

export const EXPORT_DECK = 'decks.export'

export type ExportOrder = { deck_id: string; document_id: string; format: DeckFormat; include_hidden: boolean; include_notes: boolean }

export async function exportDeck(tx: BusinessTx, deck_id: string, wanted: DeckExportInput): Promise<DeckExport> {
  const { format, include_hidden = false, include_notes = false } = wanted
  await lockReadyDeck(tx, deck_id)
  const document_id = newId()
  const input: ExportOrder = { deck_id, document_id, format, include_hidden, include_notes }
  const job = await startJob(tx, { kind: EXPORT_DECK, subject: `${deck_id} ${document_id}`, input })
  return { job_id: job.id, document_id }
}

/** Everything that the file is made of, as it is at one moment. */
export type ExportMaterial = {
  deck: Deck
  business: DeckFileOptions['business']
  pictures: { document_id: string; address: FileAddress }[]
  surroundings: Surroundings
  now: string
}

export async function readForExport(tx: BusinessTx, { deck_id, include_hidden }: ExportOrder): Promise<ExportMaterial> {
  const [{ slides: all, ...deck }, { name, base_currency, country }] = await Promise.all([getDeck(tx, deck_id), getBusiness(tx)])
  requireReady(deck)
  const slides = all.filter(({ hidden }) => include_hidden || !hidden)
  const pictures = await planPictures(tx, slides.flatMap(({ blocks }) => blocks))
  return { deck: { ...deck, slides }, business: { name, currency: base_currency, country }, pictures, surroundings: tx.surroundings, now: tx.now }
}

const LARGEST_PICTURE = 20 * 1_048_576

/** Where the pictures of images are kept. */
export async function planPictures(tx: BusinessTx, blocks: readonly Block[]): Promise<ExportMaterial['pictures']> {
  const documents = await documentsByIds(tx, blocks.flatMap(({ kind, document_id }) => (kind === 'image' && document_id ? [document_id] : [])))
  return [...documents.values()].filter(({ size }) => size <= LARGEST_PICTURE)
    .map(({ id, sha256 }) => ({ document_id: id, address: { business_id: tx.business_id, sha256 } }))
}

/** Outside any transaction. What is not a picture that pages can hold is left out: its place says so. */
export async function readPictures({ pictures, surroundings }: Pick<ExportMaterial, 'pictures' | 'surroundings'>): Promise<Map<string, Picture>> {
  const read = new Map<string, Picture>()
  for (const { document_id, address } of pictures) {
    const content = await readWhole(surroundings.storage, address)
    try {
      read.set(document_id, readPicture(content))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return read
}

/** The file is in the storage: from here on it is a document, with the id that was promised. */
export async function keepExport(tx: BusinessTx, { deck_id, document_id }: ExportOrder, file: StoredFile): Promise<void> {
  const { slides: _slides, ...deck } = await getDeck(tx, deck_id)
  await keepDocument(tx, { id: document_id, file, kind: 'report', description: `Deck: ${deck.title}` })
  tx.record(deckResource, 'deck.exported', { before: deck, after: deck })
}
