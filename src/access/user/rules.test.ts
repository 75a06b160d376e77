// Tests of the rules of a profile and of closing an account.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requireKnownPlaces, requireOtherOwners } from './rules.ts'

describe('places', () => {
  it.each([[{}], [{ timezone: 'Europe/Berlin' }], [{ timezone: null, locale: null }], [{ locale: 'de-CH' }]])('%j is known', (places) => {
    expect(requireKnownPlaces(places)).toBeUndefined()
  })

  it.each([[{ timezone: 'Mars/Olympus' }], [{ timezone: '+02:00' }], [{ locale: 'not a locale' }], [{ locale: 'e' }]])('%j is not', (places) => {
    expect(() => requireKnownPlaces(places)).toThrow()
  })
})

describe('closing', () => {
  const member = fc.record({
    business_id: fc.constantFrom('a', 'b'), business_name: fc.constant('Business'), user_id: fc.constantFrom('me', 'you', 'they'),
    role: fc.constantFrom('owner', 'admin'), status: fc.constantFrom('active', 'suspended'),
  })

  it('is allowed exactly where every business keeps an active owner that had one', () => {
    fc.assert(fc.property(fc.uniqueArray(member, { selector: ({ business_id, user_id }) => `${business_id} ${user_id}` }), (members) => {
      const isOwner = ({ role, status }: (typeof members)[number]) => role === 'owner' && status === 'active'
      const owned = (rows: typeof members) => new Set(rows.filter(isOwner).map(({ business_id }) => business_id))
      const [before, after] = [owned(members), owned(members.filter(({ user_id }) => user_id !== 'me'))]
      const check = () => requireOtherOwners(members, 'me')
      if (before.size === after.size) expect(check()).toBeUndefined()
      else expect(check).toThrow('last owner of Business')
    }))
  })
})
