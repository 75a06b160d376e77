// What failures of the database mean for a caller: a sentence and a time to wait, or a fault of ours.
import { expect, it } from 'vitest'
import { constraintMeans, isConnectionLoss, isRetryable, refusalFor } from './errors.ts'

const failure = (code: string | undefined, message = 'x', constraint?: string) => Object.assign(new Error(message), { ...(code ? { code } : {}), ...(constraint ? { constraint } : {}) })

it.each([
  ['55P03', /Another change holds this record/],
  ['57014', /Another change holds this record/],
  ['53100', /disk of the database is full: nothing was changed/],
  ['53300', /not available right now/],
  ['57P01', /not available right now/],
  ['57P03', /not available right now/],
  ['08006', /not available right now/],
  ['25P03', /not available right now/],
  ['ECONNRESET', /connection to the database was lost/],
  ['EPIPE', /connection to the database was lost/],
  ['ETIMEDOUT', /connection to the database was lost/],
])('%s is a 503 with a time to wait', (code, detail) => {
  expect(refusalFor(failure(code))).toMatchObject({ status: 503, detail: expect.stringMatching(detail), headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) } })
})

it('a connection that ended without a code is a 503 too', () => {
  for (const message of ['Connection terminated unexpectedly', 'Connection terminated', 'Client has encountered a connection error and is not queryable']) {
    expect(isConnectionLoss(failure(undefined, message))).toBe(true)
    expect(refusalFor(failure(undefined, message))?.status).toBe(503)
  }
})

it('deadlocks and serialization failures are run again, nothing else', () => {
  expect(['40001', '40P01', '23505', '57014', 'ECONNRESET'].map((code) => isRetryable(failure(code)))).toEqual([true, true, false, false, false])
})

it('a constraint means what its group says, also as a shard names it; without words it is a fault', () => {
  constraintMeans('errors_test_key', 'It exists.')
  expect(refusalFor(failure('23505', 'x', 'errors_test_key'))).toMatchObject({ status: 400, detail: 'It exists.' })
  expect(refusalFor(failure('23505', 'x', 'errors_test_key_102008'))).toMatchObject({ status: 400, detail: 'It exists.' })
  expect(refusalFor(failure('23505', 'x', 'unknown_key'))).toBe(null)
  expect(refusalFor(failure('42501'))).toBe(null)
  expect(refusalFor(new Error('A mistake.'))).toBe(null)
})
