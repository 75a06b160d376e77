// An invoice as a PDF: the layout of its pages. Pure: the same invoice gives the same bytes.
import { setImmediate as pause } from 'node:timers/promises'
import { openSheet, type Align, type Line, type Sheet, type Style } from '../../foundation/typesetting.ts'
import { addressLines, amountText, countText, dateText, moneyText, percentText } from '../../foundation/wording.ts'
import type { InvoiceView, InvoiceViewLine } from '../invoice-views/contract.ts'

const MARGIN = 48
const FOOTER = 34
const GAP = 14
const DARK = '#1b2430'
const PALE = '#5b6673'
const RULE = '#c9d0d8'
const TINT = '#f1f4f7'
const LEADING = 1.35

const plain: Style = { size: 9, color: DARK }
const small: Style = { size: 8, color: PALE }
const strong: Style = { size: 9, bold: true, color: DARK }
const label: Style = { size: 7.5, bold: true, color: PALE }

type Column = { label: string; width: number; align: Align; of: (line: InvoiceViewLine) => string }

/** What is never torn apart by the end of a page. */
type Block = { height: number; draw: (y: number) => void }

/** Where the pen is. */
type Pen = { sheet: Sheet; view: InvoiceView; left: number; width: number; bottom: number; y: number; columns: Column[] }

export async function printInvoice(view: InvoiceView): Promise<Buffer> {
  const title = titleOf(view)
  const sheet = openSheet({ size: paperOf(view), title, author: view.business.name, created_at: view.updated_at })
  const { width, height } = sheet.document.page
  const pen: Pen = { sheet, view, left: MARGIN, width: width - 2 * MARGIN, bottom: height - MARGIN - FOOTER, y: MARGIN, columns: [] }
  mark(pen)
  head(pen)
  pen.columns = columnsOf(pen)
  await table(pen)
  totals(pen)
  closing(pen)
  numberPages(pen, title)
  return sheet.finish()
}

export function titleOf({ number, business }: InvoiceView): string {
  return number === null ? `Draft invoice of ${business.name}` : `Invoice ${number} of ${business.name}`
}

/** Letter where that is what printers hold. */
export function paperOf({ business }: InvoiceView): 'A4' | 'LETTER' {
  return ['US', 'CA', 'MX', 'PH', 'CL', 'CO'].includes(business.country) ? 'LETTER' : 'A4'
}

/** Line by line; gives the height of what was written. */
function write(pen: Pen, lines: readonly Line[], x: number, y: number, style: Style, width: number, align: Align = 'left'): number {
  lines.forEach((line, index) => pen.sheet.draw(line, x, y + style.size + index * style.size * LEADING, style, width, align))
  return heightOf(lines, style)
}

function heightOf(lines: readonly Line[], style: Style): number {
  return lines.length * style.size * LEADING
}

function rule({ sheet, left, width }: Pen, y: number, color = RULE): void {
  sheet.document.moveTo(left, y).lineTo(left + width, y).lineWidth(0.6).strokeColor(color).stroke()
}

function mark({ sheet, view }: Pen): void {
  if (view.mark === null) return
  const { width, height } = sheet.document.page
  const style: Style = { size: 130, bold: true, color: '#8a94a0' }
  sheet.document.save().rotate(-52, { origin: [width / 2, height / 2] }).fillOpacity(0.16)
  sheet.draw(sheet.fit(view.mark, style, 900), width / 2 - 450, height / 2 + style.size / 3, style, 900, 'center')
  sheet.document.restore()
}

