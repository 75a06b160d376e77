// What a cell of a file means: the same text is read one way only, and where it could be read two ways it is refused.
import { isDate } from '../../foundation/calendar.ts'
import { invalid, Refusal } from '../../foundation/refusal.ts'
import { readMoney } from '../../foundation/sheets.ts'
import type { Field } from '../import-kinds/contract.ts'

export const DATE_FORMATS = ['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const
export type DateFormat = (typeof DATE_FORMATS)[number]
export type Writing = { date_format: DateFormat | null; decimal_separator: '.' | ',' }

/** As it stands, without blanks around it and the apostrophe that keeps a spreadsheet from taking text for a formula. */
export function cellText(text: string | undefined): string {
  return (text ?? '').trim().replace(/^'(?=[=+\-@\t\r])/, '')
}

/** The value of a cell that is not empty; a reference stays text. */
export function readCell(field: Pick<Field, 'type' | 'choices'>, text: string, writing: Writing): string | number {
  switch (field.type) {
    case 'money': return readAmount(text, writing)
    case 'integer': return readInteger(text, writing)
    case 'date': return readDate(text, writing.date_format)
    case 'choice': return readChoice(text, field.choices)
    default: return text
  }
}

const SIGNS = /^([-−(]?)\s*[$€£]\s*|\s*[$€£]$/gu

function readAmount(text: string, { decimal_separator }: Writing): number {
  return readMoney(withPoint(text.replace(SIGNS, '$1'), decimal_separator, text))
}

function readInteger(text: string, { decimal_separator }: Writing): number {
  const cents = attempt(() => readMoney(withPoint(text, decimal_separator, text)))
  if (cents === null || cents % 100 !== 0) throw invalid(`'${shown(text)}' is not a whole number.`)
  return cents / 100
}

/** With a decimal point and commas between thousands, as amounts are read. */
function withPoint(text: string, decimal_separator: '.' | ',', original: string): string {
  if (decimal_separator === '.') return text
  const turned = text.replaceAll(/[.,\s\u00a0']/g, (mark) => (mark === '.' ? ',' : mark === ',' ? '.' : ''))
  if (/,\d{3}(?:,\d{3})*(?:\.|$)/.test(turned) || !turned.includes(',')) return turned
  throw invalid(`'${shown(original)}' is not an amount with a decimal comma; write it like 1.234,56.`)
}

const PARTS = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/

/** Whether this could be two days. */
export function isAmbiguous(text: string): boolean {
  const [, first = '', , second = ''] = PARTS.exec(text) ?? []
  return first !== '' && Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second)
}

export function readDate(text: string, format: DateFormat | null): string {
  // Spreadsheets and programs add a time of day that nobody meant.
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/.exec(text)?.[1]
  if (iso !== undefined && isDate(iso)) return iso
  const [, first = '', , second = '', year = ''] = PARTS.exec(text) ?? []
  if (first !== '' && format !== 'YYYY-MM-DD') {
    if (format === null && isAmbiguous(text)) throw invalid(`'${text}' could be two different days: say date_format.`)
    const [day, month] = format === 'MM/DD/YYYY' || (format === null && Number(second) > 12) ? [second, first] : [first, second]
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    if (isDate(date)) return date
  }
  throw invalid(`'${shown(text)}' is not a date; write it like ${format ?? 'YYYY-MM-DD'}, with four digits for the year.`)
}

function readChoice(text: string, choices: readonly string[]): string {
  const plain = (given: string) => given.toLowerCase().replaceAll(/[\s_-]+/g, '')
  const found = choices.find((choice) => plain(choice) === plain(text))
  if (found === undefined) throw invalid(`'${shown(text)}' is none of ${choices.join(', ')}.`)
  return found
}

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

export function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/** The header as people see it: no name empty, none twice, all of them keys that an object can have. */
export function columnNames(header: readonly string[]): string[] {
  const names: string[] = []
  const seen = new Set<string>()
  for (const [position, text] of header.entries()) {
    const base = tidyText(text).trim().replaceAll(/\s+/g, ' ').slice(0, 100) || `Column ${position + 1}`
    const safe = base === '__proto__' ? `Column ${position + 1}` : base
    let name = safe
    for (let count = 2; seen.has(name); count++) name = `${safe} (${count})`
    seen.add(name)
    names.push(name)
  }
  return names
}

/** As it can be stored. */
export function tidyText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
