import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GRANTABLE, isWithin, seenFrom, touchedBy, union, type Grant } from './rules.ts'

const grantWith = (business_ids: string[], scopes: string[]) => ({ business_ids, scopes }) as unknown as Grant
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'))

describe('a grant', () => {
  it('never holds what makes credentials', () => {
    expect(GRANTABLE.filter(({ scope }) => /^(api-tokens|oauth):/.test(scope))).toEqual([])
    expect(GRANTABLE.length).toBeGreaterThan(50)
  })

  it('shows a business nothing of the others', () => {
    fc.assert(fc.property(names, names, (ids, scopes) => {
      for (const id of ids) expect(seenFrom(grantWith(ids, scopes), id).business_ids).toEqual([id])
      expect(seenFrom(grantWith(ids, scopes), 'elsewhere').business_ids).toEqual([])
    }))
  })

  it('is told wherever it has become wider, and nowhere else', () => {
    fc.assert(fc.property(names, names, names, names, (ids, scopes, more_ids, more_scopes) => {
      const [before, after] = [grantWith(ids, scopes), grantWith(union(ids, more_ids), union(scopes, more_scopes))]
      const touched = touchedBy(before, after)
      expect(touched.length === 0).toBe(isWithin(more_ids, ids) && (isWithin(more_scopes, scopes) || after.business_ids.length === 0))
      expect(isWithin(more_ids.filter((id) => !ids.includes(id)), touched)).toBe(true)
    }))
  })
})
