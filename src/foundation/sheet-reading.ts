// Turns the bytes of a CSV or XLSX file from anywhere into rows of text, or says in one sentence why it cannot.
import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import { setImmediate as pause } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { readSheet as readFirstSheet } from 'read-excel-file/node'
import { ArchiveError, pack, unpack } from './archive.ts'
import { invalid, Refusal } from './refusal.ts'

export const MOST_ROWS = 500_000
export const MOST_COLUMNS = 1_000
const MOST_CELLS = 10_000_000
const LONGEST_ROW = 1_000_000
const ARCHIVE_LIMITS = { entries: 2_000, bytes: 100 * 1_048_576 }
const CHUNK = 65_536

/** The rows as they stand in the file, the first being row 1, some at a time: of a CSV file only a piece is held at once. */
export async function* readRows(name: string, content: Buffer): AsyncGenerator<string[][]> {
  if (content.length === 0) throw invalid(`${name} is empty.`)
  if (startsWith(content, 'PK\x03\x04')) return yield await readXlsx(name, content)
  if (startsWith(content, '\xd0\xcf\x11\xe0')) throw invalid(`${name} is in the old Excel format; save it as XLSX or CSV.`)
  if (startsWith(content, '%PDF')) throw invalid(`${name} is a PDF; send a CSV or XLSX file.`)
  yield* readCsv(name, content)
}

function startsWith(content: Buffer, signature: string): boolean {
  return content.toString('latin1', 0, signature.length) === signature
}

async function* readCsv(name: string, content: Buffer): AsyncGenerator<string[][]> {
  if (!isUtf8(content) || content.includes(0)) throw invalid(`${name} is not text in UTF-8; save it as CSV UTF-8 or as XLSX.`)
  const parser = parse({ bom: true, delimiter: delimiterOf(content), relax_column_count: true, max_record_size: LONGEST_ROW })
  let read = 0
  let rows: string[][] = []
  parser.on('data', (row: string[]) => rows.push(row))
  const ended = once(parser, 'end')
  ended.catch(() => {}) // met below
  try {
    for (let start = 0; start < content.length; start += CHUNK) {
      await new Promise<void>((resolve, reject) => parser.write(content.subarray(start, start + CHUNK), (error) => (error ? reject(error) : resolve())))
      // Other requests are served while a large file is read.
      await pause()
      yield* taken()
    }
    parser.end()
    await ended
    yield* taken()
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalid(`Row ${read + rows.length + 1} of ${name} ${CSV_PROBLEMS[error.code] ?? 'could not be read'}.`)
  }

  function* taken(): Generator<string[][]> {
    if (rows.length === 0) return
    read += rows.length
    if (read > MOST_ROWS + 1) throw tooManyRows(name)
    const some = rows
    rows = []
    yield some
  }
}

const CSV_PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'opens a quote that is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote; write a quote inside a quoted cell twice',
  INVALID_OPENING_QUOTE: 'has a quote inside a cell that is not quoted; quote the whole cell and write the quote twice',
  CSV_MAX_RECORD_SIZE: `is longer than ${LONGEST_ROW} characters`,
}

