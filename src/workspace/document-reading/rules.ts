// What is known before a document is read, and what is kept of what was read.
import type { ReadDocument } from '../../foundation/document-text/document.ts'
import type { Currency } from '../../foundation/money.ts'

export type ReadingContext = { base_currency: Currency; today: string }

const MOST_TEXT = 100_000

/** All words of it, line by line. */
export function textOf(parts: ReadDocument['parts']): string {
  return parts.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n').slice(0, MOST_TEXT).toWellFormed().replaceAll('\0', '')
}

/** Of the document itself, not of what is attached to it. */
export function pagesOf({ kind, parts }: ReadDocument): number | null {
  return kind === 'pdf' || kind === 'png' || kind === 'jpeg' ? Math.max(...parts.map(({ page_count }) => page_count), 0) || null : null
}
