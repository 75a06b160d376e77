// Tests of the tree of values and of what a file says about them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Sheet } from '../../foundation/sheets.ts'
import type { DimensionValue } from './contract.ts'
import { liesBelow, readImport, requireColumns, requireTree } from './rules.ts'

const value = (code: string, more: Partial<DimensionValue> = {}): DimensionValue => ({
  id: `id-${code}`, business_id: 'b', dimension_id: 'd', code, name: `The ${code}`, parent_id: null, valid_from: null, valid_to: null, archived: false,
  merged_into_id: null, created_at: '', updated_at: '', version: 1, ...more,
})
const treeOf = (...values: DimensionValue[]) => new Map(values.map((each) => [each.id, each]))
const chain = (length: number) => Array.from({ length }, (_, index) => value(`v${index}`, { parent_id: index === 0 ? null : `id-v${index - 1}` }))

describe('the tree', () => {
  it('is five deep at most', () => {
    expect(() => requireTree(treeOf(...chain(5)))).not.toThrow()
    expect(() => requireTree(treeOf(...chain(6)))).toThrow('v5 The v5 would lie more than 5 deep: choose a parent further up.')
  })

  it('has no circle', () => {
    expect(() => requireTree(treeOf(value('a', { parent_id: 'id-b' }), value('b', { parent_id: 'id-a' })))).toThrow('a The a cannot lie below itself')
  })

  it('has nothing in use below what is archived', () => {
    const parent = value('p', { archived: true })
    expect(() => requireTree(treeOf(parent, value('c', { parent_id: 'id-p', archived: true })))).not.toThrow()
    expect(() => requireTree(treeOf(parent, value('c', { parent_id: 'id-p' })))).toThrow('p The p, the parent of c The c, is archived')
  })

  it('knows what lies below what', () => {
    const [top, , bottom] = chain(3)
    expect(liesBelow(treeOf(...chain(3)), bottom!, top!)).toBe(true)
    expect(liesBelow(treeOf(...chain(3)), top!, bottom!)).toBe(false)
  })
})

const sheet = (columns: string[], ...rows: string[][]): Sheet =>
  ({ columns, rows: rows.map((cells, index) => ({ row: index + 2, cells: Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])) })) })
let made = 0
const make = (code: string, before: DimensionValue | null, fields: Partial<DimensionValue>): DimensionValue => {
  if (!before) return value(code, { id: `new-${++made}`, ...fields })
  const differs = Object.entries(fields).some(([name, given]) => before[name as keyof DimensionValue] !== given)
  return differs ? { ...before, ...fields, version: before.version + 1 } : before
}

describe('a file', () => {
  it('makes and changes values, with parents from anywhere in it', () => {
    const known = [value('A'), value('B', { valid_from: '2026-01-01' })]
    const file = sheet(['code', 'name', 'parent_code'], ['C', 'Third', 'D'], ['D', 'Fourth', 'A'], ['A', 'The A', ''], ['B', 'Second', 'D'])
    const read = readImport(file, known, make)
    const [third, fourth, first, second] = read.map(({ after }) => after)
    expect(third).toMatchObject({ name: 'Third', parent_id: fourth?.id })
    expect(fourth).toMatchObject({ name: 'Fourth', parent_id: 'id-A' })
    expect(first).toMatchObject({ id: 'id-A', version: 1 })
    // A column that is not there is left alone.
    expect(second).toMatchObject({ id: 'id-B', name: 'Second', parent_id: fourth?.id, valid_from: '2026-01-01', version: 2 })
  })

  it('clears with an empty cell', () => {
    const [row] = readImport(sheet(['code', 'name', 'valid_from'], ['B', 'The B', '']), [value('B', { valid_from: '2026-01-01' })], make)
    expect(row?.after).toMatchObject({ valid_from: null, version: 2 })
  })

  it.each([
    ['no code', ['', 'Name', '', '', ''], 'The code is missing.'],
    ['a long code', ['x'.repeat(31), 'Name', '', '', ''], /is longer than 30 characters/],
    ['a code of two lines', ['a\nb', 'Name', '', '', ''], 'The code holds a line break.'],
    ['no name', ['N', '', '', '', ''], 'The name is missing.'],
    ['a long name', ['N', 'x'.repeat(121), '', '', ''], 'The name is longer than 120 characters.'],
    ['a date that is none', ['N', 'Name', '', '31/12/2026', ''], "valid_from '31/12/2026' is not a date; write it like 2026-03-31."],
    ['dates in the wrong order', ['N', 'Name', '', '2026-02-01', '2026-01-01'], 'N: valid_to 2026-01-01 lies before valid_from 2026-02-01.'],
    ['an unknown parent', ['N', 'Name', 'nobody', '', ''], 'There is no value with the code nobody to be its parent.'],
    ['itself as its parent', ['N', 'Name', 'N', '', ''], /cannot lie below itself/],
    ['an archived parent', ['N', 'Name', 'OLD', '', ''], /OLD The OLD, the parent of N Name, is archived/],
    ['a merged value', ['GONE', 'Name', '', '', ''], 'GONE The GONE is merged into another value and cannot be changed any more.'],
    ['a code a second time', ['A', 'Name', '', '', ''], 'The code A stands in row 2 already.'],
  ])('with %s says so of the row', (_, cells, detail) => {
    const known = [value('OLD', { archived: true }), value('GONE', { archived: true, merged_into_id: 'id-A' }), value('A')]
    const read = readImport(sheet(['code', 'name', 'parent_code', 'valid_from', 'valid_to'], ['A', 'First', '', '', ''], cells), known, make)
    expect(read[0]).toMatchObject({ row: 2, detail: null })
    expect(read[1]).toMatchObject({ row: 3, after: null, detail: expect.stringMatching(detail) })
  })

  it('that moves a value so that one below it lies too deep is blamed for it', () => {
    const [top, ...below] = chain(5)
    const read = readImport(sheet(['code', 'name', 'parent_code'], ['NEW', 'New', ''], ['v0', 'The v0', 'NEW']), [top!, ...below], make)
    expect(read[1]).toMatchObject({ row: 3, after: null, detail: 'v4 The v4 would lie more than 5 deep: choose a parent further up.' })
  })

  it.each([
    [['name'], 'The file has no column code; its columns are name.'],
    [['code', 'name', 'colour'], 'The file has a column colour, which is none of code, name, parent_code, valid_from, valid_to.'],
  ])('with the columns %j is refused', (columns, detail) => {
    expect(() => requireColumns(sheet(columns, ['x']))).toThrow(detail)
  })

  it('leaves a sound tree, whatever it says', () => {
    const codes = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const row = fc.tuple(fc.constantFrom(...codes), fc.constant('Name'), fc.constantFrom('', ...codes))
    fc.assert(fc.property(fc.array(row, { maxLength: 12 }), fc.subarray(codes), (rows, existing) => {
      const known = existing.map((code, index) => value(code, { parent_id: index % 3 === 0 ? null : `id-${existing[index - 1]}` }))
      const read = readImport(sheet(['code', 'name', 'parent_code'], ...rows), known, make)
      expect(read).toHaveLength(rows.length)
      if (read.some(({ after }) => after === null)) return
      const tree = treeOf(...known)
      for (const { after } of read) if (after) tree.set(after.id, after)
      expect(() => requireTree(tree)).not.toThrow()
      for (const { after } of read) if (after?.parent_id) expect(tree.has(after.parent_id)).toBe(true)
    }))
  })
})
