// A model's answer is a claim: each value counts as much as the words of the document that show it.
import { isDate } from '../../foundation/calendar.ts'
import { evidenceOf, type Evidence, type Found } from '../../foundation/document-text/labels.ts'
import type { DocumentPart, Line } from '../../foundation/document-text/pages.ts'
import { timesQuantity } from '../../foundation/document-text/tables.ts'
import { centsOf, datesIn, numbersIn, writingOf } from '../../foundation/document-text/values.ts'
import type { Currency } from '../../foundation/money.ts'
import { FIELD_NAMES, type Extraction, type FieldName, type Fields, type FoundLine, type ReadingContext } from '../invoice-extraction/contract.ts'
import { checked } from '../invoice-extraction/rules.ts'
import type { ModelAnswer } from './contract.ts'

const SHOWN = 90
const AGREED = 97
const ELSEWHERE = 65
const UNSHOWN = 25
const LONGEST_QUESTION = 60_000

/** The document as it is put to a model. */
export function questionOf({ lines, subject, sender }: DocumentPart, hint: string | null): string {
  const heads = [...(sender ? [`From: ${sender.name} <${sender.address}>`] : []), ...(subject ? [`Subject: ${subject}`] : [])]
  const body = [...heads, ...lines.map(({ text }) => text)].join('\n').replaceAll(/<\/?document>/gi, '').slice(0, LONGEST_QUESTION)
  return `${hint ? `A note of the person who sends it: ${hint}\n\n` : ''}<document>\n${body}\n</document>`
}

/** What of the answer stands in the document, put together with what the rules found in it. */
export function backed(answer: ModelAnswer, part: DocumentPart, rules: Extraction, context: ReadingContext): Extraction {
  const page = pageOf(part)
  const warnings: string[] = []
  const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, fieldOf(name, answer[name], rules[name], page, warnings)])) as Pick<Extraction, FieldName>
  const claimed = answer.line_items.flatMap((line): FoundLine[] => {
    const found = lineOf(line, page)
    if (found && found.evidence === null) warnings.push(`The line "${found.description.slice(0, 60)}" stands nowhere in the document.`)
    return found ? [found] : []
  })
  // Lines that nothing shows do not push out lines that something shows.
  const believed = claimed.length > 0 && (claimed.some(({ evidence }) => evidence) || rules.line_items.length === 0)
  const line_items = believed ? agreed(claimed, rules.line_items) : rules.line_items
  const is_credit = rules.is_credit || answer.kind === 'credit_note'
  if (answer.kind === 'other' && line_items.length === 0) warnings.push('This is neither an invoice nor a request for one.')
  return checked({ ...fields, line_items, is_credit, warnings }, part, context)
}

/** `amounts` has the figures of each line, in cents without sign, so that many claims cost no more than one. */
type Page = { lines: readonly Line[]; texts: string[]; whole: string; writing: ReturnType<typeof writingOf>; heads: string[]; amounts: Set<number>[] }

function pageOf({ lines, sender, subject }: DocumentPart): Page {
  const texts = lines.map(({ text }) => plain(text))
  const writing = writingOf(lines.map(({ text }) => text))
  const heads = [sender?.name, sender?.address, subject].flatMap((head) => (head ? [plain(head)] : []))
  return { lines, texts, whole: texts.join(' '), writing, heads, amounts: lines.map(({ text }) => amountsIn(text, writing)) }
}

function amountsIn(text: string, { mark }: ReturnType<typeof writingOf>): Set<number> {
  return new Set(numbersIn(text, mark).flatMap(({ value }) => centsOf(value.replace('-', '')) ?? []))
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}

type Claim = { value: string | number | null; quote: string | null }

function fieldOf<Name extends FieldName>(
  name: Name, { value, quote }: Claim, known: Found<Fields[Name]> | null, page: Page, warnings: string[],
): Found<Fields[Name]> | null {
  const sound = value !== null && isSound(name, value)
  // What the rules found and the model did not is still there.
  if (!sound) return known && { ...known, confidence: Math.min(known.confidence, 80) }
  const claimed = (typeof value === 'string' ? value.trim() : value) as Fields[Name]
  if (known && same(known.value, claimed)) return { ...known, confidence: Math.max(known.confidence, AGREED) }
  const quoted = quote ? find(page, quote) : null
  if (quoted && shows(name, claimed, quote ?? '', page)) return { value: claimed, confidence: SHOWN, evidence: quoted }
  const elsewhere = whereShown(name, claimed, page)
  if (elsewhere) return { value: claimed, confidence: ELSEWHERE, evidence: elsewhere }
  if (known) return known
  warnings.push(`${name} (${String(claimed).slice(0, 60)}) stands nowhere in the document: check it.`)
  return { value: claimed, confidence: UNSHOWN, evidence: null }
}

function isSound(name: FieldName, value: string | number): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && (name === 'subtotal' || name === 'tax' || name === 'total') && value >= 0
  if (value.trim() === '' || !value.isWellFormed() || value.includes('\0')) return false
  if (name === 'invoice_date' || name === 'due_date') return isDate(value)
  if (name === 'customer_email') return /^[^\s@<>"]{1,64}@[\w-]+(?:\.[\w-]+)+$/.test(value)
  return true
}

