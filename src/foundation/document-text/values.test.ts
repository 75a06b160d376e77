import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centsOf, datesIn, numberOf, numbersIn, writingOf } from './values.ts'

const values = (text: string, mark: '.' | ',' | null = null) => numbersIn(text, mark).map(({ value }) => value)

describe('numbers', () => {
  it.each([
    ['Total due $3,600.00', ['3600']],
    ['1.234,56 €', ['1234.56']],
    ["1'234.50", ['1234.5']],
    ['1 234,56', ['1234.56']],
    ['3 500', ['3', '500']],
    ['(50.00) and -7,5 and 100.00-', ['-50', '-7.5', '-100']],
    ['8.25% 405.90', ['8.25', '405.9']],
    ['USD1,000.00', ['1000']],
    ['3 x Widget @ 25.00 = 75.00', ['3', '25', '75']],
    ['INV-1001 A-17 v1.2.3 12/31/2026 2026-03-15', []],
    ['15. März 2026, 19 %', ['19']],
    ['1,200', ['1200']],
    ['0,125', ['0.125']],
    ['99999999999999999999', []],
  ])('in %j', (text, expected) => expect(values(text)).toEqual(expected))

  it('one separator before three digits is read as the document writes its others', () => {
    expect(values('1.200', ',')).toEqual(['1200'])
    expect(values('1.200', '.')).toEqual(['1.2'])
    expect(writingOf(['Summe 1.234,56', 'Menge 1.200'])).toEqual({ mark: ',', order: null })
  })

  it('know their currency, and a dollar sign that several share', () => {
    expect(numbersIn('€5 £6 US$7 8 CAD $9', null).map(({ currency, shared_sign }) => [currency, shared_sign])).toEqual(
      [['EUR', false], ['GBP', false], ['USD', false], ['CAD', false], [null, true]])
  })

  it('a cell is a number where nothing but units stands beside it', () => {
    expect(numberOf('3 hrs', null)?.value).toBe('3')
    expect(numberOf('Room 3', null)).toBeNull()
    expect(numberOf('3 4', null)).toBeNull()
  })

  it('every amount is read back as it was written, in both styles', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 999_999_999_99 }), fc.boolean(), fc.constantFrom(['.', ','], [',', '.']), (cents, grouped, [decimal = '.', group = ',']) => {
      const whole = String(Math.floor(cents / 100))
      const digits = grouped ? whole.replaceAll(/\B(?=(\d{3})+$)/g, group) : whole
      const text = `${digits}${decimal}${String(cents % 100).padStart(2, '0')}`
      const [found] = numbersIn(`Total ${text} EUR`, decimal as '.' | ',')
      expect(found && centsOf(found.value)).toBe(cents)
    }))
  })

  it('no text makes it fail or hang', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string({ unit: fc.constantFrom(...'0123456789.,-/ $€()%’'), maxLength: 300 }), (text, digits) => {
      for (const { value } of numbersIn(text + digits, null)) expect(value).toMatch(/^-?\d+(\.\d+)?$/)
      datesIn(digits + text, null, 'day-month')
    }))
  })
})

describe('dates', () => {
  it.each([
    ['March 3, 2026', '2026-03-03'], ['3rd of March 2026', '2026-03-03'], ['03-Mar-2026', '2026-03-03'], ['15.03.2026', '2026-03-15'], ['13/04/2026', '2026-04-13'],
    ['04/13/26', '2026-04-13'], ['2026/3/5', '2026-03-05'], ['3. März 2026', '2026-03-03'], ['le 5 juin 2026', '2026-06-05'], ['18 de febrero de 2026', '2026-02-18'],
  ])('%j', (text, date) => expect(datesIn(text, null, 'month-day')).toMatchObject([{ date, ambiguous: false }]))

  it('of two readings the order of the document decides; without one the date is ambiguous', () => {
    expect(datesIn('03/04/2026', null, 'month-day')).toMatchObject([{ date: '2026-03-04', ambiguous: true }])
    expect(datesIn('03/04/2026', null, 'day-month')).toMatchObject([{ date: '2026-04-03', ambiguous: true }])
    expect(datesIn('03/04/2026', 'day-month', 'month-day')).toMatchObject([{ date: '2026-04-03', ambiguous: false }])
    expect(writingOf(['03/25/2026']).order).toBe('month-day')
    expect(datesIn('05/05/2026', null, 'month-day')).toMatchObject([{ date: '2026-05-05', ambiguous: false }])
  })

  it.each(['31/02/2026', '1.2.3', '2026-13-01', '12/2026', 'Sometime 12, 2026'])('none in %j', (text) => expect(datesIn(text, null, 'day-month')).toEqual([]))
})
