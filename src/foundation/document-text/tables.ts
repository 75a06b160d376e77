// Finds the table of things sold or bought in a document: its header names the columns, each row below is a line of it.
import type { Cell, Line } from './pages.ts'
import { divideRounded } from '../money.ts'
import { anyOf } from './words.ts'
import { centsOf, numberOf, numbersIn, type DecimalMark, type FoundNumber } from './values.ts'

const r = String.raw

/** Amounts are cents; a quantity is exact decimal text. */
export type TableRow = {
  description: string
  quantity: string | null
  unit_price: number | null
  amount: number
  /** How sure: high where quantity times price is the amount. */
  confidence: number
  page: number
  line: number
  text: string
}

type Column = 'description' | 'quantity' | 'unit_price' | 'amount' | 'other'
type Place = { column: Column; left: number; right: number; told?: boolean }

const HEADINGS: [Column, RegExp][] = [
  ['other', anyOf([
    '#', r`pos\.?`, r`no\.?`, r`nr\.?`, r`item (?:no|#|code|id)\.?.*`, 'sku', 'code', r`art\.? ?-?nr\.?`, 'date', 'datum',
    'service date', 'tax', 'taxed', 'vat', 'vat ?%', 'tax ?%', 'gst', r`mwst\.?`, r`ust\.?`, 'tva', 'iva', 'discount',
    r`disc\.? ?%?`, 'rabatt', 'remise', 'unit', 'uom', 'einheit', 'unité', 'currency', 'taxable',
  ], { before: '^', after: '$' })],
  ['unit_price', anyOf([
    'unit ?(?:price|cost|rate)?', 'price', 'rate', 'cost', r`price ?(?:\/|per) ?unit`, 'each', 'hourly rate', 'day rate',
    'einzelpreis', 'einzel', 'e-?preis', 'preis', 'stückpreis', 'prix(?: unitaire)?(?: ht)?', r`p\.? ?u\.?(?: ht)?`,
    'precio(?: unitario)?', 'prezzo(?: unitario)?', 'prijs',
  ], { before: '^', after: r`(?: ?\(?(?:usd|eur|gbp|cad|aud|[$€£])\)?)?$` })],
  ['quantity', anyOf([
    r`qty\.?`, 'quantity', 'qnty', 'hours?', 'hrs?', r`hours?\/qty`, r`qty\/hours?`, 'days', 'units', r`no\. of \w+`, 'menge',
    'anzahl', r`std\.?`, 'stunden', 'tage', 'qté', 'quantité', r`cant\.?`, 'cantidad', r`q\.?tà`, 'quantità', 'aantal',
  ], { before: '^', after: '$' })],
  ['amount', anyOf([
    'amount', 'line (?:total|amount)', 'total(?: (?:price|amount|cost|ht|net))?', 'sum', 'subtotal', 'net(?: amount)?',
    r`ext(?:ended)?\.? ?(?:price|amount)?`, 'gesamt(?:preis)?', 'betrag', 'summe', 'nettobetrag', 'montant(?: ht)?', 'importe',
    'importo', 'totale', 'bedrag', 'totaal',
  ], { before: '^', after: r`(?: ?\(?(?:usd|eur|gbp|cad|aud|[$€£])\)?)?$` })],
  ['description', anyOf([
    'items?', 'descriptions?', r`item ?(?:&|and|\/)? ?descriptions?`, 'details?', 'services?',
    'services? (?:rendered|provided|description)', 'products?', r`product ?\/ ?service`, 'particulars', 'activity', 'articles?',
    'work(?: performed)?', 'tasks?', 'bezeichnung', 'beschreibung', 'leistung(?:en)?', 'artikel', 'position', 'désignation',
    'description', 'libellé', 'prestation', 'descripción', 'concepto', 'descrizione', 'omschrijving', 'goods',
  ], { before: '^', after: '$' })],
]

