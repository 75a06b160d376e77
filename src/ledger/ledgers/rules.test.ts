// Tests of what a chart may look like: each ledger by itself, and properties of all of them together.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LEDGER_TYPES, SUBTYPES, type LedgerInput, type LedgerRow } from './contract.ts'
import {
  cashFlowClassOf, changesOf, chartProblems, climb, MOST_LEVELS, newLedger, normalSide, requireArchivable, requireChangeable,
  requireDeletable, requireMergeable, requireSound, settle, signOf, type Proposal,
} from './rules.ts'

const origin = { business_id: 'b', base_currency: 'USD', now: '2026-01-01T00:00:00.000Z' } as const
const ledger = (id: string, more: Partial<LedgerRow> = {}): LedgerRow =>
  ({ ...newLedger({ name: id, type: 'expense', subtype: 'operating' }, { ...origin, id }), ...more })
const mapOf = (...ledgers: LedgerRow[]) => new Map(ledgers.map((one) => [one.id, one]))
const chartOf = (...ledgers: LedgerRow[]) => ({ ledgers: mapOf(...ledgers), used: new Set<string>() })

describe('a ledger by itself', () => {
  it.each([
    [{ type: 'asset', subtype: 'operating' }, /subtype operating does not belong to the type asset/],
    [{ type: 'expense', subtype: 'operating', currency: 'CAD' }, /kept in USD, the base currency/],
    [{ type: 'income', subtype: 'revenue', currency: 'EUR' }, /kept in USD, the base currency/],
    [{ type: 'asset', subtype: 'inventory', is_bank: true }, /inventory cannot/],
    [{ type: 'liability', subtype: 'current_loan', is_bank: true }, /current_loan cannot/],
    [{ type: 'asset', subtype: 'bank', is_bank: true, posting: false }, /a heading takes no lines/],
  ])('%j is refused', (input, sentence) => {
    expect(() => requireSound(newLedger({ name: 'x', ...input } as LedgerInput, { ...origin, id: 'x' }), 'USD')).toThrow(sentence)
  })

  it('with a role is a bank account only where the role is about money', () => {
    const money = ledger('a', { type: 'asset', subtype: 'cash', is_bank: true })
    expect(() => requireSound({ ...money, role: 'undeposited_funds' }, 'USD')).not.toThrow()
    expect(() => requireSound({ ...money, role: 'inventory' }, 'USD')).toThrow('a has the role inventory and cannot be a bank account.')
  })

  it('takes every subtype of its type, with what follows from it', () => {
    for (const type of LEDGER_TYPES) {
      for (const subtype of SUBTYPES[type]) {
        const made = newLedger({ name: 'x', type, subtype }, { ...origin, id: 'x' })
        expect(() => requireSound(made, 'USD')).not.toThrow()
        expect(made.is_bank).toBe(['bank', 'cash', 'credit_card', 'line_of_credit'].includes(subtype))
        expect(made.cash_flow_class).toBe(cashFlowClassOf(subtype))
      }
    }
  })

  it('stands on the side of its type, contrary ones on the other', () => {
    expect(normalSide({ type: 'asset', subtype: 'bank' })).toBe('debit')
    expect(normalSide({ type: 'asset', subtype: 'accumulated_depreciation' })).toBe('credit')
    expect(normalSide({ type: 'income', subtype: 'discount' })).toBe('debit')
    expect(normalSide({ type: 'equity', subtype: 'distribution' })).toBe('debit')
    expect(LEDGER_TYPES.map(signOf)).toEqual([1, -1, -1, -1, 1])
  })

  it('changes only where something differs, and its cash-flow class with its subtype unless it was chosen', () => {
    const one = ledger('a', { type: 'asset', subtype: 'prepaid', cash_flow_class: 'operating' })
    expect(changesOf(one, { name: '  a ', number: null, description: null })).toEqual({})
    expect(changesOf(one, { subtype: 'fixed_asset' })).toEqual({ subtype: 'fixed_asset', cash_flow_class: 'investing' })
    expect(changesOf(one, { subtype: 'fixed_asset', cash_flow_class: 'operating' })).toEqual({ subtype: 'fixed_asset' })
    expect(changesOf({ ...one, cash_flow_class: 'non_cash' }, { subtype: 'fixed_asset' })).toEqual({ subtype: 'fixed_asset' })
    expect(changesOf(one, { name: ' B   c ' })).toEqual({ name: 'B c' })
  })

  it.each(['type', 'currency', 'is_bank', 'posting'] as const)('keeps its %s once it has lines, is merged, or has a role where that needs it', (field) => {
    const before = ledger('a')
    const after = { ...before, [field]: { type: 'asset', currency: 'CAD', is_bank: true, posting: false }[field] } as LedgerRow
    expect(() => requireChangeable(chartOf(before), before, after)).not.toThrow()
    expect(() => requireChangeable({ ...chartOf(before), used: new Set(['a']) }, before, after)).toThrow(`a has lines: its ${field} cannot change`)
    expect(() => requireChangeable(chartOf(before, ledger('b', { merged_into_id: 'a' })), before, after)).toThrow('a is part of a merge')
    const role = { ...before, role: 'rounding' as const }
    const change = () => requireChangeable(chartOf(role), role, { ...after, role: 'rounding' })
    if (field === 'type' || field === 'posting') expect(change).toThrow('a has the role rounding')
    else expect(change).not.toThrow()
  })
})

