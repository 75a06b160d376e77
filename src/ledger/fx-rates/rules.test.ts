import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../foundation/calendar.ts'
import type { Currency } from '../../foundation/money.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { effectiveRate, keyOf, pairsAsked, pairsBehind, ratesGiven, WINDOW_DAYS, type Newest } from './rules.ts'

const ON = '2026-03-31'
const stored = (from_currency: Currency, to_currency: Currency, rate: string, date = ON): Newest => ({ from_currency, to_currency, rate, date, on: ON })
const lookUp = (from_currency: Currency, to_currency: Currency, ...rates: Newest[]) =>
  effectiveRate(new Map(rates.map((rate) => [keyOf(rate), rate])), { from_currency, to_currency, on: ON }, 'USD')

const units = fc.integer({ min: 1, max: 10 ** 9 })
const rateOf = (ten_thousandths: number) => `${Math.floor(ten_thousandths / 10_000)}.${String(ten_thousandths % 10_000).padStart(4, '0')}`
const scaled = (rate: string) => {
  const [whole = '', fraction = ''] = rate.split('.')
  return BigInt(whole + fraction.padEnd(10, '0'))
}

describe('the rate that counts', () => {
  it('is that of the pair, then of its inverse, then through the base currency', () => {
    expect(lookUp('CAD', 'USD', stored('CAD', 'USD', '0.72'), stored('USD', 'CAD', '9'))).toEqual({ rate: '0.72', date: ON, via: 'direct' })
    expect(lookUp('CAD', 'USD', stored('USD', 'CAD', '1.25'))).toEqual({ rate: '0.8', date: ON, via: 'inverse' })
    expect(lookUp('CAD', 'USD', stored('USD', 'CAD', '3'))).toEqual({ rate: '0.3333333333', date: ON, via: 'inverse' })
    expect(lookUp('CAD', 'EUR', stored('CAD', 'USD', '0.75', '2026-03-30'), stored('USD', 'EUR', '0.8', '2026-03-10')))
      .toEqual({ rate: '0.6', date: '2026-03-10', via: 'cross' })
    // 0.75 / 1.2, rounded once: by way of 1 / 1.2 = 0.8333333333 it would be 0.624999999975.
    expect(lookUp('CAD', 'EUR', stored('CAD', 'USD', '0.75'), stored('EUR', 'USD', '1.2'))).toEqual({ rate: '0.625', date: ON, via: 'cross' })
    expect(lookUp('CAD', 'EUR', stored('EUR', 'CAD', '2'), stored('CAD', 'USD', '0.75'), stored('EUR', 'USD', '1.2'))?.via).toBe('inverse')
    expect(lookUp('CAD', 'EUR', stored('CAD', 'USD', '0.75'))).toBeNull()
    expect(lookUp('CAD', 'USD', stored('EUR', 'USD', '0.75'), stored('CAD', 'EUR', '2'))).toBeNull()
    expect(lookUp('USD', 'USD')).toEqual({ rate: '1', date: ON, via: 'direct' })
  })

  it('is at most 31 days old, and never of a later day', () => {
    fc.assert(fc.property(fc.integer({ min: -40, max: 80 }), (age) => {
      const found = lookUp('CAD', 'USD', stored('CAD', 'USD', '0.72', addDays(ON, -age)))
      expect(found?.rate ?? null).toBe(age >= 0 && age <= WINDOW_DAYS ? '0.72' : null)
    }))
    expect(lookUp('CAD', 'USD', stored('CAD', 'USD', '0.72', '2026-02-28'))?.rate).toBe('0.72')
    expect(lookUp('CAD', 'USD', stored('CAD', 'USD', '0.72', '2026-02-27'))).toBeNull()
    expect(lookUp('CAD', 'USD', stored('CAD', 'USD', '0.72', '2026-02-27'), stored('USD', 'CAD', '2', '2026-03-01')))
      .toEqual({ rate: '0.5', date: '2026-03-01', via: 'inverse' })
  })

  it('turned around twice is what it was, to the last decimal that it can be', () => {
    fc.assert(fc.property(units, (value) => {
      const rate = rateOf(value)
      const inverse = lookUp('CAD', 'USD', stored('USD', 'CAD', rate))?.rate ?? ''
      const again = lookUp('CAD', 'USD', stored('USD', 'CAD', inverse))?.rate ?? ''
      // Half a unit of the last decimal, as large as the rate makes it on the way back.
      const error = scaled(again) > scaled(rate) ? scaled(again) - scaled(rate) : scaled(rate) - scaled(again)
      expect(error <= (scaled(rate) * scaled(rate)) / 10n ** 20n + 1n).toBe(true)
    }))
  })

  it('through the base currency agrees with the pairs it goes through, rounded half away from zero', () => {
    fc.assert(fc.property(units, units, (one, other) => {
      const [a, b] = [rateOf(one), rateOf(other)]
      const cross = scaled(lookUp('CAD', 'EUR', stored('CAD', 'USD', a), stored('EUR', 'USD', b))?.rate ?? '')
      const exact = [scaled(a) * 10n ** 10n, scaled(b)] as const
      const half = (2n * exact[0] + exact[1]) / (2n * exact[1])
      expect(cross).toBe(half === 0n ? 1n : half)
      const back = scaled(lookUp('EUR', 'CAD', stored('CAD', 'USD', a), stored('EUR', 'USD', b))?.rate ?? '')
      const product = cross * back - 10n ** 20n
      expect((product < 0n ? -product : product) <= cross + back + 1n).toBe(true)
    }))
  })

  it('is never nothing', () => {
    expect(lookUp('CAD', 'EUR', stored('CAD', 'USD', '0.0000000001'), stored('USD', 'EUR', '0.0000000001'))?.rate).toBe('0.0000000001')
    expect(lookUp('CAD', 'USD', stored('USD', 'CAD', '0.0000000001'))?.rate).toBe('10000000000')
  })
})