/** The first page begins with who writes to whom, and what about. */
function head(pen: Pen): void {
  const { sheet, view, left, width } = pen
  const { business, customer } = view
  const half = width / 2 - GAP
  const right = left + width / 2 + GAP
  let y = MARGIN
  if (business.logo) {
    sheet.document.image(business.logo.content, left, y, { fit: [190, 56] })
    y += 56 * Math.min(1, shownHeight(business.logo.width, business.logo.height) / 56) + 8
  }
  y += write(pen, sheet.wrap(business.name, { size: 13, bold: true }, half), left, y, { size: 13, bold: true, color: DARK }, half) + 2
  const details = [...addressLines(business.address, null), ...[business.email, business.phone, business.website].filter((line) => line !== null), ...business.tax_numbers]
  y += write(pen, details.flatMap((line) => sheet.wrap(line, small, half)), left, y, small, half)

  const big: Style = { size: 22, bold: true, color: DARK }
  let beside = MARGIN + write(pen, [sheet.fit(view.mark === 'DRAFT' ? 'Draft invoice' : 'Invoice', big, half)], right, MARGIN, big, half, 'right') + 4
  if (view.number !== null) beside += write(pen, [sheet.fit(view.number, { ...plain, size: 11 }, half)], right, beside, { ...plain, size: 11 }, half, 'right')
  y = Math.max(y, beside) + 18
  rule(pen, y)
  y += 12

  const to = [...addressLines(customer.address, business.country), ...(customer.tax_number === null ? [] : [`Tax number ${customer.tax_number}`])]
  const shipped = addressLines(customer.shipping_address, business.country)
  const third = shipped.length > 0 ? width / 3 - GAP : half
  const bottoms = [y + party(pen, 'Bill to', customer.name, to, left, y, third)]
  if (shipped.length > 0) bottoms.push(y + party(pen, 'Ship to', null, shipped, left + width / 3, y, third))
  bottoms.push(y + facts(pen, right + (shipped.length > 0 ? width / 6 : 0), y, half - (shipped.length > 0 ? width / 6 : 0)))
  pen.y = Math.max(...bottoms) + 20
}

function shownHeight(width: number, height: number): number {
  return height * Math.min(190 / width, 56 / height)
}

function party(pen: Pen, title: string, name: string | null, rest: readonly string[], x: number, y: number, width: number): number {
  const { sheet } = pen
  let used = write(pen, [sheet.fit(title, label, width)], x, y, label, width) + 3
  if (name !== null) used += write(pen, sheet.wrap(name, strong, width), x, y + used, strong, width)
  return used + write(pen, rest.flatMap((line) => sheet.wrap(line, plain, width)), x, y + used, plain, width)
}

function facts(pen: Pen, x: number, y: number, width: number): number {
  const { sheet, view } = pen
  const date = (day: string | null) => (day === null ? null : dateText(day, view.business.country))
  const rows: [string, string | null, Style][] = [
    ['Invoice date', date(view.invoice_date), plain],
    ['Due date', date(view.due_date), plain],
    ['Terms', view.terms, plain],
    ['Your order', view.purchase_order_number, plain],
    view.state === 'void' ? ['Status', 'Void', strong]
      : view.state === 'paid' ? ['Paid', moneyText(view.total, view.currency), strong] : ['Amount due', moneyText(view.balance_due, view.currency), strong],
  ]
  let used = 0
  for (const [name, value, style] of rows) {
    if (value === null) continue
    const named = 62
    write(pen, [sheet.fit(name, small, named)], x, y + used + 0.8, small, named)
    used += write(pen, sheet.wrap(value, style, width - named), x + named, y + used, style, width - named, 'right') + 2
  }
  return used
}

/** Figures as wide as what stands in them; the description takes the rest. */
function columnsOf({ sheet, view, width }: Pen): Column[] {
  const figures: Omit<Column, 'width'>[] = [
    { label: 'Quantity', align: 'right', of: ({ quantity }) => countText(quantity) },
    { label: 'Unit price', align: 'right', of: ({ unit_price }) => amountText(unit_price) },
    ...(view.lines.some(({ discount }) => discount !== 0) ? [{ label: 'Discount', align: 'right' as const, of: ({ discount }: InvoiceViewLine) => (discount === 0 ? '' : amountText(-discount)) }] : []),
    ...(view.lines.some(({ taxed }) => taxed !== '') ? [{ label: 'Tax', align: 'right' as const, of: ({ taxed }: InvoiceViewLine) => taxed }] : []),
    { label: `${view.prices_include_tax ? 'With tax' : 'Amount'} (${view.currency})`, align: 'right', of: ({ amount }) => amountText(amount) },
  ]
  const widths = figures.map(({ label: name, of }) => {
    const widest = (texts: string[], style: Style) => Math.max(0, ...texts.map((text) => sheet.fit(text, style, 400).width))
    // Longer than this is broken into lines.
    return Math.min(110, Math.max(widest([name], label), widest([...new Set(view.lines.map(of))], plain))) + GAP
  })
  // However large the figures are, words keep a third of the page; figures then break into lines.
  const scale = Math.min(1, (width * 2) / 3 / widths.reduce((sum, each) => sum + each, 0))
  const scaled = widths.map((each) => each * scale)
  const rest = width - scaled.reduce((sum, each) => sum + each, 0)
  return [{ label: 'Description', width: rest, align: 'left', of: descriptionOf(view) }, ...figures.map((figure, index) => ({ ...figure, width: scaled[index] ?? 0 }))]
}

