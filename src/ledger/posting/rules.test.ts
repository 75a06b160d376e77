import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Currency } from '../../foundation/money.ts'
import type { BookPeriod } from '../books/contract.ts'
import { fiscalYear } from '../books/rules.ts'
import { carried, firstOpenDate, periodOf, plainDecimal, priceLines, requireOpenDate, type PricedLine } from './rules.ts'

const noRate = () => null
const ledger_id = '00000000-0000-7000-8000-000000000001'
const amount = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).filter((cents) => cents !== 0)
const rate = fc.integer({ min: 1, max: 99_999_999 }).map((units) => plainDecimal(`${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, '0')}`)).filter((text) => text !== '0')
const sum = (lines: readonly PricedLine[], key: 'amount' | 'base_amount') => lines.reduce((total, line) => total + line[key], 0)

/** Amounts that sum to zero. */
const balanced = fc.array(amount, { minLength: 1, maxLength: 30 }).map((amounts) => [...amounts, -amounts.reduce((total, each) => total + each, 0)]).filter((amounts) => amounts.at(-1) !== 0)

describe('an entry in one foreign currency', () => {
  it('balances in both currencies whatever the rate', () => {
    fc.assert(fc.property(balanced, rate, (amounts, text) => {
      const lines = priceLines({ date: '2026-01-01', source_type: 'manual', currency: 'CAD', rate: text, lines: amounts.map((each) => ({ ledger_id, amount: each })) }, 'USD', noRate)
      expect(sum(lines, 'amount')).toBe(0)
      expect(sum(lines, 'base_amount')).toBe(0)
    }))
  })

  it('gives what is missing to the largest line', () => {
    const lines = priceLines({ date: '2026-01-01', source_type: 'manual', currency: 'CAD', rate: '0.5', lines: [1, 1, 1, -3].map((each) => ({ ledger_id, amount: each })) }, 'USD', noRate)
    expect(lines.map((line) => line.base_amount)).toEqual([1, 1, 1, -3])
  })
})

describe('what does not balance is refused, with the difference', () => {
  const price = (...lines: { amount: number; currency?: Currency; base_amount?: number }[]) => () =>
    priceLines({ date: '2026-03-31', source_type: 'manual', lines: lines.map((line) => ({ ledger_id, ...line })) }, 'USD', noRate)
  it.each([
    [price({ amount: 100 }, { amount: -99 }), /debits are 0\.01 USD above its credits/],
    [price({ amount: 100 }, { amount: -150_000 }), /credits are 1,499\.00 USD above its debits/],
    [price({ amount: 100 }), /at least two lines/],
    [price({ amount: 100 }, { amount: 0 }, { amount: -100 }), /Line 2 has no amount/],
    [price({ amount: 100, currency: 'CAD' }, { amount: -100, currency: 'CAD' }), /No CAD\/USD rate on or before 2026-03-31/],
    [price({ amount: 100, currency: 'CAD', base_amount: -75 }, { amount: 75 }), /debit in one currency and a credit in the other/],
    [price({ amount: 100, base_amount: 75 }, { amount: -75 }), /same amount in both columns/],
    [price({ amount: 100, currency: 'CAD', base_amount: 75 }, { amount: -76 }), /credits are 0\.01 USD above/],
    [price({ amount: Number.MAX_SAFE_INTEGER }, { amount: 1 }, { amount: -1 }), /out of range|above its credits/],
  ])('%s', (attempt, detail) => expect(attempt).toThrow(detail))
})

