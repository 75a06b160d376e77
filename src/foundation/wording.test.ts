import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addressLines, amountText, countText, countryName, dateText, moneyText, percentText } from './wording.ts'

it.each([[0, '0.00'], [5, '0.05'], [-5, '-0.05'], [123, '1.23'], [123_456_789, '1,234,567.89'], [-100_000, '-1,000.00'], [Number.MAX_SAFE_INTEGER, '90,071,992,547,409.91']])('%d cents are %s', (cents, text) => {
  expect(amountText(cents)).toBe(text)
})

it('an amount can be read back, whatever it is', () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (cents) => {
    expect(BigInt(amountText(cents).replaceAll(/[,.]/g, ''))).toBe(BigInt(cents))
  }))
})

it('money, counts, percent, dates and countries as people write them', () => {
  expect(moneyText(1250, 'EUR')).toBe('EUR\u00a012.50')
  expect([countText(7), countText(1_000_000), countText(-1234)]).toEqual(['7', '1,000,000', '-1,234'])
  expect(['8.2500', '19', '20.0', '0.1250', '100', '0'].map(percentText)).toEqual(['8.25%', '19%', '20%', '0.125%', '100%', '0%'])
  expect([dateText('2026-03-01', 'US'), dateText('2026-03-01', 'DE')]).toEqual(['March 1, 2026', '1 March 2026'])
  expect([countryName('GR'), countryName('xx')]).toEqual(['Greece', 'xx'])
})

it('an address is written as on an envelope', () => {
  const american = { line1: '12 Pier Road', line2: '', city: 'Portland', region: 'ME', postal_code: '04101', country: 'US' }
  expect(addressLines(american, 'US')).toEqual(['12 Pier Road', 'Portland, ME 04101'])
  expect(addressLines(american, 'DE')).toEqual(['12 Pier Road', 'Portland, ME 04101', 'United States'])
  expect(addressLines({ line1: 'Hafenstr. 1', city: 'Hamburg', postal_code: '20457', country: 'DE' }, 'US')).toEqual(['Hafenstr. 1', '20457 Hamburg', 'Germany'])
  expect(addressLines({ city: 'Bath', country: null }, 'GB')).toEqual(['Bath'])
  expect([addressLines(null, 'US'), addressLines({}, 'US')]).toEqual([[], []])
})
