// Identifiers: the service makes UUIDs of version 7, which sort by the time of their making, and reads any UUID.
import { uuidv7 } from 'uuidv7'

export function newId(): string {
  return uuidv7()
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

// Version and variant are not looked at: an id made elsewhere, the nil one included, is a valid reference that finds nothing.
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
