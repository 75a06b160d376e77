// The ids of live alerts: made of what the alert is about, so that they last as long as its cause.
import { createHash } from 'node:crypto'

/**
 * The first half tells the business, the second what it is about: whoever comes with an id is told which business to look into. The version
 * is 8, which leaves the bits to us, so that no id of a stored row is ever one of these.
 */
export function liveId(business_id: string, kind: string, resource_id: string | null): string {
  const bytes = Buffer.concat([half(business_id), half(`${business_id} ${kind} ${resource_id ?? ''}`)])
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Whether this id, if it is one of a live alert, is one of this business. */
export function mayBeOf(business_id: string, id: string): boolean {
  return liveId(business_id, '', null).slice(0, 18) === id.slice(0, 18)
}

function half(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 8)
}
