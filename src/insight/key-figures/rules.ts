// The key figures themselves: exact fractions of cents, rounded once at the end.
//
//   keyFiguresOf(sums)     all of them
//   quotient(...)          a fraction as decimal text; null where it is undefined; decimalText(...) a whole number of cents or the like
import { divideRounded } from '../../foundation/money.ts'
import type { Table } from '../../foundation/sheets.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import type { Subtype } from '../../ledger/ledgers/contract.ts'
import { isCash } from '../cash-flow/rules.ts'
import type { KeyFigure, KeyFigures } from './contract.ts'

const CURRENT_ASSETS: ReadonlySet<Subtype> = new Set<Subtype>([
  'bank', 'cash', 'accounts_receivable', 'inventory', 'prepaid', 'intercompany', 'other_current_asset',
])
const NON_CURRENT_LIABILITIES: ReadonlySet<Subtype> = new Set<Subtype>(['long_term_loan', 'long_term_liability'])

/** What the figures are made of, in natural signs. */
export type Sums = {
  days: number
  revenue: number
  cost_of_goods_sold: number
  net_income: number
  current_assets: number
  current_liabilities: number
  cash: number
  cash_before: number
  receivables: number
  payables: number
}

export const isRevenue = ({ type, subtype }: BookLedger): boolean => type === 'income' && (subtype === 'revenue' || subtype === 'discount')
export const isCostOfGoodsSold = ({ subtype }: BookLedger): boolean => subtype === 'cost_of_goods_sold'
export const isCurrentAsset = ({ type, subtype }: BookLedger): boolean => type === 'asset' && CURRENT_ASSETS.has(subtype)
export const isCurrentLiability = ({ type, subtype }: BookLedger): boolean => type === 'liability' && !NON_CURRENT_LIABILITIES.has(subtype)
/** Money that there is; what is owed on cards and lines of credit is a liability. */
export const isCashAtHand = (ledger: BookLedger): boolean => ledger.type === 'asset' && isCash(ledger)
export const isReceivable = ({ type, subtype }: BookLedger): boolean => type === 'asset' && subtype === 'accounts_receivable'
export const isPayable = ({ type, subtype }: BookLedger): boolean => type === 'liability' && subtype === 'accounts_payable'

/** numerator / denominator with so many decimals, half away from zero; null unless the denominator is above 0. */
export function quotient(numerator: bigint, denominator: bigint, decimals: number): string | null {
  if (denominator <= 0n) return null
  return decimalText(divideRounded(numerator * 10n ** BigInt(decimals), denominator), decimals)
}

/** So many units of the last decimal as text. */
export function decimalText(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return units < 0n ? `-${text}` : text
}

const MONTH_DAYS = 30n

export function keyFiguresOf(sums: Sums): KeyFigure[] {
  const { days, revenue, cost_of_goods_sold, net_income, current_assets, current_liabilities, cash, cash_before, receivables, payables } = sums
  const decrease = BigInt(cash_before) - BigInt(cash)
  // Per 30 days, in cents of `days` parts: kept as a fraction until it is shown.
  const burnt = decrease > 0n ? decrease * MONTH_DAYS : 0n
  const inputs = (given: Record<string, number>) => Object.entries(given).map(([name, amount]) => ({ name, amount }))
  return [
    {
      key: 'gross_margin', label: 'Gross margin', unit: 'percent',
      formula: '(revenue - cost of goods sold) / revenue x 100, revenue less discounts',
      value: quotient((BigInt(revenue) - BigInt(cost_of_goods_sold)) * 100n, BigInt(revenue), 2),
      inputs: inputs({ revenue, 'cost of goods sold': cost_of_goods_sold }),
    },
    {
      key: 'net_margin', label: 'Net margin', unit: 'percent',
      formula: 'net income / revenue x 100, revenue less discounts',
      value: quotient(BigInt(net_income) * 100n, BigInt(revenue), 2),
      inputs: inputs({ 'net income': net_income, revenue }),
    },
    {
      key: 'current_ratio', label: 'Current ratio', unit: 'ratio',
      formula: 'current assets / current liabilities, at the last day',
      value: quotient(BigInt(current_assets), BigInt(current_liabilities), 2),
      inputs: inputs({ 'current assets': current_assets, 'current liabilities': current_liabilities }),
    },
    {
      key: 'quick_ratio', label: 'Quick ratio', unit: 'ratio',
      formula: '(cash + receivables) / current liabilities, at the last day',
      value: quotient(BigInt(cash) + BigInt(receivables), BigInt(current_liabilities), 2),
      inputs: inputs({ cash, receivables, 'current liabilities': current_liabilities }),
    },
    {
      key: 'dso', label: 'Days sales outstanding', unit: 'days',
      formula: 'receivables at the last day / revenue x days of the period',
      value: quotient(BigInt(receivables) * BigInt(days), BigInt(revenue), 1),
      inputs: inputs({ receivables, revenue, days }),
    },
    {
      key: 'dpo', label: 'Days payables outstanding', unit: 'days',
      formula: 'payables at the last day / cost of goods sold x days of the period',
      value: quotient(BigInt(payables) * BigInt(days), BigInt(cost_of_goods_sold), 1),
      inputs: inputs({ payables, 'cost of goods sold': cost_of_goods_sold, days }),
    },
    {
      key: 'cash', label: 'Cash', unit: 'currency',
      formula: 'cash at the last day: asset ledgers that are cash',
      value: decimalText(BigInt(cash), 2),
      inputs: inputs({ cash }),
    },
    {
      key: 'burn', label: 'Burn', unit: 'currency',
      formula: '(cash before the period - cash at the last day) / days of the period x 30; 0 where cash grew',
      value: quotient(burnt, BigInt(days) * 100n, 2),
      inputs: inputs({ 'cash before the period': cash_before, cash, days }),
    },
    {
      key: 'cash_runway', label: 'Cash runway', unit: 'months',
      formula: 'cash at the last day / burn, in months of 30 days; undefined where nothing is burnt, 0 without cash',
      value: quotient(BigInt(Math.max(cash, 0)) * BigInt(days), burnt, 1),
      inputs: inputs({ cash, 'cash before the period': cash_before, days }),
    },
  ]
}

export function keyFiguresTable({ title, basis, currency, figures }: KeyFigures): Table {
  return {
    title: `${title}, ${basis} basis, ${currency}`,
    columns: [
      { key: 'label', label: 'Figure', kind: 'text' },
      { key: 'value', label: 'Value', kind: 'decimal' },
      { key: 'unit', label: 'Unit', kind: 'text' },
      { key: 'formula', label: 'Formula', kind: 'text' },
    ],
    rows: figures.map(({ label, value, unit, formula }) => ({ label, value, unit: unit === 'currency' ? currency : unit, formula })),
  }
}
