// What a profile may say, and when an account may be closed.
import { isTimezone } from '../../foundation/calendar.ts'
import { invalid } from '../../foundation/refusal.ts'
import { letter, type Letter } from '../account/rules.ts'

type Places = { timezone?: string | null; locale?: string | null }

export function requireKnownPlaces({ timezone, locale }: Places): void {
  if (timezone && !isTimezone(timezone)) throw invalid(`${timezone} is not a time zone. Use a name of the IANA database, such as Europe/Berlin.`)
  if (locale && !isLocale(locale)) throw invalid(`${locale} is not a locale. Use a BCP 47 tag, such as en-US.`)
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

type Member = { business_id: string; business_name: string; user_id: string; role: string; status: string }

/** Given the user's memberships and every owner beside them: no business may be left without an active owner. */
export function requireOtherOwners(members: Member[], user_id: string): void {
  const owners = members.filter((member) => member.role === 'owner' && member.status === 'active')
  const kept = new Set(owners.filter((owner) => owner.user_id !== user_id).map((owner) => owner.business_id))
  const orphan = owners.find((owner) => owner.user_id === user_id && !kept.has(owner.business_id))
  if (orphan) throw invalid(`You are the last owner of ${orphan.business_name}. Make somebody else an owner, or delete the business first.`)
}

/** Frees the address for a new account; nobody can sign up with one like this. */
export function tombstoneAddress(user_id: string): string {
  return `closed-${user_id}@invalid`
}

export function closedLetter(): Letter {
  return letter(
    'Your account was closed',
    'Your Daybook account was closed. All sessions and tokens have ended, and this e-mail address can be used for a new account.',
  )
}