/** Where the table has ended: a sum, a tax, or what is to be paid. */
export const SUM = anyOf([
  'sub ?-?total', 'total', 'grand total', 'invoice total', 'order total',
  'total (?:amount|due|incl|excl|ht|ttc|net|gross|payable|price|in )', 'totals?', 'amount (?:due|payable|paid)',
  'balance(?: due)?', 'net (?:amount|total)', 'please pay',
  '(?:payments?|paid|deposits?)(?= ?(?:received|made|to date|on account)?[^a-z]*$)', 'zwischensumme', 'summe',
  'gesamt(?:betrag|summe)?', 'netto(?:betrag|summe)?', 'brutto(?:betrag)?', 'rechnungsbetrag', 'zu zahlen', 'sous-total',
  'montant (?:total|dû|ht|ttc)', 'base imponible', 'importe total', 'subtotaal', 'totaal', 'imponibile', 'totale',
], { before: '^', after: r`\b` })
export const TAX = anyOf([
  '(?:sales|state|local|city|county|value added|goods (?:and|&) services) tax', 'tax', 'vat', 'gst', 'hst', 'pst', 'qst', 'mwst', 'mehrwertsteuer', 'ust',
  'umsatzsteuer', 'tva', 'iva', 'btw', 'taxes',
], { before: r`^(?:\+ ?)?`, after: r`\b(?=[^a-z]*(?:$|\b(?:on|of|at|auf|de|sur|amount|total|rate)\b))` })
export const EXTRA = anyOf([
  'shipping', 'freight', 'delivery', 'postage', 'handling', 'shipping (?:&|and) handling', 'versand(?:kosten)?', 'porto', 'frais de port', 'surcharge',
], { before: '^', after: r`\b[^a-z]*$` })
export const DISCOUNT = anyOf([
  '(?:early[- ]payment |volume |special )?discount', 'less discount', 'rabatt', 'nachlass', 'skonto', 'remise', 'descuento',
  'sconto', 'korting',
], { before: '^', after: r`\b` })
const TELLING = /desc|bezeichn|beschreib|désign|libell|omschr|detail|particulars/i
const NOISE = /^(?:page \d+|seite \d+|\d+ ?\/ ?\d+$|[^\p{L}\d]*$|carried forward|brought forward|übertrag|continued)(?!\p{L})/iu

// A document that names columns again and again has no table.
const MOST_HEADERS = 10
const MOST_COLUMNS = 16

/** `others` are the lines that are no part of it. */
export type Table = { rows: TableRow[]; others: Line[] }

/** Without rows where there is no table. */
export function tableOf(lines: readonly Line[], mark: DecimalMark | null): Table {
  let tried = 0
  for (const [index, line] of lines.entries()) {
    const places = headerOf(line, lines[index + 1])
    if (!places) continue
    if ((tried += 1) > MOST_HEADERS) break
    const rows = rowsBelow(lines, index + 1, places, mark)
    if (rows.length > 0) return { rows, others: without(lines, rows, line) }
  }
  const rows = bareRows(lines, mark)
  return { rows, others: without(lines, rows, null) }
}

function without(lines: readonly Line[], rows: readonly TableRow[], header: Line | null): Line[] {
  return lines.filter((line) => line !== header && !rows.some((row) => row.page === line.page && row.line === line.line))
}

/** A header names what is sold and what it costs, each in a place of its own; its words may stand on two lines. */
function headerOf(line: Line, next: Line | undefined): Place[] | null {
  if (line.cells.length > MOST_COLUMNS) return null
  for (const [cells, strangers] of [[line.cells, 1], [stacked(line, next), 0], [wordsOf(line), 1]] as const) {
    const places = cells.flatMap((cell): Place[] => {
      const column = columnOf(cell.text)
      return column ? [{ column, left: cell.left, right: cell.right, told: TELLING.test(cell.text) }] : []
    })
    const named = new Set(places.map(({ column }) => column))
    const unknown = cells.length - places.length
    const priced = named.has('amount') || named.has('unit_price')
    if (unknown <= strangers && priced && (named.has('description') || named.has('quantity'))) return asOneOfEach(places)
  }
  return null
}

