// How many wrong guesses there may be, and when the next one is allowed.
import { MINUTE } from '../account/rules.ts'

export const WINDOW_MS = 15 * MINUTE
export const MOST_PER_ACCOUNT = 10
export const MOST_PER_ADDRESS = 50

/** Seconds until the failure that filled the window leaves it; null where the window is not full. */
export function secondsToWait(filled_by: string | null, now: string): number | null {
  if (filled_by === null) return null
  const left = Date.parse(filled_by) + WINDOW_MS - Date.parse(now)
  return left > 0 ? Math.ceil(left / 1000) : null
}
