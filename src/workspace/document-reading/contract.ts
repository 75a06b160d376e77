// Reading documents: their words for the search, and what can be extracted from them.
import type { ReadingContext } from './rules.ts'
import { Job } from '../jobs/contract.ts'
import { endpoint, params } from '../documents/contract.ts'

/** A plug: a room above that knows what invoices look like finds their fields, with how sure it is. It runs outside any transaction. */
export type Extractor = (document: { name: string; content: Buffer }, context: ReadingContext) => Promise<Found | null>

export type FoundValue = { value: unknown; confidence: number; evidence: object | null }

/** null in place of all this: there was no time. */
export type Found = {
  generated_by: string
  text: string
  pages: number | null
  parts: { name: string | null; fields: Record<string, FoundValue>; line_items: object[]; warnings: string[] }[]
  warnings: string[]
}

export const extractDocument = endpoint({
  id: 'extract_document', method: 'POST', path: '/{document_id}/extract', summary: 'Extract what a document says',
  description: 'Begins a job, whose result holds the text, the fields and the lines of each part, each with its confidence from 0 to 100 '
    + 'and the line that shows it. Nothing is booked: whoever asked decides.',
  params,
  reply: Job,
  refusals: ['The document is of a kind that cannot be read, or is in the bin.'],
})
