// How the tokens of public links and of files are made: from the key of the installation, so that they can be shown again and are kept nowhere.
import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto'

export type LinkedDocument = { document_type: string; document_id: string }

/** 256 bits; a new generation of the same document is another token, and the old one says nothing about it. */
export function tokenOf(encryption_key: Buffer, business_id: string, { document_type, document_id }: LinkedDocument, generation: number): string {
  return createHmac('sha256', linkKey(encryption_key)).update([business_id, document_type, document_id, generation].join('\n')).digest('base64url')
}

/** What the token of a link looks like: anything else need not be looked up. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

// Kept as an object of the library: a page shows fifty links, and reading the key anew for each would take most of their time.
const keys = new WeakMap<Buffer, KeyObject>()

/** A key of its own, so that nothing made for links is worth anything where the key of the installation seals secrets. */
function linkKey(encryption_key: Buffer): KeyObject {
  const known = keys.get(encryption_key)
  if (known) return known
  const made = createSecretKey(Buffer.from(hkdfSync('sha256', encryption_key, '', 'links of documents', 32)))
  keys.set(encryption_key, made)
  return made
}

/** What a ticket says: this file of this document, until then. */
export type FileTicket = LinkedDocument & { business_id: string; expires_at: string }

/** A ticket carries all that it says, and its signature: nothing of it is kept. */
export function sealTicket(encryption_key: Buffer, { business_id, document_type, document_id, expires_at }: FileTicket): string {
  const said = Buffer.alloc(TICKET_BYTES)
  said.write(business_id.replaceAll('-', ''), 0, 'hex')
  said.write(document_id.replaceAll('-', ''), 16, 'hex')
  said.writeUIntBE(Date.parse(expires_at), 32, 6)
  return Buffer.concat([said, signature(encryption_key, document_type, said)]).toString('base64url')
}

/** null for one that was not made here, or whose time is over. */
export function openTicket(encryption_key: Buffer, document_type: string, ticket: string, now: string): FileTicket | null {
  const bytes = Buffer.from(ticket, 'base64url')
  if (bytes.length !== TICKET_BYTES + SIGNATURE_BYTES || bytes.toString('base64url') !== ticket) return null
  const said = bytes.subarray(0, TICKET_BYTES)
  if (!timingSafeEqual(signature(encryption_key, document_type, said), bytes.subarray(TICKET_BYTES))) return null
  const expires_at = new Date(said.readUIntBE(32, 6)).toISOString()
  return expires_at > now ? { business_id: uuid(said.subarray(0, 16)), document_type, document_id: uuid(said.subarray(16, 32)), expires_at } : null
}

const TICKET_BYTES = 38
const SIGNATURE_BYTES = 32

function signature(encryption_key: Buffer, document_type: string, said: Buffer): Buffer {
  return createHmac('sha256', linkKey(encryption_key)).update(`file of ${document_type}\n`).update(said).digest()
}

function uuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
