// What an app can be allowed, and what each reader sees of it.
import type { Static } from 'typebox'
import type { Permission } from '../../foundation/permission.ts'
import { invalid } from '../../foundation/refusal.ts'
import { permissionsFor, scopeCatalogue, type Role } from '../permissions.ts'
import type { OauthGrant } from './contract.ts'

export type Grant = Static<typeof OauthGrant>
export type Place = { business_id: string; role: string }

/** Credentials stay with people: no app can make tokens, register apps or see what else is connected. */
export const GRANTABLE: readonly { scope: Permission; description: string }[] = scopeCatalogue().filter(({ scope }) => !/^(api-tokens|oauth):/.test(scope))

export const REASONS = {
  reuse: 'A refresh token was used twice: somebody else may have had it.',
  client_deleted: 'The app was deleted.',
  user_closed: 'The account was closed.',
  password: 'All tokens were revoked with the change of the password.',
  last_business: 'Its last business was taken out.',
  member_left: 'Its last business was left.',
} as const

export const ACTIVITY_DAYS = 90

export const managesApps = ({ role }: Place): boolean => permissionsFor(role as Role).has('tokens:manage')

/** The grant as the history of one business has it: what else it reaches is not that business's matter. */
export function seenFrom(grant: Grant, business_id: string): Grant {
  return { ...grant, business_ids: grant.business_ids.filter((reached) => reached === business_id) }
}

export function seenBy(grant: Grant, places: readonly Place[]): Grant {
  return { ...grant, business_ids: grant.business_ids.filter((reached) => places.some(({ business_id }) => business_id === reached)) }
}

export function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])].sort()
}

export function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  return part.every((item) => whole.includes(item))
}

export function requireActive(grant: Grant): void {
  if (grant.status === 'revoked') throw invalid('This grant is revoked: it reaches no business any more.')
}

/** The businesses for which a consent makes a difference: newly reached, or with more that may be done there. */
export function touchedBy(before: Grant, after: Grant): string[] {
  const wider = !isWithin(after.scopes, before.scopes)
  return after.business_ids.filter((business_id) => wider || !before.business_ids.includes(business_id))
}
