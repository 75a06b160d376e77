import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import type { Currency } from '../../foundation/money.ts'
import type { BookLedger, BookPeriod } from '../books/contract.ts'
import { SUBTYPES, type LedgerType, type Subtype } from '../ledgers/contract.ts'
import {
  isMonetary, linesOf, mirrorDate, missingRates, monetaryBalances, positionOf, postingsOf, requireMonetary, requireRevaluable, totalsOf,
} from './rules.ts'

const ledger = (given: Partial<BookLedger> & { subtype: Subtype }): BookLedger => ({
  id: newId(), number: null, name: given.subtype, type: 'asset', currency: 'USD', is_bank: false, role: null, archived: false, posting: true,
  merged_into_id: null, cash_flow_class: 'operating', parent_id: null, default_tax_code_id: null, ...given,
})
const bank = ledger({ subtype: 'bank', is_bank: true, currency: 'CAD', number: '1000' })
const receivable = ledger({ subtype: 'accounts_receivable', role: 'accounts_receivable', number: '1100' })
const payable = ledger({ subtype: 'accounts_payable', role: 'accounts_payable', type: 'liability', number: '2000' })
const stock = ledger({ subtype: 'inventory' })
const gains = ledger({ subtype: 'other_income', type: 'income', role: 'unrealized_fx' })
const advances = ledger({ subtype: 'other_current_asset' })
const merged = ledger({ subtype: 'other_current_asset', archived: true, merged_into_id: advances.id })

const period = (start_date: string, end_date: string, status: BookPeriod['status'] = 'open'): BookPeriod =>
  ({ id: newId(), fiscal_year: 2026, name: start_date.slice(0, 7), start_date, end_date, status, locks: [] })
const periods = [
  period('2026-01-01', '2026-01-31', 'closed'), period('2026-02-01', '2026-02-28'), period('2026-03-01', '2026-03-31'),
  period('2026-04-01', '2026-04-30', 'closed'),
]
const books = { ledgers: new Map([bank, receivable, payable, stock, gains, advances, merged].map((each) => [each.id, each])) }
const balance = (of: BookLedger, amount: number, base_amount: number, currency: Currency = 'CAD') =>
  ({ ledger_id: of.id, currency, amount, base_amount, booked: 0 })
const rate = (value: string) => ({ rate: value, date: '2026-03-31', via: 'direct' as const })
const noOverride = { allowed: false, reason: null }

describe('what is revalued', () => {
  it('is what will be settled in money', () => {
    const all = Object.entries(SUBTYPES) as [LedgerType, readonly Subtype[]][]
    expect(all.flatMap(([type, subtypes]) => subtypes.filter((subtype) => isMonetary(ledger({ type, subtype }))))).toEqual([
      'bank', 'cash', 'accounts_receivable', 'other_current_asset',
      'accounts_payable', 'credit_card', 'line_of_credit', 'current_loan', 'long_term_loan', 'other_current_liability',
    ])
    expect(isMonetary(ledger({ subtype: 'other_current_asset', role: 'vendor_prepayments' }))).toBe(false)
    expect(isMonetary(ledger({ subtype: 'other_current_liability', role: 'customer_deposits' }))).toBe(false)
    expect(isMonetary(ledger({ subtype: 'other_asset', role: 'processor_clearing' }))).toBe(true)
  })

  it('is put together by ledger and currency, a merged one under its target, within the limits', () => {
    const balances = [
      balance(payable, -5, -4), balance(advances, 100, 75), balance(merged, 50, 40), balance(bank, 10, 8), balance(stock, 1000, 700),
      balance(bank, 7, 9, 'EUR'),
    ]
    const shown = (limits: Parameters<typeof monetaryBalances>[2]) =>
      monetaryBalances(books, balances, limits).map(({ ledger: { subtype }, currency, amount, base_amount }) => [subtype, currency, amount, base_amount])
    expect(shown({})).toEqual([['bank', 'CAD', 10, 8], ['bank', 'EUR', 7, 9], ['accounts_payable', 'CAD', -5, -4], ['other_current_asset', 'CAD', 150, 115]])
    expect(shown({ currencies: ['EUR'] })).toEqual([['bank', 'EUR', 7, 9]])
    expect(shown({ ledger_ids: [advances.id] })).toEqual([['other_current_asset', 'CAD', 150, 115]])
    expect(monetaryBalances(books, [balance(advances, 100, 75), balance(merged, -100, -75)], {})).toEqual([])
  })

  it('must be named rightly', () => {
    expect(() => requireMonetary(books, [bank.id, payable.id])).not.toThrow()
    expect(() => requireMonetary(books, [newId()])).toThrow(/^Ledger .* not found/)
    expect(() => requireMonetary(books, [stock.id])).toThrow(/inventory is not revalued/)
    expect(() => requireMonetary(books, [merged.id])).toThrow(/is merged into another ledger/)
  })
})

