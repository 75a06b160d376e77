// Reads an invoice by rules: labels and the values beside them, the table of its lines, and whether the figures agree.
import { addDays, isDate } from '../../foundation/calendar.ts'
import { evidenceOf, labelled, surest, type Found } from '../../foundation/document-text/labels.ts'
import type { DocumentPart, Line } from '../../foundation/document-text/pages.ts'
import { DISCOUNT, EXTRA, tableOf, TAX, type TableRow } from '../../foundation/document-text/tables.ts'
import { centsOf, datesIn, numbersIn, writingOf, type DateOrder, type FoundNumber, type Writing } from '../../foundation/document-text/values.ts'
import { anyOf } from '../../foundation/document-text/words.ts'
import { formatCents, type Currency } from '../../foundation/money.ts'
import { readRequest } from '../invoice-requests/rules.ts'
import { customerOf } from '../invoice-parties/rules.ts'
import { FIELD_NAMES, type Extraction, type FoundLine, type ReadingContext } from './contract.ts'

const r = String.raw

export function extractInvoice(part: DocumentPart, context: ReadingContext): Extraction {
  const { lines } = part
  const writing = writingOf(lines.map(({ text }) => text))
  const currency = currencyOf(lines, writing, context)
  const assumed: DateOrder = writing.mark === ',' || ((currency?.value ?? context.base_currency) !== 'USD') ? 'day-month' : 'month-day'
  const { rows, others } = tableOf(lines, writing.mark)
  const line_items = rows.length > 0 ? [...rows.map(foundLine), ...extrasOf(others, writing)] : []
  const invoice_number = numberOf(others)
  const dates = datesOf(others, writing, assumed)
  // The day of an order is not the day of the invoice for it.
  if (!invoice_number && lines.slice(0, 15).some(({ text }) => ORDER.test(text))) dates.invoice_date = null
  const found: Extraction = {
    invoice_number,
    ...customerOf(part),
    ...dates,
    currency,
    purchase_order_number: orderNumberOf(lines),
    payment_terms: termsOf(lines),
    line_items,
    subtotal: sumOf(lines, SUBTOTAL, writing),
    tax: taxOf(lines, writing),
    total: null,
    is_credit: lines.slice(0, 15).some(({ text }) => CREDIT.test(text)),
    warnings: [],
  }
  const complete = { ...found, total: totalOf(lines, writing, found) }
  const requested = complete.line_items.length === 0 ? readRequest(part, writing, context) : null
  return checked(withSender(withDue(requested ? merged(complete, requested) : complete), part), part, context)
}

/** Where nothing says whom it is for, it may be for the one who sent it. */
function withSender(found: Extraction, { sender }: DocumentPart): Extraction {
  if (!sender || found.customer_name || found.customer_email) return found
  const evidence = { text: `From: ${sender.name} <${sender.address}>`.slice(0, 200), page: 1, line: 1 }
  return { ...found, customer_email: { value: sender.address.toLowerCase(), confidence: 50, evidence } }
}

/** What a request says in words counts where the page has no label for it. */
function merged(labels: Extraction, request: Partial<Extraction>): Extraction {
  const result = { ...labels } as Record<string, unknown>
  for (const [name, value] of Object.entries(request)) {
    const before = result[name] as Found<unknown> | null
    if (value && (name === 'line_items' || !before || before.confidence < (value as Found<unknown>).confidence)) result[name] = value
  }
  return result as Extraction
}

function foundLine({ description, quantity, unit_price, amount, confidence, text, page, line }: TableRow): FoundLine {
  return { description, quantity, unit_price, amount, confidence, evidence: { text: text.slice(0, 200), page, line } }
}

