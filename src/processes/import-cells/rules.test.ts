import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../foundation/refusal.ts'
import { cellText, columnNames, isAmbiguous, readCell, readDate, tidyText } from './rules.ts'

const point = { date_format: null, decimal_separator: '.' } as const
const comma = { date_format: null, decimal_separator: ',' } as const
const money = { type: 'money' as const, choices: [] }
const integer = { type: 'integer' as const, choices: [] }

describe('amounts', () => {
  it.each([['1,234.56', 123456], ['$12.5', 1250], ['(3.00)', -300], ['-$4', -400], ['12 €', 1200], ['0.10', 10]])('%s with a point', (text, cents) => {
    expect(readCell(money, text, point)).toBe(cents)
  })
  it.each([['1.234,56', 123456], ['12,5', 1250], ['1 234,50', 123450], ['-1.234', -123400], ['7', 700]])('%s with a comma', (text, cents) => {
    expect(readCell(money, text, comma)).toBe(cents)
  })
  it.each(['1.234', '1,23', '1.005', '=1+1', 'abc', '', '1e3', '12.3.4'])('%s is refused with a point', (text) => {
    expect(() => readCell(money, text, point)).toThrow(Refusal)
  })
  it.each(['1.50', '1,234', '1.23,4'])('%s is refused with a comma', (text) => {
    expect(() => readCell(money, text, comma)).toThrow(Refusal)
  })
  it('every amount is read as it is written, either way', () => {
    fc.assert(fc.property(fc.integer({ min: -1e12, max: 1e12 }), (cents) => {
      const digits = String(Math.abs(cents)).padStart(3, '0')
      const text = (mark: string) => `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}${mark}${digits.slice(-2)}`
      expect(readCell(money, text('.'), point)).toBe(cents + 0)
      expect(readCell(money, text(','), comma)).toBe(cents + 0)
    }))
  })
})

describe('whole numbers and choices', () => {
  it('read', () => {
    expect(readCell(integer, '2.0', point)).toBe(2)
    expect(readCell(integer, '1,000', point)).toBe(1000)
    expect(readCell({ type: 'choice', choices: ['time_and_materials', 'fixed'] }, 'Time and Materials', point)).toBe('time_and_materials')
  })
  it('refused', () => {
    expect(() => readCell(integer, '2.5', point)).toThrow('not a whole number')
    expect(() => readCell({ type: 'choice', choices: ['fixed'] }, 'other', point)).toThrow('none of fixed')
  })
})

describe('dates', () => {
  it.each([
    ['2026-03-04', null, '2026-03-04'], ['2026-03-04 00:00:00', null, '2026-03-04'], ['25/03/2026', null, '2026-03-25'], ['03/25/2026', null, '2026-03-25'],
      ['05.05.2026', null, '2026-05-05'],
    ['03/04/2026', 'DD/MM/YYYY', '2026-04-03'], ['03/04/2026', 'MM/DD/YYYY', '2026-03-04'], ['3.4.2026', 'DD/MM/YYYY', '2026-04-03'], ['2026-03-04',
      'DD/MM/YYYY', '2026-03-04'],
  ] as const)('%s as %s', (text, format, date) => expect(readDate(text, format)).toBe(date))
  it.each([
    ['03/04/2026', null], ['25/03/2026', 'MM/DD/YYYY'], ['30/02/2026', 'DD/MM/YYYY'], ['03/04/26', 'DD/MM/YYYY'], ['03/04/2026', 'YYYY-MM-DD'],
      ['03-04/2026', 'DD/MM/YYYY'],
    ['soon', null], ['2026-02-30', null], ['46000', null],
  ] as const)('%s as %s is refused', (text, format) => expect(() => readDate(text, format)).toThrow(Refusal))
  it('says which could be two days', () => {
    expect([isAmbiguous('03/04/2026'), isAmbiguous('04/04/2026'), isAmbiguous('13/04/2026'), isAmbiguous('2026-03-04')]).toEqual([true, false, false, false])
  })
})

describe('texts', () => {
  it('are taken without what protects them, and as they can be stored', () => {
    expect(cellText(` '=1+1 `)).toBe('=1+1')
    expect(cellText(`'quoted`)).toBe(`'quoted`)
    expect(tidyText('a\0b\ud800')).toBe('ab\ufffd')
  })
  it('columns have names of their own', () => {
    expect(columnNames(['Name', '', ' Name ', '__proto__', 'a\nb'])).toEqual(['Name', 'Column 2', 'Name (2)', 'Column 4', 'a b'])
  })
})
