// What must not be known: tokens are kept as hashes, passwords as argon2id, other secrets sealed, and none reaches a log.
import { argon2, createCipheriv, createDecipheriv, hash, randomBytes, timingSafeEqual } from 'node:crypto'

export function randomToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url')
}

// A token is random enough that a plain hash cannot be searched for its origin, and the lookup stays a single index probe.
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

// Sealed form: one byte of version, nonce, ciphertext, tag. The context (which row and column it belongs to) is authenticated
// with it, so that a sealed value copied to another place does not open there. Bytes given are those of UTF-8 text.
export function seal(key: Uint8Array, plaintext: string | Uint8Array, context: string): Buffer {
  const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(authenticated(context))
  return Buffer.concat([VERSION, nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

// Throws for a wrong key, a wrong context or altered bytes.
export function open(key: Uint8Array, sealed: Uint8Array, context: string): string {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (bytes.length < VERSION.length + NONCE_BYTES + TAG_BYTES || bytes[0] !== VERSION[0]) {
    throw new Error('Not a sealed value of a known version')
  }
  const nonce = bytes.subarray(VERSION.length, VERSION.length + NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(authenticated(context))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const ciphertext = bytes.subarray(VERSION.length + NONCE_BYTES, -TAG_BYTES)
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
}

const VERSION = Buffer.from([1])
const NONCE_BYTES = 12
const TAG_BYTES = 16

function authenticated(context: string): Buffer {
  return Buffer.concat([VERSION, Buffer.from(context, 'utf8')])
}

// Stored as a PHC string, with its parameters, so that they can be raised later without losing the old ones.
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const { memory, passes, parallelism } = CURRENT
  const hash = await deriveKey(password, salt, CURRENT, 32)
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

// With nothing stored (no such user) the same work is done before answering no, so that the time taken does not tell who has
// an account.
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const known = stored === null ? null : parsePhc(stored)
  if (!known) {
    await deriveKey(password, randomBytes(16), CURRENT, 32)
    return false
  }
  const hash = await deriveKey(password, known.salt, known.cost, known.hash.length)
  return timingSafeEqual(hash, known.hash)
}

export function needsRehash(stored: string): boolean {
  const known = parsePhc(stored)
  if (!known) return true
  const { memory, passes, parallelism } = known.cost
  return memory !== CURRENT.memory || passes !== CURRENT.passes || parallelism !== CURRENT.parallelism
}

type Cost = { memory: number; passes: number; parallelism: number }

// OWASP's recommendation for argon2id: 19 MiB, two passes, one lane.
const CURRENT: Cost = { memory: 19_456, passes: 2, parallelism: 1 }

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

function parsePhc(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } | null {
  const match = PHC.exec(stored)
  if (!match) return null
  const [, memory, passes, parallelism, salt = '', hash = ''] = match
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

function deriveKey(password: string, salt: Buffer, cost: Cost, length: number): Promise<Buffer> {
  // One password can be typed as different code points on different keyboards; the compatibility form makes them equal.
  const message = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce: salt, tagLength: length, ...cost }, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

// Hashing first makes the lengths equal, so that not even they can be timed.
export function timingSafeEqualText(a: string, b: string): boolean {
  return timingSafeEqual(hashToken(a), hashToken(b))
}

// A deep copy of a JSON value in which every secret is replaced. null and booleans stay: they are no secret, and whether one is
// set may matter.
export function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact)
  if (typeof value !== 'object' || value === null) return value
  if ('toJSON' in value && typeof value.toJSON === 'function') return redact(value.toJSON())
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      const harmless = member === null || member === undefined || typeof member === 'boolean'
      return [name, !harmless && isSecretName(name) ? '[redacted]' : redact(member)]
    }),
  )
}

const SECRET_NAMES = new Set([
  'password',
  'password_hash',
  'passphrase',
  'secret',
  'secret_key',
  'token',
  'token_hash',
  'bearer',
  'jwt',
  'code',
  'authorization_code',
  'verification_code',
  'confirmation_code',
  'totp_code',
  'mfa_code',
  'backup_code',
  'backup_codes',
  'code_verifier',
  'otp',
  'otpauth',
  'otpauth_uri',
  'otpauth_url',
  'totp_uri',
  'recovery_code',
  'recovery_codes',
  'authorization',
  'proxy_authorization',
  'cookie',
  'set_cookie',
  'api_key',
  'apikey',
  'x_api_key',
  'access_key',
  'private_key',
  'signing_key',
  'encryption_key',
  'client_assertion',
  'credentials',
  'tax_id',
  'ssn',
  'social_security_number',
  'card_number',
  'cvc',
  'cvv',
])

// client_secret, refresh_token, new_password and whatever else a provider or a later group calls them.
// A name that goes on after the word (token_prefix, token_id, secret_hint) describes the secret and is not one.
const SECRET_ENDINGS = ['_password', '_passphrase', '_secret', '_token', '_api_key', '_private_key']

// Records have few names and each is met a million times; only so many are kept, since callers make up names too.
const judged = new Map<string, boolean>()
const MOST_JUDGED = 5_000

function isSecretName(name: string): boolean {
  const known = judged.get(name)
  if (known !== undefined) return known
  const secret = judge(name)
  if (judged.size < MOST_JUDGED) judged.set(name, secret)
  return secret
}

function judge(name: string): boolean {
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
  return SECRET_NAMES.has(plain) || SECRET_ENDINGS.some((ending) => plain.endsWith(ending))
}
