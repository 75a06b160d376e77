// What the rooms above tell the documents: how the records stand to which they are attached, and what an invoice says.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { readDocuments } from '../../foundation/document-text/reading.ts'
import { FIELD_NAMES, type Extraction } from '../../receivables/invoice-extraction/contract.ts'
import type { RecordState, RecordStates } from '../../workspace/document-attachments/contract.ts'
import type { Extractor, FoundValue } from '../../workspace/document-reading/contract.ts'
import { pagesOf, textOf } from '../../workspace/document-reading/rules.ts'
import * as store from './store.ts'

const read = (states: typeof store.invoiceStates) => (tx: BusinessTx, ids: readonly string[]): Promise<RecordState[]> => tx.many(states, { ids })

export const recordStates: RecordStates = {
  invoice: read(store.invoiceStates),
  credit_memo: read(store.creditMemoStates),
  journal_entry: read(store.entryStates),
  transaction: read(store.transactionStates),
  adjustment: read(store.adjustmentStates),
}

const RULES = { module: new URL('../../receivables/invoice-extraction/rules.ts', import.meta.url).href, name: 'extractInvoice' }
const READING_MS = 180_000

/** By rules, within the service. */
export const extractDocument: Extractor = async (document, context) => {
  const [found] = await readDocuments<Extraction>([document], READING_MS, { ...RULES, context })
  if (!found) return null
  const parts = found.parts.flatMap(({ name }, index) => {
    const extraction = found.digests[index]
    return extraction ? [{ name, fields: fieldsOf(extraction), line_items: extraction.line_items, warnings: extraction.warnings }] : []
  })
  return { generated_by: 'rules', text: textOf(found.parts), pages: pagesOf(found), parts, warnings: found.warnings }
}

/** Only what was found. */
function fieldsOf(extraction: Extraction): Record<string, FoundValue> {
  return Object.fromEntries(FIELD_NAMES.flatMap((name) => (extraction[name] ? [[name, extraction[name]]] : [])))
}
