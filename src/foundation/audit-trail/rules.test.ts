import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstBroken, hashOf, START, type Entry } from './rules.ts'

function chainOf(length: number): Entry[] {
  const entries: Entry[] = []
  for (let seq = 1; seq <= length; seq++) {
    const entry: Entry = {
      id: `id-${seq}`, seq, at: '2026-01-01T00:00:00.000Z', actor_kind: 'user', actor_id: null, actor_name: 'Pat', on_behalf_of: null, action: 'note.created',
      resource_type: 'note', resource_id: 'n', resource_label: null, before: null, after: { body: `text ${seq}` }, reason: null, request_id: 'r', ip: null,
      prev_hash: entries.at(-1)?.hash ?? '', hash: '',
    }
    entries.push({ ...entry, hash: hashOf(entry) })
  }
  return entries
}

describe('the chain', () => {
  it('holds as written, from any place on', () => {
    const entries = chainOf(10)
    expect(firstBroken(START, entries)).toBeNull()
    expect(firstBroken(entries[4] as Entry, entries.slice(5))).toBeNull()
    expect(firstBroken(START, [])).toBeNull()
  })

  it('breaks where an entry was changed, taken out or put elsewhere', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 9 }), fc.constantFrom('after', 'actor_name', 'at', 'reason', 'hash', 'prev_hash'), (index, member) => {
      const entries = chainOf(10)
      const broken = entries.with(index, { ...(entries[index] as Entry), [member]: 'ff' })
      expect(firstBroken(START, broken)).toBe(index + 1)
      if (index < 9) expect(firstBroken(START, entries.toSpliced(index, 1))).toBe(index + 1)
    }))
    const [first, second] = chainOf(2) as [Entry, Entry]
    expect(firstBroken(START, [{ ...second, seq: 1 }, { ...first, seq: 2 }])).toBe(1)
  })

  it('breaks behind an entry that was changed with its own hash made to fit', () => {
    const entries = chainOf(5)
    const forged = { ...(entries[2] as Entry), after: { body: 'forged' } }
    expect(firstBroken(START, entries.with(2, { ...forged, hash: hashOf(forged) }))).toBe(4)
  })
})
