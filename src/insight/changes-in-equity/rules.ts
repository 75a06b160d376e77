// The lines of the changes in equity, from the equity ledgers and the profit.
import type { BookLedger } from '../../ledger/books/contract.ts'
import type { Subtype } from '../../ledger/ledgers/contract.ts'
import type { Line } from '../report-shape/contract.ts'
import { ledgerLines, sectionOf, totalOf, type Shown } from '../report-shape/rules.ts'

export const MEASURES = ['opening', 'capital', 'distributions', 'net_income', 'other', 'closing'] as const
export type Measure = (typeof MEASURES)[number]

export const MEASURE_LABELS: Record<Measure, string> = {
  opening: 'Opening', capital: 'Capital', distributions: 'Distributions', net_income: 'Net income', other: 'Other', closing: 'Closing',
}

/** Opening and movement, credit positive. */
export type Change = { opening: number; moved: number }

const REASONS: Partial<Record<Subtype, Measure>> = { capital: 'capital', distribution: 'distributions' }

function cellsOf({ opening, moved }: Change, reason: Measure): number[] {
  return MEASURES.map((measure) => (measure === 'opening' ? opening : measure === 'closing' ? opening + moved : measure === reason ? moved : 0))
}

export const PROFIT = 'profit'

/** `profit` is what income and expenses left before the period and in it, from the ledgers named. */
export function changesInEquityLines(
  ledgers: readonly BookLedger[], changeOf: (ledger: BookLedger) => Change, profit: Change & { ledger_ids: readonly string[] }, shown: Shown,
): Line[] {
  const equity = ledgers.filter(({ type }) => type === 'equity')
  const section = (key: string, label: string, wanted: (subtype: Subtype) => boolean, more: readonly Line[] = []) => {
    const amountsOf = (ledger: BookLedger) => cellsOf(changeOf(ledger), REASONS[ledger.subtype] ?? 'other')
    const rows = ledgerLines(equity.filter(({ subtype }) => wanted(subtype)), amountsOf, shown, MEASURES.length)
    return sectionOf(key, label, [...rows, ...more], MEASURES.length)
  }
  const { ledger_ids } = profit
  const earned: Line = { kind: 'ledger', key: PROFIT, label: 'Profit', ledger_id: null, amounts: cellsOf(profit, 'net_income'), ledger_ids, rows: [] }
  const sections = [
    section('capital', 'Capital', (subtype) => subtype === 'capital'),
    section('distributions', 'Distributions', (subtype) => subtype === 'distribution'),
    section('other_equity', 'Other equity', (subtype) => subtype !== 'capital' && subtype !== 'distribution' && subtype !== 'retained_earnings'),
    section('retained_earnings', 'Retained earnings', (subtype) => subtype === 'retained_earnings', [earned]),
  ].filter(({ rows }) => rows.length > 0)
  return [...sections, totalOf('total', 'total_equity', 'Total equity', sections, [], MEASURES.length)]
}
