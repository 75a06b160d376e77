// What can be done with grants, and how other groups give, narrow and end them.
import type { Actor } from '../../foundation/database/context.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import { BusinessTx, type Tx, type UserTx } from '../../foundation/database/transaction.ts'
import { system } from '../../foundation/database/transact.ts'
import { newId } from '../../foundation/ids.ts'
import { forbidden, notFound } from '../../foundation/refusal.ts'
import { recordUserEvent } from '../security-events/operations.ts'
import { grantResource } from './contract.ts'
import * as rules from './rules.ts'
import type { Grant, Place } from './rules.ts'
import * as store from './store.ts'

type GrantEvent = (typeof grantResource.events)[number]

export async function listGrants(tx: UserTx, query: PageQuery & { business_id?: string }) {
  if (query.business_id === undefined) return tx.page(store.ownGrants, query)
  const places = await placesOf(tx)
  if (!managed(tx, places).has(query.business_id)) throw forbidden('Seeing the connected apps of a business is for its owners and admins.')
  const page = await tx.page(store.grantsReaching, query)
  return { ...page, items: page.items.map((grant) => (grant.user_id === tx.user_id ? grant : rules.seenBy(grant, places))) }
}

export async function getGrant(tx: UserTx, id: string): Promise<Grant> {
  const grant = await tx.get(store.findGrant, { id }, 'Grant')
  return (await viewOf(tx, grant)).shown(grant)
}

export async function revokeGrant(tx: UserTx, id: string, { reason }: { reason?: string | null }): Promise<Grant> {
  const grant = await tx.get(store.lockGrant, { id }, 'Grant')
  const view = await viewOf(tx, grant)
  tx.checkMatch(grant.version)
  if (grant.status === 'revoked') return view.shown(grant)
  const [after] = revoke(tx, [grant], { revoked_by: tx.user_id, revoke_reason: reason || null }, view.actorIn)
  return view.shown(after ?? grant)
}

export async function removeGrantBusiness(tx: UserTx, id: string, business_id: string): Promise<Grant> {
  const grant = await tx.get(store.lockGrant, { id }, 'Grant')
  const view = await viewOf(tx, grant)
  if (!grant.business_ids.includes(business_id) || !view.mayChange(business_id)) throw notFound('Business')
  tx.checkMatch(grant.version)
  rules.requireActive(grant)
  const [after] = takeOut(tx, [grant], business_id, { revoked_by: tx.user_id, revoke_reason: rules.REASONS.last_business })
  return view.shown(after ?? grant)
}

export async function listActivity(tx: UserTx, id: string, query: PageQuery) {
  const grant = await tx.get(store.findGrant, { id }, 'Grant')
  const { own, shown } = await viewOf(tx, grant)
  const since = new Date(Date.parse(tx.now) - rules.ACTIVITY_DAYS * 86_400_000).toISOString().slice(0, 10)
  return tx.page(store.activity, { ...query, grant_id: id, since, ...(own ? {} : { seen: shown(grant).business_ids }) } as PageQuery)
}

/** One person has one active grant per app: consent makes it, and consent again widens it. */
export async function giveGrant(tx: UserTx, client: { client_id: string; name: string }, business_ids: readonly string[], scopes: readonly string[]): Promise<Grant> {
  await tx.exclusive(`oauth grant ${tx.user_id} ${client.client_id}`)
  const before = await tx.find(store.lockActive, { client_id: client.client_id })
  if (!before) return createGrant(tx, client, business_ids, scopes)
  const wider = { business_ids: rules.union(before.business_ids, business_ids), scopes: rules.union(before.scopes, scopes) }
  const after = changed(before, wider, tx.now)
  const touched = rules.touchedBy(before, after)
  if (touched.length === 0) return before
  tx.queue(store.widenGrant, after)
  tell(tx, 'oauth_grant.widened', before, after, touched)
  return after
}

/** Every grant of a person, where all that acts for them ends. */
export async function revokeGrantsOf(tx: Tx, user_id: string, cause: 'user_closed' | 'password'): Promise<void> {
  const grants = await tx.many(store.lockOfUser, { user_id })
  revoke(tx, grants, { revoked_by: user_id, revoke_reason: rules.REASONS[cause] }, () => (tx.actor.user_id === user_id ? tx.actor : system))
}

/** A person has left the business of this transaction: no app of theirs reaches it any longer. */
export async function takeBusinessOutOfGrants(tx: BusinessTx, user_id: string): Promise<void> {
  const grants = await tx.many(store.lockOfUser, { user_id })
  const reaching = grants.filter(({ business_ids }) => business_ids.includes(tx.business_id))
  takeOut(tx, reaching, tx.business_id, { revoked_by: tx.actor.user_id, revoke_reason: rules.REASONS.member_left })
}

/** The people and businesses behind them need not know who deleted the app: the service itself tells them. */
export async function revokeGrantsOfClient(tx: Tx, client_id: string): Promise<void> {
  const grants = await tx.many(store.lockOfClient, { client_id })
  revoke(tx, grants, { revoked_by: null, revoke_reason: rules.REASONS.client_deleted }, () => system)
}

