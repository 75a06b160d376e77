// From what was read to a draft: which customer is meant, what its lines become, and what a person should look at.
import { isDate } from '../../foundation/calendar.ts'
import type { Found } from '../../foundation/document-text/labels.ts'
import { formatCents, splitCents, type Currency } from '../../foundation/money.ts'
import { FIELD_NAMES, type Extraction, type FoundLine } from '../invoice-extraction/contract.ts'
import { daysOf } from '../invoice-extraction/rules.ts'
import type { InvoiceInput } from '../invoice-drafts/contract.ts'
import { MOST_LINES, type LineInput } from '../sales-lines/contract.ts'
import type { Extracted, ReadingResult } from '../invoice-reading/contract.ts'

/** Below this a value is shown but not used. */
const USABLE = 40
const MOST_PRICE = 1_000_000_000_000

export function shownExtraction(found: Extraction): Pick<ReadingResult, 'extracted' | 'confidence' | 'evidence'> {
  const values = Object.fromEntries(FIELD_NAMES.map((name) => [name, found[name]?.value ?? null]))
  const known = FIELD_NAMES.flatMap((name): [string, Found<unknown>][] => (found[name] ? [[name, found[name]]] : []))
  const lines = found.line_items
  const least = lines.length === 0 ? [] : [['line_items', Math.min(...lines.map(({ confidence }) => confidence))] as const]
  return {
    extracted: { ...values, line_items: lines } as Extracted,
    confidence: Object.fromEntries([...known.map(([name, { confidence }]) => [name, confidence] as const), ...least]),
    evidence: Object.fromEntries(known.flatMap(([name, { evidence }]) => (evidence ? [[name, evidence]] : []))),
  }
}

export type Candidate = { asked: string; id: string; name: string; email: string | null; status: 'active' | 'archived' }
export type Choice = { customer: Candidate | null; warning: string | null }

/** The one customer that fits: by name, narrowed by address where several have it; by address where none has the name. */
export function chooseCustomer({ customer_name, customer_email }: Extraction, byName: readonly Candidate[], byEmail: readonly Candidate[]): Choice {
  const name = usable(customer_name)
  const email = usable(customer_email)
  const named = once(name ? byName.filter(({ asked }) => asked === name) : [])
  const addressed = once(email ? byEmail.filter(({ asked }) => asked === email) : [])
  if (!name && !email) return { customer: null, warning: 'Whom the invoice is for was not found: send customer_id.' }
  const exact = named.filter((candidate) => candidate.name.toLowerCase() === name?.toLowerCase())
  const both = named.filter(({ id }) => addressed.some((other) => other.id === id))
  const fitting = [both, exact, named, addressed].find((some) => some.length === 1)?.[0]
  if (!fitting) {
    const several = named.length > 1 || addressed.length > 1
    const none = `There is no customer ${name ?? email}: create it, send customer_id, or ask for create_customers.`
    return { customer: null, warning: several ? `Several customers fit ${name ?? email}: send customer_id.` : none }
  }
  if (fitting.status === 'archived') return { customer: null, warning: `The customer ${fitting.name} is archived: restore it, or send customer_id.` }
  const by_address = !named.some(({ id }) => id === fitting.id) && name !== null
  return { customer: fitting, warning: by_address ? `The customer ${fitting.name} was found by the address ${email}; the document names ${name}.` : null }
}

function once(candidates: readonly Candidate[]): Candidate[] {
  const all = [...new Map(candidates.map((candidate) => [candidate.id, candidate])).values()]
  const active = all.filter(({ status }) => status === 'active')
  return active.length > 0 ? active : all
}

function usable<T>(found: Found<T> | null): T | null {
  return found && found.confidence >= USABLE ? found.value : null
}

export type Term = { id: string; kind: string; days: number }

