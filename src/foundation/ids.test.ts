// Tests of the identifiers.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUuid, newId } from './ids.ts'

test('new ids are version 7, distinct and in order', () => {
  const ids = Array.from({ length: 2000 }, () => newId())
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('any UUID is accepted in either case', () => {
  fc.assert(fc.property(fc.uuid(), (id) => isUuid(id) && isUuid(id.toUpperCase())))
  expect(isUuid('00000000-0000-0000-0000-000000000000')).toBe(true)
})

test.each([
  '',
  'not-a-uuid',
  '0190b5a0c0de7000800000000000000f',
  '{0190b5a0-c0de-7000-8000-00000000000f}',
  '0190b5a0-c0de-7000-8000-00000000000',
  '0190b5a0-c0de-7000-8000-00000000000g',
  ' 0190b5a0-c0de-7000-8000-00000000000f',
  '0190b5a0-c0de-7000-8000-00000000000f\n',
])('%j is not a UUID', (text) => {
  expect(isUuid(text)).toBe(false)
})
