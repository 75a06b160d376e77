// The second factor: time-based codes (RFC 6238: SHA-1, 6 digits, 30 seconds) and the recovery codes for a lost device.
import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

// The absolute time step whose code was given, or null. One step of drift is allowed either way; the caller keeps the step
// and refuses it, and every earlier one, from then on: a code works once.
export function matchingStep(secret: string, code: string, now: Date): number | null {
  const token = code.replaceAll(' ', '')
  if (!/^[0-9]{6}$/.test(token)) return null
  const timestamp = now.getTime()
  const drift = TOTP.validate({ ...SCHEME, token, secret: Secret.fromBase32(secret), timestamp, window: 1 })
  return drift === null ? null : TOTP.counter({ period: SCHEME.period, timestamp }) + drift
}

// Base32, as authenticator apps take it: 160 bits, the size of the hash.
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

export function totpUri({ secret, email }: { secret: string; email: string }): string {
  return new TOTP({ ...SCHEME, issuer: 'Daybook', label: email, secret: Secret.fromBase32(secret) }).toString()
}

const SCHEME = { algorithm: 'SHA1', digits: 6, period: 30 }

// Like 'abcd-efgh-jkmn': about 59 bits each, all different.
export function recoveryCodes(count = 10): string[] {
  const codes = new Set<string>()
  while (codes.size < count) {
    const characters = Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)])
    codes.add(normaliseRecoveryCode(characters.join('')))
  }
  return [...codes]
}

// As shown, however it was typed; hash this form. Text that is no code comes out as some other text and matches nothing.
export function normaliseRecoveryCode(text: string): string {
  const characters = text.toLowerCase().replace(/[^a-z0-9]/g, '')
  return characters.match(/.{1,4}/g)?.join('-') ?? ''
}

// Without i, l, o, 0 and 1, which are misread on paper.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
