// Tests of how tags are written and which go together.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tag } from './contract.ts'
import { requireDifferentGroups, requireUnused, requireUsable, tidy } from './rules.ts'

const tag = (name: string, more: Partial<Tag> = {}): Tag => ({
  id: name, business_id: 'b', name, color: null, group_name: null, usage_count: 0, archived: false, created_at: '', updated_at: '', version: 1, ...more,
})

describe('tidy', () => {
  it('makes equal what looks equal', () => {
    expect(tidy({ name: '  Big\t client ', group_name: ' Size ', color: '#AbCdEf' })).toEqual({ name: 'Big client', group_name: 'Size', color: '#abcdef' })
    expect(tidy({ group_name: null, color: null })).toEqual({ group_name: null, color: null })
    expect(tidy({})).toEqual({})
  })

  it('changes nothing the second time and never makes a name longer', () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }), (name) => {
      const once = tidy({ name })
      expect(tidy(once)).toEqual(once)
      expect(once.name.length).toBeLessThanOrEqual(name.length)
    }))
  })
})

describe('requireDifferentGroups', () => {
  it('names the two that exclude each other', () => {
    const tags = [tag('Red', { group_name: 'Color' }), tag('Any'), tag('Blue', { group_name: 'Color' })]
    expect(() => requireDifferentGroups(tags)).toThrow('“Red” and “Blue” are both of the group “Color”')
  })

  it('refuses exactly where a group is there twice', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('a', 'b', 'c', null), { maxLength: 5 }), (groups) => {
      const named = groups.filter((group) => group !== null)
      const check = () => requireDifferentGroups(groups.map((group_name, index) => tag(`t${index}`, { group_name })))
      if (new Set(named).size === named.length) expect(check).not.toThrow()
      else expect(check).toThrow('a record can have one of them')
    }))
  })
})

it('an archived tag is given to nobody, a used one is not simply deleted', () => {
  expect(() => requireUsable(tag('Old', { archived: true }))).toThrow('The tag “Old” is archived: restore it first.')
  expect(() => requireUsable(tag('Old'))).not.toThrow()
  expect(() => requireUnused(tag('Used', { usage_count: 1 }))).toThrow('1 record carries the tag “Used”')
  expect(() => requireUnused(tag('Used', { usage_count: 2 }))).toThrow('2 records carry the tag “Used”')
  expect(() => requireUnused(tag('Unused'))).not.toThrow()
})
