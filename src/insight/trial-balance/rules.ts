// The lines of a trial balance and of a worksheet, from movements of ledgers.
import type { BookLedger } from '../../ledger/books/contract.ts'
import { isProfitAndLoss } from '../../ledger/posting/rules.ts'
import { natural } from '../report-figures/rules.ts'
import type { Line } from '../report-shape/contract.ts'
import { ledgerLines, sectionOf, sumOf, type Shown } from '../report-shape/rules.ts'

/** What a ledger had and what moved, debit positive. */
export type Movement = { opening: number; debit: number; credit: number }

/** Of a ledger, an element per part of the period. */
export type MovementsOf = (ledger: BookLedger) => readonly Movement[]

export const MEASURES = ['opening', 'debit', 'credit', 'closing'] as const
export const MEASURE_LABELS = { opening: 'Opening', debit: 'Debit', credit: 'Credit', closing: 'Closing' }

export const PRIOR_EARNINGS = 'prior_years_earnings'
export const CLOSED_EARNINGS = 'closed_earnings'

const TYPES = [
  ['asset', 'assets', 'Assets'], ['liability', 'liabilities', 'Liabilities'], ['equity', 'equity', 'Equity'], ['income', 'income', 'Income'],
  ['expense', 'expenses', 'Expenses'],
] as const

/** A row that no ledger has: profit that is earned, but not posted to one. */
export type Computed = { key: string; label: string; movements: readonly Movement[]; ledger_ids: readonly string[] }

export type Sheet = { lines: Line[]; differences: { opening: number[]; movement: number[]; closing: number[] } }

export const closingOf = ({ opening, debit, credit }: Movement): number => opening + debit - credit

/** Sections by type with the computed rows in equity, and the totals of both sides. */
export function trialBalanceLines(ledgers: readonly BookLedger[], movementsOf: MovementsOf, computed: readonly Computed[], shown: Shown, parts: number): Sheet {
  const columns = parts * MEASURES.length
  const cells = (type: string, movements: readonly Movement[]) =>
    movements.flatMap((each) => [natural(type, each.opening), each.debit, each.credit, natural(type, closingOf(each))])
  const sections = TYPES.map(([type, key, label]) => {
    const rows = ledgerLines(ledgers.filter((ledger) => ledger.type === type), (ledger) => cells(type, movementsOf(ledger)), shown, columns)
    const extra = type === 'equity' ? computed.map((each) => computedLine(each, cells(type, each.movements))) : []
    return sectionOf(key, label, [...rows, ...extra], columns)
  })
  const all = [...ledgers.map(movementsOf), ...computed.map(({ movements }) => movements)]
  const sums = Array.from({ length: parts }, (_, part) => totals(all.map((movements) => movements[part] ?? { opening: 0, debit: 0, credit: 0 })))
  const total: Line = {
    kind: 'total', key: 'total', label: 'Total', ledger_id: null, ledger_ids: [], rows: [],
    amounts: sums.flatMap(({ opening, debit, credit, closing }) => [opening.debit, debit, credit, closing.debit]),
  }
  return {
    lines: [...sections.filter(({ rows }) => rows.length > 0), total],
    differences: {
      opening: sums.map(({ opening }) => opening.debit - opening.credit),
      movement: sums.map(({ debit, credit }) => debit - credit),
      closing: sums.map(({ closing }) => closing.debit - closing.credit),
    },
  }
}

function computedLine({ key, label, ledger_ids }: Computed, amounts: readonly number[]): Line {
  return { kind: 'ledger', key, label, ledger_id: null, amounts, ledger_ids, rows: [] }
}

function totals(movements: readonly Movement[]) {
  const add = (amounts: readonly number[]) => sumOf(amounts.map((amount) => [amount]), 1)[0] ?? 0
  const sides = (balances: readonly number[]) => ({ debit: add(balances.map(debitSide)), credit: add(balances.map(creditSide)) })
  return {
    opening: sides(movements.map(({ opening }) => opening)),
    debit: add(movements.map(({ debit }) => debit)),
    credit: add(movements.map(({ credit }) => credit)),
    closing: sides(movements.map(closingOf)),
  }
}

const debitSide = (balance: number): number => Math.max(balance, 0)
const creditSide = (balance: number): number => Math.max(0 - balance, 0)

export const WORKSHEET = [
  ['unadjusted', 'Unadjusted'], ['adjustments', 'Adjustments'], ['adjusted', 'Adjusted'], ['profit_and_loss', 'Profit and loss'],
  ['balance_sheet', 'Balance sheet'],
] as const

/** The ten columns of a worksheet: a debit and a credit side each. Net income makes both statements balance. */
export function worksheetLines(
  ledgers: readonly BookLedger[], movementsOf: MovementsOf, adjustmentsOf: MovementsOf, computed: readonly Computed[], shown: Shown,
): { lines: Line[]; differences: number[] } {
  const columns = WORKSHEET.length * 2
  const none: Movement = { opening: 0, debit: 0, credit: 0 }
  const cells = (unadjusted: number, { debit, credit }: Movement, in_result: boolean) => {
    const adjusted = unadjusted + debit - credit
    const sides = (balance: number) => [debitSide(balance), creditSide(balance)]
    return [...sides(unadjusted), debit, credit, ...sides(adjusted), ...sides(in_result ? adjusted : 0), ...sides(in_result ? 0 : adjusted)]
  }
  const cellsOf = (ledger: BookLedger) => {
    const [adjustments = none] = adjustmentsOf(ledger)
    return cells(closingOf(movementsOf(ledger)[0] ?? none), adjustments, isProfitAndLoss(ledger))
  }
  const sections = TYPES.map(([type, key, label]) => {
    const rows = ledgerLines(ledgers.filter((ledger) => ledger.type === type), cellsOf, shown, columns)
    const extra = type === 'equity' ? computed.map((each) => computedLine(each, cells(closingOf(each.movements[0] ?? none), none, false))) : []
    return sectionOf(key, label, [...rows, ...extra], columns)
  }).filter(({ rows }) => rows.length > 0)
  const before = sumOf(sections.map(({ amounts }) => amounts), columns)
  const profit = (before[7] ?? 0) - (before[6] ?? 0)
  const own = [0, 0, 0, 0, 0, 0, debitSide(profit), creditSide(profit), creditSide(profit), debitSide(profit)]
  const income: Line = { kind: 'subtotal', key: 'net_income', label: 'Net income', ledger_id: null, amounts: own, ledger_ids: [], rows: [] }
  const amounts = sumOf([before, own], columns)
  const total: Line = { kind: 'total', key: 'total', label: 'Total', ledger_id: null, amounts, ledger_ids: [], rows: [] }
  return { lines: [...sections, income, total], differences: WORKSHEET.map((_, index) => (amounts[index * 2] ?? 0) - (amounts[index * 2 + 1] ?? 0)) }
}

/** On the cash basis a line and what takes it out again cancel out. */
export function movementOf(opening: number, { debit, credit }: { debit: number; credit: number }, net: boolean): Movement {
  return net ? { opening, debit: debitSide(debit - credit), credit: creditSide(debit - credit) } : { opening, debit, credit }
}

/** Several ledgers as one, on balance. */
export function combined(movements: readonly Movement[]): Movement {
  const [opening = 0, net = 0] = sumOf(movements.map(({ opening, debit, credit }) => [opening, debit - credit]), 2)
  return movementOf(opening, { debit: net, credit: 0 }, true)
}

