// Tests of balances up the tree: nothing is lost and nothing counts twice.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCIES } from '../../foundation/money.ts'
import type { LedgerRow } from '../ledgers/contract.ts'
import { newLedger, signOf } from '../ledgers/rules.ts'
import type { LedgerNode } from './contract.ts'
import { balancesByLedger, baseBalance, ownBalance, treeOf, type Standing } from './rules.ts'

const ledger = (id: string, more: Partial<LedgerRow> = {}): LedgerRow => ({
  ...newLedger({ name: id, type: 'expense', subtype: 'operating' }, { id, business_id: 'b', base_currency: 'USD', now: '2026-01-01T00:00:00.000Z' }), ...more,
})
const mapOf = (...ledgers: LedgerRow[]) => new Map(ledgers.map((one) => [one.id, one]))
const names = (nodes: LedgerNode[]): unknown[] => nodes.map(
  ({ name, total, children }) => (children.length > 0 ? [name, total, names(children)] : [name, total]),
)

describe('balances', () => {
  it('are per currency, in natural signs, with merged ledgers under their target', () => {
    const ledgers = mapOf(ledger('owed', { type: 'liability' }), ledger('old', { type: 'liability', merged_into_id: 'owed', archived: true }))
    const balances = balancesByLedger(ledgers, [
      { ledger_id: 'owed', currency: 'USD', amount: -100, base_amount: -100 }, { ledger_id: 'old', currency: 'USD', amount: -20, base_amount: -20 },
      { ledger_id: 'old', currency: 'EUR', amount: 30, base_amount: 33 }, { ledger_id: 'owed', currency: 'CAD', amount: 0, base_amount: 0 },
    ])
    expect(balances.get('owed')).toEqual([{ currency: 'EUR', balance: -30, base_balance: -33 }, { currency: 'USD', balance: 120, base_balance: 120 }])
    expect(balances.get('old')).toBeUndefined()
    expect([baseBalance(balances.get('owed')), ownBalance('USD', balances.get('owed')), ownBalance('USD', undefined)]).toEqual([87, 120, 0])
  })

  it('on the cash basis are known in the base currency only', () => {
    const balances = balancesByLedger(mapOf(ledger('a')), [{ ledger_id: 'a', currency: 'EUR', amount: null, base_amount: 5 }])
    expect(balances.get('a')).toEqual([{ currency: 'EUR', balance: null, base_balance: 5 }])
  })
})

describe('the tree', () => {
  it('adds up, and leaves out archived ledgers that are empty', () => {
    const ledgers = mapOf(
      ledger('top', { posting: false }), ledger('one', { parent_id: 'top' }), ledger('two', { parent_id: 'top', archived: true }),
      ledger('gone', { parent_id: 'top', archived: true }),
      ledger('merged', { merged_into_id: 'one', archived: true }), ledger('bank', { type: 'asset' }))
    const standings = [['one', 5], ['two', 7], ['merged', 11], ['bank', -23]] as const
    const types = treeOf(
      ledgers, balancesByLedger(ledgers, standings.map(([ledger_id, amount]): Standing => ({ ledger_id, currency: 'USD', amount, base_amount: amount }))),
    )
    expect(types.map(({ type, total, ledgers: own }) => [type, total, names(own)])).toEqual([
      ['asset', -23, [['bank', -23]]], ['liability', 0, []], ['equity', 0, []], ['income', 0, []], ['expense', 23, [['top', 23, [['one', 16], ['two', 7]]]]],
    ])
  })

  it('every cent is in it once, whatever the shape', () => {
    const shape = fc.array(
      fc.record({ parent: fc.nat(), amount: fc.integer(), currency: fc.constantFrom(...CURRENCIES), merged: fc.boolean(), archived: fc.boolean() }),
      { minLength: 1, maxLength: 30 },
    )
    fc.assert(fc.property(shape, fc.constantFrom('asset', 'income'), (specs, type) => {
      const ledgers: LedgerRow[] = []
      for (const [index, { parent, merged, archived }] of specs.entries()) {
        const other = index > 0 ? ledgers[parent % index] : undefined
        const into = merged && other && !other.merged_into_id ? other.id : null
        ledgers.push(ledger(String(index), { type, parent_id: other?.id ?? null, merged_into_id: into, archived: archived || into !== null }))
      }
      const standings = specs.map(({ amount, currency }, index): Standing => ({ ledger_id: String(index), currency, amount, base_amount: amount }))
      const map = mapOf(...ledgers)
      const types = treeOf(map, balancesByLedger(map, standings))
      const sum = specs.reduce((total, { amount }) => total + amount, 0) * signOf(type)
      expect(types.find((each) => each.type === type)?.total).toBe(sum + 0)
      const count = (nodes: LedgerNode[]): number => nodes.reduce((total, node) => {
        expect(node.total).toBe(node.base_balance + node.children.reduce((below, child) => below + child.total, 0))
        return total + 1 + count(node.children)
      }, 0)
      expect(count(types.flatMap((each) => each.ledgers))).toBeLessThanOrEqual(ledgers.filter(({ merged_into_id }) => merged_into_id === null).length)
    }))
  })
})
