// A write under an Idempotency-Key happens once: the answer is kept in the transaction that made it, and given again for 24 hours.
import { createHash, createHmac } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { command, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { conflict, invalid } from '../refusal.ts'
import { open, seal } from '../secrets.ts'

export type StoredAnswer = { status: number; body: string }
export type Claim = { scope: string; user_id: string; key: string; fingerprint: Buffer; secret: boolean }

const tryLock = statement(Type.Object({ locked: Type.Boolean() }), 'select pg_try_advisory_xact_lock(:lock::bigint) as locked')

const Kept = Type.Object({ fingerprint: Type.Unsafe<Buffer>({ type: 'buffer' }), status: Type.Integer(), answer: Type.Unsafe<Buffer>({ type: 'buffer' }), sealed: Type.Boolean() })

const findAnswer = statement(
  Kept,
  `select fingerprint, status, answer, sealed from idempotency_keys
   where scope = :scope and user_id = :user_id and key = :key and created_at > :now::timestamptz - interval '24 hours'`,
)

const insertAnswer = command(
  `insert into idempotency_keys (scope, user_id, key, fingerprint, status, answer, sealed, created_at)
   values (:scope, :user_id, :key, :fingerprint, :status, :answer, :sealed, :now)
   on conflict (scope, user_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
     answer = excluded.answer, sealed = excluded.sealed, created_at = excluded.created_at`,
)

export const dropOldAnswers = command(`delete from idempotency_keys where created_at < :now::timestamptz - interval '24 hours'`)

/** Takes the key for this transaction. Returns the stored answer where there is one; refuses a key that is busy or was used for something else. */
export async function claimKey(tx: Tx, claim: Claim): Promise<StoredAnswer | null> {
  // Two statements, one flight: the look-up must have a snapshot taken after the lock, or it could miss the answer just committed.
  const locking = tx.find(tryLock, { lock: lockNumber(claim) })
  const finding = tx.find(findAnswer, { scope: claim.scope, user_id: claim.user_id, key: claim.key })
  const [lock, stored] = await Promise.all([locking, finding])
  // An answer that can be seen has been committed: it counts even while another caller, who reads it too, has the lock.
  if (!stored && !lock?.locked) throw conflict('A request with this Idempotency-Key is still running. Try again in a moment.')
  return stored && openAnswer(tx, claim, stored)
}

/** The stored answer, where there is one, without taking the key. */
export async function findKept(tx: Tx, claim: Claim): Promise<StoredAnswer | null> {
  const stored = await tx.find(findAnswer, { scope: claim.scope, user_id: claim.user_id, key: claim.key })
  return stored && openAnswer(tx, claim, stored)
}

function openAnswer(tx: Tx, claim: Claim, stored: Static<typeof Kept>): StoredAnswer {
  if (!stored.fingerprint.equals(claim.fingerprint)) throw invalid('This Idempotency-Key was used for another request. Use a new key.')
  const body = stored.sealed ? open(tx.surroundings.encryption_key, stored.answer, 'idempotency') : stored.answer.toString()
  return { status: stored.status, body }
}

/** Keeps the answer; it commits with the change itself. An answer that shows a secret is kept sealed. */
export function keepAnswer(tx: Tx, claim: Claim, answer: StoredAnswer): void {
  const { secret, ...row } = claim
  const kept = secret ? seal(tx.surroundings.encryption_key, answer.body, 'idempotency') : Buffer.from(answer.body)
  tx.queue(insertAnswer, { ...row, status: answer.status, answer: kept, sealed: secret })
}

/** Under a key: a plain hash of a body that holds a password could be guessed from the table. */
export function fingerprintOf(key: Buffer, method: string, url: string, body: Buffer | null): Buffer {
  return createHmac('sha256', key).update(`${method} ${url}\n`).update(body ?? '').digest()
}

function lockNumber({ scope, user_id, key }: Claim): string {
  return createHash('sha256').update(`${scope} ${user_id} ${key}`).digest().readBigInt64BE().toString()
}
