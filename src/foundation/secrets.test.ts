// Tests of tokens, sealing, passwords and redaction.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hashPassword,
  hashToken,
  needsRehash,
  open,
  randomToken,
  redact,
  seal,
  timingSafeEqualText,
  verifyPassword,
} from './secrets.ts'

describe('tokens', () => {
  test('carry their prefix and 43 characters that differ each time', () => {
    const tokens = Array.from({ length: 100 }, () => randomToken('dbk_'))
    for (const token of tokens) expect(token).toMatch(/^dbk_[A-Za-z0-9_-]{43}$/)
    expect(new Set(tokens).size).toBe(100)
  })

  test('hash to SHA-256', () => {
    expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  test('compare by content', () => {
    fc.assert(fc.property(fc.string(), (text) => timingSafeEqualText(text, text)))
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => timingSafeEqualText(a, b) === (a === b)))
  })
})

describe('sealing', () => {
  const key = randomBytes(32)

  test('opens to what was sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plaintext, context) => {
        expect(open(key, seal(key, plaintext, context), context)).toBe(plaintext)
        expect(open(key, seal(key, Buffer.from(plaintext), context), context)).toBe(plaintext)
      }),
    )
  })

  test('never looks the same twice', () => {
    expect(seal(key, 'x', 'users.totp').equals(seal(key, 'x', 'users.totp'))).toBe(false)
  })

  test('opens from a view into a larger buffer', () => {
    const sealed = seal(key, 'x', 'c')
    const padded = new Uint8Array(sealed.length + 10)
    padded.set(sealed, 5)
    expect(open(key, padded.subarray(5, 5 + sealed.length), 'c')).toBe('x')
  })

  test('does not open with another key, in another context, or after any change of a byte', () => {
    const sealed = seal(key, 'a secret', 'users.totp:1')
    expect(() => open(randomBytes(32), sealed, 'users.totp:1')).toThrow()
    expect(() => open(key, sealed, 'users.totp:2')).toThrow()
    for (let index = 0; index < sealed.length; index += 1) {
      const altered = Buffer.from(sealed)
      altered[index] = (altered[index] ?? 0) ^ 1
      expect(() => open(key, altered, 'users.totp:1')).toThrow()
    }
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => open(key, sealed.subarray(0, length), 'users.totp:1')).toThrow()
    }
  })

  test('wants a key of 32 bytes', () => {
    expect(() => seal(randomBytes(16), 'x', 'c')).toThrow()
  })
})

describe('passwords', () => {
  test('verify against their own hash only', async () => {
    const stored = await hashPassword('correct horse battery')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await verifyPassword('correct horse battery', stored)).toBe(true)
    expect(await verifyPassword('correct horse batterz', stored)).toBe(false)
    expect(await verifyPassword('', stored)).toBe(false)
    expect(needsRehash(stored)).toBe(false)
  })

  test('are salted', async () => {
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'))
  })

  test('verify with the parameters they were stored with, and then ask for a new hash', async () => {
    // From the test suite of the argon2 reference implementation.
    const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await verifyPassword('password', stored)).toBe(true)
    expect(await verifyPassword('passwore', stored)).toBe(false)
    expect(needsRehash(stored)).toBe(true)
  })

  test('are the same however they were typed', async () => {
    expect(await verifyPassword('cafe\u0301 au lait', await hashPassword('caf\u00e9 au lait'))).toBe(true)
  })

  test('never verify where nothing readable is stored', async () => {
    for (const stored of [null, '', 'plain', '$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$AAAA', '$2b$12$abcdefghijklmnopqrstuv']) {
      expect(await verifyPassword('plain', stored)).toBe(false)
    }
    expect(needsRehash('plain')).toBe(true)
  })
})

describe('redaction', () => {
  test.each([
    'password',
    'new_password',
    'current_password',
    'password_hash',
    'secret',
    'client_secret',
    'clientSecret',
    'webhook_secret',
    'token',
    'access_token',
    'refresh_token',
    'token_hash',
    'code',
    'verification_code',
    'code_verifier',
    'otpauth',
    'otpauth_uri',
    'totp_secret',
    'recovery_code',
    'recovery_codes',
    'Authorization',
    'authorization',
    'cookie',
    'set-cookie',
    'x-api-key',
    'api_key',
    'tax_id',
    'card_number',
  ])('%s is replaced', (name) => {
    expect(redact({ [name]: 'value' })).toEqual({ [name]: '[redacted]' })
    expect(redact({ [name]: ['value'] })).toEqual({ [name]: '[redacted]' })
    expect(redact({ [name]: { inner: 1 } })).toEqual({ [name]: '[redacted]' })
    expect(redact({ [name]: 123 })).toEqual({ [name]: '[redacted]' })
  })

  test.each([
    'token_prefix',
    'token_id',
    'token_type',
    'tokens',
    'api_tokens',
    'currency_code',
    'country_code',
    'postal_code',
    'code_challenge_method',
    'secret_hint',
    'password_changed_at',
    'tax_id_type',
    'cookies_accepted_at',
    'authorization_id',
    'name',
  ])('%s stays', (name) => {
    expect(redact({ [name]: 'value' })).toEqual({ [name]: 'value' })
  })

  test('reaches into lists and objects and leaves the original alone', () => {
    const original = {
      user: { email: 'a@b.c', password: 'x' },
      list: [{ token: 'y', id: 1 }],
      code: null,
      must_change_password: true,
    }
    const copy = redact(original)
    expect(copy).toEqual({
      user: { email: 'a@b.c', password: '[redacted]' },
      list: [{ token: '[redacted]', id: 1 }],
      code: null,
      must_change_password: true,
    })
    expect(original.user.password).toBe('x')
    expect((copy as typeof original).list).not.toBe(original.list)
  })

  test('changes nothing in values without names, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null))), (list) => {
        expect(redact(list)).toEqual(list)
      }),
    )
    expect(redact({ at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' })
  })

  test('a member named __proto__ is copied as a member', () => {
    const copy = redact(JSON.parse('{"__proto__":{"password":"x"}}'))
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"password":"[redacted]"}}')
  })
})
