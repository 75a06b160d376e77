// Tests of what may stand in a note and who may write where.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mentionedAddresses, requireAuthor, requireAuthorOrAdmin, requireParent, requirePresent, sanitise } from './rules.ts'

describe('sanitise', () => {
  it.each([
    ['<script>alert(1)</script>', '&lt;script>alert(1)&lt;/script>'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)>'],
    ['<!-- hidden -->', '&lt;!-- hidden -->'],
    ['[a](javascript:alert(1))', '[a](unsafe:javascript:alert(1))'],
    ['[a]( JavaScript:alert(1))', '[a]( unsafe:JavaScript:alert(1))'],
    ['[a](&#106;avascript:alert(1))', '[a](unsafe:&#106;avascript:alert(1))'],
    ['![a](data:text/html,x)', '![a](unsafe:data:text/html,x)'],
    ['[a]: vbscript:x', '[a]: unsafe:vbscript:x'],
    ['<javascript:alert(1)>', '&lt;javascript:alert(1)>'],
  ])('disarms %s', (written, kept) => {
    expect(sanitise(written)).toBe(kept)
  })

  it.each([
    '3 < 5 > 2', '<https://example.com/a?b=c>', '[a](https://example.com)', '[a](mailto:a@example.com "title")', '[a](/invoices/1)', '[a](notes.md#top)',
    '[a]()', 'a]: b', '**bold** `code`',
  ])('leaves %s alone', (written) => {
    expect(sanitise(written)).toBe(written)
  })

  const bits = ['<', '>', '](', ']: ', 'javascript:', 'JAVASCRIPT:', 'data:', 'https://a.b', ')', ' ', '\n', '&#58;', '\\', 'unsafe:', '/']
  const markdown = fc.array(fc.oneof(fc.constantFrom(...bits), fc.string({ maxLength: 5 }))).map((parts) => parts.join(''))

  it('changes nothing the second time', () => {
    fc.assert(fc.property(markdown, (written) => sanitise(sanitise(written)) === sanitise(written)))
  })

  it('leaves no tag and no link that runs script', () => {
    fc.assert(fc.property(markdown, (written) => {
      const kept = sanitise(written)
      expect(kept.replaceAll(/<https?:\/\/[^\s<>]+>/gi, '')).not.toMatch(/<[a-z/!?]/i)
      expect(kept).not.toMatch(/(\]\(|\]:)\s*(javascript|vbscript|data)\s*:/i)
    }))
  })
})

describe('mentionedAddresses', () => {
  it.each([
    ['@ana@example.com please', ['ana@example.com']],
    ['(@Ana@Example.com) and @ana@example.com again', ['ana@example.com']],
    ['ask @a.b+c@mail.example.com, @d@example.org.', ['a.b+c@mail.example.com', 'd@example.org']],
    ['write to ana@example.com', []],
    ['@ana alone', []],
  ])('%s', (written, found) => {
    expect(mentionedAddresses(written)).toEqual(found)
  })
})

describe('who and where', () => {
  const record = { resource_type: 'todo', resource_id: 'a' }
  const parent = { ...record, parent_id: null, deleted: false }

  it('a reply stands under a note at the top, on the same record, that is still there', () => {
    expect(() => requireParent(parent, record)).not.toThrow()
    expect(() => requireParent({ ...parent, parent_id: 'x' }, record)).toThrow('cannot be answered')
    expect(() => requireParent(parent, { ...record, resource_id: 'b' })).toThrow('another record')
    expect(() => requireParent({ ...parent, deleted: true }, record)).toThrow('deleted')
    expect(() => requirePresent({ deleted: true })).toThrow('deleted')
  })

  it.each([
    ['me', 'viewer', true, true],
    ['other', 'admin', false, true],
    ['other', 'owner', false, true],
    ['other', 'accountant', false, false],
    [null, null, false, false],
  ])('%s as %s: edits %s, deletes %s', (user_id, role, edits, deletes) => {
    const allowed = (check: () => void) => { try { check(); return true } catch { return false } }
    expect(allowed(() => requireAuthor({ author_id: 'me' }, user_id))).toBe(edits)
    expect(allowed(() => requireAuthorOrAdmin({ author_id: 'me' }, user_id, role))).toBe(deletes)
  })
})
