import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excess, placesOf, requireExpiry, requireHeld, statusOf, type Place, type Reach } from './rules.ts'

const SCOPES = ['notes:read', 'notes:write', 'user:read', 'members:manage']
const BUSINESSES = ['a', 'b', 'c']
const MOMENTS = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']

const reach: fc.Arbitrary<Reach> = fc.record({
  scopes: fc.subarray(SCOPES),
  business_ids: fc.option(fc.subarray(BUSINESSES, { minLength: 1 })),
  expires_at: fc.option(fc.constantFrom(...MOMENTS)),
})

/** Everything that a credential opens, point by point. */
function points({ scopes, business_ids, expires_at }: Reach): Set<string> {
  const days = [...MOMENTS, '9999-01-01T00:00:00.000Z'].filter((moment) => expires_at === null || moment <= expires_at)
  const places = business_ids ?? [...BUSINESSES, 'a later one']
  return new Set(scopes.flatMap((scope) => places.flatMap((place) => days.map((day) => `${scope} ${place} ${day}`))))
}

describe('width', () => {
  it('is in excess exactly where it opens something that the bounds do not', () => {
    fc.assert(fc.property(reach, reach, (wanted, bounds) => {
      fc.pre(wanted.scopes.length > 0)
      expect(excess(wanted, bounds) === null).toBe(points(wanted).isSubsetOf(points(bounds)))
    }), { numRuns: 500 })
  })
})

const place = (more: Partial<Place> = {}): Place => ({
  business_id: 'a', business_name: 'Alpha', role: 'viewer', is_sample: false, token_max_days: null, ...more,
})

describe('a new token', () => {
  it('reaches the businesses of its maker, samples apart', () => {
    const places = [place(), place({ business_id: 'b', is_sample: true, business_name: 'Sample' })]
    expect(placesOf(null, places).map(({ business_id }) => business_id)).toEqual(['a'])
    expect(() => placesOf(['b'], places)).toThrow('Sample is a sample')
    expect(() => placesOf(['c'], places)).toThrow('Business c not found.')
  })

  it('carries what its maker holds in one of them, and what is personal', () => {
    expect(() => requireHeld(['notes:write', 'user:read', 'api-tokens:write'], [place()])).not.toThrow()
    expect(() => requireHeld(['members:manage', 'audit-trail:read'], [place()])).toThrow('members:manage, audit-trail:read')
    expect(() => requireHeld(['members:manage'], [place(), place({ role: 'admin' })])).not.toThrow()
    expect(() => requireHeld(['notes:read'], [])).toThrow('notes:read')
  })

  it('expires ahead, and as soon as each business asks', () => {
    const now = '2026-01-01T00:00:00.000Z'
    expect(() => requireExpiry(null, [place()], now)).not.toThrow()
    expect(() => requireExpiry(now, [place()], now)).toThrow('over already')
    const strict = [place(), place({ business_name: 'Strict', token_max_days: 30 })]
    expect(() => requireExpiry(null, strict, now)).toThrow('Strict allows tokens for at most 30 days: choose an expires_at up to 2026-01-31T00:00:00.000Z.')
    expect(() => requireExpiry('2026-01-31T00:00:00.001Z', strict, now)).toThrow('30 days')
    expect(() => requireExpiry('2026-01-31T00:00:00.000Z', strict, now)).not.toThrow()
  })

  it('is active until it is revoked or its time is over', () => {
    const now = '2026-01-01T00:00:00.000Z'
    expect(statusOf({ expires_at: null, revoked_at: null }, now)).toBe('active')
    expect(statusOf({ expires_at: now, revoked_at: null }, now)).toBe('expired')
    expect(statusOf({ expires_at: now, revoked_at: now }, now)).toBe('revoked')
  })
})
