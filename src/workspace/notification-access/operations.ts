// Opening the caller's feed: row-level security by person, and the businesses whose rows they may see now.
import type { Tx, UserTx } from '../../foundation/database/transaction.ts'
import { visibility } from './rules.ts'
import * as store from './store.ts'

export type Entrance = store.Entrance
export type Access = { entrances: Entrance[]; businesses: string[]; hidden: string[] }

/** Read at every call, so that a lost membership or a lesser role hides its rows at once. */
export async function openFeed(tx: UserTx): Promise<Access> {
  readFor(tx, tx.user_id)
  const { kind, id, permissions } = tx.actor
  const entrances = await tx.many(store.entrances, { token_id: kind === 'token' ? id : null, grant_id: kind === 'grant' ? id : null })
  return { entrances, ...visibility(entrances, permissions) }
}

/** Sees and writes the rows of this person, up to the end of the transaction or the next one named. */
export function readFor(tx: Tx, user_id: string): void {
  tx.queue(store.readFor, { user_id })
}
