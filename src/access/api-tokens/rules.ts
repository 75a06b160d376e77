// How wide a token may be: never wider than its maker, and never wider than it was.
import type { Permission } from '../../foundation/permission.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { isPersonal, permissionsFor, type Role } from '../permissions.ts'

/** What a credential can do at most; null businesses are all of the person, null expiry is never. */
export type Reach = { scopes: readonly string[]; business_ids: readonly string[] | null; expires_at: string | null }

/** A business that the maker is active in. */
export type Place = { business_id: string; business_name: string; role: string; is_sample: boolean; token_max_days: number | null }

export type Dates = { expires_at: string | null; revoked_at: string | null }

export function statusOf(token: Dates, now: string): 'active' | 'expired' | 'revoked' {
  if (token.revoked_at !== null) return 'revoked'
  return token.expires_at !== null && Date.parse(token.expires_at) <= Date.parse(now) ? 'expired' : 'active'
}

export function requireActive(token: Dates, now: string): void {
  const status = statusOf(token, now)
  if (status !== 'active') throw invalid(`This token is ${status}: create a new one.`)
}

/** The chosen businesses out of those the maker is in; all of them but samples where none are chosen. */
export function placesOf(business_ids: readonly string[] | null, places: readonly Place[]): Place[] {
  if (business_ids === null) return places.filter(({ is_sample }) => !is_sample)
  return business_ids.map((business_id) => {
    const place = places.find((candidate) => candidate.business_id === business_id)
    if (!place) throw notFound(`Business ${business_id}`)
    if (place.is_sample) throw invalid(`${place.business_name} is a sample: tokens are for real businesses.`)
    return place
  })
}

/** Every scope must be held by the maker in at least one of the places right now. */
export function requireHeld(scopes: readonly string[], places: readonly Place[]): void {
  const held = new Set<string>(places.flatMap(({ role }) => [...permissionsFor(role as Role)]))
  const missing = scopes.filter((scope) => !held.has(scope) && !isPersonal(scope as Permission))
  if (missing.length > 0) throw invalid(`You do not have these permissions in any of the businesses: ${missing.join(', ')}.`)
}

/** An expiry lies ahead, and no later than every reached business allows. */
export function requireExpiry(expires_at: string | null, places: readonly Place[], now: string): void {
  if (expires_at !== null && Date.parse(expires_at) <= Date.parse(now)) throw invalid('expires_at is over already: choose a later moment.')
  for (const { business_name, token_max_days } of places) {
    if (token_max_days === null) continue
    const latest = Date.parse(now) + token_max_days * 86_400_000
    if (expires_at === null || Date.parse(expires_at) > latest) {
      throw invalid(`${business_name} allows tokens for at most ${token_max_days} days: choose an expires_at up to ${new Date(latest).toISOString()}.`)
    }
  }
}

/** One sentence on how `reach` goes beyond `bounds`; null where it does not. */
export function excess(reach: Reach, bounds: Reach): string | null {
  const scopes = reach.scopes.filter((scope) => !bounds.scopes.includes(scope))
  if (scopes.length > 0) return `it lacks ${scopes.join(', ')}`
  const { business_ids } = bounds
  if (business_ids !== null) {
    if (reach.business_ids === null) return 'it reaches certain businesses only'
    const strange = reach.business_ids.filter((business_id) => !business_ids.includes(business_id))
    if (strange.length > 0) return `it does not reach ${strange.join(', ')}`
  }
  if (bounds.expires_at !== null && (reach.expires_at === null || Date.parse(reach.expires_at) > Date.parse(bounds.expires_at))) {
    return `it ends at ${bounds.expires_at}`
  }
  return null
}

export function requireNarrower(reach: Reach, own: Reach): void {
  const beyond = excess(reach, own)
  if (beyond) throw invalid(`A token makes only tokens no wider than itself: ${beyond}.`)
}

export function requireNoWider(reach: Reach, before: Reach): void {
  const beyond = excess(reach, before)
  if (beyond) throw invalid(`A token is never widened: ${beyond}. Create a new one.`)
}

export function reaches(reach: Pick<Reach, 'business_ids'>, business_id: string): boolean {
  return reach.business_ids === null || reach.business_ids.includes(business_id)
}

export function hoursLater(now: string, hours: number): string {
  return new Date(Date.parse(now) + hours * 3_600_000).toISOString()
}

export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort()
}