describe('settling an item of another currency', () => {
  const item = {
    id: 'item', entry_id: 'e', entry_number: 1, ledger_id, currency: 'CAD' as const, amount: 10_000, base_amount: 7_500, customer_id: null, vendor_id: null, project_id: null,
    dimension_value_ids: [], settles_line_id: null, settled: 0, settled_base: 0,
  }
  it('takes it off at what it is carried at; the rate since is realised, and nothing is left over however it is paid', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 2500 }), { maxLength: 3 }), rate, (parts, text) => {
      const amounts = [...parts, 10_000 - parts.reduce((total, part) => total + part, 0)]
      let { settled, settled_base } = item
      for (const paid of amounts) {
        const posting = { date: '2026-04-01', source_type: 'payment', currency: 'CAD' as const, rate: text, lines: [{ ledger_id, amount: paid }, { ledger_id, amount: -paid, settles_line_id: 'item' }] }
        const lines = priceLines(carried(posting, 'USD', new Map([['item', { ...item, settled, settled_base }]]), () => 'gains'), 'USD', noRate)
        expect(sum(lines, 'base_amount')).toBe(0)
        settled -= paid
        settled_base += lines[1]?.base_amount ?? 0
      }
      expect(settled_base).toBe(-item.base_amount)
    }))
  })
})

describe('the period of a date', () => {
  const periods: BookPeriod[] = [2025, 2026].flatMap((year) => fiscalYear(year, 4).months.map((month) => ({ ...month, id: month.name, fiscal_year: year, status: 'open', locks: [] })))
  const dates = fc.date({ min: new Date('2024-01-01T00:00:00Z'), max: new Date('2026-12-31T00:00:00Z'), noInvalidDate: true }).map((moment) => moment.toISOString().slice(0, 10))

  it('is the one that holds it, or none', () => {
    fc.assert(fc.property(dates, (date) => {
      expect(periodOf(periods, date)).toEqual(periods.find((period) => period.start_date <= date && date <= period.end_date) ?? null)
    }))
  })

  const with_ = (name: string, changes: Partial<BookPeriod>) => periods.map((period) => (period.name === name ? { ...period, ...changes } : period))
  const nobody = { allowed: false, reason: null }
  it.each<[readonly BookPeriod[], string, Parameters<typeof requireOpenDate>[3], RegExp | null]>([
    [periods, '2025-05-31', nobody, null],
    [periods, '2024-03-31', nobody, /2024-03-31 lies before the first period, which starts on 2024-04-01.*generate/],
    [[], '2025-05-31', nobody, /no accounting periods/],
    [with_('2025-05', { status: 'closed' }), '2025-05-31', nobody, /^2025-05 is closed; use 2025-06-01 or later, or reopen the period\.$/],
    [with_('2025-05', { locks: ['journal'] }), '2025-05-31', nobody, /locked for journal; use 2025-06-01/],
    [with_('2025-05', { locks: ['payables'] }), '2025-05-31', nobody, null],
    [with_('2025-05', { status: 'soft_closed' }), '2025-05-31', nobody, /ask someone who may override/],
    [with_('2025-05', { status: 'soft_closed' }), '2025-05-31', { allowed: true, reason: null }, /x-override-reason/],
    [with_('2025-05', { status: 'soft_closed' }), '2025-05-31', { allowed: true, reason: 'late bill' }, null],
    [with_('2025-05', { status: 'soft_closed' }), '2025-05-31', { allowed: false, reason: 'late bill' }, /ask someone/],
  ])('%#', (known, date, override, detail) => {
    const attempt = () => requireOpenDate(known, date, 'journal', override)
    if (detail) expect(attempt).toThrow(detail)
    else expect(attempt).not.toThrow()
  })

  it('the first open date skips what is closed, and goes on after the last period', () => {
    expect(firstOpenDate(with_('2025-05', { status: 'closed' }), '2025-05-10', 'journal')).toBe('2025-06-01')
    expect(firstOpenDate(periods.map((period) => ({ ...period, status: 'closed' })), '2025-05-10', 'journal')).toBe('2026-04-01')
  })
})

it('one number has one writing', () => {
  expect(['1', '1.0', '01.50', '0.750', '10', '100.00'].map(plainDecimal)).toEqual(['1', '1', '1.5', '0.75', '10', '100'])
})
