// Reads a request in plain words, such as "please invoice ACME for 3 days of consulting at 1,200".
import { evidenceOf, type Found } from '../../foundation/document-text/labels.ts'
import type { DocumentPart, Line } from '../../foundation/document-text/pages.ts'
import { timesQuantity } from '../../foundation/document-text/tables.ts'
import { anyOf } from '../../foundation/document-text/words.ts'
import { centsOf, datesIn, numbersIn, type FoundNumber, type Writing } from '../../foundation/document-text/values.ts'
import type { Extraction, FoundLine, ReadingContext } from '../invoice-extraction/contract.ts'
import { ADDRESS } from '../invoice-parties/rules.ts'

const GREETING = /^(?:hi|hello|hey|dear|good (?:morning|afternoon)|hallo|bonjour)\b/i
const SIGN_OFF = /^(?:(?:best|kind|warm|many)?\s*(?:regards|wishes|thanks)|thanks|thank you|cheers|sincerely|yours|--\s*$|mit freundlichen|sent from)\b/i

export function readRequest(part: DocumentPart, writing: Writing, context: ReadingContext): Partial<Extraction> | null {
  const lines = spoken(part.lines)
  const line_items = lines.flatMap((line) => linesOf(line, writing))
  const customer = customerOf(lines, part)
  if (line_items.length === 0 && !customer.customer_name) return null
  return { ...customer, ...datesOf(lines, writing, context), ...(line_items.length > 0 ? { line_items } : {}) }
}

/** Between greeting and sign-off; a sentence that is broken over two lines is put together again. */
function spoken(lines: readonly Line[]): Line[] {
  const kept: Line[] = []
  for (const line of lines) {
    if (SIGN_OFF.test(line.text) && kept.length > 0) break
    if (GREETING.test(line.text) && line.text.length < 40) continue
    const before = kept.at(-1)
    const follows = before && before.page === line.page && line.line === before.line + 1
    const goesOn = follows && before.text.length > 40 && /[\p{L}\d,]$/u.test(before.text) && /^\p{Ll}/u.test(line.text)
    if (goesOn) kept[kept.length - 1] = { ...before, text: `${before.text} ${line.text}`.slice(0, 1_000), line: line.line }
    else kept.push(line)
  }
  return kept
}

const r = String.raw
const ASK = '(?:[Ii]nvoice|[Bb]ill|[Cc]harge)'
const OURS = '(?:our (?:client|customer) )?'
/** Begins with a capital; small words may stand inside. */
const NAME = r`([\p{Lu}\d][\p{L}\d&.'’+-]*(?:,? (?:[\p{Lu}&][\p{L}\d&.'’+-]*|and (?=\p{Lu})|of (?=\p{Lu})|de|van|von|der|du|la)){0,6})`
const NOBODY = r`(?!(?:us|me|for|to|the|them|him|her|it|this|that|these|number|no|date|once|as|attached|an?|at|on|please|our|my|services?)\b|\d)`
const ASKED = [
  r`\b${ASK}\s+${OURS}${NOBODY}${NAME}`,
  r`\b(?:[Aa]n?|[Tt]he|[Tt]his|[Aa]nother|[Yy]our|one) (?:new )?(?:invoice|bill)\s+(?:(?:out )?to|for)\s+${OURS}${NOBODY}${NAME}`,
  r`\b(?:[Cc]lient|[Cc]ustomer|[Bb]ill to|[Ii]nvoice to)\s*(?:is|:)\s*${NAME}`,
].map((pattern) => new RegExp(pattern, 'u'))
const US = anyOf([
  r`(?:invoice|bill|charge)\s+(?:us|me)`, '(?:an?|your|the) invoice to (?:us|me)', 'send (?:us|me) (?:an?|the|your) (?:invoice|bill)',
  'to our (?:company|office|account)',
], { before: r`\b`, after: r`\b` })