const NUMBER_LABEL = anyOf([
  'invoice', r`inv\.?`, 'rechnungs?', 'facture', 'factura', 'fattura', 'factuur',
], { before: r`\b`, after: r`[ -]*(?:no\.?(?![a-z])|number|nummer|nr\.?|num\.?|n[°º]\.?|#|№|id\b|reference)` })
const NUMBER_HEADING = /^\W*(?:(?:tax |sales )?invoice|rechnung|facture|factura|fattura|factuur)(?=[ :#])/i
const CREDIT = /^\W*(?:credit (?:note|memo(?:randum)?)|gutschrift|stornorechnung|avoir|nota de crédito|nota di credito)\b/i
const ORDER = /^\W*(?:purchase order|order confirmation|bestellung|bon de commande|pedido)\b/i
const BARE_LABEL = /^(?:no|nr|number|#)(?=[.: ])/i
const ITS_NUMBER = /^((?=[\w/.-]*\d)[A-Z0-9][A-Z0-9/_.-]{0,39})(?=[\s,;)]|$)/i

function numberOf(lines: readonly Line[]): Found<string> | null {
  const read = (text: string) => {
    const value = ITS_NUMBER.exec(text.replace(/^(?:no|nr|number|#)?[\s.:#]*/i, ''))?.[1]?.replace(/[.-]+$/, '')
    return value && datesIn(value, null, 'day-month').length === 0 ? { value } : null
  }
  return surest([...labelled(lines, NUMBER_LABEL, read), ...labelled(lines, NUMBER_HEADING, (text) => (text.length < 40 ? read(text) : null), 0.85),
    ...labelled(lines.slice(0, 12), BARE_LABEL, (text) => (/^[\w/.-]+$/.test(text) ? read(text) : null), 0.7)])
}

// An accent is no letter to \b.
const WHOLE_WORDS = { before: '(?<![a-zà-ÿ])', after: '(?![a-zà-ÿ])' }
const OWN_DATE = anyOf([
  'invoice date', 'date of issue', 'issue date', 'issued(?: on)?', 'date issued', 'billing date', 'rechnungsdatum',
  'ausstellungsdatum', 'date de (?:la )?facture', r`date d'émission`, 'fecha de (?:factura|emisión)', 'data fattura',
  'factuurdatum',
], WHOLE_WORDS)
const ANY_DATE = anyOf([
  'due', 'order', 'delivery', 'service', 'payment', 'ship', 'shipping', 'start', 'end', 'print', 'po', r`p\.o\.`, 'lieferung',
  'leistungs?',
], { before: r`(?<!\b`, after: r`[ -]?)\b(?:date|datum|dated|fecha|data|le)\b(?! due| d'éch)` })
const DUE_DATE = anyOf([
  'due(?: date| on| by)?', 'date due', 'payment due(?: date| by| on)?', 'pay(?:able)? (?:by|until|before)',
  'fällig(?:keit)?(?: am| bis| zum)?', 'zahlbar bis(?: zum)?', r`(?:date d')?échéance`, '(?:fecha de )?vencimiento', 'scadenza',
  'vervaldatum',
], WHOLE_WORDS)

function datesOf(lines: readonly Line[], { order }: Writing, assumed: DateOrder): Pick<Extraction, 'invoice_date' | 'due_date'> {
  const read = (text: string) => {
    const first = datesIn(text, order, assumed)[0]
    return first && first.start < 14 ? { value: first.date, certainty: first.ambiguous ? 0.6 : 1 } : null
  }
  const due_date = surest(labelled(lines, DUE_DATE, read))
  const named = surest([...labelled(lines, OWN_DATE, read), ...labelled(lines, ANY_DATE, read, 0.95)])
  if (named) return { invoice_date: named, due_date }
  // A date by itself near the top, as letters have it.
  const alone = lines.slice(0, 25).flatMap((line): Found<string>[] => line.cells.flatMap(({ text }) => {
    const first = datesIn(text, order, assumed)[0]
    // The name of a place may stand before it.
    const by_itself = first && text.replace(first.text, '').replaceAll(/\p{Lu}\p{Ll}+,?|\W/gu, '').length < 4
    return by_itself ? [{ value: first.date, confidence: first.ambiguous ? 40 : 60, evidence: evidenceOf(line) }] : []
  }))
  return { invoice_date: alone.find(({ value }) => value !== due_date?.value) ?? null, due_date }
}

const ORDER_NUMBER = anyOf([
  r`p\.? ?o\.?(?! ?box)(?: ?(?:no\.?|number|nr\.?|#|ref\.?))?`, r`purchase order(?: ?(?:no\.?|number|#))?`,
  r`bestell(?:ung|nummer|nr\.?)(?: nr\.?)?`, 'bon de commande', r`your (?:order|ref(?:erence)?)(?: ?(?:no\.?|number|#))?`,
], { before: r`\b`, after: r`(?=[\s:#.]|$)` })

function orderNumberOf(lines: readonly Line[]): Found<string> | null {
  return surest(labelled(lines, ORDER_NUMBER, (text) => {
    const value = ITS_NUMBER.exec(text.replace(/^(?:is|no|nr|number|ref)?[\s.:#]*/i, ''))?.[1]?.replace(/[.-]+$/, '')
    return value && !/^box\b/i.test(text) && datesIn(value, null, 'day-month').length === 0 ? { value } : null
  }))
}

const TERMS = anyOf([
  r`\d{1,2}(?:\.\d+)? ?% ?(?:\/ ?)?\d{1,3},? net \d{1,3}`, r`net[ -]?\d{1,3}(?: days)?`, '(?:due|payable) (?:up)?on receipt',
  r`(?:due|payable|payment)(?: is)?(?: due)? (?:with)?in \d{1,3} days`, r`\d{1,3} days(?: net| from invoice date)`,
  r`zahlbar innerhalb(?: von)? \d{1,3} tagen`, r`\d{1,3} tage netto`, r`innerhalb(?: von)? \d{1,3} tagen`, r`à \d{1,3} jours`,
  r`(?:within|in) \d{1,3} days of (?:invoice|receipt)`,
], WHOLE_WORDS)

export function termsOf(lines: readonly Line[]): Found<string> | null {
  for (const line of lines) {
    const match = TERMS.exec(line.text)
    if (match) return { value: match[0], confidence: 92, evidence: evidenceOf(line) }
  }
  return null
}

/** Days until payment that terms name: the last number counts, since a discount comes first. */
export function daysOf(terms: string): number | null {
  if (/receipt/i.test(terms)) return 0
  const days = /net[ -]?(\d{1,3})/i.exec(terms)?.[1] ?? terms.match(/\d{1,3}(?! ?%)/g)?.at(-1)
  return days === undefined ? null : Number(days)
}

function withDue(found: Extraction): Extraction {
  const { payment_terms, invoice_date, due_date } = found
  const days = payment_terms && daysOf(payment_terms.value)
  if (due_date || !invoice_date || !payment_terms || days === null || !isDate(invoice_date.value)) return found
  const due = { value: addDays(invoice_date.value, days), confidence: Math.min(80, invoice_date.confidence), evidence: payment_terms.evidence }
  return { ...found, due_date: due }
}

const SUBTOTAL = anyOf([
  'sub ?-?total', 'net (?:amount|total)', r`total (?:excl|ht\b|net\b|before)`, 'zwischensumme', 'netto(?:betrag|summe)?',
  'summe netto', 'sous-total', 'montant ht', 'base imponible', 'imponibile', 'subtotaal',
], { before: '^' })
const TOTALS: [RegExp, number][] = [
  [anyOf([
    'invoice total', 'grand total', 'total amount', 'order total', 'gesamtbetrag', 'rechnungsbetrag', 'endbetrag',
    'brutto(?:betrag|summe)?', 'summe brutto', 'montant total', 'total ttc', r`total \(?incl`, 'importe total', 'totale fattura',
    'totaal incl',
  ], { before: '^' }), 95],
  [/^(?:total due|total payable|net à payer|total a pagar|zu zahlen)/i, 94],
  [/^(?:amount (?:due|payable)|balance(?: due)?|please pay)/i, 90],
  [/^(?:total|summe|gesamt(?:summe)?|totaal|totale)\b(?! ?\(?(?:excl|ht\b|net\b|before|hours|qty|quantity|tax|vat|discount|paid))/i, 88],
]

/** The figure of a row of sums: the last on its line, or below a label that has none. */
function figuresOf(lines: readonly Line[], label: RegExp, { mark }: Writing): Found<number>[] {
  return lines.flatMap((line, index): Found<number>[] => {
    const position = line.cells.findIndex(({ text }) => label.test(text.trim()))
    if (position < 0) return []
    const here = amountOf(line.cells.slice(position).map(({ text }) => text).join('  '), mark)
    const alone = (line.cells[position]?.text ?? '').trim().replace(label, '').replaceAll(/\W/g, '') === ''
    const below = here === null && alone ? lines[index + 1] : undefined
    const amount = here ?? (below && below.page === line.page && below.cells.length === 1 ? amountOf(below.text, mark) : null)
    return amount === null ? [] : [{ value: amount, confidence: 92, evidence: evidenceOf(line) }]
  })
}

function amountOf(text: string, mark: Writing['mark']): number | null {
  const last = numbersIn(text, mark).findLast(({ percent }) => !percent)
  return last ? centsOf(last.value) : null
}

function sumOf(lines: readonly Line[], label: RegExp, writing: Writing): Found<number> | null {
  return figuresOf(lines, label, writing).at(-1) ?? null
}

/** Taxes of several kinds add up. */
function taxOf(lines: readonly Line[], writing: Writing): Found<number> | null {
  const found = figuresOf(lines, TAX_ROW, writing)
  const [first] = found
  return first ? { ...first, value: found.reduce((sum, { value }) => sum + value, 0), confidence: found.length > 1 ? 80 : 92 } : null
}

const TAX_ROW = anyOf([TAX.source.replace('^', '')], {
  before: r`^(?:(?:zzgl|plus|add|inkl|incl|including|davon|enthaltene|total)\.? ?)?(?:\d{1,2}(?:[.,]\d+)? ?% ?)?`,
})

/** What agrees with the lines and the tax, else the label that says it best. */
function totalOf(lines: readonly Line[], writing: Writing, { line_items, subtotal, tax }: Extraction): Found<number> | null {
  const candidates = TOTALS.flatMap(([label, confidence]) => figuresOf(lines, label, writing).map((found) => ({ ...found, confidence })))
  const sum = line_items.length > 0 ? line_items.reduce((total, { amount }) => total + amount, 0) : subtotal?.value
  const agreeing = sum === undefined ? [] : candidates.filter(({ value }) => value === sum + (tax?.value ?? 0) || value === sum)
  const [best] = (agreeing.length > 0 ? agreeing : candidates).toSorted((a, b) => b.confidence - a.confidence)
  return best ? { ...best, confidence: agreeing.length > 0 ? 98 : best.confidence } : null
}

/** Below the table: what is charged for sending, and what is taken off. */
function extrasOf(lines: readonly Line[], writing: Writing): FoundLine[] {
  return lines.flatMap((line): FoundLine[] => {
    const label = line.cells.find(({ text }) => EXTRA.test(text) || DISCOUNT.test(text))
    const amount = label && amountOf(line.cells.slice(line.cells.indexOf(label)).map(({ text }) => text).join('  '), writing.mark)
    if (!label || !amount) return []
    const discount = DISCOUNT.test(label.text)
    const description = label.text.replace(/[\s:(-]*[$€£]?[\d.,\s%)-]+$/, '').trim() || label.text
    return [{ description, quantity: null, unit_price: null, amount: discount ? -Math.abs(amount) : amount, confidence: 85, evidence: evidenceOf(line) }]
  })
}

const OTHER_CURRENCY = /\b(?:CHF|SEK|NOK|DKK|JPY|PLN|CZK|INR|NZD|SGD|ZAR|BRL|MXN|HUF|CNY|RON|TRY)\b|[¥₹₽₺]/

function currencyOf(lines: readonly Line[], { mark }: Writing, { base_currency }: ReadingContext): Found<Currency> | null {
  const counts = new Map<Currency, Found<Currency> & { count: number }>()
  let shared: Line | null = null
  const count = (currency: Currency, line: Line, confidence: number) => {
    const known = counts.get(currency)
    const evidence = known?.evidence ?? evidenceOf(line)
    counts.set(currency, { value: currency, confidence: Math.max(confidence, known?.confidence ?? 0), count: (known?.count ?? 0) + 1, evidence })
  }
  for (const line of lines) {
    const signs = line.text.matchAll(/US\$|CA\$|AU\$|C\$|A\$|[€£]|\b(?:USD|CAD|AUD|EUR|GBP)(?![a-z])/g)
    for (const [sign] of signs) count(CURRENCY_SIGNS[sign] ?? (sign as Currency), line, 95)
    if (!shared && numbersIn(line.text, mark).some((number: FoundNumber) => number.shared_sign)) shared = line
  }
  const best = [...counts.values()].toSorted((a, b) => b.count - a.count)[0]
  if (best) return { value: best.value, confidence: counts.size > 1 ? 70 : best.confidence, evidence: best.evidence }
  if (!shared) return null
  const dollars = base_currency === 'CAD' || base_currency === 'AUD' ? base_currency : 'USD'
  return { value: dollars, confidence: base_currency === dollars ? 85 : 65, evidence: evidenceOf(shared) }
}

const CURRENCY_SIGNS: Record<string, Currency> = { US$: 'USD', CA$: 'CAD', C$: 'CAD', AU$: 'AUD', A$: 'AUD', '€': 'EUR', '£': 'GBP' }

/** Lines win over a sum that disagrees. What is unsure because of the picture it came from is less sure in every field. */
export function checked(found: Extraction, part: Pick<DocumentPart, 'letter_confidence' | 'lines'>, { base_currency }: ReadingContext): Extraction {
  const warnings = [...found.warnings]
  const shown = (cents: number) => formatCents(cents, found.currency?.value ?? base_currency)
  const sum = found.line_items.reduce((total, { amount }) => total + amount, 0)
  const tax = found.tax?.value ?? 0
  const { total } = found
  let agreed = total
  if (found.line_items.length > 0 && total && total.value !== sum && total.value !== sum + tax) {
    warnings.push(`The lines come to ${shown(sum)}${tax ? ` and tax of ${shown(tax)}` : ''}, but the document says ${shown(total.value)}: the lines count.`)
    agreed = { ...total, confidence: Math.min(total.confidence, 40) }
  }
  const agree = found.line_items.length > 0 && total !== null && agreed === total
  const other = found.currency ? null : part.lines.map(({ text }) => OTHER_CURRENCY.exec(text)?.[0]).find(Boolean)
  if (other) warnings.push(`The amounts seem to be in ${other}, which is none of the currencies that are kept here.`)
  const { invoice_date, due_date } = found
  if (invoice_date && due_date && due_date.value < invoice_date.value) {
    warnings.push(`The due date ${due_date.value} lies before the invoice date ${invoice_date.value}.`)
  }
  if (invoice_date && invoice_date.confidence < 70) {
    const shown_as = invoice_date.evidence ? `: the document has "${invoice_date.evidence.text.slice(0, 60)}"` : ''
    warnings.push(`The invoice date ${invoice_date.value} is not certain${shown_as}.`)
  }
  if (found.is_credit) warnings.push('This is a credit note: it is not turned into an invoice.')
  const line_items = found.line_items.map((line) => ({ ...line, confidence: agree ? Math.max(line.confidence, 96) : line.confidence }))
  return dimmed({ ...found, total: agreed, line_items, warnings }, part.letter_confidence)
}

function dimmed(found: Extraction, letter_confidence: number | null): Extraction {
  if (letter_confidence === null) return found
  const dim = <T extends { confidence: number }>(one: T): T => ({ ...one, confidence: Math.round((one.confidence * letter_confidence) / 100) })
  const fields = FIELD_NAMES.map((name) => [name, found[name] && dim(found[name] as Found<unknown>)])
  return { ...found, ...Object.fromEntries(fields), line_items: found.line_items.map(dim) }
}
