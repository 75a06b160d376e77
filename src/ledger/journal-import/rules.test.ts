import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCents } from '../../foundation/money.ts'
import type { Books } from '../books/contract.ts'
import { countRows, groupRows, namesIn, readEntry, requireColumns } from './rules.ts'

const books = {
  ledgers: new Map([
    ['a', { id: 'a', number: '1000', name: 'Checking', archived: false, posting: true }],
    ['b', { id: 'b', number: null, name: 'Rent', archived: false, posting: true }],
    ['c', { id: 'c', number: '2000', name: 'Twice', archived: false, posting: true }],
    ['d', { id: 'd', number: '2001', name: 'twice', archived: false, posting: true }],
    ['e', { id: 'e', number: '2002', name: 'Old', archived: true, posting: true }],
    ['f', { id: 'f', number: '2003', name: 'Old', archived: false, posting: true }],
  ]),
  dimensions: {
    dimensions: new Map([['x', { id: 'x', key: 'department' }]]),
    values: new Map([['v', { id: 'v', dimension_id: 'x', code: 'OPS' }], ['w', { id: 'w', dimension_id: 'y', code: 'OTHER' }]]),
  },
} as unknown as Books

const row = (cells: Record<string, string>, number = 2) =>
  ({ row: number, cells: { entry_ref: '1', date: '2026-01-31', ledger: 'Rent', amount: '1.00', ...cells } })
const read = (...rows: Record<string, string>[]) => readEntry(
  rows.map((cells, index) => row(cells, index + 2)), namesIn(books, ['entry_ref', 'dimension:department']), 'USD',
)

describe('columns', () => {
  it.each([
    [['entry_ref', 'date', 'ledger', 'amount', 'colour'], null],
    [['entry_ref', 'date', 'ledger', 'debit', 'credit', 'dimension:department'], null],
    [['date', 'ledger', 'amount'], /no column entry_ref/],
    [['entry_ref', 'date', 'amount'], /no column ledger/],
    [['entry_ref', 'date', 'ledger'], /has no amounts/],
    [['entry_ref', 'date', 'ledger', 'amount', 'dimension:region'], /dimension:region, but there is no such dimension/],
  ])('%j', (columns, problem) => {
    const check = () => requireColumns({ columns }, 'it.csv', books)
    if (problem) expect(check).toThrow(problem)
    else expect(check).not.toThrow()
  })
})

describe('rows', () => {
  it('with one reference are one entry, wherever they stand, given out as soon as it is whole', async () => {
    const rows = () => Readable.from([[row({ entry_ref: 'x' }, 2), row({ entry_ref: 'y' }, 3)], [row({ entry_ref: 'x' }, 4)]])
    const groups = await Array.fromAsync(groupRows(rows(), await countRows(rows())))
    expect(groups.flat().map((group) => group.map((each) => each.row))).toEqual([[3], [2, 4]])
  })

  it('say the entry in the first, and need not say it again', () => {
    const { input, errors } = read(
      { memo: 'Rent', amount: '', debit: '1,234.50', credit: '0.00' },
      { date: '', memo: '', ledger: 'checking', amount: '-1234.5', line_memo: '\'=x', 'dimension:department': 'OPS' },
    )
    expect(errors).toEqual([])
    expect(input).toMatchObject({ date: '2026-01-31', memo: 'Rent', currency: 'USD', lines: [
      { ledger_id: 'b', amount: 123_450, memo: null, dimension_value_ids: [] }, { ledger_id: 'a', amount: -123_450, memo: '=x', dimension_value_ids: ['v'] },
    ] })
  })

  it('carry any amount there and back, on either side', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (cents) => {
      const text = formatCents(cents, 'USD')
      const { input } = read({ amount: '', debit: text }, { amount: '', credit: text })
      expect(input?.lines.map(({ amount }) => amount)).toEqual([cents, -cents])
    }))
  })

  it('in one currency make an entry of it; in several, one of the base currency', () => {
    expect(read({ currency: 'eur' }, { currency: 'EUR', amount: '-1' }).input?.currency).toBe('EUR')
    expect(read({ currency: 'EUR', base_amount: '1.10' }, { amount: '-1.10' }).input).toMatchObject(
      { currency: 'USD', lines: [{ currency: 'EUR', base_amount: 110 }, { currency: 'USD' }] },
    )
  })

  it.each([
    [{ date: '31.01.2026' }, 2, /'31.01.2026' is not a date/],
    [{ date: '' }, 2, /has no date/],
    [{ entry_ref: '' }, 2, /no entry_ref/],
    [{ ledger: '' }, 2, /no ledger/],
    [{ ledger: '9999' }, 2, /No ledger has the number or name '9999'/],
    [{ ledger: 'TWICE' }, 2, /2 ledgers are called 'TWICE': give the number/],
    [{ amount: '' }, 2, /no amount/],
    [{ amount: 'much' }, 2, /is not an amount/],
    [{ amount: '1.234' }, 2, /is not an amount/],
    [{ debit: '1' }, 2, /more than one of amount, debit and credit/],
    [{ amount: '', debit: '-1' }, 2, /cannot be negative/],
    [{ currency: 'XAU' }, 2, /'XAU' is not a currency/],
    [{ memo: 'x'.repeat(501) }, 2, /memo has 501 characters/],
    [{ 'dimension:department': 'NONE' }, 2, /has no value with the code 'NONE'/],
    [{ 'dimension:department': 'OTHER' }, 2, /has no value with the code 'OTHER'/],
  ])('with %j are wrong in row %i', (wrong, number, detail) => {
    const { input, errors } = read(wrong, { date: '', memo: '', amount: '-1.00' })
    expect([input, errors[0]]).toEqual([null, { row: number, detail: expect.stringMatching(detail) }])
  })

  it('with a name that only one usable ledger has mean that one', () => {
    expect(read({ ledger: 'old' }, { amount: '-1' }).input?.lines[0]?.ledger_id).toBe('f')
    expect(read({ ledger: '2002' }, { amount: '-1' }).input?.lines[0]?.ledger_id).toBe('e')
  })

  it('that contradict each other, or stand alone, are wrong', () => {
    expect(read({}, { date: '2026-02-01' }).errors).toEqual([{ row: 3, detail: 'Its date is not that of row 2, which belongs to the same entry.' }])
    expect(read({}).errors).toEqual([{ row: 2, detail: 'Entry \'1\' has only this line: an entry needs at least two.' }])
    expect(read(...Array.from({ length: 1001 }, () => ({}))).errors[0]?.detail).toMatch(/has 1001 lines/)
  })

  it('are all looked at', () => {
    expect(read({ ledger: 'x' }, { ledger: 'y' }, { amount: 'z' }).errors.map((error) => error.row)).toEqual([2, 3, 4])
  })
})
