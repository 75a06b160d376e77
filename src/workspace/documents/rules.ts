// What holds for documents: how long they are kept, and what may not be changed.
import { addMonths } from '../../foundation/calendar.ts'
import { forbidden, invalid } from '../../foundation/refusal.ts'

/** From the date on the paper on, for so many years; without a date nothing says for how long. */
export function retainedUntil(document_date: string | null, retention_years: number): string | null {
  return document_date === null ? null : addMonths(document_date, retention_years * 12)
}

export function requirePresent({ name, deleted_at }: { name: string; deleted_at: string | null }): void {
  if (deleted_at !== null) throw invalid(`${name} is in the bin: restore it first.`)
}

/** Whoever could set the date back could also throw away what must be kept. */
export function requireRetention(before: string | null, after: string | null, today: string, may_correct: boolean): void {
  if (before === null || before < today || (after !== null && after >= before) || may_correct) return
  throw forbidden(`The document is to be kept until ${before}: only an accountant can set its date so that this ends earlier.`)
}
