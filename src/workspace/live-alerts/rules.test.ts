import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isUuid, newId } from '../../foundation/ids.ts'
import { liveId, mayBeOf } from './rules.ts'

it('an id is a UUID, the same for the same matter, another for another, and leads to its business', () => {
  fc.assert(fc.property(fc.uuid(), fc.uuid(), fc.string(), fc.option(fc.uuid()), (business_id, other, kind, resource_id) => {
    const id = liveId(business_id, kind, resource_id)
    expect(isUuid(id)).toBe(true)
    expect(id[14]).toBe('8')
    expect(liveId(business_id, kind, resource_id)).toBe(id)
    expect(liveId(business_id, `${kind}x`, resource_id)).not.toBe(id)
    expect(mayBeOf(business_id, id)).toBe(true)
    if (business_id !== other) expect([liveId(other, kind, resource_id) === id, mayBeOf(other, id)]).toEqual([false, false])
    expect(mayBeOf(business_id, newId())).toBe(false)
  }))
})
