// Where an app may have the browser sent, and when two addresses are the same.
import { invalid } from '../../foundation/refusal.ts'

export const MOST_SECRETS = 2

/** http on this very computer: the host as it is written, an optional port, the rest. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?=[/?]|$)/

export function requireRedirectUris(uris: readonly string[]): void {
  for (const uri of uris) {
    const problem = problemWith(uri)
    if (problem) throw invalid(`The redirect URI ${uri.slice(0, 200)} ${problem}.`)
  }
  const twice = uris.find((uri, index) => uris.indexOf(uri) !== index)
  if (twice) throw invalid(`The redirect URI ${twice.slice(0, 200)} is given twice: leave one out.`)
}

function problemWith(uri: string): string | null {
  const url = /^[\x21-\x7e]+$/.test(uri) && !uri.includes('\\') ? URL.parse(uri) : null
  if (!url) return 'is not an absolute URL'
  if (url.protocol !== 'https:' && !LOOPBACK.test(uri)) return 'must begin with https://, or with http:// on 127.0.0.1, [::1] or localhost'
  if (uri.includes('#')) return 'must not have a fragment'
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?]*@/.test(uri)) return 'must not carry a user name or a password'
  return null
}

/** Exactly one that is registered. A program on the person's own computer takes whatever port is free. */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true
  const without_port = withoutPort(uri)
  return without_port !== null && registered.some((known) => withoutPort(known) === without_port)
}

function withoutPort(uri: string): string | null {
  const found = LOOPBACK.exec(uri)
  return found ? `http://${found[1]}${uri.slice(found[0].length)}` : null
}