/** Of two columns that could be the amount the last one is; of two that name a thing the one that describes it, else the first. */
function asOneOfEach(places: Place[]): Place[] {
  const amount = places.findLastIndex(({ column }) => column === 'amount')
  const telling = places.findIndex(({ column, told }) => column === 'description' && told)
  const description = telling >= 0 ? telling : places.findIndex(({ column }) => column === 'description')
  const price = places.findLastIndex(({ column }) => column === 'unit_price')
  const amounts = amount >= 0 ? places : places.map((place, index) => (index === price ? { ...place, column: 'amount' as const } : place))
  return amounts.map((place, index) => {
    const spare = (place.column === 'amount' && amount >= 0 && index !== amount) || (place.column === 'description' && index !== description)
    return spare ? { ...place, column: 'other' as const } : place
  })
}

function columnOf(text: string): Column | null {
  const word = text.trim().replace(/[:*]$/, '')
  return HEADINGS.find(([, names]) => names.test(word))?.[0] ?? null
}

/** "Unit" above "price": the cells of two lines that stand over each other. */
function stacked(line: Line, next: Line | undefined): Cell[] {
  if (!next || next.page !== line.page) return line.cells
  const below = [...next.cells]
  const joined = line.cells.map((cell) => {
    const at = below.findIndex((other) => other.left < cell.right && other.right > cell.left)
    const [other] = at >= 0 ? below.splice(at, 1) : []
    return other ? { text: `${cell.text} ${other.text}`, left: Math.min(cell.left, other.left), right: Math.max(cell.right, other.right) } : cell
  })
  return [...joined, ...below].toSorted((a, b) => a.left - b.left)
}

/** Where the gaps are too narrow to part the header, its words do, at places in proportion. */
function wordsOf({ cells }: Line): Cell[] {
  const words = cells.flatMap(({ text, left, right }) => Array.from(text.matchAll(/\S+/g), (match) => {
    const width = (right - left) / Math.max(1, text.length)
    return { text: match[0], left: left + match.index * width, right: left + (match.index + match[0].length) * width }
  }))
  const joined: Cell[] = []
  for (const word of words) {
    const before = joined.at(-1)
    const pair = before && /^(?:unit|line|item|prix)$/i.test(before.text) ? `${before.text} ${word.text}` : ''
    if (before && columnOf(pair)) joined[joined.length - 1] = { text: pair, left: before.left, right: word.right }
    else joined.push(word)
  }
  return joined
}

type Draft = Omit<TableRow, 'confidence' | 'amount'> & { amount: number | null; bottom: number; height: number }

function rowsBelow(lines: readonly Line[], from: number, places: Place[], mark: DecimalMark | null): TableRow[] {
  const drafts: Draft[] = []
  let above: { text: string; line: Line }[] = []
  for (const line of lines.slice(from)) {
    if (NOISE.test(line.text) || headerOf(line, undefined)) continue
    const cells = cellsByColumn(line, places, mark)
    const figures = [cells.quantity, cells.unit_price, cells.amount].filter((one) => one !== null).length
    const label = line.cells[0]?.text ?? ''
    if ((SUM.test(label) || TAX.test(label) || EXTRA.test(label) || DISCOUNT.test(label)) && !(cells.quantity && cells.unit_price)) break
    if (line.cells.length > 0 && line.cells.every(({ text }) => SUM.test(text) || numberOf(text, mark)) && line.cells.some(({ text }) => SUM.test(text))) break
    const amount = cells.amount ? centsOf(cells.amount.value) : null
    const unit_price = cells.unit_price ? centsOf(cells.unit_price.value) : null
    const quantity = cells.quantity?.value ?? null
    const last = drafts.at(-1)
    const height = line.bottom - line.top
    if (figures === 0 || (amount === null && (unit_price === null || quantity === null))) {
      if (cells.description === '') continue
      // Below a row at the distance of a line it goes on with it; above the first it begins it.
      if (last && last.page === line.page && line.top - last.bottom < 0.75 * Math.max(height, last.height)) {
        last.description = `${last.description} ${cells.description}`.trim()
        last.bottom = line.bottom
      } else {
        if (last && last.page === line.page && line.top - last.bottom > 6 * Math.max(height, last.height)) break
        above = [...above.filter((one) => isClose(one.line, line)), { text: cells.description, line }].slice(-4)
      }
      continue
    }
    // Words close above a row belong to it: its figures stand beside the last of them.
    const begun = above.filter((one, index) => isClose(one.line, above[index + 1]?.line ?? line)).map(({ text }) => text)
    const description = [...(cells.description === '' || begun.length > 0 ? begun : []), cells.description].join(' ').trim()
    above = []
    drafts.push({ description, quantity, unit_price, amount, page: line.page, line: line.line, text: line.text, bottom: line.bottom, height })
  }
  return drafts.flatMap(({ bottom: _bottom, height: _height, ...draft }) => completed(draft) ?? [])
}

