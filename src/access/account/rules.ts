// What holds for every account.
import { invalid, stale, type Refusal } from '../../foundation/refusal.ts'
import { toTimestamp } from '../../foundation/calendar.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export function momentAfter(now: string, milliseconds: number): string {
  return toTimestamp(new Date(Date.parse(now) + milliseconds))
}

/** Closed and locked accounts are treated as if they did not exist. */
export function mayEnter<A extends { status: string }>(account: A | null): A | null {
  return account && (account.status === 'active' || account.status === 'unverified') ? account : null
}

/** Whoever shows control of the mailbox has verified it. */
export function verified(account: { status: string; email_verified_at: string | null }, now: string) {
  return { email_verified_at: account.email_verified_at ?? now, ...(account.status === 'unverified' ? { status: 'active' as const } : {}) }
}

/** Addresses are one where they differ by case only. */
export function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/**
 * A guess must be counted, so nothing that undoes the transaction afterwards is allowed: with a dry run one could guess
 * for ever.
 */
export function requireCounted({ dry_run, if_match }: { dry_run: boolean; if_match: string | null }): void {
  if (dry_run) throw invalid('A call that checks a password or a code cannot be a dry run: leave dry_run out.')
  if (if_match !== null) throw stale('If-Match does not apply to this operation.')
}

export type Letter = { subject: string; text: string }

/** A mail of several paragraphs. */
export function letter(subject: string, ...paragraphs: string[]): Letter {
  return { subject, text: paragraphs.join('\n\n') }
}

export function wrongPassword(): Refusal {
  return invalid('The password is wrong.')
}
