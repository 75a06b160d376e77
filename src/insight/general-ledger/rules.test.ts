import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import type { LedgerLine } from './contract.ts'
import { balancesBefore, between, decodeCursor, encodeCursor, runningLines, scopeOf, shownLedgers, stretchesOf, type Standing } from './rules.ts'

const ledgerOf = (type: BookLedger['type'], number: string, merged_into_id: string | null = null): BookLedger => ({
  id: newId(), number, name: number, type, subtype: 'other_equity', currency: 'USD', is_bank: false, role: null, archived: false, posting: true,
  merged_into_id, cash_flow_class: 'operating', parent_id: null, default_tax_code_id: null,
})
const lineOf = (ledger_id: string, amount: number): LedgerLine => ({
  id: newId(), cash_basis: false, entry_id: newId(), entry_number: 1, date: '2026-03-01', ledger_id, memo: null, source_type: 'manual', source_id: null,
  debit: Math.max(amount, 0), credit: Math.max(-amount, 0), currency: 'USD', amount, customer_id: null, vendor_id: null, project_id: null,
  dimension_value_ids: [], href: '/',
})

describe('a cursor', () => {
  const range = { start_date: '2026-01-01', end_date: '2026-12-31' }
  const scope = scopeOf('business', 'report', { basis: 'cash', limit: 5 }, range)
  it('leads back to where it was made, whatever the size of the page, and nowhere else', () => {
    const cursor = encodeCursor(['a', 'b', 'c'], scope)
    expect(decodeCursor(cursor, scopeOf('business', 'report', { basis: 'cash', limit: 9, cursor: 'x', direction: 'prev' }, range))).toEqual(['a', 'b', 'c'])
    for (const [business, report, basis] of [['another', 'report', 'cash'], ['business', 'other', 'cash'], ['business', 'report', 'accrual']] as const) {
      expect(() => decodeCursor(cursor, scopeOf(business, report, { basis }, range))).toThrow('This cursor does not belong')
    }
  })
  it('is refused where it is none', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'))), (text) => {
      expect(() => decodeCursor(text, scope)).toThrow('This cursor does not belong')
    }))
  })
})

describe('the ledgers', () => {
  const [cash, debt, rent] = [ledgerOf('asset', '1000'), ledgerOf('liability', '0500'), ledgerOf('expense', '0100')]
  const merged = ledgerOf('expense', '0050', rent.id)
  const shown = shownLedgers(new Map([rent, merged, debt, cash].map((ledger) => [ledger.id, ledger])))
  it('stand by type and number, with those merged into them', () => {
    expect(shown.map(({ ledger }) => ledger.number)).toEqual(['1000', '0500', '0100'])
    expect(shown[2]?.member_ids).toEqual([rent.id, merged.id])
    expect(between(shown, debt.id, undefined).map(({ ledger }) => ledger.number)).toEqual(['0500', '0100'])
    expect(between(shown, undefined, debt.id).map(({ ledger }) => ledger.number)).toEqual(['1000', '0500'])
  })
  it('are walked from the position on, or back from it', () => {
    const range = { start_date: '2026-01-01', end_date: '2026-12-31' }
    const position = { ledger_id: debt.id, date: '2026-05-05', id: newId() }
    expect(stretchesOf(shown, range, position, false).map(({ place, date }) => [place, date])).toEqual([[1, '2026-05-05'], [2, '2026-01-01']])
    expect(stretchesOf(shown, range, position, true).map(({ place, date }) => [place, date])).toEqual([[1, '2026-05-05'], [0, '2026-12-31']])
    expect(stretchesOf(shown, range, null, false).map(({ place }) => place)).toEqual([0, 1, 2])
  })
})

it('balances run the same whether a page is reached from before or from behind', () => {
  const ledger = ledgerOf('liability', '1')
  const ledgers = new Map([[ledger.id, ledger]])
  fc.assert(fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 20 }),
    fc.nat(), (opening, amounts, cut) => {
    const lines = amounts.map((amount) => lineOf(ledger.id, amount))
    const sum = (of: readonly LedgerLine[]) => of.reduce((total, { debit, credit }) => total + debit - credit, 0)
    const standings = new Map<string, Standing>([[ledger.id, {
      opening, moved: { debit: lines.reduce((total, { debit }) => total + debit, 0), credit: lines.reduce((total, { credit }) => total + credit, 0) },
    }]])
    const whole = runningLines(lines, ledgers, balancesBefore(standings, lines, null, false))
    expect(whole.at(-1)?.balance).toBe(0 - (opening + sum(lines)))
    const at = cut % lines.length
    const here = { ledger_id: ledger.id, balance: opening + sum(lines.slice(0, at)) }
    const [first, rest] = [lines.slice(0, at), lines.slice(at)]
    expect(runningLines(rest, ledgers, balancesBefore(standings, rest, here, false))).toEqual(whole.slice(at))
    expect(runningLines(rest, ledgers, balancesBefore(standings, rest, null, true))).toEqual(whole.slice(at))
    expect(runningLines(first, ledgers, balancesBefore(standings, first, here, true))).toEqual(whole.slice(0, at))
  }))
})
