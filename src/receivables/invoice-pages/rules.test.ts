import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amountText } from '../../foundation/wording.ts'
import { readSum } from './rules.ts'

it.each([
  ['12', 1200], ['12.5', 1250], ['12,50', 1250], ['1,234.56', 123_456], ['1.234,56', 123_456], ["1'234.56", 123_456], ['1 234,56', 123_456], [' 0.01 ', 1], ['1.234', 123_400],
  ['', null], ['x', null], ['-1', null], ['1.2.3', null], ['12.345.6', 1_234_560], ['1e3', null], ['9'.repeat(30), null],
])('%j is %j cents', (text, cents) => expect(readSum(text)).toBe(cents))

it('reads every amount that a page writes', () => {
  fc.assert(fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (cents) => {
    expect(readSum(amountText(cents))).toBe(cents)
  }))
})