function isClose(upper: Line, lower: Line): boolean {
  return upper.page === lower.page && lower.top - upper.bottom < 0.75 * Math.max(upper.bottom - upper.top, lower.bottom - lower.top)
}

type Cells = { description: string; quantity: FoundNumber | null; unit_price: FoundNumber | null; amount: FoundNumber | null }

/** Each cell under the heading it is nearest to: figures under headings of figures, words under those of words. */
function cellsByColumn(line: Line, places: Place[], mark: DecimalMark | null): Cells {
  const words: string[] = []
  const figures: { number: FoundNumber; cell: Cell }[] = []
  const texts = places.filter(({ column }) => column === 'description' || column === 'other')
  const cells = separated(line.cells, mark)
  for (const cell of cells) {
    const number = numberOf(cell.text, mark)
    const nearest = nearestTo(cell, places)
    const described = nearest?.column === 'description'
    if (number && !number.percent && !(described && overlap(cell, nearest) > 0)) figures.push({ number, cell })
    else if (nearestTo(cell, texts)?.column === 'description' && !(nearest?.column === 'other' && overlap(cell, nearest) > 0)) words.push(cell.text)
  }
  const description = words.join(' ').replaceAll(/\s+/g, ' ').trim()
  const columns = places.filter(({ column }) => column !== 'description')
  const byPlace = assigned(figures.map(({ number, cell }) => [nearestTo(cell, columns)?.column, number]))
  if (addsUp(byPlace) || cells.length !== places.length) return { description, ...byPlace }
  // Text without exact places has its cells in the right order at least.
  const numbers = cells.map(({ text }) => numberOf(text, mark))
  const byOrder = assigned(places.flatMap(({ column }, index) => (numbers[index] ? [[column, numbers[index]] as const] : [])))
  const described = cells[places.findIndex(({ column }) => column === 'description')]?.text ?? description
  return addsUp(byOrder) ? { description: described, ...byOrder } : { description, ...byPlace }
}

type Figures = Omit<Cells, 'description'>

function assigned(pairs: readonly (readonly [Column | undefined, FoundNumber])[]): Figures {
  const found: Figures = { quantity: null, unit_price: null, amount: null }
  for (const [column, number] of pairs) if (column && column !== 'other' && column !== 'description') found[column] ??= number
  return found
}

function addsUp({ quantity, unit_price, amount }: Figures): boolean {
  const price = unit_price && centsOf(unit_price.value)
  const product = quantity && price !== null ? timesQuantity(price, quantity.value) : null
  const sum = amount && centsOf(amount.value)
  return product !== null && sum !== null && Math.abs(product - sum) <= 1
}