export function narrowGrantsOfClient(tx: Tx, client_id: string, scopes: readonly string[]): void {
  tx.queue(store.narrowGrants, { client_id, scopes })
}

/** A token that was replaced has come back: either it or the one that replaced it is in wrong hands, so all of them end. */
export async function revokeReused(tx: Tx, grant_id: string): Promise<void> {
  const grant = await tx.get(store.lockGrant, { id: grant_id }, 'Grant')
  tell(tx, 'oauth_grant.reuse_detected', grant, grant, grant.business_ids, () => system)
  revoke(tx, [grant], { revoked_by: null, revoke_reason: rules.REASONS.reuse }, () => system)
}

export function sweepActivity(tx: Tx): void {
  tx.queue(store.deleteOldActivity, { days: rules.ACTIVITY_DAYS })
}

function createGrant(tx: UserTx, client: { client_id: string; name: string }, business_ids: readonly string[], scopes: readonly string[]): Grant {
  const grant: Grant = {
    id: newId(),
    client_id: client.client_id,
    client_name: client.name,
    user_id: tx.user_id,
    business_ids: rules.union(business_ids, []),
    scopes: rules.union(scopes, []),
    status: 'active',
    last_used_at: null,
    revoked_at: null,
    revoked_by: null,
    revoke_reason: null,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  tx.queue(store.insertGrant, grant)
  tell(tx, 'oauth_grant.created', null, grant, grant.business_ids)
  return grant
}

type Ending = { revoked_by: string | null; revoke_reason: string | null }

/** The row decides: with it, every token of the grant has ended. */
function revoke(tx: Tx, grants: readonly Grant[], ending: Ending, actorIn?: (business_id: string) => Actor): Grant[] {
  if (grants.length === 0) return []
  tx.queue(store.revokeGrants, { ids: grants.map(({ id }) => id), ...ending })
  return grants.map((grant) => {
    const after = changed(grant, { status: 'revoked', revoked_at: tx.now, ...ending }, tx.now)
    tell(tx, 'oauth_grant.revoked', grant, after, grant.business_ids, actorIn)
    return after
  })
}

/** Where it was the last business, the grant ends instead, and keeps it as the one that it reached. */
function takeOut(tx: Tx, grants: readonly Grant[], business_id: string, ending: Ending): Grant[] {
  const narrowed = grants.map((grant) => {
    const after = changed(grant, { business_ids: grant.business_ids.filter((reached) => reached !== business_id) }, tx.now)
    tell(tx, 'oauth_grant.business_removed', grant, after, [business_id])
    return after
  })
  const staying = narrowed.filter(({ business_ids }) => business_ids.length > 0)
  if (staying.length > 0) tx.queue(store.takeBusinessOut, { ids: staying.map(({ id }) => id), business: business_id })
  return [...staying, ...revoke(tx, grants.filter(({ business_ids }) => business_ids.length === 1), ending)]
}

/** In the history of each business concerned, and in the security log of the person. */
function tell(tx: Tx, event: GrantEvent, before: Grant | null, after: Grant, business_ids: readonly string[], actorIn?: (business_id: string) => Actor): void {
  for (const business_id of business_ids) {
    const change = { before: before && rules.seenFrom(before, business_id), after: rules.seenFrom(after, business_id) }
    if (tx instanceof BusinessTx) tx.record(grantResource, event, change)
    else tx.recordIn(business_id, grantResource, event, change, actorIn?.(business_id) ?? tx.actor)
  }
  const { id, client_id, client_name, scopes, revoked_by, revoke_reason } = after
  recordUserEvent(tx, after.user_id, event, { grant_id: id, client_id, client_name, scopes, business_ids, revoked_by, revoke_reason })
}

type View = { own: boolean; shown(grant: Grant): Grant; mayChange(business_id: string): boolean; actorIn(business_id: string): Actor }

/** What the caller is to this grant; to whoever is nothing to it, it does not exist. */
async function viewOf(tx: UserTx, grant: Grant): Promise<View> {
  if (grant.user_id === tx.user_id) return { own: true, shown: (it) => it, mayChange: () => true, actorIn: () => tx.actor }
  const places = await placesOf(tx)
  const managing = managed(tx, places)
  if (!grant.business_ids.some((business_id) => managing.has(business_id))) throw notFound('Grant')
  return {
    own: false,
    shown: (it) => rules.seenBy(it, places),
    mayChange: (business_id) => managing.has(business_id),
    // Another business learns that the app is gone, not by whom.
    actorIn: (business_id) => (places.some((place) => place.business_id === business_id) ? tx.actor : system),
  }
}

function placesOf(tx: UserTx): Promise<Place[]> {
  return tx.many(store.places, { token_id: tx.actor.kind === 'token' ? tx.actor.id : null })
}

/** Where the caller, by role and by the credential in use, manages what others have connected. */
function managed(tx: UserTx, places: readonly Place[]): Set<string> {
  if (!tx.actor.permissions.has('tokens:manage')) return new Set()
  return new Set(places.filter(rules.managesApps).map(({ business_id }) => business_id))
}
