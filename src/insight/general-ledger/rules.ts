// Walking along ledgers: where a page begins and ends, and the balances that run through it.
//
//   encodeCursor, decodeCursor    where a page ended, bound to what was asked for (scopeOf); keyOf, positionOf: among lines
//   shownLedgers, between         the ledgers in their order, each with those merged into it
//   stretchesOf(...)              the ledgers still to be walked, each with where to go on
//   balancesBefore, runningLines  the balance before the lines of a page, and after each of them
//   sectionsOf(...)               the ledgers of a page
//   ledgerRows, lineRows          lines as the rows of a file
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../foundation/canonical.ts'
import { addCents, type Currency } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { Column, TableRow } from '../../foundation/sheets.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import { LEDGER_TYPES } from '../../ledger/ledgers/contract.ts'
import type { Range } from '../report-columns/rules.ts'
import type { Amounts } from '../report-figures/contract.ts'
import { membersOf, natural } from '../report-figures/rules.ts'
import { answerOf, byNumber } from '../report-shape/rules.ts'
import type { GeneralLedgerLine, GeneralLedgerSection, LedgerLine } from './contract.ts'
import type { WalkedLine } from './store.ts'

/** Where a page ended: a line, by the ledger it is shown under, its date and its id. */
export type Position = { ledger_id: string; date: string; id: string }

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export const keyOf = ({ ledger_id, date, id }: Position): string[] => [ledger_id, date, id]
export const positionOf = ([ledger_id = '', date = '', id = '']: readonly string[]): Position => ({ ledger_id, date, id })

export function encodeCursor(key: readonly string[], scope: string): string {
  return Buffer.from(JSON.stringify([...key, printOf(key, scope)])).toString('base64url')
}

export function decodeCursor(cursor: string, scope: string): string[] {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[]
    const key = parts.slice(0, -1)
    if (parts.at(-1) === printOf(key, scope)) return key
  } catch {
    // Not one of ours: the refusal below says what to do.
  }
  throw invalid('This cursor does not belong to this report with these parameters. Start again without a cursor.')
}

function printOf(key: readonly string[], scope: string): string {
  return createHash('sha256').update(JSON.stringify([...key, scope])).digest('base64url').slice(0, 11)
}

/** Which books a balance was taken from: the same, and it need not be worked out again. */
export function stateOf({ number, stamp }: { number: number; stamp: string }): string {
  return `${number} ${stamp}`
}

/** A cursor brings the balance at its place along, which counts while the books are those it was made from and the walk goes on as it did. */
export function carriedBalance([ledger_id = '', , , side, state, balance]: readonly string[], now: string, backwards: boolean): { ledger_id: string; balance: number } | null {
  if (state !== now || side !== (backwards ? 'before' : 'after')) return null
  return { ledger_id, balance: Number(balance) }
}

/** What a cursor belongs to: the tenant, the report, its dates and everything else that was asked for but paging. */
export function scopeOf(business_id: string, report: string, query: object, range: Range): string {
  return canonicalJson({ ...filtersOf(query), business_id, report, ...range })
}

const PAGING = new Set(['limit', 'cursor', 'direction', 'include_total_count', 'sort_by', 'format', 'period'])

function filtersOf(query: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !PAGING.has(name)))
}

type Made = Omit<Parameters<typeof answerOf>[1], 'columns' | 'rows' | 'checks'>

/** What a report says of itself before its lines. */
export function headerOf(tx: Parameters<typeof answerOf>[0], made: Made) {
  const complete = answerOf(tx, { ...made, query: filtersOf(made.query), columns: [], rows: [], checks: [] })
  const { columns: _columns, rows: _rows, checks: _checks, ...header } = complete
  return header
}

/** A line as it is shown: under the ledger that its own is merged into, with the memo of its entry where it has none. */
export function lineOf({ place: _place, entry_memo, base_amount, ...line }: WalkedLine, targets: ReadonlyMap<string, string>, base: Currency): LedgerLine {
  const { ledger_id, cash_basis, currency, entry_id } = line
  return {
    ...line,
    ledger_id: targets.get(ledger_id) ?? ledger_id,
    memo: line.memo ?? entry_memo,
    debit: Math.max(base_amount, 0),
    credit: Math.max(-base_amount, 0),
    // The cash basis counts in the base currency only.
    currency: cash_basis ? base : currency,
    href: `/journal-entries/${entry_id}`,
  }
}

