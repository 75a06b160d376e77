// Tests of where customers stand among each other and of what they may refer to.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PaymentTerm } from '../payment-terms/contract.ts'
import { MOST_LEVELS, type Customer, type CustomerRow } from './contract.ts'
import { ancestorsOf, descendantsOf, FILE_COLUMNS, fileRow, moveInTree, requireFit, requireRealPlaces, requireUsable, tidy, treeOf, warningsOf, type Parts } from './rules.ts'

const customer = (more: Partial<CustomerRow> = {}): CustomerRow => ({
  id: 'c', business_id: 'b', name: 'Acme', email: null, phone: null, website: null, tax_number: null, billing_address: null, shipping_address: null, currency: 'USD',
  payment_terms_id: null, default_tax_code_id: null, credit_limit: null, language: 'en', parent_id: null, external_id: null, notes: null, reminders_paused: false,
  status: 'active', merged_into: null, processor_customer_id: null, created_at: '', updated_at: '', version: 1, ...more,
})

describe('the tree', () => {
  it('holds no circle and no more levels than it may, whatever is tried', () => {
    const moves = fc.array(fc.tuple(fc.integer({ min: 0, max: 11 }), fc.option(fc.integer({ min: 0, max: 11 }))), { maxLength: 60 })
    fc.assert(fc.property(moves, (tried) => {
      const tree = treeOf([])
      const parents = new Map<string, string | null>()
      for (const [who, below] of tried) {
        const [id, parent_id] = [String(who), below === null ? null : String(below)]
        try {
          moveInTree(tree, id, parent_id)
          parents.set(id, parent_id)
        } catch (error) {
          expect(error).toMatchObject({ status: 400 })
        }
      }
      const depths = [...parents.keys()].map((id) => {
        let depth = 1
        for (let at = parents.get(id); at; at = parents.get(at)) expect(++depth).toBeLessThanOrEqual(MOST_LEVELS)
        expect(ancestorsOf(tree, id)).toHaveLength(depth - 1)
        return depth
      })
      const roots = [...parents].filter(([, parent_id]) => !parent_id).map(([id]) => id)
      const below = new Set(roots.flatMap((id) => descendantsOf(tree, id)))
      expect(depths.filter((depth) => depth > 1).length).toBeGreaterThanOrEqual(0)
      expect([...below].every((id) => parents.get(id))).toBe(true)
    }))
  })

  it('refuses to go below itself, below what is below it, and too deep with all that hangs on it', () => {
    const tree = treeOf([{ id: 'b', parent_id: 'a' }, { id: 'c', parent_id: 'b' }, { id: 'y', parent_id: 'x' }, { id: 'z', parent_id: 'y' }])
    expect(() => moveInTree(tree, 'a', 'a')).toThrow('cannot belong to itself')
    expect(() => moveInTree(tree, 'a', 'c')).toThrow('cannot belong to itself')
    expect(() => moveInTree(tree, 'x', 'c')).toThrow('at most 5 levels')
    moveInTree(tree, 'x', 'b')
    expect(ancestorsOf(tree, 'z')).toEqual(['y', 'x', 'b', 'a'])
    moveInTree(tree, 'x', null)
    expect(descendantsOf(tree, 'a')).toEqual(['b', 'c'])
  })
})

