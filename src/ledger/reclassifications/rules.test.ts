// Tests of how lines become the lines of one entry.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Books } from '../books/contract.ts'
import { entryLines, movableLedgers, movesOf, sumsOf, type FoundLine } from './rules.ts'

const line = (more: Partial<FoundLine>): FoundLine => ({
  id: 'line', ledger_id: 'rent', currency: 'USD', amount: 100, base_amount: 100, customer_id: null, vendor_id: null, project_id: null,
  dimension_value_ids: [], ...more,
})
const ledgersOf = (ledgers: object[]) => ({ ledgers: new Map(ledgers.map((ledger) => [(ledger as { id: string }).id, ledger])) as unknown as Books['ledgers'] })
const plain = ledgersOf([{ id: 'rent', merged_into_id: null }, { id: 'old', merged_into_id: 'rent' }])
const isDepartment = (id: string) => id.startsWith('d')
const shown = (lines: ReturnType<typeof entryLines>) =>
  lines.map(({ ledger_id, amount, dimension_value_ids }) => `${ledger_id} ${amount} ${dimension_value_ids?.join('+')}`)

describe('the entry', () => {
  it('takes each sum out under its old tags and in under the new ones', () => {
    const found = [
      line({ dimension_value_ids: ['d1', 'x'] }), line({ amount: 50, base_amount: 50, dimension_value_ids: ['x', 'd1'] }),
      line({ amount: -20, base_amount: -20 }),
    ]
    const sums = sumsOf(found, plain, isDepartment)
    expect(shown(entryLines(sums, 'd9'))).toEqual(['rent -150 d1+x', 'rent 20 ', 'rent 150 d9+x', 'rent -20 d9'])
    expect(movesOf(sums)).toEqual([
      { ledger_id: 'rent', currency: 'USD', from_value_id: 'd1', line_count: 2, amount: 150, base_amount: 150 },
      { ledger_id: 'rent', currency: 'USD', from_value_id: null, line_count: 1, amount: -20, base_amount: -20 },
    ])
  })

  it('brings values together, and leaves out what sums to nothing', () => {
    const plus = ['d1', 'd2', 'd3'].map((id) => line({ dimension_value_ids: [id] }))
    const found = [...plus, line({ amount: -100, base_amount: -100, dimension_value_ids: ['d3'] })]
    const sums = sumsOf(found, plain, isDepartment)
    expect(shown(entryLines(sums, 'd9'))).toEqual(['rent -100 d1', 'rent -100 d2', 'rent 200 d9'])
  })

  it('stands on the ledger that a merged one is shown under', () => {
    expect(shown(entryLines(sumsOf([line({ ledger_id: 'old' })], plain, isDepartment), 'd9'))).toEqual(['rent -100 ', 'rent 100 d9'])
  })

  it('has no line that is a debit in one currency and a credit in the other', () => {
    const sums = sumsOf([line({ currency: 'EUR', amount: 10, base_amount: 12 }), line({ currency: 'EUR', amount: -9, base_amount: -13 })], plain, isDepartment)
    expect(entryLines(sums, 'd9').map(({ amount, base_amount }) => [amount, base_amount])).toEqual([[-1, 0], [0, 1], [1, 0], [0, -1]])
  })

  it('has a thousand lines at most', () => {
    const lines = Array.from({ length: 501 }, (_, index) => line({ customer_id: `c${index}` }))
    expect(() => entryLines(sumsOf(lines, plain, isDepartment), 'd9'))
      .toThrow('This would take 1002 lines in one entry, and 1000 is the most: narrow the filter.')
  })

  const anyLine = fc.record({
    ledger_id: fc.constantFrom('rent', 'old', 'sales'), currency: fc.constantFrom('USD', 'EUR'), amount: fc.integer({ min: -500, max: 500 }),
    customer_id: fc.constantFrom(null, 'c1'),
    dimension_value_ids: fc.tuple(fc.constantFrom('', 'd1', 'd2'), fc.constantFrom('', 'x1')).map((ids) => ids.filter((id) => id !== '')),
    drift: fc.integer({ min: -3, max: 3 }),
  }).map(({ drift, ...more }) => line({ ...more, currency: more.currency as 'USD', base_amount: more.currency === 'USD' ? more.amount : more.amount + drift }))

  it('is zero in sum for each ledger, currency and other tag, and moves exactly what was found', () => {
    fc.assert(fc.property(fc.array(anyLine, { maxLength: 30 }), (found) => {
      const posted = entryLines(sumsOf(found, plain, isDepartment), 'd9')
      const totals = (lines: readonly { amount: number; base_amount?: number | undefined }[]) =>
        [lines.reduce((sum, each) => sum + each.amount, 0), lines.reduce((sum, each) => sum + (each.base_amount ?? 0), 0)]
      const other = (ids: readonly string[] = []) => ids.filter((id) => !isDepartment(id)).join('+')
      for (const group of Map.groupBy(posted, (each) => `${each.ledger_id} ${each.currency} ${each.customer_id} ${other(each.dimension_value_ids)}`).values()) {
        expect(totals(group)).toEqual([0, 0])
      }
      // Found and posted together, nothing is left under the old values.
      for (const from of ['d1', 'd2', '']) {
        const under = (ids: readonly string[] = []) => (ids.find(isDepartment) ?? '') === from
        expect(totals([...found.filter((each) => under(each.dimension_value_ids)), ...posted.filter((each) => under(each.dimension_value_ids))]))
          .toEqual([0, 0])
      }
      for (const { amount, base_amount = 0 } of posted) expect(amount * base_amount >= 0 && (amount !== 0 || base_amount !== 0)).toBe(true)
    }))
  })
})

describe('ledgers', () => {
  const books = ledgersOf([
    { id: 'rent', number: '6100', name: 'Rent', is_bank: false, role: null }, { id: 'bank', number: '1000', name: 'Checking', is_bank: true, role: null },
    { id: 'receivable', number: '1100', name: 'Receivable', is_bank: false, role: 'accounts_receivable' },
  ])

  it('of banks and of other documents are left out, and refused where they are named', () => {
    expect(movableLedgers(books, undefined)).toEqual(['rent'])
    expect(movableLedgers(books, ['rent'])).toEqual(['rent'])
    expect(() => movableLedgers(books, ['bank']))
      .toThrow('The lines of 1000 Checking come from banks or documents and keep their values: leave it out of the filter.')
    expect(() => movableLedgers(books, ['receivable'])).toThrow('The lines of 1100 Receivable come from')
    expect(() => movableLedgers(books, ['nowhere'])).toThrow('Ledger nowhere of the filter not found.')
  })
})
