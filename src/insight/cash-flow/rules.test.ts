import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import { CASH_FLOW_CLASSES, LEDGER_TYPES, SUBTYPES, type CashFlowClass, type LedgerType, type Subtype } from '../../ledger/ledgers/contract.ts'
import type { Line } from '../report-shape/contract.ts'
import { classOf, directLines, indirectLines, isCash, requireFewDays, requireOverTime } from './rules.ts'

const ledgerOf = (type: LedgerType, subtype: Subtype, cash_flow_class: CashFlowClass, more: Partial<BookLedger> = {}): BookLedger => ({
  id: newId(), number: null, name: `${type} ${subtype} ${cash_flow_class}`, type, subtype, currency: 'USD', is_bank: false, role: null,
  archived: false, posting: true, merged_into_id: null, cash_flow_class, parent_id: null, default_tax_code_id: null, ...more,
})

const anyLedger = fc.constantFrom(...LEDGER_TYPES).chain((type) =>
  fc.record({
    subtype: fc.constantFrom(...(SUBTYPES[type] as readonly Subtype[])), cash_flow_class: fc.constantFrom(...CASH_FLOW_CLASSES), is_bank: fc.boolean(),
  }).map(({ subtype, cash_flow_class, is_bank }) => ledgerOf(type, subtype, cash_flow_class, { is_bank })))

/** Ledgers with what each did to cash in two columns; all of them together come to nothing, as entries do. */
const amount = fc.integer({ min: -1e9, max: 1e9 })
const books = fc.array(fc.tuple(anyLedger, amount, amount), { minLength: 1, maxLength: 25 }).map((given) => {
  const effects = new Map(given.map(([{ id }, first, second]) => [id, [first, second]]))
  const rest = ledgerOf('asset', 'bank', 'cash')
  effects.set(rest.id, [0, 1].map((column) => 0 - given.reduce((sum, entry) => sum + (entry[column + 1] as number), 0)))
  return { ledgers: [...given.map(([ledger]) => ledger), rest], effects }
})

const shown = { depth: 5, show_zero: false }
const find = (lines: readonly Line[], key: string): Line | undefined => lines.find((line) => line.key === key)
const amountsOf = (lines: readonly Line[], key: string) => find(lines, key)?.amounts ?? [0, 0]

function addsUp(line: Line): boolean {
  const parts = line.rows.length === 0 || line.amounts.every((amount, column) => amount === line.rows.reduce((sum, row) => sum + (row.amounts[column] ?? 0), 0))
  return parts && line.rows.every(addsUp)
}

describe('the indirect cash flow', () => {
  it('comes to the change of cash whatever the classes, and its parts add up', () => {
    fc.assert(fc.property(books, fc.tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -1e6, max: 1e6 })), ({ ledgers, effects }, revaluation) => {
      const effectOf = ({ id }: BookLedger) => effects.get(id) ?? [0, 0]
      const { lines, differences } = indirectLines({ ledgers, effectOf, revaluation, opening: [5, 7] }, shown, 2)
      expect(differences).toEqual([0, 0])
      const change = [0, 1].map((column) => 0 - ledgers.filter(isCash).reduce((sum, ledger) => sum + (effectOf(ledger)[column] ?? 0), 0))
      expect(amountsOf(lines, 'net_change')).toEqual(change)
      expect(amountsOf(lines, 'closing_cash')).toEqual(change.map((amount, column) => amount + [5, 7][column]!))
      expect(lines.every(addsUp)).toBe(true)
      const [operating, investing, financing, exchange] = ['operating', 'investing', 'financing', 'exchange_rates'].map((key) => amountsOf(lines,
        key)) as [number[], number[], number[], number[]]
      expect(change).toEqual([0, 1].map((column) => operating[column]! + investing[column]! + financing[column]! + exchange[column]!))
    }))
  })

  it('adds depreciation back and shows what a disposal brought', () => {
    const [bank, asset, accumulated, worn, gain] = [
      ledgerOf('asset', 'bank', 'cash'), ledgerOf('asset', 'fixed_asset', 'investing'), ledgerOf('asset', 'accumulated_depreciation', 'non_cash'),
      ledgerOf('expense', 'depreciation', 'non_cash'), ledgerOf('income', 'disposal_gain_loss', 'investing'),
    ] as const
    // Depreciated by 100; then sold for 500, with a cost of 1,000 and 600 of it worn off.
    const effects = new Map([[bank.id, -500], [asset.id, 1000], [accumulated.id, 100 - 600], [worn.id, -100], [gain.id, 100]])
    const { lines } = indirectLines({ ledgers: [bank, asset, accumulated, worn, gain], effectOf: ({ id }) => [effects.get(id) ?? 0],
      revaluation: [0], opening: [0] }, shown, 1)
    expect(['operating', 'investing', 'net_change'].map((key) => amountsOf(lines, key)[0])).toEqual([0, 500, 500])
    expect(find(lines, 'operating')?.rows.map(({ key, amounts }) => [key, amounts[0]]))
      .toEqual([['net_income', 0], ['non_cash', 100], ['shown_elsewhere', -100]])
  })
})

describe('the direct cash flow', () => {
  it('puts receipts and payments under their class', () => {
    const [bank, sales, loan] = [ledgerOf('asset', 'bank', 'cash'), ledgerOf('income', 'revenue', 'operating'), ledgerOf('liability',
      'long_term_loan', 'financing')]
    const receipts = new Map([[sales.id, [70]], [loan.id, [30]]])
    const payments = new Map([[loan.id, [10]]])
    const { lines, differences } = directLines(
      { ledgers: [bank, sales, loan], effectOf: ({ id }) => [{ [bank.id]: -90, [sales.id]: 70, [loan.id]: 20 }[id] ?? 0], revaluation: [0], opening: [1] },
      { receiptsOf: ({ id }) => receipts.get(id) ?? [0], paymentsOf: ({ id }) => payments.get(id) ?? [0] }, shown, 1)
    expect(differences).toEqual([0])
    expect(find(lines, 'financing')?.rows.map(({ key, amounts }) => [key, amounts[0]])).toEqual([['financing_receipts', 30], ['financing_payments', -10]])
    expect(amountsOf(lines, 'closing_cash')).toEqual([91])
  })
})

describe('what a cash flow can be asked for', () => {
  const slot = { key: 'total', label: 'Total', start_date: '2026-01-01', end_date: '2026-12-31', comparison: null }
  it('is over time, of what was', () => {
    expect(() => requireOverTime({ axis: 'customer', slots: [slot] })).toThrow('choose columns total, month, quarter or year')
    expect(() => requireOverTime({ axis: null, slots: [{ ...slot, comparison: { kind: 'budget:x', with: 0 } }] })).toThrow('A budget plans income and expenses')
    requireOverTime({ axis: null, slots: [slot] })
  })
  it('directly at most 400 days', () => {
    requireFewDays([slot])
    expect(() => requireFewDays([{ ...slot, end_date: '2027-02-05' }])).toThrow('at most 400 days, and this would be 401')
  })
})

it('what wears assets out belongs to investing, other ledgers without cash to operating', () => {
  expect(classOf(ledgerOf('asset', 'accumulated_depreciation', 'non_cash'))).toBe('investing')
  expect(classOf(ledgerOf('liability', 'other_current_liability', 'non_cash'))).toBe('operating')
  expect(classOf(ledgerOf('equity', 'capital', 'financing'))).toBe('financing')
})
