import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesOfText, type DocumentPart } from '../../foundation/document-text/pages.ts'
import { daysOf, extractInvoice } from './rules.ts'

const context = { base_currency: 'USD', today: '2026-05-20' } as const
const part = (text: string, more: Partial<DocumentPart> = {}): DocumentPart => ({ name: null, source: 'text', sender: null, subject: null, page_count: 1, letter_confidence: null, lines: linesOfText(text).filter(({ cells }) => cells.length > 0), ...more })
const read = (text: string, more: Partial<DocumentPart> = {}) => extractInvoice(part(text, more), context)

const invoice = (total: string, rest = '') => `Invoice no. 7\nDate: 03/04/2026\nBill to: ACME Inc\n${rest}\nDescription    Qty    Price    Amount\nDesk lamp      2      40.00    80.00\nDelivery fee   1      20.00    20.00\n\nTotal    ${total}`

describe('an invoice', () => {
  it('whose lines come to its total is surer than one whose do not; the lines count, and a warning says so', () => {
    const agreeing = read(invoice('$100.00'))
    expect(agreeing.total).toMatchObject({ value: 10_000, confidence: 98, evidence: { text: 'Total  $100.00', page: 1, line: 9 } })
    expect(agreeing.line_items.map(({ amount, confidence }) => [amount, confidence])).toEqual([[8_000, 96], [2_000, 96]])
    expect(agreeing.warnings.filter((warning) => warning.includes('lines'))).toEqual([])
    const disagreeing = read(invoice('$120.00'))
    expect(disagreeing.total).toMatchObject({ value: 12_000, confidence: 40 })
    expect(disagreeing.line_items.map(({ amount }) => amount)).toEqual([8_000, 2_000])
    expect(disagreeing.warnings).toContain('The lines come to 100.00, but the document says 120.00: the lines count.')
  })

  it('with a date that could be two is less sure of it, unless another date tells how days are written', () => {
    const ambiguous = read(invoice('$100.00'))
    expect(ambiguous.invoice_date).toMatchObject({ value: '2026-03-04', confidence: 54 })
    expect(ambiguous.warnings.join()).toContain('The invoice date 2026-03-04 is not certain')
    expect(read(invoice('$100.00', 'Due date: 04/25/2026')).invoice_date).toMatchObject({ value: '2026-03-04', confidence: 90 })
    expect(read(invoice('$100.00', 'Due date: 25/04/2026')).invoice_date).toMatchObject({ value: '2026-04-03', confidence: 90 })
    expect(read(invoice('€100.00')).invoice_date).toMatchObject({ value: '2026-04-03', confidence: 54 })
  })

  it('that was scanned is as sure as its letters are', () => {
    expect(read(invoice('$100.00'), { letter_confidence: 80 }).total?.confidence).toBe(78)
  })

  it('that is a credit note, or in a currency that is not kept, says so', () => {
    expect(read(`CREDIT NOTE\n${invoice('$100.00')}`)).toMatchObject({ is_credit: true, warnings: expect.arrayContaining(['This is a credit note: it is not turned into an invoice.']) })
    expect(read(invoice('100.00 CHF'))).toMatchObject({ currency: null, warnings: expect.arrayContaining(['The amounts seem to be in CHF, which is none of the currencies that are kept here.']) })
    expect(read(invoice('$100.00', 'Due date: 2025-01-01')).warnings.join()).toContain('lies before the invoice date')
  })

  it('has a due date by its terms', () => {
    expect(read('Invoice 9\nInvoice date: 2026-01-31\nTerms: Net 30\nTotal $5.00').due_date).toMatchObject({ value: '2026-03-02', confidence: 80 })
    expect(['Net 30', '2% 10, net 45', 'Due on receipt', 'within 14 days', 'Zahlbar innerhalb von 21 Tagen', 'soon'].map(daysOf)).toEqual([30, 45, 0, 14, 21, null])
  })

  it('does not take a post box for an order, a telephone for an amount, or a tax number for tax', () => {
    const found = read('ACME, P.O. Box 1234\nTel. 555-0100\nVAT No. 123456789\nTax ID: 98-7654321\nInvoice no. 12\nTotal $50.00')
    expect([found.purchase_order_number, found.tax, found.total?.value]).toEqual([null, null, 5_000])
  })

  it('of an unknown sender may be for whoever sent it', () => {
    expect(read('Total $50.00', { sender: { name: 'Ann', address: 'Ann@Example.com' } }).customer_email).toMatchObject({ value: 'ann@example.com', confidence: 50 })
  })
})

describe('a request', () => {
  it.each([
    ['please invoice ACME for 3 days of consulting at 1,200', 'ACME', [['Days of consulting', '3', 120_000]]],
    ['Please bill Globex Corp. $4,500 for the March retainer.', 'Globex Corp', [['March retainer', '1', 450_000]]],
    ['Can you send an invoice to Müller & Söhne KG for 2 hours of support at €80.00?', 'Müller & Söhne KG', [['Hours of support', '2', 8_000]]],
    ['Hello, how are you? Lunch at 12?', null, []],
    ['Call me at 555 0100 about the invoice.', null, []],
  ])('%j', (text, customer, lines) => {
    const found = read(text)
    expect(found.customer_name?.value ?? null).toBe(customer)
    expect(found.line_items.map(({ description, quantity, unit_price }) => [description, quantity, unit_price])).toEqual(lines)
  })
})

it('any text is read in time and gives values of their kinds', () => {
  const words = fc.constantFrom('Invoice', 'Total', 'Date:', 'Bill to', 'Qty', 'Description', 'Amount', '12.50', '03/04/2026', 'Net 30', '\n', '  ', '\t', '|', '(', '€', 'a@b.co', 'tax', '%', 'please invoice', 'at', 'for', '3 x')
  fc.assert(fc.property(fc.array(fc.oneof(words, fc.string({ maxLength: 12 })), { maxLength: 120 }), (pieces) => {
    const found = read(pieces.join(' '))
    for (const line of found.line_items) expect(Number.isSafeInteger(line.amount)).toBe(true)
    for (const name of ['subtotal', 'tax', 'total'] as const) expect(Number.isSafeInteger(found[name]?.value ?? 0)).toBe(true)
    for (const name of ['invoice_date', 'due_date'] as const) expect(found[name]?.value ?? '2026-01-01').toMatch(/^\d{4}-\d\d-\d\d$/)
  }), { numRuns: 200 })
})
