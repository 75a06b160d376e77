// Putting documents into the bin and taking them out again.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { RecordStates } from '../document-attachments/contract.ts'
import { nameOf, statesOf } from '../document-attachments/operations.ts'
import type { Document } from '../documents/contract.ts'
import { emptyBin, lockDocument, saveDocument } from '../documents/operations.ts'

export async function deleteDocument(tx: BusinessTx, document_id: string, states: RecordStates): Promise<Document> {
  const document = await lockDocument(tx, document_id)
  if (document.deleted_at !== null) return document
  const { name, retained_until } = document
  if (retained_until !== null && tx.today < retained_until) throw invalid(`${name} is to be kept until ${retained_until} and can be deleted then.`)
  const posted = (await statesOf(tx, document.attachments, states)).find((state) => state.posted)
  if (posted) throw invalid(`${name} is attached to the posted ${nameOf(posted.resource_type)} ${posted.resource_id}: it belongs to the books and stays.`)
  return saveDocument(tx, document, { deleted_at: tx.now }, 'document.deleted')
}

export async function restoreDocument(tx: BusinessTx, document_id: string): Promise<Document> {
  const document = await lockDocument(tx, document_id)
  return document.deleted_at === null ? document : saveDocument(tx, document, { deleted_at: null }, 'document.restored')
}

/** What has been in the bin since before then goes; false where nothing was left. */
export function removeOld(tx: BusinessTx, before: string, states: RecordStates): Promise<boolean> {
  return emptyBin(tx, before, async (documents) => {
    const held = await statesOf(tx, documents.flatMap(({ attachments }) => attachments), states)
    return new Set(held.filter(({ posted }) => posted).map(({ document_id }) => document_id))
  })
}