describe('a position', () => {
  const position = (of: BookLedger, amount: number, base_amount: number, value: string | null, currency: Currency = 'CAD') =>
    positionOf({ ...balance(of, amount, base_amount, currency), ledger: of }, value === null ? null : rate(value))

  it('gains or loses on either side', () => {
    const loss = position(bank, 1_000_000, 750_000, '0.72')
    expect(loss).toMatchObject({ revalued_base: 720_000, gain: -30_000, kind: 'unrealized', rate: '0.72', rate_date: '2026-03-31' })
    expect(position(payable, -1_000_000, -750_000, '0.72')).toMatchObject({ revalued_base: -720_000, gain: 30_000 })
    expect(position(bank, 1, 0, '0.5')).toMatchObject({ revalued_base: 1, gain: 1 })
  })

  it('of zero is realized, and one without a rate is told', () => {
    expect(position(bank, 0, 5, null)).toMatchObject({ kind: 'realized', revalued_base: 0, gain: -5, rate: null })
    const unknown = [position(bank, 10, 5, null), position(receivable, 10, 5, null), position(bank, 10, 5, null, 'AUD'), position(bank, 10, 5, '1', 'EUR')]
    expect(unknown[0]).toMatchObject({ revalued_base: null, gain: null })
    expect(missingRates(unknown, 'USD', '2026-03-31')).toEqual(['AUD', 'CAD'].map((from_currency) => ({ from_currency, to_currency: 'USD', on: '2026-03-31' })))
    expect(totalsOf([...unknown, position(bank, 0, 5, null)])).toEqual({ unrealized_gain: 5, realized_gain: -5 })
  })

  it('is posted so that every entry balances, gains and losses apart', () => {
    const cents = fc.integer({ min: -1e9, max: 1e9 })
    const amounts = fc.array(fc.record({ amount: fc.oneof(cents, fc.constant(0)), base_amount: cents }), { maxLength: 8 })
    fc.assert(fc.property(amounts, (given) => {
      const items = given.map(({ amount, base_amount }) => position(bank, amount, base_amount, '0.7315'))
      for (const kind of ['unrealized', 'realized'] as const) {
        const lines = linesOf(items, kind, () => gains, 'USD')
        expect(lines.reduce((sum, line) => sum + (line.base_amount ?? line.amount), 0)).toBe(0)
        expect(lines.filter((line) => line.currency === 'CAD').every((line) => line.amount === 0 && line.base_amount !== 0)).toBe(true)
        const total = -lines.filter((line) => line.ledger_id === gains.id).reduce((sum, line) => sum + line.amount, 0)
        expect(total + 0).toBe(totalsOf(items)[kind === 'unrealized' ? 'unrealized_gain' : 'realized_gain'])
      }
    }))
    const even = linesOf([position(bank, 100, 0, '1'), position(payable, -100, 0, '1')], 'unrealized', () => gains, 'USD')
    const moved = even.map((line) => [line.ledger_id, line.base_amount ?? line.amount])
    expect(moved).toEqual([[bank.id, 100], [payable.id, -100], [gains.id, -100], [gains.id, 100]])
  })

  it('has a mirror unless it is realized', () => {
    const lines = linesOf([position(bank, 100, 0, '1')], 'unrealized', () => gains, 'USD')
    const [first, second] = postingsOf('x', '2026-12-31', lines, lines)
    expect([first?.auto_reverse_on, second?.auto_reverse_on]).toEqual(['2027-01-01', undefined])
    expect(postingsOf('x', '2026-12-31', [], [])).toEqual([])
    expect(mirrorDate('2028-02-28')).toBe('2028-02-29')
  })
})

describe('the day', () => {
  it('is the end of an open period that an open one follows', () => {
    const check = (as_of: string) => () => requireRevaluable(periods, as_of, noOverride)
    expect(check('2026-02-28')).not.toThrow()
    expect(check('2026-02-27')).toThrow('2026-02-27 is not the end of a period: use 2026-02-28.')
    expect(check('2026-01-31')).toThrow(/^2026-01 is closed/)
    expect(check('2026-03-31')).toThrow(/^2026-04 is closed/)
    expect(check('2026-05-31')).not.toThrow()
    expect(check('2026-05-30')).toThrow(/use 2026-05-31/)
    expect(check('2025-12-31')).toThrow(/before the first period/)
  })
})
