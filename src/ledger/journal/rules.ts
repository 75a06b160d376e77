// The seal of an entry: its hash, chained to the one before it.
import { createHash } from 'node:crypto'
import { toCents } from '../../foundation/money.ts'

/** What an entry says, in one writing: hashed with the hash before it, so that whoever holds the entries can recompute the chain. */
export type Sealed = {
  business_id: string; number: number; id: string; date: string; recorded_at: string; source_type: string; source_id: string | null
  currency: string; rate: string; is_adjusting: boolean; auto_reverse_on: string | null; reversal_of_id: string | null; mirror_of_id: string | null
  template_id: string | null; prepared_by: string | null; approved_by: string | null
}

export type SealedLine = {
  id: string; ledger_id: string; currency: string; amount: number; base_amount: number; rate: string; memo: string | null; customer_id: string | null
  vendor_id: string | null; project_id: string | null; dimension_value_ids: readonly string[]; tax_code_id: string | null; settles_line_id: string | null
}

export function sealOf(previous: Buffer, entry: Sealed, lines: readonly SealedLine[]): Buffer {
  return createHash('sha256').update(previous).update(`[${entry.number},"${entry.recorded_at}",${sealedText(entry, lines)}`).digest()
}

/** All of it but the number and the time, which the database gives: the rest of a JSON array that begins with those two. */
export function sealedText(entry: Omit<Sealed, 'number' | 'recorded_at'>, lines: readonly SealedLine[]): string {
  const content = [
    entry.business_id, entry.id, entry.date, entry.source_type, entry.source_id, entry.currency, entry.rate,
    entry.is_adjusting, entry.auto_reverse_on, entry.reversal_of_id, entry.mirror_of_id, entry.template_id, entry.prepared_by, entry.approved_by,
    lines.map((line) => [
      line.id, line.ledger_id, line.currency, line.amount, line.base_amount, line.rate, line.memo, line.customer_id, line.vendor_id, line.project_id,
      line.dimension_value_ids, line.tax_code_id, line.settles_line_id,
    ]),
  ]
  return JSON.stringify(content).slice(1)
}

/** The sum of the debits. */
export function totalOf(lines: readonly { base_amount: number }[]): number {
  return toCents(lines.reduce((sum, { base_amount }) => (base_amount > 0 ? sum + BigInt(base_amount) : sum), 0n))
}
