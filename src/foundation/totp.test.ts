// Tests of the second factor against the vectors of RFC 6238 and at the edges of a time step.
import fc from 'fast-check'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { matchingStep, newTotpSecret, normaliseRecoveryCode, recoveryCodes, totpUri } from './totp.ts'

describe('time-based codes', () => {
  // Appendix B of the RFC gives 8 digits; the last 6 are the 6-digit code.
  const secret = Secret.fromLatin1('12345678901234567890').base32

  test.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at %i the code is %s', (seconds, code) => {
    expect(matchingStep(secret, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30))
  })

  test('a code is good one step before and after, under the step it was made for', () => {
    const step = 60_000_000
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: step * 30_000 })
    const at = (milliseconds: number) => matchingStep(secret, code, new Date(step * 30_000 + milliseconds))
    expect(at(0)).toBe(step)
    expect(at(29_999)).toBe(step)
    expect(at(-1)).toBe(step)
    expect(at(-30_000)).toBe(step)
    expect(at(59_999)).toBe(step)
    expect(at(-30_001)).toBeNull()
    expect(at(60_000)).toBeNull()
  })

  test('a code may be typed in two halves; anything else is none', () => {
    expect(matchingStep(secret, '287 082', new Date(59_000))).toBe(1)
    for (const code of ['', '28708', '2870820', '287O82', '94287082', '-87082', '２８７０８２']) {
      expect(matchingStep(secret, code, new Date(59_000))).toBeNull()
    }
  })

  test('a new secret works with its own codes and not with those of another', () => {
    const [own, other] = [newTotpSecret(), newTotpSecret()]
    const now = new Date('2026-03-01T12:00:15Z')
    expect(own).toMatch(/^[A-Z2-7]{32}$/)
    expect(own).not.toBe(other)
    const code = TOTP.generate({ secret: Secret.fromBase32(own), timestamp: now.getTime() })
    expect(matchingStep(own, code, now)).toBe(Math.floor(now.getTime() / 30_000))
  })

  test('the address for the app names the product and the account', () => {
    const uri = new URL(totpUri({ secret, email: 'ada+books@example.com' }))
    expect(uri.protocol).toBe('otpauth:')
    expect(decodeURIComponent(uri.pathname)).toContain('Daybook:ada+books@example.com')
    const scheme = { algorithm: 'SHA1', digits: '6', period: '30' }
    expect(Object.fromEntries(uri.searchParams)).toEqual({ issuer: 'Daybook', secret, ...scheme })
  })
})

describe('recovery codes', () => {
  test('are ten, different, and easy to read', () => {
    const codes = recoveryCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{4}-[a-hjkmnp-z2-9]{4}-[a-hjkmnp-z2-9]{4}$/)
    expect(recoveryCodes(3)).toHaveLength(3)
  })

  test('are recognised however they are typed', () => {
    for (const text of ['abcd-efgh-jkmn', 'ABCDEFGHJKMN', ' abcd efgh jkmn ', 'Abcd–Efgh–Jkmn']) {
      expect(normaliseRecoveryCode(text)).toBe('abcd-efgh-jkmn')
    }
    expect(normaliseRecoveryCode('')).toBe('')
  })

  test('normalising again changes nothing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = normaliseRecoveryCode(text)
        expect(normaliseRecoveryCode(once)).toBe(once)
      }),
    )
  })
})
