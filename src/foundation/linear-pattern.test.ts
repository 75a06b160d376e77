import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearPattern } from './linear-pattern.ts'
import { Refusal } from './refusal.ts'

/** Patterns put together at random, from what both know. */
const atoms = fc.constantFrom('a', 'b', 'ab', '.', '[ab]', '[^a]', '[a-c]', '\\d', '\\w', '\\s', '\\b', '^', '$')
const repeatable = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '(?:ab|c)', '(a|b)', '(?:a|)')
const pattern = fc.array(fc.oneof(atoms, fc.tuple(repeatable, fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?')).map((pair) => pair.join('')), fc.constant('|')), { maxLength: 6 })
  .map((parts) => parts.join(''))
const text = fc.stringMatching(/^[abcABC1 ]{0,12}$/)

describe('linear patterns', () => {
  it('find what the language itself finds', () => {
    fc.assert(fc.property(pattern, text, (source, given) => {
      expect(linearPattern(source).test(given)).toBe(new RegExp(source, 'iu').test(given))
    }), { numRuns: 2000 })
  })

  it.each(['(a+)+$', '(a|a)*$', '(.*)*b', 'a{0,30}a{30}', '.*.*.*.*.*.*x'])('%s takes no longer than any other', (source) => {
    const begun = performance.now()
    linearPattern(source).test(`${'a'.repeat(400)}!`)
    expect(performance.now() - begun).toBeLessThan(2000)
  })

  it.each([
    '(a)\\1', '(?=a)', '(?<!a)b', '(?<name>a)', '(a', 'a)', '[a', 'a**', '*a', '\\', 'a{200}', 'a{3,2}', '\\p{L}', '^*', `${'('.repeat(30)}a${')'.repeat(30)}`,
    '(?:a{100}){100}', '[z-a]',
  ])('%s is refused', (source) => {
    expect(() => linearPattern(source)).toThrow(Refusal)
  })
})