/** A ledger as it is shown, with all whose lines stand under it. */
export type Shown = { ledger: BookLedger; member_ids: readonly string[] }

/** Every ledger but those that are shown under others, in the order of a trial balance. */
export function shownLedgers(ledgers: ReadonlyMap<string, BookLedger>): Shown[] {
  const members = membersOf(ledgers)
  const order = (a: BookLedger, b: BookLedger) => LEDGER_TYPES.indexOf(a.type) - LEDGER_TYPES.indexOf(b.type) || byNumber(a, b)
  const own = [...ledgers.values()].filter(({ merged_into_id }) => merged_into_id === null).sort(order)
  return own.map((ledger) => ({ ledger, member_ids: members.get(ledger.id) ?? [ledger.id] }))
}

/** From one ledger to another, both included; without them from the first and to the last. */
export function between(shown: readonly Shown[], from: string | undefined, to: string | undefined): Shown[] {
  const placeOf = (id: string) => shown.findIndex(({ ledger }) => ledger.id === id)
  return shown.slice(from === undefined ? 0 : placeOf(from), to === undefined ? shown.length : placeOf(to) + 1)
}

/** Ledgers that are walked together, in the order of dates, from beyond this point. */
export type Stretch = { place: number; ledger_ids: readonly string[]; date: string; line_id: string }

/** The ledgers from the position on, or with `backwards` up to it, in the order in which they are walked. */
export function stretchesOf(shown: readonly Shown[], { start_date, end_date }: Range, position: Position | null, backwards: boolean): Stretch[] {
  const edge = backwards ? { date: end_date, line_id: LAST_ID } : { date: start_date, line_id: FIRST_ID }
  const at = shown.findIndex(({ ledger }) => ledger.id === position?.ledger_id)
  const stretches = shown.map(({ member_ids }, place): Stretch =>
    ({ place, ledger_ids: member_ids, ...(position !== null && place === at ? { date: position.date, line_id: position.id } : edge) }))
  if (backwards) return (at < 0 ? stretches : stretches.slice(0, at + 1)).reverse()
  return at < 0 ? stretches : stretches.slice(at)
}

/** What a ledger had before the range, debit positive, and what moved in it. */
export type Standing = { opening: number; moved: Amounts }

const closingOf = ({ opening, moved }: Standing): number => addCents(opening, moved.debit, -moved.credit)

/** The balance of each ledger before its first line on the page. At most one of them is cut: the one where the cursor stands. */
export function balancesBefore(
  standings: ReadonlyMap<string, Standing>, lines: readonly LedgerLine[], cut: { ledger_id: string; balance: number } | null, backwards: boolean,
): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { ledger_id, debit, credit } of lines) sums.set(ledger_id, addCents(sums.get(ledger_id) ?? 0, debit, -credit))
  return new Map([...standings].map(([ledger_id, standing]) => {
    const known = cut?.ledger_id === ledger_id ? cut.balance : null
    // Walking back, what is known is where the page ends.
    return [ledger_id, backwards ? addCents(known ?? closingOf(standing), -(sums.get(ledger_id) ?? 0)) : known ?? standing.opening]
  }))
}

/** The balance of a ledger after the lines of the page. */
export function balanceAfter(lines: readonly LedgerLine[], before: ReadonlyMap<string, number>, ledger_id: string): number {
  return lines.reduce((sum, line) => (line.ledger_id === ledger_id ? addCents(sum, line.debit, -line.credit) : sum), before.get(ledger_id) ?? 0)
}

/** Each line with the balance of its ledger after it, in natural signs. */
export function runningLines(lines: readonly LedgerLine[], ledgers: ReadonlyMap<string, BookLedger>, before: ReadonlyMap<string, number>): GeneralLedgerLine[] {
  const now = new Map(before)
  return lines.map((line) => {
    const balance = addCents(now.get(line.ledger_id) ?? 0, line.debit, -line.credit)
    now.set(line.ledger_id, balance)
    return { ...line, balance: natural(ledgers.get(line.ledger_id)?.type ?? 'asset', balance) }
  })
}

