// What a person can do with their own account.
import type { Static } from 'typebox'
import type { PageQuery } from '../../foundation/database/list.ts'
import type { UserTx } from '../../foundation/database/transaction.ts'
import type { User } from '../account/contract.ts'
import { getOwnUser, lockOwnAccount, revokeTokens, saveAccount, tell, userOf } from '../account/operations.ts'
import { clearedCookie } from '../cookie.ts'
import { voidMailTokens } from '../mail-tokens/operations.ts'
import { disableClientsOf } from '../oauth-clients/operations.ts'
import { revokeGrantsOf } from '../oauth-grants/operations.ts'
import { recordUserEvent } from '../security-events/operations.ts'
import { endSessionsOf } from '../sessions/operations.ts'
import { clearTwoFactor } from '../two-factor/operations.ts'
import type { UserUpdate } from './contract.ts'
import { closedLetter, requireKnownPlaces, requireOtherOwners, tombstoneAddress } from './rules.ts'
import * as store from './store.ts'

export function getUser(tx: UserTx): Promise<Static<typeof User>> {
  return getOwnUser(tx)
}

export function listOwnMemberships(tx: UserTx, query: PageQuery) {
  return tx.page(store.ownMemberships, query)
}

export async function updateUser(tx: UserTx, input: Static<typeof UserUpdate>): Promise<Static<typeof User>> {
  const account = await lockOwnAccount(tx)
  tx.checkMatch(account.version)
  const business_id = input.default_business_id
  if (business_id) await tx.get(store.findMembership, { user_id: account.id, business_id }, `default_business_id: business ${business_id}`)
  requireKnownPlaces(input)
  if (Object.keys(input).length === 0) return userOf(account)
  return userOf(saveAccount(tx, account, input))
}

/** Memberships are locked before the account, as everything that changes members does. */
export async function closeUser(tx: UserTx): Promise<Static<typeof User>> {
  requireOtherOwners(await tx.many(store.lockMemberships, { user_id: tx.user_id }), tx.user_id)
  const account = await lockOwnAccount(tx)
  tx.checkMatch(account.version)
  const user_id = account.id
  await endSessionsOf(tx, user_id, null)
  revokeTokens(tx, user_id)
  disableClientsOf(tx, user_id)
  await revokeGrantsOf(tx, user_id, 'user_closed')
  voidMailTokens(tx, user_id, ['verify_email', 'reset_password', 'change_email', 'undo_email'])
  tx.queue(store.deleteMemberships, { user_id })
  const closed = saveAccount(tx, clearTwoFactor(tx, account), {
    status: 'closed',
    email: tombstoneAddress(user_id),
    password_hash: '',
    email_verified_at: null,
    avatar_document_id: null,
    default_business_id: null,
  })
  recordUserEvent(tx, user_id, 'user.closed')
  tell(tx, account.email, closedLetter())
  tx.request.reply_headers['set-cookie'] = clearedCookie
  return userOf(closed)
}
