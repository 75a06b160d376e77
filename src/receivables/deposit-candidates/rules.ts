// What speaks for a deposit paying invoices: numbers and names in its text, the amount, the customer, the day. Pure.
import { daysBetween } from '../../foundation/calendar.ts'
import type { DepositFacts, InvoiceFacts, Reason } from './contract.ts'

const WEIGHTS: Record<Reason, number> = {
  invoice_number: 50, number_part: 25, exact_balance: 40, exact_sum: 30, known_short_pay: 30, part: 5, surplus: 0,
  customer: 30, customer_name: 25, similar_name: 15, due_date: 10, date: 5,
}

/** 0 to 100. */
export function confidenceOf(reasons: readonly Reason[]): number {
  return Math.min(100, reasons.reduce((sum, reason) => sum + WEIGHTS[reason], 0))
}

/** The text of a deposit, taken apart once. */
export type Reading = {
  deposit: DepositFacts
  remaining: number
  /** One to four neighbouring words written together: `inv 0042` and `INV-0042` are one number. */
  number_keys: ReadonlySet<string>
  /** Its longer numbers without leading zeros. */
  digit_keys: ReadonlySet<string>
  /** Who it says it is from, and every text as a line of words between blanks. */
  counterparty: readonly string[]
  lines: readonly string[]
}

const MOST_JOINED = 4

export function readDeposit(deposit: DepositFacts): Reading {
  const texts = [deposit.counterparty, deposit.counterparty_raw, deposit.description, deposit.reference].flatMap((text) => (text ? [wordsOf(text)] : []))
  const joined = texts.flatMap((words) => words.flatMap((_, start) =>
    Array.from({ length: Math.min(MOST_JOINED, words.length - start) }, (_each, more) => words.slice(start, start + more + 1).join(''))))
  return {
    deposit,
    remaining: deposit.amount - deposit.claimed,
    number_keys: new Set(joined),
    digit_keys: new Set(texts.flat().flatMap((word) => digitKey(word) ?? [])),
    counterparty: nameWords(deposit.counterparty ?? ''),
    lines: texts.map((words) => ` ${withoutForms(words).join(' ')} `),
  }
}

/** Lower case, without accents, dots and apostrophes; whatever else is neither letter nor digit parts words. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKD').replaceAll(/[\p{M}.'’]/gu, '').toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

const FORMS = new Set(['the', 'inc', 'incorporated', 'llc', 'llp', 'ltd', 'limited', 'corp', 'corporation', 'co', 'company', 'plc', 'gmbh', 'ag', 'sa', 'pty', 'bv'])

function withoutForms(words: readonly string[]): readonly string[] {
  const rest = words.filter((word) => !FORMS.has(word))
  return rest.length > 0 ? rest : words
}

/** The words of a name without those for a legal form. */
export const nameWords = (name: string): readonly string[] => withoutForms(wordsOf(name))

/** How a number of an invoice is looked for. A short one, or a bare number that could as well be a year, says little. */
export function numberKeys(number: string): { whole: string | null; digits: string | null } {
  const whole = wordsOf(number).join('')
  const telling = /^\d+$/.test(whole) ? whole.length >= 5 : whole.length >= 3
  return { whole: telling ? whole : null, digits: digitKey(wordsOf(number).at(-1) ?? '') }
}

function digitKey(word: string): string | null {
  const digits = /(\d+)$/.exec(word)?.[1]?.replace(/^0+/, '') ?? ''
  return digits.length >= 3 ? digits : null
}

export function numberEvidence(reading: Reading, number: string): 'invoice_number' | 'number_part' | null {
  const { whole, digits } = numberKeys(number)
  if (whole !== null && reading.number_keys.has(whole)) return 'invoice_number'
  return digits !== null && reading.digit_keys.has(digits) ? 'number_part' : null
}

/** What the deposit says of its customer: by a person who set it, or by its text. */
export function customerEvidence(reading: Reading, customer: { id: string; words: readonly string[] }): 'customer' | 'customer_name' | 'similar_name' | null {
  const { deposit: { customer_id }, counterparty, lines } = reading
  if (customer_id !== null) return customer_id === customer.id ? 'customer' : null
  const name = customer.words.join(' ')
  if (name.length >= SHORTEST_NAME && lines.some((line) => line.includes(` ${name} `))) return 'customer_name'
  const said = counterparty.join(' ')
  if (name === '' || said === '') return null
  if (name === said) return 'customer_name'
  return isSimilar(customer.words, counterparty) ? 'similar_name' : null
}

const SHORTEST_NAME = 4

/** Most words are the same, or nearly all letters are. */
function isSimilar(a: readonly string[], b: readonly string[]): boolean {
  const [left, right] = [new Set(a), new Set(b)]
  const common = left.intersection(right).size
  if (common * 5 >= left.union(right).size * 3) return true
  const [one, other] = [a.join(' ').slice(0, LONGEST_COMPARED), b.join(' ').slice(0, LONGEST_COMPARED)]
  const longest = Math.max(one.length, other.length)
  return longest >= SHORTEST_SIMILAR && distance(one, other) * 5 <= longest
}

const LONGEST_COMPARED = 60
const SHORTEST_SIMILAR = 5

/** How many letters must be changed, added or taken away to make one of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length] ?? 0
}

const [EARLY_DAYS, AROUND_DAYS, LATE_DAYS] = [5, 10, 60]

export function dateEvidence(datetime: string, { invoice_date, due_on }: Pick<InvoiceFacts, 'invoice_date' | 'due_on'>): 'due_date' | 'date' | null {
  const late = daysBetween(due_on, datetime)
  if (daysBetween(invoice_date, datetime) < -EARLY_DAYS || late > LATE_DAYS) return null
  return Math.abs(late) <= AROUND_DAYS ? 'due_date' : 'date'
}

export const balanceOf = ({ total, total_paid }: Pick<InvoiceFacts, 'total' | 'total_paid'>): number => total - total_paid

/** How well a deposit fits one invoice. Without a word for it but the amount's being less or more, it does not. */
export function fitOf(deposit: DepositFacts, invoice: InvoiceFacts): { score: number; reasons: Reason[] } {
  const reading = readDeposit(deposit)
  const balance = balanceOf(invoice)
  const same = deposit.currency === invoice.currency
  const amount = !same ? null : reading.remaining === balance ? 'exact_balance' : reading.remaining < balance ? 'part' : 'surplus'
  const words = nameWords(invoice.customer_name)
  const telling: (Reason | null)[] = [
    numberEvidence(reading, invoice.number), customerEvidence(reading, { id: invoice.customer_id, words }), amount === 'exact_balance' ? amount : null,
  ]
  if (telling.every((reason) => reason === null)) return { score: 0, reasons: [] }
  const found: (Reason | null)[] = [...telling, amount === 'exact_balance' ? null : amount, dateEvidence(deposit.datetime, invoice)]
  const reasons = found.filter((reason) => reason !== null)
  return { score: confidenceOf(reasons), reasons }
}
