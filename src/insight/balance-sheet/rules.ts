// The lines of a balance sheet, from the ledgers and their amounts.
import type { BookLedger } from '../../ledger/books/contract.ts'
import type { Subtype } from '../../ledger/ledgers/contract.ts'
import type { Line, ReportCheck } from '../report-shape/contract.ts'
import { checkOf, ledgerLines, sectionOf, sumOf, totalOf, type AmountsOf, type Shown } from '../report-shape/rules.ts'

type Part = readonly [Subtype, string]

const CURRENT_ASSETS: readonly Part[] = [
  ['bank', 'Bank'], ['cash', 'Cash'], ['accounts_receivable', 'Accounts receivable'], ['inventory', 'Inventory'], ['prepaid', 'Prepaid'],
  ['intercompany', 'Due from related businesses'], ['other_current_asset', 'Other current assets'],
]
const NON_CURRENT_ASSETS: readonly Part[] = [
  ['fixed_asset', 'Fixed assets'], ['accumulated_depreciation', 'Accumulated depreciation'], ['intangible', 'Intangible assets'],
  ['other_asset', 'Other assets'],
]
const CURRENT_LIABILITIES: readonly Part[] = [
  ['accounts_payable', 'Accounts payable'], ['credit_card', 'Credit cards'], ['line_of_credit', 'Lines of credit'], ['sales_tax', 'Sales tax'],
  ['payroll_liability', 'Payroll liabilities'], ['deferred_revenue', 'Deferred revenue'], ['intercompany', 'Due to related businesses'],
  ['current_loan', 'Current loans'], ['other_current_liability', 'Other current liabilities'],
]
const NON_CURRENT_LIABILITIES: readonly Part[] = [['long_term_loan', 'Long-term loans'], ['long_term_liability', 'Other long-term liabilities']]
const EQUITY: readonly Part[] = [
  ['capital', 'Capital'], ['distribution', 'Distributions'], ['opening_balance', 'Opening balance'], ['other_equity', 'Other equity'],
]

/** The one subtype that stands on both sides. */
const INTERCOMPANY = { asset: 'intercompany_assets', liability: 'intercompany_liabilities', equity: 'intercompany_equity' }

export const PRIOR_EARNINGS = 'prior_years_earnings'
export const CURRENT_EARNINGS = 'current_year_earnings'

/** Profit by column, of the years before and of the year of each column's day, and the ledgers it comes from. */
export type Earnings = { prior: readonly number[]; current: readonly number[]; ledger_ids: readonly string[] }

type Sheet = { lines: Line[]; differences: number[] }

export function balanceSheetLines(ledgers: readonly BookLedger[], amountsOf: AmountsOf, earnings: Earnings, shown: Shown, columns: number): Sheet {
  const rowsOf = (type: string, subtype: string) =>
    ledgerLines(ledgers.filter((each) => each.type === type && each.subtype === subtype), amountsOf, shown, columns)
  const sections = (type: 'asset' | 'liability' | 'equity', parts: readonly Part[]) => parts
    .map(([subtype, label]) => sectionOf(subtype === 'intercompany' ? INTERCOMPANY[type] : subtype, label, rowsOf(type, subtype), columns))
    .filter(({ rows }) => rows.length > 0)
  const section = (key: string, label: string, rows: readonly Line[]) => sectionOf(key, label, rows, columns)
  const computed = (key: string, label: string, amounts: readonly number[]): Line => (
    { kind: 'ledger', key, label, ledger_id: null, amounts, ledger_ids: earnings.ledger_ids, rows: [] })

  const assets = section('assets', 'Assets', [
    section('current_assets', 'Current assets', sections('asset', CURRENT_ASSETS)),
    section('non_current_assets', 'Non-current assets', sections('asset', NON_CURRENT_ASSETS)),
  ])
  const liabilities = section('liabilities', 'Liabilities', [
    section('current_liabilities', 'Current liabilities', sections('liability', CURRENT_LIABILITIES)),
    section('non_current_liabilities', 'Non-current liabilities', sections('liability', NON_CURRENT_LIABILITIES)),
  ])
  const equity = section('equity', 'Equity', [
    ...sections('equity', EQUITY),
    section('retained_earnings', 'Retained earnings', [...rowsOf('equity', 'retained_earnings'), computed(PRIOR_EARNINGS, 'Profit of prior years', earnings.prior)]),
    computed(CURRENT_EARNINGS, 'Current-year earnings', earnings.current),
  ])
  const total = (key: string, label: string, plus: Line[]) => totalOf('total', key, label, plus, [], columns)
  const both = total('total_liabilities_and_equity', 'Total liabilities and equity', [liabilities, equity])
  return {
    lines: [
      assets, total('total_assets', 'Total assets', [assets]), liabilities, total('total_liabilities', 'Total liabilities', [liabilities]),
      equity, total('total_equity', 'Total equity', [equity]), both,
    ],
    differences: sumOf([assets.amounts, both.amounts.map((amount) => 0 - amount)], columns),
  }
}

/** Both sides are equal in every column; of an axis only all its columns together are. */
export function balanceChecks(differences: readonly number[], slots: readonly number[], is_split: boolean): ReportCheck[] {
  const key = 'assets_equal_liabilities_and_equity'
  if (!is_split) return [checkOf(key, differences)]
  const bySlot = Map.groupBy(differences.map((difference, index) => ({ difference, slot: slots[index] })), ({ slot }) => slot)
  return [checkOf(key, [...bySlot.values()].map((own) => sumOf(own.map(({ difference }) => [difference]), 1)[0] ?? 0))]
}
