// Tests of the refusals: statuses, bodies, headers and their price.
import { describe, expect, test } from 'vitest'
import {
  conflict,
  forbidden,
  invalid,
  methodNotAllowed,
  notFound,
  Refusal,
  refusalBody,
  stale,
  tooLarge,
  tooMany,
  unauthenticated,
  unavailable,
  unprocessable,
} from './refusal.ts'
import type { Problem } from './refusal.ts'

describe('a refusal', () => {
  test.each<[Refusal, number]>([
    [invalid('The period is closed.'), 400],
    [unauthenticated(), 401],
    [forbidden('No.'), 403],
    [notFound('Note'), 404],
    [methodNotAllowed(['GET', 'POST']), 405],
    [conflict('Still running.'), 409],
    [stale(), 412],
    [tooLarge(), 413],
    [unprocessable([]), 422],
    [tooMany('Slow down.', 3), 429],
    [unavailable('Not yet.', 3), 503],
  ])('%s has status %i', (refusal, status) => {
    expect(refusal).toBeInstanceOf(Error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal.status).toBe(status)
    expect(refusal.message).toBe(refusal.detail)
    expect(refusal.detail).toMatch(/\.$/)
  })

  test('names what was not found', () => {
    expect(refusalBody(notFound('Note'))).toEqual({ detail: 'Note not found.' })
  })

  test('of a shape carries every problem as its detail', () => {
    const problems: Problem[] = [
      { loc: ['body', 'line_items', 0, 'quantity'], msg: 'Must be at least 1.', type: 'greater_than_equal', ctx: { ge: 1 } },
      { loc: ['query', 'limit'], msg: 'Must be an integer.', type: 'int_type' },
    ]
    expect(refusalBody(unprocessable(problems))).toEqual({ detail: problems })
  })

  test('carries the headers its status asks for', () => {
    expect(unauthenticated().headers).toEqual({ 'www-authenticate': 'Bearer' })
    expect(methodNotAllowed(['GET', 'POST']).headers).toEqual({ allow: 'GET, POST' })
    expect(tooMany('Slow down.', 1.2).headers).toEqual({ 'retry-after': '2' })
    expect(unavailable('Not yet.', 0).headers).toEqual({ 'retry-after': '1' })
    expect(invalid('No.').headers).toBeUndefined()
  })

  test('captures no stack and leaves that of other errors alone', () => {
    const limit = Error.stackTraceLimit
    expect(invalid('No.').stack).not.toContain('    at ')
    expect(Error.stackTraceLimit).toBe(limit)
    expect(new Error('x').stack).toContain('    at ')
  })
})
