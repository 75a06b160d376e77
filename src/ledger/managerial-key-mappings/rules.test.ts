// Tests of managerial keys: what they allow, and which value counts for a ledger.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BookLedger } from '../books/contract.ts'
import type { KeyType } from './contract.ts'
import {
  allowedValuesOf, allows, arranged, requireMappings, requireReplaced, requireRoom, requireSound, resolved, sheetOf, SYSTEM_KEY_TYPES, tableOf,
} from './rules.ts'

const keyType = (key: string, more: Partial<KeyType> = {}): KeyType => ({
  id: `id-${key}`, business_id: 'b', key, name: key, description: null, value_kind: 'list', allowed_values: allowedValuesOf({ a: 'A', b: 'B' }),
  required: false, system: false,
  position: 1, mapped_count: 0, created_at: '', updated_at: '', version: 1, ...more,
})
const ledger = (id: string, more: Partial<BookLedger> = {}) =>
  ({ id, number: null, name: id, type: 'expense', parent_id: null, merged_into_id: null, archived: false, posting: true, ...more }) as BookLedger
const chart = (...ledgers: BookLedger[]) => new Map(ledgers.map((each) => [each.id, each]))

describe('a key', () => {
  it('that comes with the business is sound', () => {
    expect(SYSTEM_KEY_TYPES.map(({ key }) => key)).toEqual(['function', 'cost_behavior', 'ebitda', 'board_line'])
    for (const { key, values } of SYSTEM_KEY_TYPES) {
      expect(() => requireSound({ key, value_kind: 'list', allowed_values: allowedValuesOf(values) })).not.toThrow()
    }
  })

  it('keeps its values in the order of their positions', () => {
    expect(arranged([{ value: 'x' }, { value: 'y', label: ' Why ', position: 1 }, { value: 'z', position: 7 }])).toEqual([
      { value: 'x', label: 'x', position: 1 }, { value: 'y', label: 'Why', position: 2 }, { value: 'z', label: 'z', position: 3 },
    ])
  })

  it.each([
    ['a list without values', { value_kind: 'list', allowed_values: [] }, 'k is a list, so it needs at least one allowed value.'],
    ['text with values', { value_kind: 'text' }, 'k takes any text, so it has no list of values'],
    ['a value twice',
      { allowed_values: [{ value: 'a', label: 'A', position: 1 }, { value: 'a', label: 'B', position: 2 }] }, 'k allows a twice: leave it once.'],
  ] as const)('is refused as %s', (_, more, detail) => {
    expect(() => requireSound(keyType('k', more as Partial<KeyType>))).toThrow(detail)
  })

  it('has a place of its own among at most thirty', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ key: `k${index}` }))
    expect(() => requireRoom(many.slice(1), 'new')).not.toThrow()
    expect(() => requireRoom(many, 'new')).toThrow('The business has 30 keys already: delete one first.')
    expect(() => requireRoom(many, 'k3')).toThrow('The key k3 exists already: use it, or choose another one.')
    expect(() => requireRoom([], 'name')).toThrow('The table has a column name already: choose another key.')
  })

  it('lets go of values in use only for another', () => {
    expect(requireReplaced(keyType('k'), ['a', 'b'], undefined)).toEqual([])
    expect(() => requireReplaced(keyType('k'), ['a', 'c'], undefined))
      .toThrow('Ledgers have the value c of k: keep it, or say with replace_with what takes its place.')
    expect(requireReplaced(keyType('k'), ['a', 'c'], 'b')).toEqual(['c'])
    expect(() => requireReplaced(keyType('k'), [], 'c')).toThrow('replace_with: c is not a value of k; it takes a, b.')
    expect(allows(keyType('k', { value_kind: 'text', allowed_values: [] }), 'anything')).toBe(true)
  })
})

describe('a mapping', () => {
  const keys = new Map([['k', keyType('k')]])
  const ledgers = chart(ledger('rent'))

  it.each([
    ['of an unknown ledger', [{ ledger_id: 'x', key: 'k', value: 'a' }], 'Ledger x of mapping 1 not found.'],
    ['of an unknown key, behind a wrong value',
      [{ ledger_id: 'rent', key: 'k', value: 'c' }, { ledger_id: 'rent', key: 'x', value: 'a' }], 'Key x of mapping 2 not found.'],
    ['to a value that is not allowed', [{ ledger_id: 'rent', key: 'k', value: 'c' }], 'c is not a value of k; it takes a, b.'],
    ['that stands twice',
      [{ ledger_id: 'rent', key: 'k', value: 'a' }, { ledger_id: 'rent', key: 'k', value: null }], 'rent is given a value of k twice: leave one.'],
  ])('%s is refused', (_, mappings, detail) => {
    expect(() => requireMappings(mappings, keys, ledgers)).toThrow(detail)
  })
})

