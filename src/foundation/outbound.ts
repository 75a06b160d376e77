// Calls to addresses that customers give: public ones only, checked when the connection is made, so that no name and no redirect leads inside.
import { lookup as lookUp, Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

export type OutboundRequest = {
  url: string
  headers: Record<string, string>
  body: string
  /** For everything together: name, connection, answer. */
  timeout_ms: number
  /** The service is stopping: an outcome that says so tells nothing of the other side. */
  ended?: AbortSignal
}

/** What came of it: a status, or an error that says in a sentence why there is none. */
export type Outcome = { status: number | null; error: string | null; latency_ms: number; answer: string; ended: boolean }

/** `form`: no such URL is ever called. `address`: it leads where it may not. */
export type UrlProblem = { kind: 'form' | 'address'; detail: string }

export type Outbound = {
  /** What can be said of a URL without asking anybody; null where nothing is wrong. */
  problemOf(url: string): UrlProblem | null
  /** The same, with its name looked up. */
  check(url: string): Promise<UrlProblem | null>
  /** Never throws and follows nothing: a redirect is an answer like any other. */
  post(request: OutboundRequest): Promise<Outcome>
}

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<string[]>

export type OutboundOptions = {
  /** For sandboxes and tests: http and addresses of the inner network are allowed too. */
  allow_private: boolean
  resolve?: Resolve | undefined
}

export const LONGEST_ANSWER = 2_048
const LONGEST_URL = 2_048
/** How long the rest of an answer is waited for once its status is known. */
const BODY_MS = 1_000
const LOWEST_PORT = 1_024

export function openOutbound({ allow_private, resolve = allow_private ? resolveLocally : resolvePublicly() }: OutboundOptions): Outbound {
  const addressesOf = async (host: string): Promise<string[]> => {
    const addresses = isLiteral(host) ? [host] : await resolve(host)
    if (addresses.length === 0) throw new NotAllowed(`${host} has no address.`)
    const inner = allow_private ? undefined : addresses.find((address) => !isPublicAddress(address))
    if (inner !== undefined) throw new NotAllowed(notPublic(host))
    return addresses
  }
  return {
    problemOf: (url) => urlProblem(url, allow_private),
    async check(url) {
      const problem = urlProblem(url, allow_private)
      if (problem !== null || allow_private) return problem
      const host = hostOf(new URL(url))
      try {
        await addressesOf(host)
        return null
      } catch (error) {
        if (error instanceof NotAllowed) return misled(error.message)
        // A name server that is away says nothing about the name: each call asks again.
        return unknownName(error) ? misled(`${host} is a name that nobody knows: check the spelling of the url.`) : null
      }
    },
    async post(request) {
      const started = performance.now()
      const over = AbortSignal.any([AbortSignal.timeout(request.timeout_ms), ...(request.ended ? [request.ended] : [])])
      const told = (found: Partial<Outcome>): Outcome => ({
        status: null, error: null, answer: '', ...found,
        latency_ms: Math.round(performance.now() - started),
        ended: (found.status ?? null) === null && request.ended?.aborted === true,
      })
      const problem = urlProblem(request.url, allow_private)
      if (problem !== null) return told({ error: problem.detail })
      try {
        const target = new URL(request.url)
        const addresses = await within(over, addressesOf(hostOf(target)))
        return told(await send(target, addresses, request, over))
      } catch (error) {
        return told({ error: sentenceOf(error, request.timeout_ms) })
      }
    },
  }
}

class NotAllowed extends Error {}

/** What is wrong with a URL in itself. Number forms of addresses are read as browsers read them. */
export function urlProblem(text: string, allow_private: boolean): UrlProblem | null {
  const url = text.length <= LONGEST_URL ? URL.parse(text) : null
  if (!url || url.hostname === '') return malformed(`Must be an absolute URL of at most ${LONGEST_URL} characters.`)
  if (url.protocol !== 'https:' && !(allow_private && url.protocol === 'http:')) return malformed('Must begin with https://.')
  if (url.username !== '' || url.password !== '') return malformed('Must not carry a user name or a password.')
  if (url.hash !== '') return malformed('Must not have a fragment: it is never sent.')
  if (allow_private) return null
  if (url.port !== '' && Number(url.port) < LOWEST_PORT) return malformed(`Must use port 443 or one from ${LOWEST_PORT} on.`)
  const host = hostOf(url)
  return isLiteral(host) && !isPublicAddress(host) ? misled(notPublic(host)) : null
}

const malformed = (detail: string): UrlProblem => ({ kind: 'form', detail })
const misled = (detail: string): UrlProblem => ({ kind: 'address', detail })

const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]
/** In the public range, and yet the inside of a cloud: the host agent of Azure. */
const INSIDE = new Set(['168.63.129.16'])