function customerOf(lines: readonly Line[], { sender, lines: all }: DocumentPart): Pick<Extraction, 'customer_name' | 'customer_email'> {
  const mentioned = lines.flatMap((line): Found<string>[] => {
    const address = ADDRESS.exec(line.text)?.[0].toLowerCase()
    return address && address !== sender?.address.toLowerCase() ? [{ value: address, confidence: 75, evidence: evidenceOf(line) }] : []
  })
  for (const line of lines) {
    for (const pattern of ASKED) {
      const name = pattern.exec(line.text)?.[1]?.replace(/[\s.,]+$/, '').replace(/(?<=\p{Ll}{3})\. .*$/u, '')
      if (!name || /^(?:Hi|Hello|Dear|Thanks|Please|I|We)$/.test(name)) continue
      return { customer_name: { value: name, confidence: 85, evidence: evidenceOf(line) }, customer_email: mentioned[0] ?? null }
    }
  }
  const self = lines.find(({ text }) => US.test(text))
  const company = sender && self ? companyOf(sender, all) : null
  if (!sender || !self || !company) return { customer_name: null, customer_email: null }
  const evidence = evidenceOf(self)
  return { customer_name: { value: company, confidence: 60, evidence }, customer_email: { value: sender.address.toLowerCase(), confidence: 80, evidence } }
}

const COMPANY = /\b(?:inc|ltd|llc|llp|gmbh|ag|corp|corporation|company|co|limited|s\.?a\.?r?\.?l?|b\.?v|plc|group|partners|studio|agency|consulting)\b\.?/i

/** The firm under the signature, else the sender by name. */
function companyOf(sender: { name: string; address: string }, lines: readonly Line[]): string | null {
  const from = lines.findIndex(({ text }) => SIGN_OFF.test(text))
  const firm = from < 0 ? undefined : lines.slice(from + 1, from + 8).find(({ text }) => COMPANY.test(text) && text.length <= 80)
  return firm?.text.trim() ?? (sender.name.trim() || null)
}

const UNIT = String.raw`days?|hours?|hrs?|h|units?|pcs|pieces?|months?|weeks?|licen[cs]es?|seats?|users?|tage?|stunden|jours?|heures?`
const COUNTED = new RegExp(r`^\s*(?:${UNIT})\b`, 'i')
const PRICED = /(?:\bat\b|@|\bà\b|\bfor\b|\bzu\b|\bje\b|:|=|-|–|—)\s*(?:a rate of\s+)?$/i
const PER = new RegExp(String.raw`^\s*(?:(?:each|apiece|a|an|per|\/|pro|par)\s*(?:${UNIT})?\b|each\b)`, 'i')

/** Each priced thing of a sentence; several are parted by commas, semicolons and "and". */
function linesOf(line: Line, { mark }: Writing): FoundLine[] {
  const text = line.text.replace(/^[\s*•·–-]+/, '')
  if (/\b(?:total|in total|altogether|insgesamt|budget|already paid|sum of|call me|phone|tel)\b/i.test(text) && !/\band\b|;/i.test(text)) return []
  return segmentsOf(text).flatMap((segment): FoundLine[] => {
    // "30 days" are terms, "3 days of" something are sold.
    const numbers = numbersIn(segment, mark).filter(({ percent, end }) => !percent && !/^\s*days\b(?! of\b)/i.test(segment.slice(end)))
    const price = priceOf(segment, numbers)
    const cents = price && centsOf(price.value)
    if (!price || cents === null || cents <= 0) return []
    const counted = numbers.filter((number) => number !== price && number.end <= price.start && number.currency === null && !number.shared_sign)
    const quantity = counted.find((number) => isCount(segment, number)) ?? null
    const description = described(segment, price, quantity)
    if (description.length < 3) return []
    const each = quantity !== null
    const amount = each ? timesQuantity(cents, quantity.value) : cents
    if (amount === null) return []
    const confidence = (each ? 80 : 72) - (price.currency || price.shared_sign || /[.,]\d{2}$/.test(price.text) ? 0 : 8)
    return [{ description, quantity: each ? quantity.value : '1', unit_price: cents, amount, confidence, evidence: evidenceOf(line) }]
  })
}

