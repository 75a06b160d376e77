// What somebody is about to say a bank transaction was for: its lines while they are typed, what is wrong with them, and the body of the call.
import type { Schemas } from '../api.ts'
import { cents, typed } from '../format.ts'
import type { Transaction } from './transaction-status.tsx'

export type CategoryLine = {
  key: number
  ledger_id: string | null
  amount: string
  tax_code_id: string | null
  customer_id: string | null
  project_id: string | null
  dimension_value_ids: string[]
  memo: string
}

type Known = { ledger_id: string } & Partial<Omit<CategoryLine, 'key' | 'amount' | 'memo' | 'ledger_id'>> & { amount?: number; memo?: string | null }

let keys = 0

export const newLine = (given: Partial<CategoryLine> = {}): CategoryLine => ({
  ledger_id: null, amount: '', tax_code_id: null, customer_id: null, project_id: null, dimension_value_ids: [], memo: '', ...given, key: (keys += 1),
})

const lineOf = ({ ledger_id, amount, tax_code_id, customer_id, project_id, dimension_value_ids, memo }: Known): CategoryLine => newLine({
  ledger_id, amount: amount === undefined ? '' : typed(amount), tax_code_id: tax_code_id ?? null, customer_id: customer_id ?? null,
  project_id: project_id ?? null, dimension_value_ids: dimension_value_ids ?? [], memo: memo ?? '',
})

/** What the lines add up to: what no document has taken. */
export const toSplit = ({ lines, unallocated_amount }: Transaction): number => lines.reduce((sum, { amount }) => sum + amount, unallocated_amount)

/** The category it has, else what is proposed, else one empty line. */
export function startOf({ lines, suggestion, customer_id, category_source }: Transaction): CategoryLine[] {
  if (lines.length > 0 && category_source !== 'uncategorized') return lines.map(lineOf)
  return [suggestion ? lineOf(suggestion) : newLine({ customer_id })]
}

/** What is still to be given to a line; null while an amount cannot be read. */
export function remaining(lines: readonly CategoryLine[], whole: number): number | null {
  const amounts = lines.map(({ amount }) => (amount.trim() ? cents(amount) : 0))
  return amounts.includes(null) ? null : amounts.reduce<number>((rest, amount) => rest - (amount ?? 0), whole)
}

/** What keeps it from being saved, by the place of the line; -1 stands for all of them. */
export function mistakesIn(lines: readonly CategoryLine[], whole: number, say: (amount: number) => string): Map<number, string> {
  const found = new Map<number, string>()
  lines.forEach(({ ledger_id, amount }, place) => {
    if (ledger_id === null) found.set(place, 'Choose a ledger.')
    else if (lines.length > 1 && !cents(amount)) found.set(place, 'Write what this line takes, like 12.50.')
  })
  const rest = remaining(lines, whole)
  if (lines.length > 1 && found.size === 0 && rest !== null && rest !== 0) {
    found.set(-1, rest > 0 ? `${say(rest)} is not given to a line yet.` : `The lines take ${say(-rest)} too much.`)
  }
  return found
}

const choiceOf = ({ ledger_id, tax_code_id, customer_id, project_id, dimension_value_ids, memo }: CategoryLine) => ({
  ledger_id: ledger_id as string, tax_code_id, customer_id, project_id, dimension_value_ids, memo: memo.trim() || null,
})

const dated = (posting_date: string | null) => (posting_date ? { posting_date } : {})

export const categoryBody = (line: CategoryLine, posting_date: string | null, learn: boolean): Schemas['TransactionCategoryInput'] => ({
  ...choiceOf(line), ...dated(posting_date), learn,
})

export const splitBody = (lines: readonly CategoryLine[], posting_date: string | null): Schemas['TransactionSplitInput'] => ({
  lines: lines.map((line) => ({ ...choiceOf(line), amount: cents(line.amount) as number })), ...dated(posting_date),
})

export const bulkLine = (transaction_id: string, line: CategoryLine): Schemas['TransactionBulkCategory'] => ({ transaction_id, ...choiceOf(line) })
export const suggestedLine = lineOf
