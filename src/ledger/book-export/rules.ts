// How the books are written for hledger (which ledger reads too) and for beancount: names, amounts, entries. Pure.
import { CURRENCIES } from '../../foundation/money.ts'
import type { LedgerType } from '../ledgers/contract.ts'
import type { ExportEntry, ExportFormat, ExportLedger, ExportLine } from './contract.ts'

/** The name of each ledger's account. */
export type AccountNames = ReadonlyMap<string, string>

export type ExportHead = { business_name: string; base_currency: string; journal_number: number; as_of: string | null; first_date: string }

const ROOTS: Record<LedgerType, string> = { asset: 'Assets', liability: 'Liabilities', equity: 'Equity', income: 'Income', expense: 'Expenses' }

/**
 * Names along the tree of the chart. Where escaping makes two neighbours equal, the later one carries the end of its id: a new ledger
 * never changes the name under which another was exported before.
 */
export function accountNames(format: ExportFormat, ledgers: readonly ExportLedger[]): AccountNames {
  const known = new Map(ledgers.map((ledger) => [ledger.id, ledger]))
  const depth = (ledger: ExportLedger): number => {
    let steps = 0
    for (let above = known.get(ledger.parent_id ?? ''); above && steps < ledgers.length; above = known.get(above.parent_id ?? '')) steps += 1
    return steps
  }
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const order = ledgers.map((ledger) => ({ ledger, depth: depth(ledger) })).sort((a, b) => a.depth - b.depth || (a.ledger.id < b.ledger.id ? -1 : 1))
  for (const { ledger } of order) {
    let name = `${names.get(ledger.parent_id ?? '') ?? ROOTS[ledger.type]}:${SEGMENT[format](ledger)}`
    while (taken.has(name)) name = `${name}${format === 'hledger' ? ' ' : '-'}${ledger.id.slice(-12)}`
    taken.add(name)
    names.set(ledger.id, name)
  }
  return names
}

const SEGMENT: Record<ExportFormat, (ledger: ExportLedger) => string> = {
  // A colon parts the levels of an account; a semicolon begins a comment; two spaces end the name, and one is all that is left of any white space.
  hledger: ({ number, name }) => cut(oneLine(number === null ? name : `${number} ${name}`).replaceAll(':', '-').replaceAll(';', ',')) || 'Ledger',
  beancount({ number, name }) {
    const text = oneLine(number === null ? name : `${number} ${name}`).replaceAll(NOT_IN_ACCOUNT, '-').replaceAll(/-{2,}/g, '-').replaceAll(/^-|-$/g, '')
    const [first = ''] = text
    const raised = first.toUpperCase() + text.slice(first.length)
    return STARTS_ACCOUNT.test(raised) ? raised : text === '' ? 'Ledger' : `Ledger-${text}`
  },
}

/** Ledger takes no level of 256 bytes or more; what is cut off leaves room for the end of an id. */
function cut(text: string): string {
  let bytes = 0
  const short = Array.from(text).filter((character) => (bytes += Buffer.byteLength(character)) <= 220).join('')
  return short.trim()
}

/** Beancount has a table of letters of its own, with holes in it: these scripts are whole. The real name goes into the metadata of the account. */
const NOT_IN_ACCOUNT = /[^A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u0481\u048a-\u0513-]/g
const STARTS_ACCOUNT = /^(?:[0-9]|(?=\p{Lu})[A-Z\u00c0-\u024f\u0388-\u03ab\u0400-\u042f])/u

/** What stands before the first entry: the accounts and the currencies. */
export function prologue(format: ExportFormat, head: ExportHead, ledgers: readonly ExportLedger[], names: AccountNames): string {
  const upto = `up to entry ${head.journal_number}${head.as_of === null ? '' : ` and ${head.as_of}`}`
  const title = `; The books of ${oneLine(head.business_name)}, ${upto}, as kept by Daybook. Base currency ${head.base_currency}.`
  const accounts = ledgers.map((ledger) => ({ ...ledger, account: names.get(ledger.id) ?? '' })).sort((a, b) => (a.account < b.account ? -1 : 1))
  if (format === 'hledger') {
    const currencies = CURRENCIES.map((currency) => `commodity ${currency}\n    format 1000.00 ${currency}`)
    return [title, '', ...currencies, '', ...accounts.map(({ account }) => `account ${account}`), ''].join('\n')
  }
  return [
    title,
    `option "title" ${quoted(head.business_name)}`,
    `option "operating_currency" "${head.base_currency}"`,
    // Every lot is kept at what it cost: an account may hold less than nothing of a currency.
    'option "booking_method" "NONE"',
    // It keeps the cost of one unit, to 28 digits: less than half a cent is its rounding, not ours.
    `option "inferred_tolerance_default" "${head.base_currency}:0.005"`,
    '',
    ...accounts.map(({ account, name }) => `${head.first_date} open ${account}\n  name: ${quoted(name)}`),
    '',
  ].join('\n')
}

/** One entry, with an empty line before it. */
export function entryText(format: ExportFormat, entry: ExportEntry, names: AccountNames, base_currency: string): string {
  const words = oneLine(entry.memo ?? '') || entry.source_type.replaceAll('_', ' ')
  const seal = `; entry ${entry.number} hash ${entry.hash}`
  if (format === 'hledger') {
    const lines = entry.lines.flatMap((line) => [
      ...costs(line, base_currency).map(({ amount, cost }) => `    ${names.get(line.ledger_id)}  ${amount}${cost === null ? '' : ` @@ ${cost}`}`),
      ...(line.memo === null ? [] : [`    ; ${comment(line.memo)}`]),
    ])
    return ['', `${entry.date} * (${entry.number}) ${words.replaceAll(';', ',')}`, `    ${seal}`, ...lines, ''].join('\n')
  }
  const lines = entry.lines.flatMap((line) => [
    ...costs(line, base_currency).map(({ amount, cost }) => `  ${names.get(line.ledger_id)}  ${amount}${cost === null ? '' : ` {{${cost}}}`}`),
    ...(line.memo === null ? [] : [`    memo: ${quoted(line.memo)}`]),
  ])
  return ['', seal, `${entry.date} * ${quoted(words)}`, ...lines, ''].join('\n')
}

/**
 * A line as amounts with what each cost, which has no sign of its own: a line that only moves the base currency is an amount there,
 * and so is what two amounts of opposite signs (a cent of rounding on a tiny line) cannot say together.
 */
function costs({ currency, amount, base_amount }: ExportLine, base_currency: string): { amount: string; cost: string | null }[] {
  const base = { amount: `${decimal(base_amount)} ${base_currency}`, cost: null }
  if (currency === base_currency || amount === 0) return [base]
  const agree = amount > 0 === base_amount > 0 || base_amount === 0
  const foreign = { amount: `${decimal(amount)} ${currency}`, cost: `${decimal(agree ? Math.abs(base_amount) : 0)} ${base_currency}` }
  return agree ? [foreign] : [foreign, base]
}

function decimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Text on one line: no control or invisible characters, and single spaces. */
function oneLine(text: string): string {
  return text.normalize('NFC').replaceAll(/\p{Cf}/gu, '').replaceAll(/[\s\p{Cc}\p{Z}]+/gu, ' ').trim()
}

/** In a comment `word:` would be a tag, which for both programs can mean a date or a formula, and so can brackets. */
function comment(text: string): string {
  return oneLine(text).replaceAll(':', ' :').replaceAll('[', '(').replaceAll(']', ')')
}

function quoted(text: string): string {
  return `"${oneLine(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
