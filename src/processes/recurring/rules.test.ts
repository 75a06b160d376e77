import { describe, expect, it } from 'vitest'
import type { RecurringTemplate } from '../../directory/recurring-templates/contract.ts'
import type { BookPeriod } from '../../ledger/books/contract.ts'
import { datedFor, inputFor } from './rules.ts'

const period = (month: string, end: string, more: Partial<BookPeriod> = {}): BookPeriod =>
  ({ id: month, name: month, start_date: `${month}-01`, end_date: `${month}-${end}`, status: 'open', locks: [], ...more }) as BookPeriod
const TODAY = '2026-04-20'

describe('the date of an invoice', () => {
  const periods = [period('2026-01', '31', { status: 'closed' }), period('2026-02', '28', { status: 'soft_closed' }), period('2026-03', '31', { locks: ['receivables'] }), period('2026-04', '30')]

  it('is the scheduled one where the books take it', () => {
    expect(datedFor(periods, '2026-04-01', TODAY)).toEqual({ invoice_date: '2026-04-01', warning: null })
    expect(datedFor([], '2026-04-01', TODAY).invoice_date).toBe(TODAY)
  })

  it('may lie in a year that is not opened yet', () => {
    expect(datedFor(periods, '2027-01-31', TODAY)).toEqual({ invoice_date: '2027-01-31', warning: null })
  })

  it.each(['2025-12-31', '2026-01-31', '2026-02-28', '2026-03-31'])('%s is moved to the first open day, with a word about it', (date) => {
    const { invoice_date, warning } = datedFor(periods, date, TODAY)
    expect(invoice_date).toBe('2026-04-01')
    expect(warning).toContain(`Meant for ${date} and made as a draft of 2026-04-01: `)
  })

  it('is the day after the last period where all are closed', () => {
    expect(datedFor(periods.slice(0, 2), '2026-01-31', TODAY).invoice_date).toBe('2026-03-01')
  })
})

describe('the body of an invoice', () => {
  const lines = [{ id: 'x', description: 'By hand', unit_price: 100 }, { catalog_item_id: 'c' }, { description: 'Old', amount: 7 }, { catalog_item_id: 'd' }]
  const template = {
    id: 't', currency: 'EUR', days_until_due: 14, price_mode: 'frozen', prices: [100, 250, 7, null], template: { customer_id: 'old', description: 'Rent', line_items: lines },
  } as unknown as RecurringTemplate
  const body = (more: Partial<RecurringTemplate> = {}) => inputFor({ template: { ...template, ...more }, scheduled_date: '2026-02-28' }, { invoice_date: '2026-03-01', warning: null }, 'new')

  it('has its dates, its customer, and the prices of then', () => {
    expect(body()).toEqual({
      customer_id: 'new', description: 'Rent', currency: 'EUR', invoice_date: '2026-03-01', due_date: '2026-03-15',
      line_items: [{ description: 'By hand', unit_price: 100 }, { catalog_item_id: 'c', unit_price: 250 }, { description: 'Old', amount: 7 }, { catalog_item_id: 'd' }],
    })
  })

  it('or leaves the prices of the catalog open', () => {
    expect(body({ price_mode: 'catalog' }).line_items?.[1]).toEqual({ catalog_item_id: 'c' })
    expect(body({ template: { customer_id: 'old' } }).line_items).toEqual([])
  })
})
