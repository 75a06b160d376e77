// What a contract may do in its status, and how documents move its counters.
import { addDays, addMonths } from '../../foundation/calendar.ts'
import { addCents, formatCents } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { Column, TableRow } from '../../foundation/sheets.ts'
import { differs, plainPercent, requireOrder } from '../projects/rules.ts'
import type { Contract, ContractRecord, ContractRow, ContractStatus, ContractUpdate } from './contract.ts'

/** Signed cents of the contract's currency. */
export type Move = { billed?: number | undefined; credited?: number | undefined; paid?: number | undefined; date: string }

/** For a document that is to bill the contract. */
export function requireBillable(contract: ContractRow, { customer_id, currency }: { customer_id: string; currency: string }): void {
  const { number, status } = contract
  if (contract.customer_id !== customer_id) throw invalid(`The contract ${number} is one of another customer: choose a contract of this customer.`)
  if (contract.currency !== currency) throw invalid(`The contract ${number} is in ${contract.currency}: bill it in that currency, not in ${currency}.`)
  if (status === 'completed' || status === 'terminated') throw invalid(`The contract ${number} is ${status}: nothing more is billed under it.`)
}

/** The counters after these moves, and what follows from the first amount and from the last that is taken away. */
export function afterMoves(contract: ContractRow, moves: readonly Move[]): ContractRow {
  const added = (name: 'billed' | 'credited' | 'paid') => addCents(...moves.map((move) => move[name] ?? 0))
  const billed = added('billed')
  const counters = {
    billed_amount: addCents(contract.billed_amount, billed),
    credited_amount: addCents(contract.credited_amount, added('credited')),
    paid_amount: addCents(contract.paid_amount, added('paid')),
  }
  if (Object.values(counters).some((amount) => amount < 0)) throw new Error(`More is taken off contract ${contract.id} than was put on it.`)
  if (billed > 0) {
    if (contract.status === 'completed' || contract.status === 'terminated') throw invalid(`The contract ${contract.number} is ${contract.status}: nothing more is billed under it.`)
    requireRoom(contract, counters.billed_amount)
  }
  if (counters.billed_amount === 0) return { ...contract, ...counters, billing_status: 'not_started', billing_started_on: null }
  const first = moves.filter(({ billed: amount = 0 }) => amount > 0).map(({ date }) => date).toSorted()[0]
  return {
    ...contract,
    ...counters,
    billing_status: contract.value > 0 && counters.billed_amount >= contract.value ? 'complete' : 'active',
    billing_started_on: contract.billing_started_on ?? first ?? null,
    status: contract.status === 'draft' ? 'active' : contract.status,
  }
}

function requireRoom({ number, value, billed_amount, currency, allow_overbilling }: ContractRow, billed: number): void {
  if (billed <= value || allow_overbilling) return
  const left = formatCents(Math.max(0, value - billed_amount), currency)
  throw invalid(`The contract ${number} has ${left} ${currency} left to bill, and ${formatCents(billed - billed_amount, currency)} would be too much: change its value, or allow overbilling.`)
}

export function statusOn({ status, end_date }: Pick<ContractRow, 'status' | 'end_date'>, today: string): ContractStatus {
  return status === 'active' && end_date !== null && end_date < today ? 'expired' : status
}

export function recordOf(contract: ContractRow, today: string): ContractRecord {
  return { ...contract, status: statusOn(contract, today), unbilled_amount: Math.max(0, contract.value - contract.billed_amount) }
}

/** As it is kept. */
export function tidy<Fields extends ContractUpdate>(fields: Fields): Fields {
  const { title, retention_percent, document_ids } = fields
  return {
    ...fields,
    ...(title !== undefined && { title: title.trim() }),
    ...(typeof retention_percent === 'string' && { retention_percent: plainPercent(retention_percent) }),
    ...(document_ids && { document_ids: [...new Set(document_ids)] }),
  }
}

const FIXED = ['customer_id', 'currency', 'billing_type', 'retention_percent'] as const

