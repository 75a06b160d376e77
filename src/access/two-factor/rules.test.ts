// Tests of the rules of the second factor.
import fc from 'fast-check'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { newTotpSecret } from '../../foundation/totp.ts'
import { newStep, requireNobodyRequiresIt, requireSecondFactor } from './rules.ts'

describe('a step', () => {
  const secret = newTotpSecret()
  const moment = (step: number) => new Date(step * 30_000).toISOString()
  const code = (step: number) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: step * 30_000 })

  it('works within one step of now, and only beyond the last one used', () => {
    const [nows, drifts, uses] = [fc.integer({ min: 1_000_000, max: 90_000_000 }), fc.integer({ min: -1, max: 1 }), fc.integer({ min: -3, max: 3 })]
    fc.assert(fc.property(nows, drifts, uses, (now, drift, used) => {
      const step = now + drift
      const answer = newStep(secret, code(step), now + used, moment(now))
      // By rare chance two neighbouring steps share a code; then the nearer one is meant.
      fc.pre(new Set([code(now - 1), code(now), code(now + 1)]).size === 3)
      expect(answer).toBe(step > now + used ? step : null)
    }))
  })

  it('is refused where the code is that of a farther one', () => {
    expect(newStep(secret, code(50_000_002), null, moment(50_000_000))).toBeNull()
  })
})

describe('needs', () => {
  it('one of the two', () => {
    expect(() => requireSecondFactor({})).toThrow()
    expect(requireSecondFactor({ code: '000000' })).toBeUndefined()
    expect(requireSecondFactor({ recovery_code: 'x' })).toBeUndefined()
  })

  it('nobody who requires it', () => {
    expect(requireNobodyRequiresIt([])).toBeUndefined()
    expect(() => requireNobodyRequiresIt(['Acme', 'Bolt'])).toThrow('Acme, Bolt')
  })
})