describe('deleting, archiving, merging', () => {
  const asset = { type: 'asset', subtype: 'prepaid' } as const

  it('deletes only what nothing points at', () => {
    const one = ledger('a')
    expect(() => requireDeletable(chartOf(one), one)).not.toThrow()
    expect(() => requireDeletable({ ...chartOf(one), used: new Set(['a']) }, one)).toThrow('has lines')
    expect(() => requireDeletable(chartOf(one), { ...one, role: 'rounding' })).toThrow('has the role rounding')
    expect(() => requireDeletable(chartOf(one, ledger('b', { parent_id: 'a', archived: true })), one)).toThrow('b stands below a')
    expect(() => requireDeletable(chartOf(one, ledger('b', { merged_into_id: 'a' })), one)).toThrow('b is merged into a')
  })

  it('archives only what is empty, without a role and without active ledgers below', () => {
    const one = ledger('a', asset)
    const balance = { currency: 'EUR', amount: -1, base_amount: -2 } as const
    expect(() => requireArchivable(mapOf(one), one, [], 'USD')).not.toThrow()
    expect(() => requireArchivable(mapOf(one, ledger('b', { parent_id: 'a', archived: true })), one, [], 'USD')).not.toThrow()
    expect(() => requireArchivable(mapOf(one, ledger('b', { parent_id: 'a' })), one, [], 'USD')).toThrow('b stands below a and is active')
    expect(() => requireArchivable(mapOf(one), { ...one, role: 'inventory' }, [], 'USD')).toThrow('has the role inventory')
    expect(() => requireArchivable(mapOf(one), one, [balance], 'USD')).toThrow('a has a balance of -0.01 EUR')
    expect(() => requireArchivable(mapOf(one), one, [{ ...balance, amount: 0 }], 'USD')).toThrow('a has a balance of -0.02 USD')
  })

  it.each([
    [{ type: 'expense', subtype: 'operating' }, /only ledgers of one type/],
    [{ currency: 'CAD' }, /only ledgers of one currency/],
    [{ role: 'inventory' }, /has the role inventory/],
    [{ is_bank: true }, /is a bank account/],
    [{ posting: false }, /is a heading/],
    [{ archived: true }, /is archived/],
    [{ merged_into_id: 'c', archived: true }, /is merged into another ledger already/],
  ] as [Partial<LedgerRow>, RegExp][])('does not merge with %j on either side', (more, sentence) => {
    const [plain, odd] = [ledger('a', asset), ledger('b', { ...asset, ...more })]
    expect(() => requireMergeable(mapOf(plain, odd), plain, odd)).toThrow(sentence)
    expect(() => requireMergeable(mapOf(plain, odd), odd, plain)).toThrow(sentence)
  })

  it('does not merge into itself, nor with active ledgers below', () => {
    const [a, b] = [ledger('a'), ledger('b')]
    expect(() => requireMergeable(mapOf(a, b), a, b)).not.toThrow()
    expect(() => requireMergeable(mapOf(a), a, a)).toThrow('into itself')
    expect(() => requireMergeable(mapOf(a, b, ledger('c', { parent_id: 'a' })), a, b)).toThrow('c stands below a')
  })
})

