// What can be done with the people of a business.
import type { Static } from 'typebox'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { forbidden, notFound } from '../../foundation/refusal.ts'
import { recordOwnershipTransferred } from '../businesses/operations.ts'
import { requireOwner } from '../businesses/rules.ts'
import { takeBusinessOutOfGrants } from '../oauth-grants/operations.ts'
import { permissionsFor, ROLES, type Role } from '../permissions.ts'
import { memberResource, type Member } from './contract.ts'
import { requireAnotherOwner, requireDirect, requireRank, requireSomebodyElse, requireSuccessor } from './rules.ts'
import * as store from './store.ts'

type MemberRow = Static<typeof Member>

export function listMembers(tx: BusinessTx, query: PageQuery) {
  return tx.page(store.members, query)
}

export function getMember(tx: BusinessTx, user_id: string): Promise<MemberRow> {
  return tx.get(store.findMember, { user_id }, 'Member')
}

export async function changeRole(tx: BusinessTx, user_id: string, role: Role): Promise<MemberRow> {
  const { actor, member, people } = await lockMember(tx, user_id)
  requireRank(actor, member, role)
  requireDirect(member)
  if (member.role === role) return member
  requireAnotherOwner(people, member)
  return save(tx, member, { role }, 'member.role_changed')
}

export async function removeMember(tx: BusinessTx, user_id: string): Promise<MemberRow> {
  const { actor, member, people } = await lockMember(tx, user_id)
  requireRank(actor, member)
  requireDirect(member)
  requireAnotherOwner(people, member)
  await takeBusinessOutOfGrants(tx, user_id)
  tx.queue(store.deleteMember, { user_id })
  tx.record(memberResource, 'member.removed', { before: member, after: null })
  return member
}

export function leaveBusiness(tx: BusinessTx): Promise<MemberRow> {
  return removeMember(tx, tx.user_id)
}

export async function suspendMember(tx: BusinessTx, user_id: string): Promise<MemberRow> {
  const { actor, member, people } = await lockMember(tx, user_id)
  requireRank(actor, member)
  requireSomebodyElse(actor, member)
  requireDirect(member)
  if (member.status === 'suspended') return member
  requireAnotherOwner(people, member)
  return save(tx, member, { status: 'suspended' }, 'member.suspended')
}

export async function reactivateMember(tx: BusinessTx, user_id: string): Promise<MemberRow> {
  const { actor, member } = await lockMember(tx, user_id)
  requireRank(actor, member)
  requireDirect(member)
  return member.status === 'active' ? member : save(tx, member, { status: 'active' }, 'member.reactivated')
}

export async function transferOwnership(tx: BusinessTx, user_id: string, keep_role: Role = 'admin'): Promise<MemberRow> {
  requireOwner(tx.actor.role, 'hand a business over')
  const { actor, member } = await lockMember(tx, user_id)
  requireSuccessor(actor, member)
  requireDirect(member)
  const owner = member.role === 'owner' ? member : save(tx, member, { role: 'owner' }, 'member.role_changed')
  save(tx, actor, { role: keep_role }, 'member.role_changed')
  await recordOwnershipTransferred(tx, actor.user_id, owner.user_id)
  return owner
}

export async function listRoles() {
  return ROLES.map((role) => ({ role, permissions: [...permissionsFor(role)].sort() }))
}

export async function getAccess(tx: BusinessTx) {
  return {
    business_id: tx.business_id,
    user_id: tx.user_id,
    role: tx.actor.role as Role,
    permissions: [...tx.actor.permissions].sort(),
    access: tx.business.read_only === null ? ('full' as const) : ('read_only' as const),
    read_only_reason: tx.business.read_only,
  }
}

/** The member, the caller and all owners, locked. What the caller is counts as of now: it may have changed while waiting. */
async function lockMember(tx: BusinessTx, user_id: string): Promise<{ actor: MemberRow; member: MemberRow; people: MemberRow[] }> {
  const people = await tx.many(store.lockPeople, { user_ids: [user_id, tx.user_id] })
  const actor = people.find((person) => person.user_id === tx.user_id)
  const unchanged = actor?.status === 'active' && actor.role === tx.actor.role
  if (!actor || !unchanged) throw forbidden('Your own membership has just changed. Look at what you may do now, then try again.')
  const member = people.find((person) => person.user_id === user_id)
  if (!member) throw notFound('Member')
  tx.checkMatch(member.version)
  return { actor, member, people }
}

function save(tx: BusinessTx, member: MemberRow, changes: Partial<MemberRow>, event: (typeof memberResource.events)[number]): MemberRow {
  const after = changed(member, changes, tx.now)
  tx.queue(store.updateMember, after)
  tx.record(memberResource, event, { before: member, after })
  return after
}