/** Whether an address belongs to the public internet itself: no inner network, nothing that leads to one by translation, nothing reserved. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || INSIDE.has(address.toString())) return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(PUBLIC_IPV6)
}

function notPublic(host: string): string {
  return `${host} is not a public address: the url must be reachable from the internet.`
}

function isLiteral(host: string): boolean {
  return ipaddr.isValid(host)
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** Asks the name servers directly: the system's own look-up would hold one of a few threads for as long as a name server hangs. */
function resolvePublicly(): Resolve {
  const names = new Resolver({ timeout: 2_000, tries: 2 })
  return async (name) => {
    const [four, six] = await Promise.allSettled([names.resolve4(name), names.resolve6(name)])
    const found = [four, six].flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    if (found.length === 0 && four.status === 'rejected') throw four.reason
    return found
  }
}

/** Names of the machine and its network count too. */
async function resolveLocally(name: string): Promise<string[]> {
  return (await lookUp(name, { all: true })).map(({ address }) => address)
}

/** Connects to the addresses that were checked and to no other, whatever the name says by now. */
function send(target: URL, addresses: readonly string[], { headers, body }: OutboundRequest, over: AbortSignal): Promise<Partial<Outcome>> {
  const found = addresses.map((address) => ({ address, family: ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6 }))
  const lookup: LookupFunction = (_name, options, callback) => {
    if (options.all) callback(null, found)
    else callback(null, found[0]?.address ?? '', found[0]?.family)
  }
  return new Promise((resolve, reject) => {
    const made = (target.protocol === 'https:' ? https : http).request(target, {
      method: 'POST', agent: false, lookup, signal: over,
      headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' },
    })
    made.on('error', reject)
    made.on('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      const finish = (): void => {
        clearTimeout(waiting)
        resolve({ status: response.statusCode ?? null, answer: readable(Buffer.concat(chunks).subarray(0, LONGEST_ANSWER)) })
        made.destroy()
      }
      const waiting = setTimeout(finish, BODY_MS)
      // The status is known: whatever ends the rest, it stands.
      made.off('error', reject).on('error', finish)
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size >= LONGEST_ANSWER) finish()
      })
      response.on('end', finish).on('error', finish).on('close', finish)
    })
    made.end(body)
  })
}

/** As text that can be kept, whatever it was. */
function readable(bytes: Buffer): string {
  return new TextDecoder().decode(bytes).replaceAll('\0', '\ufffd')
}

function within<T>(over: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => {})
  over.throwIfAborted()
  return Promise.race([work, new Promise<never>((_, reject) => over.addEventListener('abort', () => reject(over.reason as Error), { once: true }))])
}

const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

function unknownName(error: unknown): boolean {
  return UNKNOWN.has((error as { code?: string }).code ?? '')
}

function sentenceOf(error: unknown, timeout_ms: number): string {
  if (error instanceof NotAllowed) return error.message
  const { code = '', name = '', cause, errors } = error as { code?: string | number; name?: string; cause?: { name?: string }; errors?: { code?: string }[] }
  if (name === 'TimeoutError' || cause?.name === 'TimeoutError') return `No answer within ${timeout_ms / 1_000} seconds.`
  const reason = String(code || (errors?.[0]?.code ?? name))
  if (unknownName(error)) return 'Nobody knows the name in the url.'
  if (reason === 'ECONNREFUSED') return 'The connection was refused.'
  if (reason === 'ECONNRESET' || reason === 'EPIPE') return 'The connection was closed before an answer came.'
  if (reason.startsWith('HPE_')) return 'The answer was not HTTP.'
  if (/CERT|SSL|TLS|EPROTO|SELF_SIGNED|UNABLE_TO/.test(reason)) return `The connection could not be secured (${reason}).`
  return `The call failed (${reason}).`
}
