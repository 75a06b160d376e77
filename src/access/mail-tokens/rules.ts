// What a token sent by mail is good for and how long.
import { DAY, HOUR, MINUTE } from '../account/rules.ts'

export type Purpose = 'verify_email' | 'reset_password' | 'change_email' | 'undo_email'

export const LIFETIME_MS: Record<Purpose, number> = {
  verify_email: 48 * HOUR,
  reset_password: 30 * MINUTE,
  change_email: HOUR,
  undo_email: 7 * DAY,
}

/** A link for people with a browser, and the bare token for those who only have the API. */
export function linkAndToken(public_url: string, page: string, token: string): string {
  return `${public_url}/${page}?token=${token}\n\nThe token by itself: ${token}`
}