function descriptionOf({ business: { country } }: InvoiceView) {
  return ({ description, note, service_date, service_end_date }: InvoiceViewLine): string => {
    const days = service_date === null ? null
      : service_end_date === null || service_end_date === service_date ? dateText(service_date, country) : `${dateText(service_date, country)} to ${dateText(service_end_date, country)}`
    return [description, note, days].filter(Boolean).join('\n')
  }
}

const ROW = 5

async function table(pen: Pen): Promise<void> {
  tableHead(pen)
  const keep = totalsBlocks(pen)[0]?.height ?? 0
  for (const [index, line] of pen.view.lines.entries()) {
    const last = index === pen.view.lines.length - 1
    drawLine(pen, line, last && index > 0 ? keep : 0)
    if (index % 25 === 24) await pause()
  }
  if (pen.view.lines.length === 0) pen.y += ROW
}

function tableHead(pen: Pen): void {
  const { sheet, columns, left, width } = pen
  sheet.document.rect(left, pen.y, width, 20).fill(TINT)
  let x = left
  for (const { label: name, width: wide, align } of columns) {
    const inside = wide - (align === 'left' ? GAP : ROW)
    write(pen, [sheet.fit(name, label, inside)], align === 'left' ? x + ROW : x, pen.y + 5.5, label, align === 'left' ? inside - ROW : inside, align)
    x += wide
  }
  pen.y += 20
}

/** With `keep`, the last line goes on to the next page rather than leaving the totals alone there. */
function drawLine(pen: Pen, line: InvoiceViewLine, keep: number): void {
  const cells = pen.columns.map((column) => pen.sheet.wrap(column.of(line), plain, insideOf(column)))
  const height = Math.max(...cells.map((cell) => heightOf(cell, plain))) + 2 * ROW
  const page = pen.bottom - MARGIN - 60
  if (pen.y + height > pen.bottom || (pen.y + height + keep > pen.bottom && height + keep < page)) {
    if (height < page) nextPage(pen, true)
    else if (pen.y > pen.bottom - 100) nextPage(pen, true)
  }
  // Only a line that is longer than a page is torn apart.
  for (let rest = cells; rest.some((cell) => cell.length > 0);) {
    const room = Math.max(1, Math.floor((pen.bottom - pen.y - 2 * ROW) / (plain.size * LEADING)))
    let x = pen.left
    for (const [index, column] of pen.columns.entries()) {
      const inside = insideOf(column)
      write(pen, (rest[index] ?? []).slice(0, room), column.align === 'left' ? x + ROW : x, pen.y + ROW, plain, inside, column.align)
      x += column.width
    }
    pen.y += Math.max(...rest.map((cell) => heightOf(cell.slice(0, room), plain))) + 2 * ROW
    rest = rest.map((cell) => cell.slice(room))
    if (rest.some((cell) => cell.length > 0)) nextPage(pen, true)
  }
  rule(pen, pen.y, '#e4e8ec')
}

function insideOf({ width, align }: Column): number {
  return align === 'left' ? width - GAP - ROW : width - ROW
}

/** The following pages say what they belong to. */
function nextPage(pen: Pen, within_table: boolean): void {
  const { sheet, view, left, width } = pen
  sheet.document.addPage()
  mark(pen)
  write(pen, [sheet.fit(view.business.name, { ...small, bold: true }, width * 0.6)], left, MARGIN, { ...small, bold: true }, width * 0.6)
  const name = view.number === null ? 'Draft invoice' : `Invoice ${view.number}`
  write(pen, [sheet.fit(name, small, width * 0.35)], left + width * 0.65, MARGIN, small, width * 0.35, 'right')
  rule(pen, MARGIN + 15)
  pen.y = MARGIN + 26
  if (within_table) tableHead(pen)
}

function place(pen: Pen, block: Block): void {
  if (pen.y + block.height > pen.bottom) nextPage(pen, false)
  block.draw(pen.y)
  pen.y += block.height
}

function totals(pen: Pen): void {
  for (const block of totalsBlocks(pen)) place(pen, block)
}

type Sum = { name: string; amount: string; style: Style; tinted?: boolean; ruled?: boolean }

const MOST_TOGETHER = 8

