import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draw, formatNumber, goOnAt, highestUsed, nextNumberOn, requireTellingWindowsApart, requireUnused, RESETS, type Mark, type Reset } from './rules.ts'

const dates = fc.date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
  .map((moment) => moment.toISOString().slice(0, 10))
const near = fc.integer({ min: 0, max: 40 }).map((months) => `${2024 + Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-15`)
const resets = fc.constantFrom<Reset>(...RESETS)
const pattern = { prefix: 'A-{YY}{MM}-', suffix: '/{YYYY}', padding: 3 }
const windowOf = (reset: Reset, date: string) => date.slice(0, { never: 0, yearly: 4, monthly: 7 }[reset])

function apply(marks: Mark[], changed: Mark[]): Mark[] {
  return [...marks.filter((mark) => !changed.some((other) => other.month === mark.month)), ...changed]
}

describe('formatting', () => {
  it('fills in the date of the document and pads', () => {
    expect(formatNumber({ prefix: 'INV-{YYYY}-{MM}-', suffix: '', padding: 4 }, 7, '2026-03-09')).toBe('INV-2026-03-0007')
    expect(formatNumber({ prefix: '', suffix: '/{YY}', padding: 1 }, 12345, '2026-03-09')).toBe('12345/26')
  })

  it('gives different numbers different texts', () => {
    const number = fc.integer({ min: 1, max: 9_999_999_999 })
    fc.assert(fc.property(number, number, dates, dates, fc.integer({ min: 1, max: 10 }), (a, b, one, other, padding) => {
      const look = { ...pattern, padding }
      const same = a === b && one.slice(0, 7) === other.slice(0, 7)
      expect(formatNumber(look, a, one) === formatNumber(look, b, other)).toBe(same)
    }))
  })
})

describe('drawing', () => {
  it('counts every window from 1 without a gap, in whatever order the documents come', () => {
    fc.assert(fc.property(resets, fc.array(near, { maxLength: 60 }), fc.nat({ max: 60 }), (reset, documents, cut) => {
      // In two transactions or in one: the numbers are the same.
      const first = draw([], reset, documents.slice(0, cut))
      const second = draw(first.marks, reset, documents.slice(cut))
      const numbers = [...first.numbers, ...second.numbers]
      expect(draw([], reset, documents).numbers).toEqual(numbers)
      const windows = Map.groupBy(documents.map((date, index) => ({ date, number: numbers[index] })), ({ date }) => windowOf(reset, date))
      for (const drawn of windows.values()) expect(drawn.map(({ number }) => number)).toEqual(drawn.map((_, index) => index + 1))
    }))
  })

  it('never repeats a text, however the reset and the next number are changed in between', () => {
    const step = fc.record({ date: near, reset: resets, next: fc.option(fc.integer({ min: 1, max: 30 })), draws: fc.integer({ min: 0, max: 5 }) })
    fc.assert(fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let marks: Mark[] = []
      const texts: string[] = []
      for (const { date, reset, next, draws } of steps) {
        const highest = highestUsed(marks, reset, date)
        const number = next !== null && next > highest ? next : Math.max(nextNumberOn(marks, reset, date), highest + 1)
        marks = apply(marks, goOnAt(marks, reset, date, number))
        expect(nextNumberOn(marks, reset, date)).toBe(number)
        const drawn = draw(marks, reset, Array.from({ length: draws }, () => date))
        marks = apply(marks, drawn.marks)
        texts.push(...drawn.numbers.map((value) => formatNumber(pattern, value, date)))
      }
      expect(new Set(texts).size).toBe(texts.length)
    }))
  })

  it('goes on lower where the higher start was never used', () => {
    const far = goOnAt([{ month: '2026-01-01', highest_used: 4, starts_at: 1 }], 'never', '2026-03-09', 1000)
    expect(nextNumberOn(apply([{ month: '2026-01-01', highest_used: 4, starts_at: 1 }], far), 'never', '2026-05-01')).toBe(1000)
    expect(nextNumberOn(goOnAt(far, 'never', '2026-05-01', 5), 'never', '2026-05-01')).toBe(5)
  })
})

describe('refusals', () => {
  it('a number that is used', () => {
    expect(() => requireUnused(pattern, 5, 5, '2026-03-09')).toThrow('A-2603-005/2026 is used already: next_number must be above 5')
    expect(() => requireUnused(pattern, 6, 5, '2026-03-09')).not.toThrow()
  })

  it.each([
    ['yearly', 'INV-', /every year need \{YYYY\}/],
    ['monthly', 'INV-{YYYY}-', /every month need \{MM\}/],
    ['monthly', 'INV-{MM}-', /every month need \{MM\}/],
  ] as const)('a %s reset with the prefix %s', (reset, prefix, detail) => {
    expect(() => requireTellingWindowsApart({ prefix, suffix: '', padding: 1 }, reset)).toThrow(detail)
    expect(() => requireTellingWindowsApart({ prefix, suffix: '{YY}{MM}', padding: 1 }, reset)).not.toThrow()
    expect(() => requireTellingWindowsApart({ prefix, suffix: '', padding: 1 }, 'never')).not.toThrow()
  })
})
