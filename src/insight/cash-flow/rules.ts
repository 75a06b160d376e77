// The lines of a cash flow. Every entry balances, so what all other ledgers moved is what cash moved, with the opposite sign.
//
//   indirectLines(...)    from net income
//   directLines(...)      from receipts and payments
//   classOf(ledger)       the part of the statement that a ledger's money belongs to
import { daysBetween } from '../../foundation/calendar.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import { isCashLedger, isProfitAndLoss } from '../../ledger/posting/rules.ts'
import type { Slot } from '../report-columns/contract.ts'
import type { Line } from '../report-shape/contract.ts'
import { ledgerLines, sectionOf, sumOf, totalOf, type AmountsOf, type Shown } from '../report-shape/rules.ts'
import { MOST_DAYS } from './contract.ts'

export function isCash(ledger: BookLedger): boolean {
  return isCashLedger(ledger) || ledger.cash_flow_class === 'cash'
}

const PARTS = [['operating', 'Operating activities'], ['investing', 'Investing activities'], ['financing', 'Financing activities']] as const
type Part = (typeof PARTS)[number][0]

/** What wears assets out belongs to the investment in them. */
export function classOf({ type, subtype, cash_flow_class }: BookLedger): Part {
  if (cash_flow_class === 'investing' || cash_flow_class === 'financing') return cash_flow_class
  const wears = subtype === 'accumulated_depreciation' || (subtype === 'depreciation' && type === 'expense')
  return cash_flow_class === 'non_cash' && wears ? 'investing' : 'operating'
}

/** Amounts per column. `effectOf` is what a ledger did to cash: its credit less its debit. */
export type Flow = {
  ledgers: readonly BookLedger[]
  effectOf: AmountsOf
  /** What revaluation did to cash. */
  revaluation: readonly number[]
  /** The cash before each column. */
  opening: readonly number[]
}

export type CashFlow = { lines: Line[]; differences: number[] }

export function indirectLines({ ledgers, effectOf, revaluation, opening }: Flow, shown: Shown, columns: number): CashFlow {
  const rows = (wanted: (ledger: BookLedger) => boolean, amountsOf: AmountsOf = effectOf) =>
    ledgerLines(ledgers.filter((ledger) => !isCash(ledger) && wanted(ledger)), amountsOf, shown, columns)
  const opposite: AmountsOf = (ledger) => negative(effectOf(ledger))
  const results = ledgers.filter((ledger) => isProfitAndLoss(ledger) && !isCash(ledger))
  const total = (of: readonly BookLedger[]) => sumOf(of.map(effectOf), columns)
  const worn = results.filter((ledger) => isWear(ledger))
  const elsewhere = results.filter((ledger) => !isWear(ledger) && classOf(ledger) !== 'operating')
  const isOperating = (ledger: BookLedger) => !isProfitAndLoss(ledger) && classOf(ledger) === 'operating'

  const operating = sectionOf('operating', 'Operating activities', [
    computed('net_income', 'Net income', total(results), results),
    ...nonEmpty(sectionOf('non_cash', 'Without cash', [
      ...rows(isWear, opposite),
      ...rows((ledger) => isOperating(ledger) && ledger.cash_flow_class === 'non_cash'),
      ...moving(computed('revaluation_of_cash', 'Revaluation of cash', negative(revaluation), [])),
    ], columns)),
    ...moving(computed('shown_elsewhere', 'In net income, shown below', negative(total(elsewhere)), elsewhere)),
    ...nonEmpty(sectionOf('operating_changes', 'Changes of operating ledgers', [
      ...rows((ledger) => isOperating(ledger) && ledger.cash_flow_class !== 'non_cash'),
    ], columns)),
  ], columns)
  const part = (which: Part, label: string, more: Line[]) =>
    sectionOf(which, label, [...rows((ledger) => classOf(ledger) === which && !isWear(ledger)), ...more], columns)
  const investing = part('investing', 'Investing activities', moving(computed('less_depreciation', 'Less depreciation of the period', total(worn), worn)))
  return statementOf([operating, investing, part('financing', 'Financing activities', [])], { ledgers, effectOf, revaluation, opening }, columns)
}

