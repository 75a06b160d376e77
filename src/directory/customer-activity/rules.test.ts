// Tests of running balances and of whose limit counts.
import { describe, expect, it } from 'vitest'
import type { BookLedger } from '../../ledger/books/contract.ts'
import type { CustomerRow } from '../customers/contract.ts'
import { treeOf } from '../customers/rules.ts'
import type { LineRow } from './contract.ts'
import { creditOf, earliestOf, ledgersOfRole, limitHolder, withBalances } from './rules.ts'

const line = (date: string, id: string, base_amount: number) => ({ date, id, base_amount }) as LineRow
const customer = (id: string, credit_limit: number | null) => ({ id, credit_limit }) as CustomerRow

describe('running balances', () => {
  const lines = [line('2026-01-01', 'a', 5), line('2026-01-01', 'b', -2), line('2026-02-01', 'c', 7)]

  it('run the way time does, whichever way the lines come', () => {
    expect(withBalances(lines, 10).map(({ balance }) => balance)).toEqual([15, 13, 20])
    expect(withBalances(lines.toReversed(), 10).map(({ balance }) => balance)).toEqual([20, 13, 15])
    expect(withBalances([], 10)).toEqual([])
    expect([earliestOf(lines)?.id, earliestOf(lines.toReversed())?.id, earliestOf([])]).toEqual(['a', 'a', null])
  })
})

describe('limits', () => {
  const tree = treeOf([{ id: 'child', parent_id: 'middle' }, { id: 'middle', parent_id: 'top' }])
  const above = new Map([['middle', customer('middle', null)], ['top', customer('top', 900)]])

  it('are those of the customer, else of the nearest above', () => {
    expect(limitHolder(tree, customer('child', 0), above)?.id).toBe('child')
    expect(limitHolder(tree, customer('child', null), above)?.id).toBe('top')
    expect(limitHolder(tree, customer('child', null), new Map([...above, ['middle', customer('middle', 5)]]))?.id).toBe('middle')
    expect(limitHolder(tree, customer('other', null), above)).toBeNull()
    expect(creditOf(customer('top', 900), 1_000)).toEqual({ customer_id: 'top', limit: 900, used: 1_000, left: -100 })
    expect(creditOf(null, 0)).toBeNull()
  })

  it('count ledgers that are merged into the receivable', () => {
    const ledgers = [{ id: 'ar', role: 'accounts_receivable', merged_into_id: null }, { id: 'old', role: null, merged_into_id: 'ar' }, { id: 'x', role: null, merged_into_id: null }]
    expect(ledgersOfRole(new Map(ledgers.map((ledger) => [ledger.id, ledger as BookLedger])), 'accounts_receivable')).toEqual(['ar', 'old'])
  })
})