describe('pairs', () => {
  it('behind an answer are looked up once each', () => {
    const wanted = { from_currency: 'CAD', to_currency: 'USD', on: ON } as const
    expect(pairsBehind([wanted, wanted], 'USD').map(keyOf)).toEqual([`CAD/USD ${ON}`, `USD/CAD ${ON}`])
    expect(pairsBehind([{ ...wanted, to_currency: 'EUR' }], 'USD')).toHaveLength(6)
    expect(pairsBehind([{ ...wanted, from_currency: 'USD' }], 'USD')).toEqual([])
  })

  it('asked for are those of the filters, or all to the base currency', () => {
    const names = (filters: Parameters<typeof pairsAsked>[0]) =>
      pairsAsked(filters, 'USD', ON).map(({ from_currency, to_currency }) => `${from_currency}${to_currency}`)
    expect(names({})).toEqual(['CADUSD', 'AUDUSD', 'EURUSD', 'GBPUSD'])
    expect(names({ from_currency: 'CAD' })).toEqual(['CADUSD'])
    expect(names({ from_currency: 'USD' })).toEqual(['USDCAD', 'USDAUD', 'USDEUR', 'USDGBP'])
    expect(names({ to_currency: 'EUR' })).toEqual(['USDEUR', 'CADEUR', 'AUDEUR', 'GBPEUR'])
    expect(names({ from_currency: 'CAD', to_currency: 'EUR' })).toEqual(['CADEUR'])
    expect(names({ from_currency: 'CAD', to_currency: 'CAD' })).toEqual([])
  })
})

describe('what is given', () => {
  const rate = { from_currency: 'CAD', to_currency: 'USD', date: ON, rate: '0.7200' } as const

  it('is one rate or many, each in its plain writing', () => {
    expect(ratesGiven(rate)).toEqual([{ ...rate, rate: '0.72' }])
    expect(ratesGiven({ rates: [rate, { ...rate, date: '2026-04-30', rate: '007.00' }] }).map((each) => each.rate)).toEqual(['0.72', '7'])
  })

  it('or is refused with the place of what is wrong', () => {
    const refusal = (input: Parameters<typeof ratesGiven>[0]) => {
      try {
        return ratesGiven(input)
      } catch (error) {
        return error instanceof Refusal ? [error.status, error.problems?.map(({ loc }) => loc.join('.')) ?? error.detail] : error
      }
    }
    expect(refusal({ ...rate, rates: [rate] })).toEqual([400, expect.stringMatching(/not both: leave out from_currency/)])
    expect(refusal({ from_currency: 'CAD', rate: '1' })).toEqual([422, ['body.to_currency', 'body.date']])
    expect(refusal({})).toEqual([422, ['body.from_currency', 'body.to_currency', 'body.date', 'body.rate']])
    expect(refusal({ ...rate, to_currency: 'CAD' })).toEqual([400, 'A rate needs two currencies, and both are CAD.'])
    expect(refusal({ rates: [rate, { ...rate, to_currency: 'CAD' }] })).toEqual([400, 'rates[1]: A rate needs two currencies, and both are CAD.'])
    expect(refusal({ rates: [rate, rate] })).toEqual([400, expect.stringMatching(/^rates\[1\] is CAD\/USD of 2026-03-31 once more/)])
  })
})
