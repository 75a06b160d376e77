import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BookLedger } from '../../ledger/books/contract.ts'
import type { Column } from '../report-columns/contract.ts'
import type { Line, Report } from './contract.ts'
import { checkOf, explainHref, ledgerLines, linkTo, percentOf, rowsOf, sectionOf, tableOf, totalOf } from './rules.ts'

const ledger = (id: string, parent_id: string | null = null, more: Partial<BookLedger> = {}): BookLedger => (
  { id, name: id, number: null, parent_id, merged_into_id: null, archived: false, type: 'expense', subtype: 'operating', ...more } as BookLedger)
const column = (key: string, compared_with: number | null = null): Column => (
  { key, label: key, start_date: '2026-01-01', end_date: '2026-01-31', slot: 0, group: undefined, filters: {}, compared_with })
const outline = (lines: readonly Line[], indent = ''): string[] => lines.flatMap((line) => [`${indent}${line.key} ${line.amounts.join(' ')}`, ...outline(line.rows, `${indent}  `)])

describe('ledgers of a section', () => {
  const chart = [ledger('cars', null, { number: '10' }), ledger('fuel', 'cars'), ledger('tyres', 'cars'), ledger('winter', 'tyres'), ledger('idle'), ledger('gone', null, { archived: true })]
  const amounts: Record<string, number[]> = { cars: [5, 0], fuel: [10, 1], winter: [20, 2] }
  const lines = (shown = { depth: 5, show_zero: false }) => ledgerLines(chart, ({ id }) => amounts[id] ?? [0, 0], shown, 2)

  it('stand under each other, with what was posted to one directly in a row of its own', () => {
    expect(outline(lines())).toEqual(['cars 35 3', '  cars:direct 5 0', '  fuel 10 1', '  tyres 20 2', '    winter 20 2'])
  })

  it('are cut at a depth without losing anything', () => {
    expect(outline(lines({ depth: 2, show_zero: false }))).toEqual(['cars 35 3', '  cars:direct 5 0', '  fuel 10 1', '  tyres 20 2'])
    expect(outline(lines({ depth: 1, show_zero: false }))).toEqual(['cars 35 3'])
    expect(lines({ depth: 1, show_zero: false })[0]?.ledger_ids).toEqual(['cars', 'fuel', 'winter'])
  })

  it('without amounts are shown when asked for, archived ones never', () => {
    expect(outline(lines({ depth: 1, show_zero: true }))).toEqual(['cars 35 3', 'idle 0 0'])
  })

  it('add up at every level, whatever the tree', () => {
    fc.assert(fc.property(fc.array(fc.tuple(fc.nat(7), fc.integer({ min: -1000, max: 1000 })), { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (given, depth) => {
      const tree = given.map(([parent], index) => ledger(`l${index}`, parent < index ? `l${parent}` : null))
      const section = sectionOf('s', 'S', ledgerLines(tree, ({ id }) => [given[Number(id.slice(1))]?.[1] ?? 0], { depth, show_zero: false }, 1), 1)
      const adds = (line: Line): boolean => line.rows.length === 0 || (line.rows.reduce((sum, row) => sum + (row.amounts[0] ?? 0), 0) === line.amounts[0] && line.rows.every(adds))
      expect(adds(section)).toBe(true)
      expect(section.amounts[0]).toBe(given.reduce((sum, [, amount]) => sum + amount, 0))
    }))
  })
})

describe('cells', () => {
  const line: Line = { kind: 'ledger', key: 'a', label: 'A', ledger_id: 'a', amounts: [150, 100, 0], ledger_ids: ['a'], rows: [] }

  it('of a comparison say how far the other column is away', () => {
    const [row] = rowsOf([line], [column('total'), column('total:previous_year', 0), column('total:previous_period', 0)], () => null)
    expect(row?.cells).toEqual([{ amount: 150, href: null }, { amount: 100, href: null, variance: 50, variance_percent: '50.0' }, { amount: 0, href: null, variance: 150, variance_percent: null }])
  })

  it.each([[50, 100, '50.0'], [-1, 3, '-33.3'], [1, 2000, '0.1'], [1, 2001, '0.0'], [-1, 2000, '-0.1'], [50, -100, '50.0'], [-200, -100, '-200.0'], [7, 0, null], [0, 5, '0.0'], [123_456, 1000, '12345.6']])(
    '%i of %i is %s %%', (part, base, expected) => expect(percentOf(part, base)).toBe(expected))

  it('lead to their lines', () => {
    const asked = { basis: 'cash', known_at: '2026-03-01T00:00:00.000Z', adjusting: 'exclude', filters: { customer_id: 'c' } } as const
    expect(linkTo(asked)(line, column('total'), 0)).toBe(
      '/reports/explain?ledger_id=a&start_date=2026-01-01&end_date=2026-01-31&basis=cash&known_at=2026-03-01T00%3A00%3A00.000Z&adjusting=exclude&customer_id=c')
    expect(linkTo(asked)(line, { ...column('p'), filters: { project_id: 'p' } }, 0)).toContain('customer_id=c&project_id=p')
    expect(linkTo(asked)(line, { ...column('unassigned'), filters: null }, 0)).toBeNull()
    expect(linkTo(asked)(line, column('total:budget:x'), 0)).toBeNull()
    expect(explainHref({ ledger_ids: ['a', 'b'], start_date: null, end_date: '2026-01-31', basis: 'accrual' })).toBe('/reports/explain?ledger_id=a,b&end_date=2026-01-31&basis=accrual')
    expect(explainHref({ ledger_ids: [], start_date: null, end_date: '2026-01-31', basis: 'accrual' })).toBeNull()
    expect(explainHref({ ledger_ids: Array.from({ length: 51 }, String), start_date: null, end_date: '2026-01-31', basis: 'accrual' })).toBeNull()
  })

  it('a check tells the largest difference', () => {
    expect(checkOf('k', [0, 0])).toEqual({ key: 'k', ok: true, difference: 0 })
    expect(checkOf('k', [1, -5, 3])).toEqual({ key: 'k', ok: false, difference: -5 })
  })
})

describe('the table', () => {
  it('has a row per row, totals below their section, and a comparison with its variance', () => {
    const fuel: Line = { kind: 'ledger', key: 'f', label: 'Fuel', ledger_id: 'f', amounts: [1500, 1000], ledger_ids: ['f'], rows: [] }
    const section = sectionOf('costs', 'Costs', [fuel], 2)
    const lines = [section, sectionOf('none', 'None', [], 2), totalOf('total', 'net', 'Net', [], [section], 2)]
    const columns = [column('total'), column('total:previous_year', 0)]
    const report: Report = {
      report: 'x', title: 'X', basis: 'accrual', currency: 'USD', parameters: { as_of: '2026-01-31' }, generated_at: '', journal_version: 1, columns, rows: rowsOf(lines, columns, () => null), checks: [],
    }
    const table = tableOf(report)
    expect(table.title).toBe('X, 2026-01-31, accrual basis, USD')
    expect(table.columns.map(({ label, kind }) => `${label} ${kind}`)).toEqual(['X text', 'total money', 'total:previous_year money', 'total:previous_year: variance money', 'total:previous_year: variance % decimal'])
    expect(table.rows).toEqual([
      { label: 'Costs', style: { bold: true, indent: 0 } },
      { label: 'Fuel', c0: 1500, c1: 1000, v1: 500, p1: '50.0', style: { bold: false, indent: 1 } },
      { label: 'Total Costs', c0: 1500, c1: 1000, v1: 500, p1: '50.0', style: { bold: true, indent: 0 } },
      { label: 'Net', c0: -1500, c1: -1000, v1: -500, p1: '-50.0', style: { bold: true, indent: 0 } },
    ])
    expect(tableOf({ ...report, rows: rowsOf([section, { ...section, kind: 'total', key: 'total_costs', label: 'Total costs', rows: [] }], columns, () => null) }).rows.map(({ label }) => label)).toEqual(['Costs', 'Fuel', 'Total costs'])
  })
})
