// Amounts, quantities and dates as people write them on either side of the Atlantic.
import { isDate } from '../calendar.ts'
import { CURRENCIES, type Currency } from '../money.ts'

export type DecimalMark = '.' | ','
export type DateOrder = 'day-month' | 'month-day'

/** How a document writes its numbers and dates; null where nothing in it says so. */
export type Writing = { mark: DecimalMark | null; order: DateOrder | null }

export type FoundNumber = {
  /** Exact decimal text such as -1234.5. */
  value: string
  text: string
  start: number
  end: number
  currency: Currency | null
  /** A sign that several currencies share. */
  shared_sign: boolean
  percent: boolean
}

const SIGNS: Record<string, Currency> = { '€': 'EUR', '£': 'GBP', 'US$': 'USD', 'C$': 'CAD', 'CA$': 'CAD', 'A$': 'AUD', 'AU$': 'AUD' }
const MONEY_WORDS = String.raw`US\$|CA\$|AU\$|C\$|A\$|[$€£]|(?:USD|CAD|AUD|EUR|GBP)(?![a-z])`
const DIGITS = String.raw`\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?:[.,]\d{1,4})?|\d{1,3}(?: \d{3})+[.,]\d{2}(?!\d)|\d{1,15}(?:[.,]\d{1,6})?|[.,]\d{1,4}`
// A bracket or a minus, a sign of money, the digits, a minus or a sign behind them, a bracket; not a part of a word, a date or a name.
const NUMBER = new RegExp([
  String.raw`(?<![\w.,/#-])(\(\s*)?([-−–]\s*)?(${MONEY_WORDS})?\s?([-−])?(${DIGITS})`,
  String.raw`(\s*-(?=\s|$))?(?:\s?(${MONEY_WORDS}|%|Euro\b|€))?(\s*\))?(?![\w/]|[.,]\d|-\w)`,
].join(''), 'giu')
const UNITS = /[\s.:()*=x×@-]|\b(?:hrs?|hours?|h|days?|d|pcs?|pieces?|units?|ea|each|stk|std|tage?|stück|months?|mo)\b\.?/gi

/** The numbers in a text, from left to right; dates and names such as A-17 are none. */
export function numbersIn(text: string, mark: DecimalMark | null): FoundNumber[] {
  const shown = withoutDates(text)
  return Array.from(shown.matchAll(NUMBER)).flatMap((match): FoundNumber[] => {
    const [whole, opened, minus, before, inner, digits = '', behind_minus, after, closed] = match
    const value = decimalOf(digits, mark)
    if (value === null) return []
    const signs = [before, after].filter((word): word is string => Boolean(word) && word !== '%')
    const currency = signs.map(currencyNamed).find((named) => named !== null) ?? null
    const negative = Boolean(minus || inner || behind_minus || (opened && closed))
    const lead = whole.length - whole.trimStart().length
    const start = match.index + lead
    return [{
      value: negative && Number(value) !== 0 ? `-${value}` : value, text: whole.trim(), start, end: match.index + whole.length,
      currency, shared_sign: currency === null && signs.includes('$'), percent: after === '%',
    }]
  })
}

/** The one number that a cell consists of, but for words of money and units. */
export function numberOf(text: string, mark: DecimalMark | null): FoundNumber | null {
  const found = numbersIn(text, mark)
  const [first] = found
  if (found.length !== 1 || !first) return null
  const rest = (text.slice(0, first.start) + text.slice(first.end)).replaceAll(UNITS, '')
  return rest === '' ? first : null
}

/** null where it has more decimals than money, or is too large to be an amount. */
export function centsOf(decimal: string): number | null {
  const match = /^(-?)(\d{1,13})(?:\.(\d+))?$/.exec(decimal)
  if (!match) return null
  const [, sign, whole = '', fraction = ''] = match
  if (/[1-9]/.test(fraction.slice(2))) return null
  const cents = Number(whole + fraction.slice(0, 2).padEnd(2, '0'))
  return sign && cents !== 0 ? -cents : cents
}