/** Those that have lines here, and those that have none at all but a balance. */
export function sectionsOf(
  shown: readonly Shown[], standings: ReadonlyMap<string, Standing>, before: ReadonlyMap<string, number>, lines: readonly LedgerLine[],
): GeneralLedgerSection[] {
  const here = new Set(lines.map(({ ledger_id }) => ledger_id))
  return shown.flatMap(({ ledger }) => {
    const standing = standings.get(ledger.id) ?? NOTHING
    const { opening, moved } = standing
    const unmoved = moved.debit === 0 && moved.credit === 0
    if (!here.has(ledger.id) && !(unmoved && opening !== 0)) return []
    const { id: ledger_id, number, name, type } = ledger
    return [{
      ledger_id,
      number,
      name,
      type,
      opening: natural(type, opening),
      debit: moved.debit,
      credit: moved.credit,
      closing: natural(type, closingOf(standing)),
      balance_before: natural(type, before.get(ledger_id) ?? 0),
    }]
  })
}

const NOTHING: Standing = { opening: 0, moved: { debit: 0, credit: 0 } }

/** The columns of a file of lines. */
/** What a line says in any list of lines. */
export const AMOUNT_COLUMNS: Column[] = [
  { key: 'debit', label: 'Debit', kind: 'money' },
  { key: 'credit', label: 'Credit', kind: 'money' },
  { key: 'currency', label: 'Currency', kind: 'text' },
  { key: 'amount', label: 'Amount', kind: 'money' },
  { key: 'cash_basis', label: 'Cash basis only', kind: 'text' },
  { key: 'customer_id', label: 'Customer', kind: 'text' },
  { key: 'vendor_id', label: 'Vendor', kind: 'text' },
  { key: 'project_id', label: 'Project', kind: 'text' },
  { key: 'dimension_value_ids', label: 'Dimension values', kind: 'text' },
]

export const LINE_COLUMNS: Column[] = [
  { key: 'number', label: 'Ledger number', kind: 'text' },
  { key: 'name', label: 'Ledger', kind: 'text' },
  { key: 'date', label: 'Date', kind: 'date' },
  { key: 'entry_number', label: 'Entry', kind: 'integer' },
  { key: 'memo', label: 'Memo', kind: 'text' },
  { key: 'source_type', label: 'Source', kind: 'text' },
  { key: 'source_id', label: 'Source id', kind: 'text' },
  ...AMOUNT_COLUMNS,
]

export const LEDGER_COLUMNS: Column[] = LINE_COLUMNS.toSpliced(9, 0, { key: 'balance', label: 'Balance', kind: 'money' })

export function lineRow(ledger: BookLedger | undefined, line: LedgerLine): TableRow {
  const { date, entry_number, memo, source_type, source_id, debit, credit, currency, amount, customer_id, vendor_id, project_id } = line
  return {
    number: ledger?.number ?? null, name: ledger?.name ?? null, date, entry_number, memo, source_type, source_id, debit, credit, currency, amount,
    cash_basis: line.cash_basis ? 'yes' : null, customer_id, vendor_id, project_id, dimension_value_ids: line.dimension_value_ids.join(' '),
  }
}

/** Each ledger opens, has its lines and closes; one without lines is there if it has a balance. */
export async function* ledgerRows(
  shown: readonly Shown[], standings: ReadonlyMap<string, Standing>, pages: AsyncIterable<LedgerLine[]>,
): AsyncGenerator<TableRow> {
  const places = new Map(shown.map(({ ledger }, place) => [ledger.id, place]))
  let place = -1
  let balance = 0
  let visible = false
  const row = (memo: string): TableRow => {
    const { number = null, name = '', type = 'asset' } = shown[place]?.ledger ?? {}
    return { number, name, memo, balance: natural(type, balance), style: { bold: true } }
  }
  const turnTo = function* (next: number): Generator<TableRow> {
    while (place < next) {
      if (visible) yield row('Closing balance')
      place += 1
      balance = standings.get(shown[place]?.ledger.id ?? '')?.opening ?? 0
      visible = place < shown.length && (place === next || balance !== 0)
      if (visible) yield row('Opening balance')
    }
  }
  for await (const lines of pages) {
    for (const line of lines) {
      yield* turnTo(places.get(line.ledger_id) ?? place)
      balance = addCents(balance, line.debit, -line.credit)
      const { ledger } = shown[place] ?? {}
      yield { ...lineRow(ledger, line), balance: natural(ledger?.type ?? 'asset', balance) }
    }
  }
  yield* turnTo(shown.length)
}
