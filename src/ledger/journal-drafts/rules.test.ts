import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import type { Currency } from '../../foundation/money.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { priceLines } from '../posting/rules.ts'
import { FIRST_VERSION, type DraftLine, type EntryDraft } from './contract.ts'
import { lineOf, postingOf, ratesNeeded, requireSound, shownDraft, signedAmount, valued } from './rules.ts'

const ledger_id = newId()
const line = (amount: number, currency: Currency = 'USD', more: Partial<DraftLine> = {}): DraftLine =>
  ({ ...lineOf({ ledger_id, amount }, 1, currency, newId()), ...more })

function draft(lines: DraftLine[], more: Partial<EntryDraft> = {}): EntryDraft {
  return {
    id: newId(), business_id: newId(), date: '2026-03-10', memo: null, status: 'draft', currency: 'USD', rate: null, is_adjusting: false, auto_reverse_on: null,
    template_id: null, prepared_by: null, total: 0, lines, created_at: '', updated_at: '', version: FIRST_VERSION, ...more,
  }
}

describe('the amount of a line', () => {
  it('is the one that was given, a credit being negative', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (cents) => {
      expect(signedAmount({ debit: cents }, 1)).toBe(cents)
      expect(signedAmount({ credit: cents }, 1)).toBe(0 - cents)
      expect(signedAmount({ amount: -cents }, 1)).toBe(-cents)
    }))
  })

  it.each(
    [[{}], [{ amount: 1, debit: 1 }], [{ debit: 1, credit: 1 }], [{ debit: 0, credit: 1 }], [{ amount: 1, debit: 1, credit: 1 }]],
  )('%j is not one of three', (given) => {
    expect(() => signedAmount(given, 7)).toThrow('Line 7 needs exactly one of amount, debit and credit.')
  })
})

describe('a draft', () => {
  it('that balances is worth what it is posted with, to the cent', () => {
    const cents = fc.integer({ min: 1, max: 1_000_000_000 })
    fc.assert(fc.property(fc.array(cents, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 99_999 }), (credits, rate) => {
      const total = credits.reduce((sum, each) => sum + each, 0)
      const given = draft([line(total, 'CAD'), ...credits.map((each) => line(-each, 'CAD'))], { currency: 'CAD', rate: `0.${String(rate).padStart(5, '0')}` })
      const shown = valued(given, 'USD', () => null)
      const priced = priceLines(postingOf(given), 'USD', () => null)
      expect(shown.lines.map(({ base_amount }) => base_amount)).toEqual(priced.map(({ base_amount }) => base_amount))
      expect(shown.lines.reduce((sum, { base_amount }) => sum + (base_amount ?? 0), 0)).toBe(0)
      expect(shown.total).toBe(priced.reduce((sum, { base_amount }) => sum + Math.max(base_amount, 0), 0))
    }))
  })

  it('that does not balance is worth what each line is; what has no rate is worth nothing yet', () => {
    const given = draft([line(100), line(-90, 'EUR'), line(50, 'CAD', { base_amount: 40, base_given: true })])
    expect(ratesNeeded(given, 'USD')).toEqual([{ currency: 'EUR', date: '2026-03-10' }])
    expect(valued(given, 'USD', () => null)).toMatchObject(
      { total: 140, lines: [{ base_amount: 100, rate: '1' }, { base_amount: null, rate: null }, { base_amount: 40 }] },
    )
    expect(valued(given, 'USD', () => '1.10').lines[1]).toMatchObject({ base_amount: -99, rate: '1.1' })
  })

  it('whose amounts no number can hold is refused', () => {
    expect(() => valued(draft([line(Number.MAX_SAFE_INTEGER), line(1)]), 'USD', () => null)).toThrow(/out of range/)
  })

  it('goes to the journal with its id, and with base amounts only where they were given', () => {
    const given = valued(
      draft([line(100, 'EUR'), line(-100, 'EUR', { base_amount: -110, base_given: true })], { currency: 'EUR', rate: '1.1' }), 'USD', () => null,
    )
    const posting = postingOf(given)
    expect(posting).toMatchObject({ id: given.id, source_type: 'manual', rate: '1.1' })
    expect(posting.lines.map((each) => each.base_amount)).toEqual([undefined, -110])
  })

  it('is shown as an entry without a number', () => {
    const shown = shownDraft(valued(draft([line(100), line(-100)]), 'USD', () => null))
    expect(shown).toMatchObject({ number: null, hash: null, posted_at: null, superseded: false, total: 100 })
    expect(shown.lines.map(({ position, debit, credit }) => [position, debit, credit])).toEqual([[1, 100, 0], [2, 0, 100]])
    expect(shown.lines[0]).not.toHaveProperty('base_given')
  })

  it.each([
    [{ auto_reverse_on: '2026-03-10' }, /must come after 2026-03-10/],
    [{ auto_reverse_on: '2026-03-09' }, /must come after/],
    [{ currency: 'EUR', rate: '0.000' }, /above 0/],
    [{ rate: '1.5' }, /USD is the base currency/],
  ] as const)('with %j is refused', (wrong, detail) => {
    expect(() => requireSound({ ...draft([]), ...wrong }, 'USD')).toThrow(detail)
    expect(() => requireSound({ ...draft([]), ...wrong }, 'USD')).toThrow(Refusal)
  })

  it('may say that the rate of the base currency is 1', () => {
    expect(() => requireSound(draft([], { rate: '1.00' }), 'USD')).not.toThrow()
  })
})