describe('what a customer refers to', () => {
  const parts: Parts = {
    terms: new Map([['old', { name: 'Old', archived: true } as PaymentTerm], ['new', { name: 'New', archived: false } as PaymentTerm]]),
    tax_codes: new Map([['gone', { code: 'GONE', archived: true }]]),
    parents: new Map([['p', customer({ id: 'p' })], ['dead', customer({ id: 'dead', name: 'Dead', status: 'archived' })], ['alias', customer({ id: 'alias', status: 'archived', merged_into: 'p' })]]),
    tags: new Map([
      ['red', { id: 'red', name: 'Red', archived: false, group_name: 'colour' }], ['blue', { id: 'blue', name: 'Blue', archived: false, group_name: 'colour' }],
      ['out', { id: 'out', name: 'Out', archived: true, group_name: null }],
    ]),
    tree: treeOf([]),
    posted: new Set(['c']),
  }

  it.each<[Partial<CustomerRow>, number, string]>([
    [{ payment_terms_id: 'x' }, 404, 'Payment terms x of payment_terms_id not found.'],
    [{ payment_terms_id: 'old' }, 400, 'The payment terms “Old” are archived: restore them, or choose others.'],
    [{ default_tax_code_id: 'x' }, 404, 'Tax code x of default_tax_code_id not found.'],
    [{ default_tax_code_id: 'gone' }, 400, 'The tax code GONE is archived: restore it, or choose another.'],
    [{ parent_id: 'x' }, 404, 'Customer x of parent_id not found.'],
    [{ parent_id: 'dead' }, 400, 'The customer “Dead” is archived: restore it first.'],
    [{ parent_id: 'alias' }, 400, 'The customer “Acme” was merged into p: use that one.'],
    [{ payment_terms_id: 'old', parent_id: 'x' }, 404, 'Customer x of parent_id not found.'],
    [{ currency: 'CAD' }, 400, 'Something is posted for “Acme” in USD, so its currency stays: make another customer for documents in CAD.'],
  ])('%j is refused with %d', (changes, status, detail) => {
    const after = customer(changes)
    expect(() => requireFit({ before: customer(), after }, parts)).toThrow(expect.objectContaining({ status, detail }))
    // What it has already may stay.
    expect(() => requireFit({ before: after, after }, parts)).not.toThrow()
  })

  it.each<[string[], string[], string | null]>([
    [['x'], [], 'Tag x of tag_ids not found.'], [['out'], [], 'The tag “Out” is archived: restore it first.'], [['out'], ['out'], null],
    [['red', 'blue'], [], 'A customer can have one tag of the group “colour”: leave out “Blue” or the other one.'], [['blue'], ['red'], null],
  ])('tags %j instead of %j: %s', (tag_ids, carried, detail) => {
    const fit = () => requireFit({ before: customer(), after: customer(), tag_ids, carried }, parts)
    if (detail) expect(fit).toThrow(detail)
    else expect(fit).not.toThrow()
  })

  it('is a country that exists', () => {
    expect(() => requireRealPlaces({ name: 'x', billing_address: { country: 'XX' }, shipping_address: { country: 'US' } }, 'customers', 3))
      .toThrow(expect.objectContaining({ status: 422, problems: [expect.objectContaining({ loc: ['body', 'customers', 3, 'billing_address', 'country'] })] }))
  })
})

describe('customers', () => {
  it('are kept tidy', () => {
    expect(tidy({ name: '  Acme   Inc ', external_id: ' 7 ', tag_ids: ['b', 'a', 'b'], billing_address: { city: 'Rome', planet: 'Mars' } as object }))
      .toEqual({ name: 'Acme Inc', external_id: '7', tag_ids: ['a', 'b'], billing_address: { line1: null, line2: null, city: 'Rome', region: null, postal_code: null, country: null } })
    expect(tidy({ phone: null })).toEqual({ phone: null })
  })

  it('that are archived take no documents', () => {
    expect(() => requireUsable(customer())).not.toThrow()
    expect(() => requireUsable(customer({ status: 'archived' }))).toThrow('is archived')
    expect(() => requireUsable(customer({ status: 'archived', merged_into: 'p' }))).toThrow('was merged into p')
  })

  it('with the same name or address are warned of', () => {
    expect(warningsOf({ same_email: ['a'], same_name: ['a', 'b'] })).toEqual([
      { kind: 'same_email', customer_ids: ['a'], detail: 'Another customer has the same e-mail address.' },
      { kind: 'same_name', customer_ids: ['a', 'b'], detail: 'Other customers have the same name.' },
    ])
    expect(warningsOf({ same_email: [], same_name: [] })).toEqual([])
  })

  it('have a cell for every part of their addresses', () => {
    const row = fileRow({ ...customer({ billing_address: { line1: '1 Road', country: 'US' } }), open_balance: 5 } as Customer)
    expect(row).toMatchObject({ name: 'Acme', billing_address_line1: '1 Road', billing_address_country: 'US', open_balance: 5 })
    expect(new Set(FILE_COLUMNS.map(({ key }) => key)).size).toBe(FILE_COLUMNS.length)
  })
})
