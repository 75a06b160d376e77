// Tests of the canonical text of a JSON value.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from './canonical.ts'

// The same value with the keys of every object in another order.
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  )
}

describe('canonical text', () => {
  test('sorts keys, drops what is undefined and adds no space', () => {
    const value = { b: [1, { z: null, a: true }], a: 'é', left_out: undefined }
    expect(canonicalJson(value)).toBe('{"a":"é","b":[1,{"a":true,"z":null}]}')
  })

  test('sorts by code unit, not by a language', () => {
    expect(canonicalJson({ ä: 1, b: 2, B: 3, '10': 4, '9': 5 })).toBe('{"10":4,"9":5,"B":3,"b":2,"ä":1}')
  })

  test('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
      }),
    )
  })

  test('survives the way through JSON, and reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(JSON.parse(JSON.stringify(value)))).toBe(text)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })

  test('different values have different texts', () => {
    const texts = [0, '0', false, null, [], {}, [[]], [{}], { a: 0 }, { a: '0' }, [0], ''].map(canonicalJson)
    expect(new Set(texts).size).toBe(texts.length)
  })

  test('an object without a prototype and one with the key __proto__ are plain', () => {
    expect(canonicalJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}')
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}')
  })

  test('zero has no sign', () => {
    expect(canonicalJson([-0])).toBe('[0]')
  })

  test.each([
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a buffer', Buffer.from('x')],
    ['a big integer', 1n],
    ['not a number', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
  ])('%s is refused, alone, in a list and (but for undefined) as a member', (_name, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError)
    expect(() => canonicalJson([value])).toThrow(TypeError)
    if (value !== undefined) expect(() => canonicalJson({ value })).toThrow(TypeError)
  })

  test('a hole in a list is refused', () => {
    const list: unknown[] = []
    list.length = 2
    expect(() => canonicalJson(list)).toThrow(TypeError)
  })
})