/** A value equal to the one it has is never refused. */
export function requireEditable(before: ContractRow, changes: Partial<ContractRow>): void {
  const { number, status } = before
  if (status === 'draft') return
  const changing = Object.keys(changes).filter((name) => differs(before, { [name]: changes[name as keyof ContractRow] }))
  if (status === 'active') {
    if (changing.includes('original_value')) throw invalid(`The contract ${number} is active: its value changes by a change order only.`)
    const fixed = FIXED.find((name) => changing.includes(name))
    if (fixed) throw invalid(`The contract ${number} is active: its ${fixed} stays.`)
    return
  }
  const other = changing.find((name) => name !== 'document_ids')
  if (other) throw invalid(`The contract ${number} is ${status}: only its document_ids can change, not ${other}.`)
}

export function requireSound(contract: ContractRow): void {
  requireOrder(contract)
  if (contract.auto_renew && (contract.end_date === null || contract.renewal_months === null)) throw invalid('auto_renew needs end_date and renewal_months.')
  if (contract.billed_amount > contract.value && !contract.allow_overbilling) {
    throw invalid(`The contract ${contract.number} is billed above its value: allow_overbilling stays until that is taken back.`)
  }
}

export function requireDraft({ number, status }: ContractRow): void {
  if (status !== 'draft') throw invalid(`The contract ${number} is ${status}: only a draft is deleted; complete or terminate it.`)
}

export function linked({ number }: { number: string }) {
  return invalid(`Other records point at the contract ${number}: take it off them first.`)
}

export function requireStatus({ number, status }: Pick<ContractRow, 'number' | 'status'>, allowed: readonly ContractRow['status'][], what: string): void {
  if (!allowed.includes(status)) throw invalid(`The contract ${number} is ${status} and cannot be ${what}.`)
}

export function requireBilled({ number, value, billed_amount, currency }: ContractRow, waived: boolean): void {
  if (waived || billed_amount >= value) return
  throw invalid(`Of the contract ${number} ${formatCents(value - billed_amount, currency)} ${currency} are not billed: bill them, or give waive_unbilled.`)
}

/** The term after this one. */
export function nextTerm({ number, end_date, renewal_months }: ContractRow): { start_date: string; end_date: string; months: number } {
  if (end_date === null) throw invalid(`The contract ${number} has no end_date, so there is no next term.`)
  if (renewal_months === null) throw invalid(`The contract ${number} does not say how long the next term is: give it renewal_months.`)
  const start_date = addDays(end_date, 1)
  return { start_date, end_date: addDays(addMonths(start_date, renewal_months), -1), months: renewal_months }
}

export const FILE_COLUMNS: Column[] = [
  { key: 'number', label: 'Number', kind: 'text' },
  { key: 'title', label: 'Title', kind: 'text' },
  { key: 'status', label: 'Status', kind: 'text' },
  { key: 'billing_type', label: 'Billing type', kind: 'text' },
  { key: 'billing_status', label: 'Billing status', kind: 'text' },
  { key: 'start_date', label: 'Start date', kind: 'date' },
  { key: 'end_date', label: 'End date', kind: 'date' },
  { key: 'currency', label: 'Currency', kind: 'text' },
  { key: 'value', label: 'Value', kind: 'money' },
  { key: 'billed_amount', label: 'Billed', kind: 'money' },
  { key: 'credited_amount', label: 'Credited', kind: 'money' },
  { key: 'paid_amount', label: 'Paid', kind: 'money' },
  { key: 'unbilled_amount', label: 'Unbilled', kind: 'money' },
  { key: 'customer_id', label: 'Customer id', kind: 'text' },
  { key: 'project_id', label: 'Project id', kind: 'text' },
  { key: 'id', label: 'Id', kind: 'text' },
]

export function fileRow(contract: Contract): TableRow {
  return Object.fromEntries(FILE_COLUMNS.map(({ key }) => [key, contract[key as keyof Contract] as string | number | null]))
}