/** Depreciation: taken off income, but no money went out. */
function isWear(ledger: BookLedger): boolean {
  return ledger.type === 'expense' && ledger.subtype === 'depreciation' && ledger.cash_flow_class === 'non_cash'
}

/** Money in and out, by the ledger on the other side, in amounts per column. */
export type Counterparts = { receiptsOf: AmountsOf; paymentsOf: AmountsOf }

export function directLines(flow: Flow, { receiptsOf, paymentsOf }: Counterparts, shown: Shown, columns: number): CashFlow {
  const sections = PARTS.map(([part, label]) => {
    const own = flow.ledgers.filter((ledger) => !isCash(ledger) && classOf(ledger) === part)
    const rows = (amountsOf: AmountsOf) => ledgerLines(own, amountsOf, { ...shown, show_zero: false }, columns)
    return sectionOf(part, label, [
      ...nonEmpty(sectionOf(`${part}_receipts`, 'Receipts', rows(receiptsOf), columns)),
      ...nonEmpty(sectionOf(`${part}_payments`, 'Payments', rows((ledger) => negative(paymentsOf(ledger))), columns)),
    ], columns)
  })
  return statementOf(sections, flow, columns)
}

/** The parts, what revaluation did, and the cash before and after; the change must be that of the cash itself. */
function statementOf(sections: readonly Line[], { ledgers, effectOf, revaluation, opening }: Flow, columns: number): CashFlow {
  const cash = ledgers.filter(isCash)
  const effect = computed('exchange_rates', 'Effect of exchange rates on cash', revaluation, [])
  const net_change = totalOf('total', 'net_change', 'Net change of cash', [...sections, effect], [], columns)
  const change = negative(sumOf(cash.map(effectOf), columns))
  const subtotal = (key: string, label: string, amounts: readonly number[]): Line => ({ ...computed(key, label, amounts, cash), kind: 'subtotal' })
  return {
    lines: [
      ...sections, effect, { ...net_change, ledger_ids: cash.map(({ id }) => id) },
      subtotal('opening_cash', 'Cash at the beginning', opening), subtotal('closing_cash', 'Cash at the end', sumOf([opening, change], columns)),
    ],
    differences: change.map((amount, index) => (net_change.amounts[index] ?? 0) - amount),
  }
}

function computed(key: string, label: string, amounts: readonly number[], ledgers: readonly BookLedger[]): Line {
  return { kind: 'ledger', key, label, ledger_id: null, amounts, ledger_ids: ledgers.map(({ id }) => id), rows: [] }
}

const negative = (amounts: readonly number[]): number[] => amounts.map((amount) => 0 - amount)
const moving = (line: Line): Line[] => (line.amounts.some((amount) => amount !== 0) ? [line] : [])
const nonEmpty = (line: Line): Line[] => (line.rows.length > 0 ? [line] : [])

/** Columns over time, of what was and not of what is planned. */
export function requireOverTime({ axis, slots }: { axis: string | null; slots: readonly Slot[] }): void {
  if (axis !== null) throw invalid('The lines of one customer or value need not balance: choose columns total, month, quarter or year.')
  const planned = slots.some(({ comparison }) => comparison?.kind.startsWith('budget:'))
  if (planned) throw invalid('A budget plans income and expenses: compare it with a profit and loss.')
}

export function requireFewDays(slots: readonly Slot[]): void {
  const days = slots.reduce((sum, { start_date, end_date }) => sum + daysBetween(start_date ?? end_date, end_date) + 1, 0)
  if (days > MOST_DAYS) throw invalid(`The direct method covers at most ${MOST_DAYS} days, and this would be ${days}: choose fewer, or the indirect method.`)
}
