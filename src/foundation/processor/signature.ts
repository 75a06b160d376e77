// The signature of an event: a time and an HMAC over the time and the bytes, in one header, good for five minutes.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { unauthenticated } from '../refusal.ts'

export const TOLERANCE_SECONDS = 300

/** The key with which the embedded processor signs: from the key of the installation, so that every server has the same. */
export function signingKey(encryption_key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', encryption_key, '', 'events of the embedded card processor', 32))
}

/** Another one for events about plans: what was signed for the one is nothing to the other. */
export function planSigningKey(encryption_key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', encryption_key, '', 'events about plans of the embedded card processor', 32))
}

export function sign(key: Buffer, body: Buffer, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  return `t=${seconds},v1=${mac(key, seconds, body).toString('hex')}`
}

/** Refuses with a 401 what was not signed with this key, or too long ago. */
export function requireSignature(key: Buffer, body: Buffer, header: string | undefined, now: Date): void {
  const [, time = '', given = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  const genuine = time !== '' && timingSafeEqual(mac(key, Number(time), body), Buffer.from(given, 'hex'))
  if (!genuine) throw unauthenticated('The signature of this event is missing or wrong.')
  if (Math.abs(now.getTime() / 1000 - Number(time)) > TOLERANCE_SECONDS) throw unauthenticated('The signature of this event is older than five minutes.')
}

function mac(key: Buffer, seconds: number, body: Buffer): Buffer {
  return createHmac('sha256', key).update(`${seconds}.`).update(body).digest()
}
