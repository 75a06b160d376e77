import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DefaultRow } from '../counterparty-defaults/contract.ts'
import type { CounterpartyAlias } from './contract.ts'
import { cleaned, clusters, matcher, patternKey, settleDefaults, textKey, type Keyed } from './rules.ts'

describe('bank text', () => {
  it.each([
    ['SQ *BLUE BOTTLE #1234 OAKLAND', 'Blue Bottle Oakland'],
    ['PAYPAL *SPOTIFY 402935773', 'Spotify'],
    ['POS DEBIT WHOLEFDS MKT 10234', 'Wholefds Mkt'],
    ['7-ELEVEN STORE 33412', '7-Eleven'],
    ['Acme Supplies Inc.', 'Acme Supplies Inc.'],
    ['CHECKCARD 0312 TST* CAFE LUNA', 'Cafe Luna'],
    ['12345678', '12345678'],
    ['ACH', 'Ach'],
    ['POSTAGE STAMPS', 'Postage Stamps'],
  ])('%s is cleaned to %s', (text, name) => expect(cleaned(text)).toBe(name))

  it('cleaning never leaves nothing, and comparing is the same for a text and its clean form', () => {
    fc.assert(fc.property(fc.string({ minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== ''), (text) => {
      expect(cleaned(text)).not.toBe('')
      expect(cleaned(text).length).toBeLessThanOrEqual(120)
    }))
    fc.assert(fc.property(fc.stringMatching(/^acme [a-z]{5,9}( [a-z]{6,9}){0,2}$/), fc.integer({ min: 1000, max: 9_999_999 }), (name, number) => {
      expect(textKey(`${name.toUpperCase()} ${number}`)).toBe(textKey(name))
      expect(textKey(`SQ *${name} #${number}`)).toBe(textKey(name))
    }))
  })
})

let made = 0
const alias = (pattern: string, match_type: CounterpartyAlias['match_type'], counterparty = `${match_type} ${pattern}`): Keyed => {
  made += 1
  const created_at = `2026-01-01T00:00:00.${String(made).padStart(3, '0')}Z`
  return { id: String(made), pattern, match_type, counterparty, pattern_key: patternKey({ pattern, match_type }), enabled: true, created_at } as Keyed
}

describe('which alias counts', () => {
  const aliases = [
    alias('.*cafe.*', 'regex', 'oldest expression'), alias('cafe', 'regex', 'younger expression'), alias('luna', 'contains'), alias('cafe luna', 'contains'),
    alias('blue', 'starts_with'), alias('blue cafe', 'starts_with'), alias('blue cafe luna', 'exact'),
  ]
  it.each([
    ['BLUE CAFE LUNA #12', 'exact blue cafe luna'],
    ['blue cafe luna park', 'starts_with blue cafe'],
    ['blue moon', 'starts_with blue'],
    ['old cafe luna', 'contains cafe luna'],
    ['luna', 'contains luna'],
    ['the cafe', 'oldest expression'],
    ['nothing', null],
  ])('%s is %s', (text, name) => {
    expect(matcher(aliases)(text)?.counterparty ?? null).toBe(name)
    expect(matcher(aliases.toReversed())(text)?.counterparty ?? null).toBe(name)
  })

  it('one that is switched off does not count', () => {
    expect(matcher([{ ...alias('acme', 'exact'), enabled: false }])('acme')).toBeNull()
  })

  it.each([['a #12345', 'exact'], ['(a)\\1', 'regex']] as const)('the pattern %s of %s is refused', (pattern, match_type) => {
    expect(() => patternKey({ pattern, match_type })).toThrow(/pattern|expression/)
  })
})

describe('texts that look alike', () => {
  it('come together by their first words, the most frequent first', () => {
    const found = clusters([
      { text: 'UBER TRIP 8374 HELP', count: 5 }, { text: 'UBER TRIP AMSTERDAM', count: 2 }, { text: 'ACME', count: 9 }, { text: 'BLUE CAFE 1234', count: 1 }, { text: 'BLUE CAFE OAK', count: 1 },
    ])
    expect(found).toMatchObject([
      { pattern: 'uber trip', counterparty: 'Uber Trip', count: 7, texts: ['UBER TRIP 8374 HELP', 'UBER TRIP AMSTERDAM'] }, { pattern: 'blue cafe', count: 2 },
    ])
  })
})

describe('defaults that meet', () => {
  const row = (id: string, counterparty: string, ledger_id: string, direction = 'out') => ({
    id, counterparty, ledger_id, direction, bank_ledger_id: null, tax_code_id: null, customer_id: null, vendor_id: null, project_id: null, dimension_value_ids: [],
  }) as unknown as DefaultRow

  it('the name that stays wins where they agree; where not, somebody must say', () => {
    const agree = [row('1', 'Old', 'x'), row('2', 'New', 'x'), row('3', 'Old', 'y', 'in')]
    expect(settleDefaults(agree, 'new', null)).toMatchObject({ kept: [{ id: '2' }, { id: '3' }], dropped: [{ id: '1' }] })
    const quarrel = [row('1', 'Old', 'x'), row('2', 'New', 'y')]
    expect(() => settleDefaults(quarrel, 'new', null)).toThrow(/contradict/)
    expect(settleDefaults(quarrel, 'new', '1')).toMatchObject({ kept: [{ id: '1' }], dropped: [{ id: '2' }] })
  })
})