function same(a: string | number, b: string | number): boolean {
  return typeof a === 'string' && typeof b === 'string' ? plain(a) === plain(b) : a === b
}

/** The line that a quote is from; one that runs over several is found by its beginning. */
function find({ lines, texts, whole, heads }: Page, quote: string): Evidence | null {
  const wanted = plain(quote)
  if (wanted.length < 2) return null
  const index = texts.findIndex((text) => text.includes(wanted))
  const line = lines[index]
  if (line) return evidenceOf(line)
  if (heads.some((head) => head.includes(wanted))) return { text: quote.slice(0, 200), page: 1, line: 1 }
  if (!whole.includes(wanted)) return null
  const first = lines.find((_, at) => wanted.startsWith(texts[at] ?? '\0') || (texts[at] ?? '').endsWith(wanted.slice(0, 12)))
  return first ? evidenceOf(first) : null
}

/** Whether these words say this value: amounts and dates are read in them, anything else must stand there. */
function shows(name: FieldName, value: string | number, words: string, { writing }: Page): boolean {
  if (typeof value === 'number') return value === 0 ? words !== '' : amountsIn(words, writing).has(Math.abs(value))
  if (name === 'invoice_date' || name === 'due_date') {
    return (['day-month', 'month-day'] as const).some((order) => datesIn(words, writing.order, order).some(({ date }) => date === value))
  }
  if (name === 'currency') return words.toUpperCase().includes(value) || (SIGNS[value as Currency] ?? []).some((sign) => words.includes(sign))
  return plain(words).includes(plain(value))
}

const SIGNS: Record<Currency, string[]> = { USD: ['$'], CAD: ['$'], AUD: ['$'], EUR: ['€', 'Euro'], GBP: ['£'] }

function whereShown(name: FieldName, value: string | number, page: Page): Evidence | null {
  const line = page.lines.find(({ text }, index) => (typeof value === 'number' ? page.amounts[index]?.has(Math.abs(value)) : shows(name, value, text, page)))
  return line ? evidenceOf(line) : null
}

function lineOf({ description, quantity, unit_price, amount, quote }: ModelAnswer['line_items'][number], page: Page): FoundLine | null {
  if (!Number.isSafeInteger(amount) || !description.isWellFormed() || description.includes('\0')) return null
  const product = quantity !== null && unit_price !== null ? timesQuantity(unit_price, quantity) : null
  const consistent = product !== null && Math.abs(product - amount) <= 1
  const kept = consistent ? { quantity, unit_price } : { quantity: null, unit_price: null }
  const quoted = quote && (shows('total', amount, quote, page) || (unit_price !== null && shows('total', unit_price, quote, page))) ? find(page, quote) : null
  const evidence = quoted ?? whereLine(amount, unit_price, description, page)
  const confidence = evidence === null ? UNSHOWN : quoted ? (consistent ? SHOWN : 75) : ELSEWHERE
  return { description: description.trim().slice(0, 2_000) || 'Item', ...kept, amount, confidence, evidence }
}

/** A line that has both a word of the description and the amount or the price. */
function whereLine(amount: number, unit_price: number | null, description: string, page: Page): Evidence | null {
  const words = plain(description).split(/[^\p{L}\d]+/u).filter((word) => word.length >= 4)
  const line = page.lines.find((_, index) => {
    const figures = page.amounts[index]
    const priced = figures?.has(Math.abs(amount)) || (unit_price !== null && figures?.has(Math.abs(unit_price)))
    return priced && words.some((word) => page.texts[index]?.includes(word))
  })
  return line ? evidenceOf(line) : null
}

function agreed(claimed: FoundLine[], rules: readonly FoundLine[]): FoundLine[] {
  return claimed.map((line) => {
    const twin = rules.find(({ amount, quantity, description }) =>
      amount === line.amount && (quantity === line.quantity || plain(description) === plain(line.description)))
    return twin ? { ...line, confidence: Math.max(line.confidence, AGREED), evidence: line.evidence ?? twin.evidence } : line
  })
}

/** Of an e-mail its attachments where one is worth something, else what it says itself; of anything else all. */
export function partsWorthReading(found: { part: DocumentPart; extraction: Extraction }[]): { part: DocumentPart; extraction: Extraction }[] {
  const worth = found.filter(({ part, extraction }) => part.name !== null && (extraction.line_items.length > 0 || extraction.total !== null))
  if (worth.length === 0) return found.slice(0, 1)
  const said = found.find(({ part }) => part.name === null)?.extraction
  // Who it is for may stand in the message alone.
  return worth.map(({ part, extraction }) => {
    if (extraction.customer_name || !said?.customer_name) return { part, extraction }
    // The address of the sender is the last resort, and only where nobody is named.
    const { customer_name, customer_email } = said
    return { part, extraction: { ...extraction, customer_name, customer_email } }
  })
}
