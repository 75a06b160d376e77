// Tests of due dates and discounts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../foundation/calendar.ts'
import { TERM_KINDS, type PaymentTerm } from './contract.ts'
import { discountOf, discountUntil, dueDate, onlyWhatCounts, requireSense } from './rules.ts'

const term = (more: Partial<PaymentTerm>): PaymentTerm => ({
  id: 't', business_id: 'b', name: 'Terms', kind: 'net_days', days: 0, day: null, cutoff_day: null, discount_percent: null, discount_days: null, late_fee: null,
  is_default: false, system: false, archived: false, created_at: '', updated_at: '', version: 1, ...more,
})

describe('due dates', () => {
  it.each<[Partial<PaymentTerm>, string, string]>([
    [{ kind: 'due_on_receipt' }, '2026-01-31', '2026-01-31'],
    [{ kind: 'net_days', days: 30 }, '2026-01-31', '2026-03-02'],
    [{ kind: 'net_days', days: 30 }, '2024-01-31', '2024-03-01'],
    [{ kind: 'end_of_month' }, '2026-02-01', '2026-02-28'],
    [{ kind: 'end_of_month' }, '2026-02-28', '2026-02-28'],
    [{ kind: 'end_of_month', days: 10 }, '2026-12-15', '2027-01-10'],
    [{ kind: 'end_of_month', cutoff_day: 25 }, '2026-01-25', '2026-01-31'],
    [{ kind: 'end_of_month', cutoff_day: 25 }, '2026-01-26', '2026-02-28'],
    [{ kind: 'day_of_month', day: 15 }, '2026-01-15', '2026-01-15'],
    [{ kind: 'day_of_month', day: 15 }, '2026-01-16', '2026-02-15'],
    [{ kind: 'day_of_month', day: 31 }, '2026-02-10', '2026-02-28'],
    [{ kind: 'day_of_month', day: 31 }, '2026-02-28', '2026-02-28'],
    [{ kind: 'day_of_month', day: 15, cutoff_day: 10 }, '2026-01-10', '2026-01-15'],
    [{ kind: 'day_of_month', day: 15, cutoff_day: 10 }, '2026-01-11', '2026-02-15'],
    [{ kind: 'day_of_month', day: 5, cutoff_day: 20 }, '2026-01-20', '2026-02-05'],
    [{ kind: 'day_of_month', day: 5, cutoff_day: 20 }, '2026-01-21', '2026-03-05'],
    [{ kind: 'day_of_month', day: 30, cutoff_day: 31 }, '2026-01-31', '2026-02-28'],
  ])('%j of %s is %s', (given, invoice_date, due) => expect(dueDate(term(given), invoice_date)).toBe(due))

  const terms = fc.record({
    kind: fc.constantFrom(...TERM_KINDS), days: fc.integer({ min: 0, max: 365 }), day: fc.integer({ min: 1, max: 31 }),
    cutoff_day: fc.option(fc.integer({ min: 1, max: 31 })), discount_days: fc.option(fc.integer({ min: 0, max: 365 })),
  })
  const dates = fc.integer({ min: 0, max: 3000 }).map((days) => addDays('2024-01-01', days))

  it('never lie before the invoice, nor go back for a later one; a discount never runs beyond them', () => {
    fc.assert(fc.property(terms, dates, (given, invoice_date) => {
      const made = onlyWhatCounts(term(given))
      const due = dueDate(made, invoice_date)
      expect(due >= invoice_date).toBe(true)
      expect(dueDate(made, addDays(invoice_date, 1)) >= due).toBe(true)
      const until = discountUntil(made, invoice_date)
      expect(until === null ? given.discount_days === null : until >= invoice_date && until <= due).toBe(true)
    }))
  })
})

describe('discounts', () => {
  it.each<[string | null, number, number]>([
    [null, 10_000, 0], ['2', 10_000, 200], ['2', 10_025, 201], ['1.5', 333, 5], ['0', 10_000, 0], ['100', 12_345, 12_345], ['0.0001', 500_000, 1], ['2', -10_025, -201],
    ['99.9999', Number.MAX_SAFE_INTEGER, 9_007_190_247_541_736],
  ])('%s percent of %d is %d', (discount_percent, total, discount) => expect(discountOf({ discount_percent }, total)).toBe(discount))

  it('are no more than what they are taken from', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.maxSafeNat(), (units, total) => {
      const discount = discountOf({ discount_percent: `${Math.trunc(units / 10_000)}.${String(units % 10_000).padStart(4, '0')}` }, total)
      expect(discount >= 0 && discount <= total).toBe(true)
    }))
  })
})

describe('sense', () => {
  it.each<[Partial<PaymentTerm>, string[][]]>([
    [{ kind: 'day_of_month' }, [['body', 'day']]],
    [{ discount_percent: '2' }, [['body', 'discount_days']]],
    [{ discount_days: 0 }, [['body', 'discount_percent']]],
    [{ days: 10, discount_percent: '2', discount_days: 11 }, [['body', 'discount_days']]],
    [{ kind: 'due_on_receipt', discount_percent: '2', discount_days: 1 }, [['body', 'discount_days']]],
    [{ late_fee: { kind: 'percent', value: '100.5', grace_days: 0 } }, [['body', 'late_fee', 'value']]],
    [{ late_fee: { kind: 'percent', value: 2, grace_days: 0 } }, [['body', 'late_fee', 'value']]],
    [{ late_fee: { kind: 'flat', value: '2', grace_days: 0 } }, [['body', 'late_fee', 'value']]],
    [{ late_fee: { kind: 'flat', value: -1, grace_days: 0 } }, [['body', 'late_fee', 'value']]],
    [{ kind: 'day_of_month', discount_percent: '2' }, [['body', 'day'], ['body', 'discount_days']]],
  ])('%j is refused at %j', (given, places) => {
    expect(() => requireSense(term(given))).toThrow(expect.objectContaining({ status: 422, problems: places.map((loc) => expect.objectContaining({ loc })) }))
  })

  it('fits terms that people have', () => {
    for (const given of [
      { days: 10, discount_percent: '2', discount_days: 10 }, { kind: 'end_of_month' as const, discount_percent: '3', discount_days: 20 },
      { late_fee: { kind: 'flat' as const, value: 2_500, grace_days: 5 } }, { kind: 'day_of_month' as const, day: 31 },
    ]) expect(() => requireSense(term(given))).not.toThrow()
  })
})
