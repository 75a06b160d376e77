// Tests of the arithmetic on money: exact, rounded half away from zero, and parts that sum to the whole.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addCents,
  applyRate,
  divideRounded,
  formatCents,
  multiplyCents,
  parseDecimal,
  splitCents,
  subtractCents,
  toCents,
} from './money.ts'
import { Refusal } from './refusal.ts'

const MAX = Number.MAX_SAFE_INTEGER
const cents = fc.maxSafeInteger()
const modest = fc.integer({ min: -1_000_000_000_00, max: 1_000_000_000_00 })

describe('sums and products', () => {
  test('add, subtract and multiply exactly', () => {
    expect(addCents()).toBe(0)
    expect(addCents(10, 20, -5)).toBe(25)
    expect(subtractCents(10, 25)).toBe(-15)
    expect(multiplyCents(1999, 3)).toBe(5997)
  })

  test('a sum is right although a partial sum leaves the safe range', () => {
    expect(addCents(MAX, MAX, -MAX)).toBe(MAX)
    expect(addCents(MAX, 1, -2)).toBe(MAX - 1)
  })

  test('sums agree with exact integers or are refused', () => {
    fc.assert(
      fc.property(fc.array(cents, { maxLength: 8 }), (amounts) => {
        const exact = amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)
        if (exact > BigInt(MAX) || exact < -BigInt(MAX)) expect(() => addCents(...amounts)).toThrow(Refusal)
        else expect(BigInt(addCents(...amounts))).toBe(exact)
      }),
    )
  })

  test('nothing yields a negative zero', () => {
    expect(Object.is(subtractCents(0, 0), 0)).toBe(true)
    expect(Object.is(multiplyCents(-5, 0), 0)).toBe(true)
    expect(Object.is(applyRate(-1, '0.1'), 0)).toBe(true)
    expect(splitCents(-1, [1, 1]).map((part) => Object.is(part, -0))).toEqual([false, false])
  })

  test('what is out of range is a 400 with a sentence, a fraction is a mistake of the program', () => {
    expect(() => addCents(MAX, 1)).toThrow(/out of range/)
    expect(() => multiplyCents(MAX, 2)).toThrow(Refusal)
    expect(() => addCents(MAX + 1)).toThrow(Refusal)
    expect(() => toCents(2n ** 53n)).toThrow(expect.objectContaining({ status: 400 }))
    expect(() => addCents(0.1)).toThrow(TypeError)
    expect(() => addCents(Number.NaN)).toThrow(TypeError)
  })
})

describe('rates', () => {
  test.each([
    [10_000, '0.0825', 825],
    [1, '0.5', 1],
    [-1, '0.5', -1],
    [1, '0.499999999999', 0],
    [5, '-0.5', -3],
    [100, '1', 100],
    [12_345, '0', 0],
    [1_005, '1.005', 1010],
    [MAX, '1.000000000000', MAX],
  ])('%i at %s is %i', (amount, rate, expected) => {
    expect(applyRate(amount, rate)).toBe(expected)
  })

  test('a result is within half a cent of the exact one, whatever the rate', () => {
    const rate = fc.tuple(fc.boolean(), fc.nat({ max: 99 }), fc.stringMatching(/^[0-9]{1,12}$/))
    fc.assert(
      fc.property(modest, rate, (amount, [negative, whole, fraction]) => {
        const scale = 10n ** BigInt(fraction.length)
        const exact = BigInt(amount) * BigInt(`${negative ? '-' : ''}${whole}${fraction}`)
        const difference = BigInt(applyRate(amount, `${negative ? '-' : ''}${whole}.${fraction}`)) * scale - exact
        expect(2n * (difference < 0n ? -difference : difference) <= scale).toBe(true)
      }),
    )
  })

  test('a rate and its mirror give mirrored amounts', () => {
    fc.assert(
      fc.property(modest, (amount) => {
        expect(applyRate(-amount, '0.07125') + applyRate(amount, '0.07125')).toBe(0)
      }),
    )
  })

  test.each(['', '.5', '5.', '1e3', '+1', ' 1', '1,5', 'NaN', '0.1234567890123', '1234567890123456789', '１'])(
    '%j is not a decimal',
    (text) => {
      expect(() => parseDecimal(text)).toThrow(Refusal)
    },
  )

  test('a decimal keeps its exact value', () => {
    expect(parseDecimal('-0.0825')).toEqual({ units: -825n, scale: 4 })
    expect(parseDecimal('007')).toEqual({ units: 7n, scale: 0 })
  })

  test('a refused decimal is shown short', () => {
    expect(() => parseDecimal('9'.repeat(100_000))).toThrow(/^.{1,140}$/)
  })
})

describe('division', () => {
  test.each([
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [5n, -2n, -3n],
    [-5n, -2n, 3n],
    [4n, 3n, 1n],
    [-4n, 3n, -1n],
    [1n, 3n, 0n],
    [0n, 7n, 0n],
  ])('%i / %i is %i', (numerator, denominator, expected) => {
    expect(divideRounded(numerator, denominator)).toBe(expected)
  })

  test('by zero fails', () => {
    expect(() => divideRounded(1n, 0n)).toThrow(RangeError)
  })
})

describe('splits', () => {
  test.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [-100, [1, 1, 1], [-34, -33, -33]],
    [0, [3, 5], [0, 0]],
    [5, [0, 1, 0], [0, 5, 0]],
    [10, [1, 2, 4], [1, 3, 6]],
    [1, [1, 1, 1, 1], [1, 0, 0, 0]],
  ])('%i by %j is %j', (total, weights, expected) => {
    expect(splitCents(total, weights)).toEqual(expected)
  })

  test('parts sum to the total, stay within a cent of their share, and a weight of zero gets nothing', () => {
    const weight = fc.nat({ max: MAX })
    const weights = fc.array(weight, { minLength: 1, maxLength: 40 }).filter((list) => list.some((each) => each > 0))
    fc.assert(
      fc.property(cents, weights, (total, list) => {
        const parts = splitCents(total, list)
        const whole = list.reduce((sum, each) => sum + BigInt(each), 0n)
        expect(addCents(...parts)).toBe(total)
        parts.forEach((part, index) => {
          const share = BigInt(list[index] ?? 0)
          const distance = BigInt(part) * whole - BigInt(total) * share
          expect(distance < whole && -distance < whole).toBe(true)
          if (share === 0n) expect(part).toBe(0)
        })
      }),
    )
  })

  test('weights may be big integers', () => {
    expect(splitCents(3, [2n ** 80n, 2n ** 80n])).toEqual([2, 1])
  })

  test.each([[[]], [[0, 0]], [[2, -1]]])('by %j is refused', (weights) => {
    expect(() => splitCents(10, weights)).toThrow(Refusal)
  })
})

describe('text', () => {
  test.each([
    [123_456, '1,234.56'],
    [0, '0.00'],
    [-5, '-0.05'],
    [-100_000_000, '-1,000,000.00'],
    [99_999, '999.99'],
    [MAX, '90,071,992,547,409.91'],
  ])('%i reads %s', (amount, text) => {
    expect(formatCents(amount, 'USD')).toBe(text)
  })

  test('text leads back to the amount', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        expect(parseDecimal(formatCents(amount, 'EUR').replaceAll(',', '')).units).toBe(BigInt(amount))
      }),
    )
  })
})