/** The one that stands most often in the first line, outside quotes. */
function delimiterOf(content: Buffer): string {
  const counts = new Map([[',', 0], [';', 0], ['\t', 0]])
  let quoted = false
  for (const character of content.toString('utf8', 0, CHUNK)) {
    if (character === '"') quoted = !quoted
    else if (!quoted && (character === '\n' || character === '\r')) break
    else if (!quoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  return [...counts].reduce((best, candidate) => (candidate[1] > best[1] ? candidate : best))[0]
}

async function readXlsx(name: string, content: Buffer): Promise<string[][]> {
  const parts = await unpackWorkbook(name, content)
  for (const part of parts.values()) requireSensibleSize(name, part)
  try {
    const rows = await readFirstSheet<string>(pack(parts), 1, { trim: false, parseNumber: plainNumber })
    if (rows.length > MOST_ROWS + 1) throw tooManyRows(name)
    return rows.map((row, index) => row.map((cell) => cellText(name, index + 1, cell)))
  } catch (error) {
    if (error instanceof Refusal) throw error
    const [, row] = /row (\d+)/.exec((error as Error).message) ?? []
    throw invalid(row ? `Row ${row} of ${name} could not be read; save the file anew as XLSX or as CSV.` : unreadable(name))
  }
}

async function unpackWorkbook(name: string, content: Buffer): Promise<Map<string, Buffer>> {
  try {
    const parts = await unpack(content, ARCHIVE_LIMITS, (path) => path.endsWith('.xml') || path.endsWith('.xml.rels'))
    if (!parts.has('xl/workbook.xml')) throw invalid(`${name} is an archive but not an XLSX file.`)
    return parts
  } catch (error) {
    if (error instanceof ArchiveError) throw invalid(`${name} ${error.message}; save it anew as XLSX or as CSV.`)
    throw error
  }
}

const ROW_OR_CELL = /<(?:[^\s<>/:"'=]+:)?(?:row|c)(?=[\s/>])([^<>]*)>/g
const PLAIN_ATTRIBUTES = /^(?:\s+[\w:.-]+\s*=\s*"[^"<>]*")*\s*\/?$/
const ADDRESS = /[\s:]r\s*=\s*"([^"]*)"/g

/**
 * A cell may claim to stand in the last row and column there is, and a reader that fills the gaps would run out of memory.
 * Tags that are written in an unusual way are refused rather than understood differently than the reader would.
 */
function requireSensibleSize(name: string, part: Buffer): void {
  if (!part.includes('sheetData')) return
  let [rows, columns] = [0, 0]
  for (const [, attributes = ''] of part.toString('latin1').matchAll(ROW_OR_CELL)) {
    if (!PLAIN_ATTRIBUTES.test(attributes)) throw invalid(unreadable(name))
    for (const [, address = ''] of attributes.matchAll(ADDRESS)) {
      const match = /^([A-Z]{0,3})(\d{1,7})$/.exec(address)
      if (!match) throw invalid(unreadable(name))
      rows = Math.max(rows, Number(match[2]))
      columns = Math.max(columns, columnNumber(match[1] ?? ''))
    }
  }
  if (rows > MOST_ROWS + 1) throw tooManyRows(name)
  if (columns > MOST_COLUMNS) throw tooManyColumns(name)
  if (rows * columns > MOST_CELLS) throw invalid(`${name} has more than ${MOST_CELLS} cells; split it.`)
}

function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return number
}

function cellText(name: string, row: number, cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (!(cell instanceof Date)) return String(cell)
  if (Number.isNaN(cell.getTime()) || cell.getUTCFullYear() > 9999) throw invalid(`Row ${row} of ${name} has a date that does not exist.`)
  return cell.toISOString().slice(0, 10)
}

const LARGE = 1e13
const BEYOND_CENTS = 1e15

/**
 * A number as people wrote it. Spreadsheets keep binary fractions, whose last digits are noise: 15 digits count, or the
 * cents where the whole is so large that 15 digits would not reach them.
 */
export function plainNumber(text: string): string {
  const value = Number(text)
  if (!Number.isFinite(value)) return text
  if (Number.isSafeInteger(value)) return String(value + 0)
  const size = Math.abs(value)
  if (size >= LARGE && size < BEYOND_CENTS) return value.toFixed(2).replace(/\.?0+$/, '')
  const [mantissa = '', exponent = '0'] = size.toExponential(14).split('e')
  const digits = mantissa.replace('.', '')
  const point = Number(exponent) + 1
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0'
  const fraction = (point > 0 ? digits.slice(point) : digits.padStart(digits.length - point, '0')).replace(/0+$/, '')
  return `${value < 0 ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`
}

function unreadable(name: string): string {
  return `${name} is not an XLSX file that can be read; save it anew as XLSX or as CSV.`
}

function tooManyRows(name: string): Refusal {
  return invalid(`${name} has more than ${MOST_ROWS} rows; row ${MOST_ROWS + 2} is the first too many, so split the file.`)
}

export function tooManyColumns(name: string): Refusal {
  return invalid(`Row 1 of ${name} has more than ${MOST_COLUMNS} columns; leave out those that are not needed.`)
}
