// What the HTTP floor asks of the access room: who is calling, and what may they do here?
import type { Clock } from '../calendar.ts'
import type { Actor, Business } from '../database/context.ts'
import type { PublicTx } from '../database/transaction.ts'
import type { Endpoint } from '../endpoint.ts'

/** What a request brought to show who is calling. */
export type Credential = {
  secret: string
  /** Its SHA-256, by which it is looked up and counted. */
  hash: Buffer
  /** In the Authorization header, or in the browser's cookie. */
  from: 'header' | 'cookie'
  csrf_token: string | null
}

export type Entry = { actor: Actor; business: Business | null }

/**
 * Who it is, looked up in the transaction of the request. `expected` is who it was the last time: the operation may start
 * with it in the same flight, but nothing is answered or committed before `confirmed` has given that very value. Where
 * something has changed since, it throws OutOfDate instead.
 */
export type Identification = { expected: Entry | null; confirmed: Promise<Entry> }

/** Handed in by the program's wiring. */
export type Gate = {
  readCredential(headers: Record<string, string | string[] | undefined>): Credential | null
  /** A 401 where it is nobody. With a business: also what they are there, or a 403. */
  identify(tx: PublicTx, credential: Credential, business_id: string | null): Identification
  /** A 403 where this caller may not call this endpoint. */
  authorise(endpoint: Endpoint, credential: Credential, entry: Entry): void
  /** Told of every answer, so that what a connected app does can be counted. */
  answered(endpoint: Endpoint, credential: Credential, business_id: string | null, refused: boolean, clock: Clock): void
}
