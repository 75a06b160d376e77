// Whether a message is genuine, and what it brings.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { Compile } from 'typebox/compile'
import type { GivenFile } from '../../foundation/endpoint.ts'
import type { Message } from '../../foundation/message.ts'
import { unauthenticated, unprocessable } from '../../foundation/refusal.ts'
import { InboundMail, MOST_ATTACHMENTS } from './contract.ts'

const TOLERANCE_SECONDS = 300

/** What the mail party signs with: as set, or from the key of the installation. */
export function inboxKey(secret: string | null, encryption_key: Buffer): Buffer {
  if (secret !== null) return Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return Buffer.from(hkdfSync('sha256', encryption_key, '', 'mail to inboxes', 32))
}

/** One of the signatures of a message of this id and time. */
export function signatureOf(key: Buffer, id: string, seconds: string, body: Buffer): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64')}`
}

/** Refuses with a 401 what was not signed with this key, or too long ago. */
export function requireGenuine(key: Buffer, { body, headers }: Message, now: string): void {
  const one = (name: string) => [headers[name]].flat()[0] ?? ''
  const [id, seconds, signatures] = [one('webhook-id'), one('webhook-timestamp'), one('webhook-signature')]
  const expected = Buffer.from(signatureOf(key, id, seconds, body))
  const genuine = signatures.split(' ').some((given) => {
    const bytes = Buffer.from(given)
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
  if (!genuine || id === '' || !/^\d{1,12}$/.test(seconds)) throw unauthenticated('The signature of this message is missing or wrong.')
  if (Math.abs(Date.parse(now) / 1000 - Number(seconds)) > TOLERANCE_SECONDS) throw unauthenticated('The signature of this message is older than five minutes.')
}

const shape = Compile(InboundMail)

export function readMail(body: Buffer): InboundMail {
  let mail: unknown = null
  try {
    mail = JSON.parse(body.toString('utf8'))
  } catch {
    // What is no JSON does not have the shape either.
  }
  if (!shape.Check(mail)) throw unprocessable([{ loc: ['body'], msg: 'The message does not have the expected shape.', type: 'value_error' }])
  return mail as InboundMail
}

export function filesOf({ attachments }: InboundMail): GivenFile[] {
  return attachments.slice(0, MOST_ATTACHMENTS).map(({ file_name, content_base64 }) => ({ name: file_name, content: Buffer.from(content_base64, 'base64') }))
}

/** Where a document came from, in a line. */
export function originOf({ from, subject }: InboundMail): string {
  const clean = (text: string) => text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return `Mail from ${clean(from ?? '') || 'somebody'}${subject ? `: ${clean(subject)}` : ''}`.slice(0, 2000)
}
