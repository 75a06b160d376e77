// The address to which documents of a business are mailed: it says which business, and nobody can make one up.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const ID_BYTES = 16
const MAC_BYTES = 9

/** `key` is the key of the installation. */
export function inboxAddress(key: Buffer, domain: string, business_id: string): string {
  const id = Buffer.from(business_id.replaceAll('-', ''), 'hex')
  return `${encode(Buffer.concat([id, mac(key, id)]))}@${domain}`
}

/** The business of an address; null for one that was not made here. */
export function businessOfAddress(key: Buffer, domain: string, address: string): string | null {
  const [local = '', host] = address.trim().toLowerCase().split('@')
  const bytes = host === domain.toLowerCase() ? decode(local) : null
  if (!bytes) return null
  const id = bytes.subarray(0, ID_BYTES)
  if (!timingSafeEqual(mac(key, id), bytes.subarray(ID_BYTES))) return null
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function mac(key: Buffer, id: Buffer): Buffer {
  return createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'addresses of inboxes', 32))).update(id).digest().subarray(0, MAC_BYTES)
}

/** Five bits a letter: 25 bytes are 40 letters, without a rest. Mail programs do not keep capitals apart. */
function encode(bytes: Buffer): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return bits.replaceAll(/.{5}/g, (five) => ALPHABET[parseInt(five, 2)] ?? '')
}

function decode(text: string): Buffer | null {
  if (!/^[a-z2-7]{40}$/.test(text)) return null
  const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => parseInt(eight, 2)))
}