const BETWEEN = new RegExp([
  ';', r`(?:,|\.)\s+(?=(?:and |plus )?\d)`, r`\s+(?:and|plus|sowie|und|et)\s+(?=(?:also )?(?:\d|[$€£]|an?\b|the\b))`, r`(?<=\p{L}{2}|\d)\.\s+(?=\p{Lu})`,
].join('|'), 'u')

function segmentsOf(text: string): string[] {
  return text.split(BETWEEN)
}

/** The one with a sign of money, else the one that "at" or a colon leads to. */
function priceOf(segment: string, numbers: readonly FoundNumber[]): FoundNumber | null {
  const signed = numbers.filter((number) => number.currency !== null || number.shared_sign)
  if (signed.length > 0) return signed.at(-1) ?? null
  const likely = ({ text, value }: FoundNumber) => numbers.length > 1 || /[.,]\d{2}$/.test(text) || Number(value) >= 20
  return numbers.findLast((number) => PRICED.test(segment.slice(0, number.start)) && likely(number)) ?? null
}

function isCount(segment: string, number: FoundNumber): boolean {
  const behind = segment.slice(number.end)
  const count = Number(number.value)
  return count > 0 && count <= 100_000 && (/^\s*[x×]\s/i.test(behind) || COUNTED.test(behind) || /^\s+\p{L}{3,}/u.test(behind))
}

/** What is left when the figures and the words of asking are taken away. */
function described(segment: string, price: FoundNumber, quantity: FoundNumber | null): string {
  const behind = segment.slice(price.end).replace(PER, '')
  const before = segment.slice(quantity ? quantity.end : 0, price.start).replace(PRICED, '').replace(/^\s*[x×]\s+/i, '')
  const following = /^\s*(?:for|für|pour)\s+(.+)$/i.exec(behind)?.[1]
  const asked = quantity ? before : before.replace(/^.*?\b(?:invoice|bill|charge)\b.*?\b(?:for|:)\s*/i, '')
  const source = following ?? (asked.trim() === '' || /\b(?:invoice|bill|charge)\b/i.test(asked) ? behind : asked)
  const what = quantity ? source.replace(/^\s*(?:units?|pcs|pieces?)\s+of\s+/i, '') : source
  return what
    .replace(/[?!](?:\s.*)?$|\.\s.*$/, '')
    .replace(/\s*[,;.:?!=–-]\s*$/, '')
    .replace(/^\s*(?:the|an?|our|your|for|and|of|also)\s+/i, '')
    .replace(/[\s,]*\b(?:please|thanks|thank you)\b.*$/i, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^./u, (first) => first.toUpperCase())
}

function datesOf(lines: readonly Line[], { order, mark }: Writing, { base_currency }: ReadingContext): Partial<Pick<Extraction, 'invoice_date' | 'due_date'>> {
  const assumed = mark === ',' || base_currency !== 'USD' ? 'day-month' : 'month-day'
  const after = (line: Line, label: RegExp): Found<string> | null => {
    const match = label.exec(line.text)
    const first = match && datesIn(line.text.slice(match.index + match[0].length), order, assumed)[0]
    return first && first.start < 6 ? { value: first.date, confidence: first.ambiguous ? 50 : 85, evidence: evidenceOf(line) } : null
  }
  const found = (label: RegExp) => lines.map((line) => after(line, label)).find((one) => one !== null) ?? null
  const invoice_date = found(/\b(?:dated?|date it|date the invoice|invoice date|as of|with (?:the )?date)\b:?/i)
  const due_date = found(/\b(?:due|pay(?:able)? by|payment by|no later than)\b(?: on| by)?:?/i)
  return { ...(invoice_date ? { invoice_date } : {}), ...(due_date ? { due_date } : {}) }
}