/** The draft, without its customer; null where there is nothing to charge. */
export function draftOf(
  found: Extraction, file_name: string, terms: readonly Term[], base_currency: Currency,
): { input: Omit<InvoiceInput, 'customer_id'>; warnings: string[] } | null {
  const warnings: string[] = []
  const line_items = linesOf(found, file_name, found.currency?.value ?? base_currency, warnings)
  if (line_items.length === 0 || found.is_credit) return null
  const invoice_date = usable(found.invoice_date)
  const due_date = usable(found.due_date)
  const days = found.payment_terms ? daysOf(found.payment_terms.value) : null
  const term = days === null ? undefined : terms.find((one) => (days === 0 ? one.kind === 'due_on_receipt' : one.kind === 'net_days' && one.days === days))
  const currency = usable(found.currency)
  const tax_mode = taxModeOf(found)
  return {
    input: {
      line_items,
      invoice_number: usable(found.invoice_number)?.slice(0, 40) ?? null,
      invoice_date: invoice_date && isDate(invoice_date) ? invoice_date : null,
      due_date: due_date && isDate(due_date) && !(invoice_date && due_date < invoice_date) ? due_date : null,
      purchase_order_number: usable(found.purchase_order_number)?.slice(0, 100) ?? null,
      payment_terms_id: term?.id ?? null,
      internal_note: `Read from ${file_name}.`.slice(0, 2000),
      ...(currency ? { currency } : {}),
      ...(tax_mode ? { tax_mode } : {}),
    },
    warnings,
  }
}

/** As the document has it; where it does not say, the settings decide. */
function taxModeOf({ line_items, tax, total }: Extraction): 'exclusive' | 'inclusive' | 'none' | null {
  if (!total || line_items.length === 0) return null
  const sum = line_items.reduce((all, { amount }) => all + amount, 0)
  if (!tax || tax.value === 0) return total.value === sum ? 'none' : null
  return total.value === sum ? 'inclusive' : total.value === sum + tax.value ? 'exclusive' : null
}

function linesOf(found: Extraction, file_name: string, currency: Currency, warnings: string[]): LineInput[] {
  const charged = found.line_items.filter(({ amount }) => amount > 0)
  if (charged.length === 0) {
    const total = found.subtotal?.value ?? (found.total ? found.total.value - (found.tax?.value ?? 0) : 0)
    if (total <= 0 || total > MOST_PRICE) return []
    warnings.push('No lines were found: the draft has one line of the whole sum.')
    return [{ description: `As in ${file_name}`, quantity: 1, unit_price: total }]
  }
  const kept = charged.slice(0, MOST_LINES)
  if (kept.length < charged.length) warnings.push(`The document has ${charged.length} lines, of which the first ${MOST_LINES} are on the draft.`)
  const lines = kept.map((line) => lineInput(line, currency))
  return spread(lines, kept, found.line_items.filter(({ amount }) => amount < 0), currency, warnings)
}

/** Quantities are whole numbers: anything else becomes one, with the calculation in its description. */
function lineInput({ description, quantity, unit_price, amount }: FoundLine, currency: Currency): LineInput {
  const what = description.trim() || 'Item'
  const whole = quantity !== null && unit_price !== null && /^\d{1,9}$/.test(quantity) && Number(quantity) * unit_price === amount
  if (whole) return { description: what.slice(0, 2000), quantity: Number(quantity), unit_price }
  const calculation = quantity !== null && unit_price !== null && quantity !== '1' ? ` (${quantity} × ${formatCents(unit_price, currency)})` : ''
  return { description: `${what.slice(0, 1900)}${calculation}`, quantity: 1, unit_price: amount }
}

/** What is taken off the whole is taken off each line in proportion, since a line cannot be negative. */
function spread(lines: LineInput[], charged: readonly FoundLine[], taken: readonly FoundLine[], currency: Currency, warnings: string[]): LineInput[] {
  const off = -taken.reduce((sum, { amount }) => sum + amount, 0)
  const sum = charged.reduce((all, { amount }) => all + amount, 0)
  if (off === 0) return lines
  if (off > sum) {
    warnings.push(`More is taken off (${formatCents(off, currency)}) than the lines come to: it is left out.`)
    return lines
  }
  warnings.push(`${taken.map(({ description }) => description).join(', ').slice(0, 200)} of ${formatCents(off, currency)} is spread over the lines.`)
  const parts = splitCents(off, charged.map(({ amount }) => amount))
  return lines.map((line, index) => ({ ...line, discount_amount: parts[index] ?? 0 }))
}

export type Twin = { id: string; number: string | null; customer_id: string; total: number }

/** An invoice with the same number, customer and total is the same invoice. */
export function isTwin(twin: Twin, customer_id: string, totals: readonly (number | null)[]): boolean {
  return twin.customer_id === customer_id && totals.includes(twin.total)
}

/** Who is made anew; null where not even a name is sure. */
export function newCustomerOf({ customer_name, customer_email, currency }: Extraction): { name: string; email: string | null; currency?: Currency } | null {
  const name = usable(customer_name)?.trim().slice(0, 200)
  const email = usable(customer_email)
  if (!name) return null
  return { name, email: email && email.length <= 254 ? email : null, ...(currency ? { currency: currency.value } : {}) }
}