describe('the value that counts', () => {
  it('is the ledger\'s own, else that of its parent, else none; a merged one counts as its target', () => {
    const ledgers = chart(
      ledger('top'), ledger('middle', { parent_id: 'top' }), ledger('low', { parent_id: 'middle' }), ledger('own', { parent_id: 'middle' }), ledger('alone'),
      ledger('gone', { merged_into_id: 'own' }),
    )
    const counting = resolved(ledgers, new Map([['top', 'a'], ['own', 'b'], ['gone', 'c']]))
    expect(Object.fromEntries(counting)).toEqual({
      top: { value: 'a', inherited: false }, middle: { value: 'a', inherited: true }, low: { value: 'a', inherited: true },
      own: { value: 'b', inherited: false },
      alone: { value: null, inherited: false }, gone: { value: 'b', inherited: true },
    })
  })

  it('follows from the nearest ledger upward that has one, in any tree', () => {
    const tree = fc.array(fc.record({ parent: fc.nat(), own: fc.option(fc.constantFrom('a', 'b')) }), { minLength: 1, maxLength: 20 })
    fc.assert(fc.property(tree, (nodes) => {
      const parentOf = (parent: number, index: number) => (index === 0 || parent % (index + 1) === index ? null : `l${parent % index}`)
      const ledgers = chart(...nodes.map(({ parent }, index) => ledger(`l${index}`, { parent_id: parentOf(parent, index) })))
      const own = new Map(nodes.flatMap(({ own: value }, index): [string, string][] => (value === null ? [] : [[`l${index}`, value]])))
      const counting = resolved(ledgers, own)
      expect(counting.size).toBe(ledgers.size)
      for (const id of ledgers.keys()) {
        let at: string | null = id
        while (at !== null && !own.has(at)) at = ledgers.get(at)?.parent_id ?? null
        expect(counting.get(id)).toEqual({ value: at === null ? null : own.get(at), inherited: at !== null && at !== id })
      }
    }))
  })

  it('ends where ledgers lead in a circle', () => {
    expect(resolved(chart(ledger('a', { merged_into_id: 'b' }), ledger('b', { parent_id: 'a' })), new Map()).get('a'))
      .toEqual({ value: null, inherited: false })
  })
})

describe('the table', () => {
  const ledgers = chart(
    ledger('z'), ledger('late', { number: '9000' }), ledger('early', { number: '1000', type: 'asset' }), ledger('a'),
    ledger('heading', { number: '8000', posting: false }), ledger('off', { archived: true }),
  )
  const own = [{ ledger_id: 'late', key_type_id: 'id-k', value: 'a' }]

  it('has the ledgers by number, then by name, and counts those that take lines and have no value', () => {
    const { rows, unmapped } = tableOf([keyType('k'), keyType('m')], ledgers, own, {})
    expect(rows.map(({ name }) => name)).toEqual(['early', 'heading', 'late', 'a', 'z'])
    expect(rows[2]).toMatchObject({ ledger_id: 'late', values: { k: 'a', m: null }, inherited: [] })
    expect(unmapped).toEqual({ k: 3, m: 4 })
  })

  it('keeps to its filters', () => {
    const named = (filters: Parameters<typeof tableOf>[3]) => tableOf([], ledgers, [], filters).rows.map(({ name }) => name)
    expect(named({ type: 'asset' })).toEqual(['early'])
    expect(named({ archived: 'true' })).toEqual(['off'])
    expect(named({ archived: 'all' })).toHaveLength(6)
  })

  it('is written with a column per key, whatever it is called', () => {
    const key_types = [keyType('style'), keyType('k')]
    const { columns, rows } = sheetOf(key_types, tableOf(key_types, ledgers, own, {}).rows)
    expect(columns.map(({ label }) => label)).toEqual(['number', 'name', 'type', 'style', 'k'])
    expect(rows[2]).toEqual({ number: '9000', name: 'late', type: 'expense', 'key style': null, 'key k': 'a' })
  })
})
