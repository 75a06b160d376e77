// What is true of a credit memo: its status follows from its figures, and how it is named and written into a file.
import { divideRounded, toCents } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { Column, TableRow } from '../../foundation/sheets.ts'
import type { CreditMemo, MemoRow, Status } from './contract.ts'

type Figures = Pick<MemoRow, 'total' | 'applied_total' | 'refunded_total'>

export const remainingOf = ({ total, applied_total, refunded_total }: Figures): number => total - applied_total - refunded_total

/** Of a finalized one. */
export const statusOf = (figures: Figures): Status => (remainingOf(figures) === 0 ? 'closed' : 'open')

export const isMoney = ({ kind }: Pick<MemoRow, 'kind'>): boolean => kind !== 'credit_note'

const WORDS = { credit_note: 'Credit note', overpayment: 'Overpayment', deposit: 'Deposit' } as const

/** `Credit note CM-0007`, or what else tells a person which one is meant. */
export const nameOf = ({ kind, number, id }: Pick<MemoRow, 'kind' | 'number' | 'id'>): string => `${WORDS[kind]} ${number ?? id}`

export function requireStatus(memo: MemoRow, allowed: readonly Status[], what: string): void {
  if (!allowed.includes(memo.status)) throw invalid(`${nameOf(memo)} is ${memo.status}: ${what}.`)
}

/** What so much of the rest is carried at in the base currency; the last part takes what is left. */
export function baseShare({ base_remaining, ...figures }: Pick<MemoRow, 'base_remaining'> & Figures, amount: number): number {
  const remaining = remainingOf(figures)
  const carried = base_remaining ?? 0
  if (amount === remaining || remaining === 0) return carried
  return toCents(divideRounded(BigInt(carried) * BigInt(amount), BigInt(remaining)))
}

/** The memo once so much more (or, negative, less) of it is used. `base` is what its carrying amount falls by. */
export function used(memo: MemoRow, { applied = 0, refunded = 0, base }: { applied?: number; refunded?: number; base: number }): MemoRow {
  const figures = { total: memo.total, applied_total: memo.applied_total + applied, refunded_total: memo.refunded_total + refunded }
  return { ...memo, ...figures, base_remaining: (memo.base_remaining ?? 0) - base, status: statusOf(figures) }
}

export const FILE_COLUMNS: Column[] = [
  { key: 'number', label: 'Number', kind: 'text' },
  { key: 'kind', label: 'Kind', kind: 'text' },
  { key: 'status', label: 'Status', kind: 'text' },
  { key: 'credit_date', label: 'Credit date', kind: 'date' },
  { key: 'customer_name', label: 'Customer', kind: 'text' },
  { key: 'invoice_number', label: 'Invoice', kind: 'text' },
  { key: 'reason', label: 'Reason', kind: 'text' },
  { key: 'currency', label: 'Currency', kind: 'text' },
  { key: 'subtotal', label: 'Subtotal', kind: 'money' },
  { key: 'tax_total', label: 'Tax', kind: 'money' },
  { key: 'total', label: 'Total', kind: 'money' },
  { key: 'applied_total', label: 'Applied', kind: 'money' },
  { key: 'refunded_total', label: 'Refunded', kind: 'money' },
  { key: 'remaining', label: 'Remaining', kind: 'money' },
  { key: 'description', label: 'Description', kind: 'text' },
  { key: 'customer_id', label: 'Customer id', kind: 'text' },
  { key: 'id', label: 'Id', kind: 'text' },
]

export function fileRow(memo: CreditMemo): TableRow {
  return Object.fromEntries(FILE_COLUMNS.map(({ key }) => [key, memo[key as keyof CreditMemo] as string | number | null]))
}