/** All of it stays together; of many payments each is a row of its own, and the balance stands on a page with the last of them. */
function totalsBlocks(pen: Pen): Block[] {
  const { view } = pen
  const minus = (cents: number) => amountText(-cents)
  const date = (day: string) => dateText(day, view.business.country)
  const made: Sum[] = [
    { name: view.prices_include_tax ? 'Without tax' : 'Subtotal', amount: amountText(view.subtotal), style: plain },
    ...(view.discount_total === 0 ? [] : [{ name: 'Discounts, taken off above', amount: minus(view.discount_total), style: small }]),
    ...view.taxes.map(({ name, percent, net, amount }) => ({ name: `${name} ${percentText(percent)} of ${amountText(net)}`, amount: amountText(amount), style: plain })),
    { name: 'Total', amount: moneyText(view.total, view.currency), style: { ...strong, size: 10.5 }, ruled: true },
  ]
  const settled: Sum[] = [
    ...view.payments.map(({ date: day, method, reference, amount }) => ({
      name: `Payment of ${date(day)}, ${method}${reference ? `, ${reference}` : ''}`, amount: minus(amount), style: plain,
    })),
    ...view.credits.map(({ date: day, number, amount }) => ({ name: `Credit ${number ?? ''} of ${date(day)}`.replace('  ', ' '), amount: minus(amount), style: plain })),
  ]
  const balance: Sum = { name: view.state === 'paid' ? 'Balance' : 'Amount due', amount: moneyText(view.balance_due, view.currency), style: { ...strong, size: 11 }, tinted: true }
  if (view.state === 'void') return [sums(pen, made, 10)]
  if (settled.length <= MOST_TOGETHER) return [sums(pen, [...made, ...settled, balance], 10)]
  const last = settled.pop()
  return [sums(pen, made, 10), ...settled.map((sum) => sums(pen, [sum], 0)), sums(pen, last ? [last, balance] : [balance], 0)]
}

function sums(pen: Pen, rows: readonly Sum[], above: number): Block {
  const { sheet, left, width } = pen
  const wide = Math.min(width, 300)
  const figure = 120
  const x = left + width - wide
  const laid = rows.map((row) => {
    const lines = sheet.wrap(row.name, row.style, wide - figure - GAP)
    const padding = row.tinted ? 7 : row.ruled ? 5 : 2.5
    return { ...row, lines, padding, height: heightOf(lines, row.style) + 2 * padding }
  })
  return {
    height: above + laid.reduce((sum, { height }) => sum + height, 0),
    draw(top) {
      let y = top + above
      for (const { lines, amount, style, padding, height, tinted, ruled } of laid) {
        if (tinted) sheet.document.rect(x, y, wide, height).fill(TINT)
        if (ruled) sheet.document.moveTo(x, y).lineTo(x + wide, y).lineWidth(0.6).strokeColor(RULE).stroke()
        write(pen, lines, x + ROW, y + padding, style, wide - figure - GAP)
        write(pen, [sheet.fit(amount, style, figure)], x + wide - figure - ROW, y + padding, style, figure, 'right')
        y += height
      }
    },
  }
}

/** Words below the figures, and the way to pay. */
function closing(pen: Pen): void {
  const { sheet, view, left, width } = pen
  pen.y += 18
  if (view.pay_url !== null) {
    const url = view.pay_url
    const lines = sheet.wrap(url, small, width)
    place(pen, {
      height: 18 + heightOf(lines, small) + 10,
      draw(y) {
        write(pen, [sheet.fit('Look at this invoice and pay it online:', strong, width)], left, y, strong, width)
        const height = write(pen, lines, left, y + 15, { ...small, color: '#1f5fae' }, width)
        sheet.document.link(left, y, width, 15 + height, url)
      },
    })
  }
  for (const [text, style] of [[view.message, plain], [view.footer, small]] as const) {
    if (text === null) continue
    // Line by line: long terms may run over a page.
    for (const line of sheet.wrap(text, style, width)) {
      place(pen, { height: style.size * LEADING, draw: (y) => void write(pen, [line], left, y, style, width) })
    }
    pen.y += 8
  }
}

function numberPages(pen: Pen, title: string): void {
  const { sheet, left, width } = pen
  const { document } = sheet
  const { count } = document.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    document.switchToPage(index)
    const y = document.page.height - MARGIN - 8
    rule(pen, y - 8)
    write(pen, [sheet.fit(title, small, width * 0.7)], left, y, small, width * 0.7)
    write(pen, [sheet.fit(`Page ${index + 1} of ${count}`, small, width * 0.28)], left + width * 0.72, y, small, width * 0.28, 'right')
  }
}