function decimalOf(digits: string, mark: DecimalMark | null): string | null {
  const text = digits.replaceAll(/['’\u00a0\u202f ]/g, '')
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  if (last < 0) return trimmed(text, '')
  const separator = text[last] as DecimalMark
  const other = separator === '.' ? ',' : '.'
  const whole = text.slice(0, last)
  const fraction = text.slice(last + 1)
  if (whole.includes(separator)) return whole.includes(other) ? null : trimmed(text.replaceAll(separator, ''), '')
  if (whole.includes(other)) return trimmed(whole.replaceAll(other, ''), fraction)
  // One separator and three digits: thousands, unless the document uses it for decimals, or nothing stands before it.
  const thousands = fraction.length === 3 && mark !== separator && whole.length >= 1 && whole.length <= 3 && !whole.startsWith('0')
  return thousands ? trimmed(whole + fraction, '') : trimmed(whole, fraction)
}

function trimmed(whole: string, fraction: string): string {
  const front = whole.replace(/^0+(?=\d)/, '') || '0'
  const rest = fraction.replace(/0+$/, '')
  return rest === '' ? front : `${front}.${rest}`
}

export function currencyNamed(text: string): Currency | null {
  const word = text.trim().toUpperCase()
  if (word === 'EURO') return 'EUR'
  return SIGNS[word] ?? (CURRENCIES as readonly string[]).find((code) => code === word) as Currency | undefined ?? null
}

/** How numbers and dates are written here, by those that can be read in one way only. */
export function writingOf(texts: readonly string[]): Writing {
  const votes = { '.': 0, ',': 0 }
  const orders = { 'day-month': 0, 'month-day': 0 }
  for (const text of texts) {
    for (const [, first, , second] of text.matchAll(NUMERIC_DATE)) {
      if (Number(first) > 12 && Number(second) <= 12) orders['day-month'] += 1
      if (Number(second) > 12 && Number(first) <= 12) orders['month-day'] += 1
    }
    for (const [digits] of withoutDates(text).matchAll(/\d[\d.,]*\d/g)) {
      if (/^\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(digits)) votes[','] += 3
      else if (/^\d{1,3}(?:,\d{3})+\.\d{1,2}$/.test(digits)) votes['.'] += 3
      else if (/^\d+,\d{2}$/.test(digits)) votes[','] += 1
      else if (/^\d+\.\d{2}$/.test(digits)) votes['.'] += 1
    }
  }
  return {
    mark: votes['.'] === votes[','] ? null : votes['.'] > votes[','] ? '.' : ',',
    order: orders['day-month'] === orders['month-day'] ? null : orders['day-month'] > orders['month-day'] ? 'day-month' : 'month-day',
  }
}

export type FoundDate = { date: string; text: string; start: number; end: number; ambiguous: boolean }

const NUMERIC_DATE = /(?<![\d.,/-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/-]|\.\d)/g
const ISO_DATE = /(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/g
const MONTHS = [
  'jan(?:uary|uar|vier|eiro)?|jänner|ene(?:ro)?|gen(?:naio)?', 'feb(?:ruary|ruar|rero|braio)?|f[ée]v(?:rier|ereiro)?', 'mar(?:ch|s|zo|ço)?|mär(?:z)?|maart',
  'apr(?:il|ile)?|avr(?:il)?|abr(?:il)?', 'may|mai(?:o)?|mayo|mag(?:gio)?|mei', 'june?|juni?|juin|junio|giu(?:gno)?',
  'july?|juli|juil(?:let)?|julio|lug(?:lio)?',
  'aug(?:ust|ustus)?|août|ago(?:sto)?', 'sep(?:t|tember|tembre|tiembre)?|set(?:tembre)?', 'oct(?:ober|obre|ubre)?|okt(?:ober)?|ott(?:obre)?',
  'nov(?:ember|embre|iembre)?', 'dec(?:ember)?|dez(?:ember)?|d[ée]c(?:embre)?|dic(?:iembre|embre)?',
].map((names) => new RegExp(`^(?:${names})$`, 'i'))
const DAY_FIRST = /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º)?[ -]+(?:of |de |di )?(\p{L}{3,10})\.?,?[ -]+(?:de )?(\d{4})(?!\d)/giu
const MONTH_FIRST = /(?<!\p{L})(\p{L}{3,10})\.?[ -]+(\d{1,2})(?:st|nd|rd|th)?,?[ -]+(\d{4})(?!\d)/giu

/** The dates in a text. Where day and month could be either, the order given decides, and the date says that it is ambiguous without one. */
export function datesIn(text: string, order: DateOrder | null, assumed: DateOrder): FoundDate[] {
  const found: FoundDate[] = []
  const add = (match: RegExpMatchArray, year: number, month: number, day: number, ambiguous = false) => {
    const date = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
    const start = match.index ?? 0
    if (year >= 1970 && year <= 2200 && isDate(date)) found.push({ date, text: match[0], start, end: start + match[0].length, ambiguous })
  }
  for (const match of text.matchAll(ISO_DATE)) add(match, Number(match[1]), Number(match[3]), Number(match[4]))
  for (const match of text.matchAll(DAY_FIRST)) add(match, Number(match[3]), monthNamed(match[2]), Number(match[1]))
  for (const match of text.matchAll(MONTH_FIRST)) add(match, Number(match[3]), monthNamed(match[1]), Number(match[2]))
  for (const match of text.matchAll(NUMERIC_DATE)) {
    const [first, second, year] = [Number(match[1]), Number(match[3]), Number(match[4])]
    const full = year < 100 ? 2000 + year : year
    // With dots the day comes first everywhere.
    const settled: DateOrder | null = match[2] === '.' || first > 12 ? 'day-month' : second > 12 ? 'month-day' : first === second ? 'day-month' : order
    const [day, month] = (settled ?? assumed) === 'day-month' ? [first, second] : [second, first]
    add(match, full, month, day, settled === null)
  }
  const ordered = found.toSorted((a, b) => a.start - b.start)
  return ordered.filter((date, index) => index === 0 || date.start >= (ordered[index - 1]?.end ?? 0))
}

function monthNamed(text = ''): number {
  return MONTHS.findIndex((names) => names.test(text)) + 1
}

/** The same text with dates blanked out, so that their parts are not taken for numbers. */
function withoutDates(text: string): string {
  const blanked = (whole: string) => (!/\p{L}/u.test(whole) || hasMonth(whole) ? ' '.repeat(whole.length) : whole)
  return [ISO_DATE, NUMERIC_DATE, DAY_FIRST, MONTH_FIRST].reduce((shown, pattern) => shown.replaceAll(pattern, blanked), text)
}

function hasMonth(text: string): boolean {
  return (text.match(/\p{L}+/gu) ?? []).some((word) => monthNamed(word) > 0)
}