/** A figure that stands close behind words is a cell of its own: "Consulting 3 1,200.00" has three. */
function separated(cells: readonly Cell[], mark: DecimalMark | null): Cell[] {
  return cells.flatMap((cell) => {
    if (numberOf(cell.text, mark)) return [cell]
    const numbers = numbersIn(cell.text, mark)
    const width = (cell.right - cell.left) / Math.max(1, cell.text.length)
    const pieces: Cell[] = []
    let end = cell.text.length
    for (const number of numbers.toReversed()) {
      if (cell.text.slice(number.end, end).trim() !== '' || number.start === 0) break
      if (!/[.,]\d{2}\D*$/.test(number.text) && pieces.length === 0) break
      pieces.unshift({ text: number.text, left: cell.left + number.start * width, right: cell.left + number.end * width })
      end = number.start
    }
    const rest = cell.text.slice(0, end).trim()
    return rest === '' ? pieces : [{ text: rest, left: cell.left, right: cell.left + end * width }, ...pieces]
  })
}

function overlap(cell: Cell, place: Place): number {
  return Math.min(cell.right, place.right) - Math.max(cell.left, place.left)
}

/** By how much they stand over each other, else by the distance between their edges or middles. */
function nearestTo(cell: Cell, places: readonly Place[]): Place | null {
  const distance = (place: Place) => {
    const shared = overlap(cell, place)
    if (shared > 0) return -shared
    return Math.min(Math.abs(cell.right - place.right), Math.abs(cell.left - place.left), -shared)
  }
  return places.reduce<Place | null>((best, place) => (best === null || distance(place) < distance(best) ? place : best), null)
}

/** Without a header a row is one only if its own arithmetic holds: quantity times price is the amount. */
function bareRows(lines: readonly Line[], mark: DecimalMark | null): TableRow[] {
  return lines.flatMap((line) => {
    if (SUM.test(line.text) || TAX.test(line.text)) return []
    const numbers = numbersIn(line.text, mark).filter(({ percent }) => !percent)
    for (let index = 0; index + 2 < numbers.length; index++) {
      const [quantity, price, amount] = numbers.slice(index, index + 3)
      if (!quantity || !price || !amount) continue
      const row = completed({
        description: describing(line.text, quantity, price, amount), quantity: quantity.value, unit_price: centsOf(price.value), amount: centsOf(amount.value),
        page: line.page, line: line.line, text: line.text,
      })
      if (row && row.confidence >= 90 && row.description !== '' && row.amount !== 0) return [{ ...row, confidence: 75 }]
    }
    return []
  })
}

function describing(text: string, ...numbers: FoundNumber[]): string {
  const rest = numbers.toReversed().reduce((shown, { start, end }) => `${shown.slice(0, start)} ${shown.slice(end)}`, text)
  return rest.replaceAll(/(?:^|\s)(?:[x×@=*:]|at|each|à)(?=\s|$)/gi, ' ').replaceAll(/^[\s\-•*·]+|[\s:=@-]+$/g, '').replaceAll(/\s+/g, ' ').trim()
}

/** The row with what follows from its other figures; null where it has no amount. */
export function completed(draft: Omit<TableRow, 'confidence' | 'amount'> & { amount: number | null }): TableRow | null {
  const product = draft.quantity !== null && draft.unit_price !== null ? timesQuantity(draft.unit_price, draft.quantity) : null
  const amount = draft.amount ?? product
  if (amount === null) return null
  if (product !== null && draft.amount !== null && Math.abs(product - amount) <= 1) return { ...draft, amount, confidence: 95 }
  if (product === null || draft.amount === null) return { ...draft, amount, confidence: draft.amount === null ? 80 : 82 }
  // Both are there and disagree: what is to be paid counts.
  return { ...draft, quantity: null, unit_price: null, amount, confidence: 50 }
}

/** Half away from zero; null beyond what cents can carry. */
export function timesQuantity(cents: number, quantity: string): number | null {
  const match = /^(-?)(\d{1,9})(?:\.(\d{1,6}))?$/.exec(quantity)
  if (!match) return null
  const [, sign = '', whole = '', fraction = ''] = match
  const product = Number(divideRounded(BigInt(cents) * BigInt(`${sign}${whole}${fraction}`), 10n ** BigInt(fraction.length)))
  return Number.isSafeInteger(product) ? product : null
}
