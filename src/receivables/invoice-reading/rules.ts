// How a document that was sent is told of in the answer, and what the history keeps of it.
import type { DocumentOutcome, GivenDocument, PartOutcome } from '../invoice-model/operations.ts'
import type { ReadingResult, ToldResult } from './contract.ts'

export function documentOf({ index, name, hash, document_id }: GivenDocument, outcome: DocumentOutcome | null, part: PartOutcome | null): ReadingResult['document'] {
  return {
    index,
    document_id: document_id ?? null,
    file_name: name,
    part: part?.part.name ?? null,
    kind: outcome?.read?.kind ?? 'unknown',
    pages: part?.part.page_count ?? 0,
    sha256: hash.toString('hex'),
  }
}

/** A document of which nothing is known yet. */
export function bareResult(
  document: ReadingResult['document'], status: ReadingResult['status'], warnings: string[] = [], duplicate_of: string | null = null,
): ReadingResult {
  return { document, status, engine: null, invoice: null, customer_id: null, extracted: null, confidence: {}, evidence: {}, warnings, duplicate_of }
}

/** For the history: where the details are, not the details. */
export function toldOf({ document: { file_name, part }, status, invoice, customer_id, warnings, duplicate_of }: ReadingResult): ToldResult {
  return { file_name, part, status, invoice_id: invoice?.id ?? null, customer_id, warnings, duplicate_of }
}