describe('several changes at once', () => {
  const change = (
    index: number, before: LedgerRow | null, after: Partial<LedgerRow> & { id: string },
  ): Proposal => ({ index, before, after: { ...(before ?? ledger(after.id)), ...after } })
  const details = (refused: Map<number, { detail: string }>) => Object.fromEntries([...refused].map(([index, { detail }]) => [index, detail]))

  it('may swap numbers, names and places', () => {
    const [a, b] = [ledger('a', { number: '1' }), ledger('b', { number: '2', parent_id: 'a' })]
    const { standing, refused } = settle(mapOf(a, b), [
      change(0, a, { id: 'a', number: '2', name: 'b', parent_id: 'b' }),
      change(1, b, { id: 'b', number: '1', name: 'a', parent_id: null }),
    ])
    expect([standing.length, refused.size]).toEqual([2, 0])
  })

  it('where two want the same, who had it keeps it, then who came first gets it', () => {
    const a = ledger('a', { number: '1' })
    const { refused } = settle(mapOf(a), [
      change(0, null, { id: 'b', number: '1' }), change(1, a, { id: 'a', description: 'x' }), change(2, null, { id: 'c', number: '3' }),
      change(3, null, { id: 'd', number: '3' }),
    ])
    expect(details(refused)).toEqual({ 0: 'The number 1 is taken by a: choose another one.', 3: 'The number 3 is taken by c: choose another one.' })
  })

  it('half a swap does not stand when the other half falls', () => {
    const [a, b] = [ledger('a', { number: '1' }), ledger('b', { number: '2' })]
    const { standing, refused } = settle(mapOf(a, b), [change(0, a, { id: 'a', number: '2' }), change(1, b, { id: 'b', number: '1', parent_id: 'nobody' })])
    expect(standing).toEqual([])
    expect([...refused.keys()]).toEqual([1, 0])
  })

  it('breaks a circle at its last part', () => {
    const [a, b, c] = [ledger('a'), ledger('b'), ledger('c')]
    const { standing, refused } = settle(
      mapOf(a, b, c), [change(0, a, { id: 'a', parent_id: 'b' }), change(1, b, { id: 'b', parent_id: 'c' }), change(2, c, { id: 'c', parent_id: 'a' })],
    )
    expect(standing.map(({ index }) => index)).toEqual([0, 1])
    expect(details(refused)).toEqual({ 2: 'c cannot stand below a, which stands below it.' })
  })

  it.each([
    [{ parent_id: 'a' }, 'a cannot stand below itself.'],
    [{ parent_id: 'nobody' }, 'Parent ledger nobody not found.'],
    [{ parent_id: 'asset' }, 'a is of the type expense and cannot stand below 7 asset, which is of the type asset.'],
    [{ parent_id: 'archived' }, 'a cannot stand below archived, which is archived: restore that one first.'],
    [{ type: 'asset' }, 'a cannot be of the type asset: child below it is of the type expense.'],
    [{ name: 'ARCHIVED' }, 'A ledger named archived exists at this place already: choose another name.'],
    [{ number: '7' }, 'The number 7 is taken by asset: choose another one.'],
    [{ parent_id: 'e4' }, 'a cannot stand below e4: the chart is at most 5 deep.'],
  ] as [Partial<LedgerRow>, string][])('%j is refused', (more, sentence) => {
    const a = ledger('a')
    const deep = ['e1', 'e2', 'e3', 'e4'].map((id, index, all) => ledger(id, { parent_id: all[index - 1] ?? null }))
    const ledgers = mapOf(
      a, ledger('child', { parent_id: 'a' }), ledger('asset', { type: 'asset', number: '7' }), ledger('archived', { archived: true }), ...deep,
    )
    expect(details(settle(ledgers, [change(0, a, { id: 'a', ...more })]).refused)).toEqual({ 0: sentence })
  })

  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const proposals = fc.array(fc.record({
    id: fc.constantFrom(...ids),
    number: fc.option(fc.constantFrom('1', '2', '3', '4')),
    name: fc.constantFrom('x', 'X', 'y', 'z'),
    type: fc.constantFrom('asset', 'expense'),
    parent_id: fc.option(fc.constantFrom(...ids)),
  }), { maxLength: 12 })

  it('whatever is proposed: what stands is a sound chart without a number or name twice, and all else is refused', () => {
    fc.assert(fc.property(fc.array(proposals, { maxLength: 4 }), (rounds) => {
      let ledgers = new Map<string, LedgerRow>()
      for (const round of rounds) {
        const distinct = [...new Map(round.map((each) => [each.id, each])).values()]
        const asked = distinct.map(
          (each, index) => change(index, ledgers.get(each.id) ?? null, { ...each, subtype: each.type === 'asset' ? 'prepaid' : 'operating' } as LedgerRow),
        )
        const { standing, refused } = settle(ledgers, asked)
        expect([...standing.map(({ index }) => index), ...refused.keys()].toSorted((a, b) => a - b)).toEqual(asked.map(({ index }) => index))
        ledgers = new Map([...ledgers, ...standing.map(({ after }): [string, LedgerRow] => [after.id, after])])
        const all = [...ledgers.values()]
        expect(chartProblems(ledgers)).toEqual([])
        expect(all.every((one) => climb(ledgers, one).above.length < MOST_LEVELS)).toBe(true)
        const numbers = all.flatMap(({ number }) => number ?? [])
        expect(new Set(numbers).size).toBe(numbers.length)
        expect(new Set(all.map(({ parent_id, name }) => `${parent_id} ${name.toLowerCase()}`)).size).toBe(all.length)
      }
    }), { numRuns: 300 })
  })
})

describe('a stored chart', () => {
  it.each([
    [ledger('a', { parent_id: 'nobody' }), /does not exist/],
    [ledger('a', { parent_id: 'a' }), /stands in a circle/],
    [ledger('a', { parent_id: 'asset' }), /its parent of the type asset/],
    [ledger('a', { subtype: 'bank' }), /the subtype bank/],
    [ledger('a', { role: 'sales' }), /does not fit its role sales/],
    [ledger('a', { role: 'rounding' }), /which another ledger has too/],
    [ledger('a', { merged_into_id: 'asset' }), /cannot stand for it/],
  ])('says what is off', (one, sentence) => {
    const others = [ledger('asset', { type: 'asset', subtype: 'prepaid' }), ledger('rounding', { role: 'rounding' })]
    expect(chartProblems(mapOf(...others))).toEqual([])
    expect(chartProblems(mapOf(...others, one))).toEqual([expect.stringMatching(sentence)])
  })
})
