// When an invoice is due by its terms, until when and by how much early payment lowers it, and which terms make sense.
import { addDays, addMonths, lastDayOfMonth } from '../../foundation/calendar.ts'
import { divideRounded, parseDecimal, toCents } from '../../foundation/money.ts'
import { invalid, unprocessable, type Problem } from '../../foundation/refusal.ts'
import { plainDecimal } from '../../ledger/posting/rules.ts'
import { PERCENT, type LateFee, type PaymentTerm, type PaymentTermInput, type PaymentTermUpdate } from './contract.ts'

type DueTerm = Pick<PaymentTerm, 'kind' | 'days' | 'day' | 'cutoff_day'>

/** Never before the date of the invoice, and never earlier for a later invoice. */
export function dueDate({ kind, days, day, cutoff_day }: DueTerm, invoice_date: string): string {
  const invoiced = Number(invoice_date.slice(8))
  switch (kind) {
    case 'due_on_receipt':
      return invoice_date
    case 'net_days':
      return addDays(invoice_date, days)
    case 'end_of_month': {
      const months = cutoff_day !== null && invoiced > cutoff_day ? 1 : 0
      return addDays(lastDayOfMonth(addMonths(invoice_date, months, 1)), days)
    }
    case 'day_of_month': {
      const wanted = day ?? 31
      const cutoff = cutoff_day ?? wanted
      return addMonths(invoice_date, (wanted < cutoff ? 1 : 0) + (invoiced > cutoff ? 1 : 0), wanted)
    }
  }
}

/** The last day on which payment of the whole rest earns the discount; null where there is none. */
export function discountUntil(term: DueTerm & Pick<PaymentTerm, 'discount_days'>, invoice_date: string): string | null {
  if (term.discount_days === null) return null
  const [until, due] = [addDays(invoice_date, term.discount_days), dueDate(term, invoice_date)]
  return until < due ? until : due
}

/** What the discount comes to on a total with tax, half a cent away from zero. */
export function discountOf({ discount_percent }: Pick<PaymentTerm, 'discount_percent'>, total: number): number {
  if (discount_percent === null) return 0
  const { units, scale } = parseDecimal(discount_percent)
  return toCents(divideRounded(BigInt(total) * units, 100n * 10n ** BigInt(scale)))
}

/** Texts as they are kept, so that what looks equal is equal. */
export function tidy<Fields extends PaymentTermInput | PaymentTermUpdate>(fields: Fields): Fields {
  const { name, discount_percent, late_fee } = fields
  return {
    ...fields,
    ...(name && { name: name.trim().replaceAll(/\s+/g, ' ') }),
    ...(discount_percent && { discount_percent: plainDecimal(discount_percent) }),
    ...(late_fee && { late_fee: { kind: late_fee.kind, value: late_fee.value, grace_days: late_fee.grace_days } }),
  }
}

/** What its kind does not use is not kept. */
export function onlyWhatCounts<Term extends DueTerm>(term: Term): Term {
  const { kind, days, day, cutoff_day } = term
  return {
    ...term,
    days: kind === 'net_days' || kind === 'end_of_month' ? days : 0,
    day: kind === 'day_of_month' ? day : null,
    cutoff_day: kind === 'end_of_month' || kind === 'day_of_month' ? cutoff_day : null,
  }
}

/** Refuses with 422 what does not go together. */
export function requireSense(term: Omit<PaymentTerm, 'id' | 'business_id' | 'created_at' | 'updated_at' | 'version'>): void {
  const problems: Problem[] = []
  const problem = (type: Problem['type'], msg: string, ...place: string[]) => problems.push({ loc: ['body', ...place], msg, type })
  const { kind, days, day, discount_percent, discount_days, late_fee } = term
  if (kind === 'day_of_month' && day === null) problem('missing', 'Terms of the kind day_of_month need a day.', 'day')
  if (discount_percent !== null && discount_days === null) problem('missing', 'A discount needs its days.', 'discount_days')
  if (discount_percent === null && discount_days !== null) problem('missing', 'A discount needs its percent.', 'discount_percent')
  const most = kind === 'net_days' ? days : kind === 'due_on_receipt' ? 0 : null
  if (discount_days !== null && most !== null && discount_days > most) problem('value_error', `Must be at most ${most}, the days of payment.`, 'discount_days')
  if (late_fee && !isFee(late_fee)) {
    problem('value_error', late_fee.kind === 'flat' ? 'Must be integer cents, not negative.' : 'Must be decimal text from 0 to 100.', 'late_fee', 'value')
  }
  if (problems.length > 0) throw unprocessable(problems)
}

function isFee({ kind, value }: LateFee): boolean {
  if (kind === 'percent') return typeof value === 'string' && new RegExp(PERCENT).test(value)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

export function requireOwn(term: PaymentTerm): void {
  if (term.system) throw invalid(`The payment terms “${term.name}” are there from the start: only their late fee can change.`)
}

export function requireUsable(term: PaymentTerm): void {
  if (term.archived) throw invalid(`The payment terms “${term.name}” are archived: restore them, or choose others.`)
}

export function requireNoDefault(term: PaymentTerm): void {
  if (term.is_default) throw invalid(`The payment terms “${term.name}” are the default: choose other default terms first.`)
}

type Seed = Pick<PaymentTerm, 'name' | 'kind' | 'days'> & Partial<PaymentTerm>

/** What a new business begins with. */
export const SEEDS: readonly Seed[] = [
  { name: 'Due on receipt', kind: 'due_on_receipt', days: 0 },
  { name: 'Net 7', kind: 'net_days', days: 7 },
  { name: 'Net 15', kind: 'net_days', days: 15 },
  { name: 'Net 30', kind: 'net_days', days: 30, is_default: true },
  { name: 'Net 60', kind: 'net_days', days: 60 },
  { name: 'End of month', kind: 'end_of_month', days: 0 },
  { name: '2% 10 Net 30', kind: 'net_days', days: 30, discount_percent: '2', discount_days: 10 },
]
