// What moves where: the lines that are found become few amounts per ledger, currency and tags.
import { addCents, type Currency } from '../../foundation/money.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { BookLedger, Books } from '../books/contract.ts'
import type { BookDimension, BookValue } from '../dimension-rules/contract.ts'
import { forbiddenValue, requireUsable, ruleFor, type TaggedLine } from '../dimension-rules/rules.ts'
import type { PostingLine } from '../posting/contract.ts'
import { isCashLedger, isControlLedger, nameOf } from '../posting/rules.ts'
import { MOST_ENTRY_LINES, type Move } from './contract.ts'

export type FoundLine = {
  id: string; ledger_id: string; currency: Currency; amount: number; base_amount: number
  customer_id: string | null; vendor_id: string | null; project_id: string | null; dimension_value_ids: string[]
}

type Tags = Pick<FoundLine, 'customer_id' | 'vendor_id' | 'project_id' | 'dimension_value_ids'>
type Sum = Tags & { ledger_id: string; currency: Currency; amount: number; base_amount: number; line_ids: string[]; from_value_id: string | null }

/** The ledgers whose lines may be moved, of those that the filter names; refuses one that may not. */
export function movableLedgers({ ledgers }: Pick<Books, 'ledgers'>, ledger_ids: readonly string[] | undefined): string[] {
  if (ledger_ids === undefined) return [...ledgers.values()].filter(isMovable).map(({ id }) => id)
  return ledger_ids.map((id) => {
    const ledger = ledgers.get(id)
    if (!ledger) throw notFound(`Ledger ${id} of the filter`)
    if (!isMovable(ledger)) throw invalid(`The lines of ${nameOf(ledger)} come from banks or documents and keep their values: leave it out of the filter.`)
    return id
  })
}

function isMovable(ledger: BookLedger): boolean {
  return !isCashLedger(ledger) && !isControlLedger(ledger)
}

/** Refuses a value that new lines of this date, or of one of these ledgers, may not carry. */
export function requireDestination(dimension: BookDimension, value: BookValue, date: string, ledgers: readonly BookLedger[]): void {
  requireUsable(dimension, value, date, 'to_value_id')
  const strict = ledgers.find((ledger) => ruleFor(dimension, ledger)?.mode === 'forbidden')
  if (strict) throw forbiddenValue(nameOf(strict), dimension)
}

/** Lines of one ledger, currency and set of tags in one sum each; what sums to nothing needs no move. Merged ledgers stand for their target. */
export function sumsOf(lines: readonly FoundLine[], books: Pick<Books, 'ledgers'>, isOfDimension: (value_id: string) => boolean): Sum[] {
  const sums = new Map<string, Sum>()
  for (const line of lines) {
    const ledger_id = books.ledgers.get(line.ledger_id)?.merged_into_id ?? line.ledger_id
    const { currency, customer_id, vendor_id, project_id } = line
    const dimension_value_ids = line.dimension_value_ids.toSorted()
    const key = [ledger_id, currency, customer_id, vendor_id, project_id, ...dimension_value_ids].join(' ')
    const sum = sums.get(key) ?? {
      ledger_id, currency, customer_id, vendor_id, project_id, dimension_value_ids, amount: 0, base_amount: 0, line_ids: [],
      from_value_id: dimension_value_ids.find(isOfDimension) ?? null,
    }
    sum.amount = addCents(sum.amount, line.amount)
    sum.base_amount = addCents(sum.base_amount, line.base_amount)
    sum.line_ids.push(line.id)
    sums.set(key, sum)
  }
  return [...sums.values()].filter(({ amount, base_amount }) => amount !== 0 || base_amount !== 0)
}

type MovingLine = PostingLine & TaggedLine

/** The lines of the entry: each sum out under its old tags and in under the new ones, which may bring several sums together. */
export function entryLines(sums: readonly Sum[], to_value_id: string): MovingLine[] {
  const into = new Map<string, Sum>()
  for (const sum of sums) {
    const dimension_value_ids = [...sum.dimension_value_ids.filter((id) => id !== sum.from_value_id), to_value_id].sort()
    const key = [sum.ledger_id, sum.currency, sum.customer_id, sum.vendor_id, sum.project_id, ...dimension_value_ids].join(' ')
    const other = into.get(key)
    into.set(key, {
      ...sum, dimension_value_ids, amount: addCents(sum.amount, other?.amount ?? 0), base_amount: addCents(sum.base_amount, other?.base_amount ?? 0),
    })
  }
  const out = sums.map((sum) => ({ ...sum, amount: -sum.amount, base_amount: -sum.base_amount }))
  const lines = [...out, ...into.values()].flatMap(linesOf)
  if (lines.length <= MOST_ENTRY_LINES) return lines
  throw invalid(`This would take ${lines.length} lines in one entry, and ${MOST_ENTRY_LINES} is the most: narrow the filter.`)
}

/** One line, or two where the sum is a debit in one currency and a credit in the other, which no line can be. */
function linesOf({ ledger_id, currency, amount, base_amount, customer_id, vendor_id, project_id, dimension_value_ids }: Sum): MovingLine[] {
  const line = { ledger_id, currency, customer_id, vendor_id, project_id, dimension_value_ids, tags_as_given: true }
  const pairs = amount * base_amount < 0 ? [[amount, 0], [0, base_amount]] as const : [[amount, base_amount]] as const
  return pairs.filter(([own, base]) => own !== 0 || base !== 0).map(([own, base]) => ({ ...line, amount: own + 0, base_amount: base + 0 }))
}

/** The same for people: what leaves each ledger and value. */
export function movesOf(sums: readonly Sum[]): Move[] {
  const moves = new Map<string, Move>()
  for (const { ledger_id, currency, from_value_id, amount, base_amount, line_ids } of sums) {
    const key = `${ledger_id} ${currency} ${from_value_id}`
    const move = moves.get(key) ?? { ledger_id, currency, from_value_id, line_count: 0, amount: 0, base_amount: 0 }
    moves.set(key, {
      ...move, line_count: move.line_count + line_ids.length, amount: addCents(move.amount, amount), base_amount: addCents(move.base_amount, base_amount),
    })
  }
  return [...moves.values()]
}
