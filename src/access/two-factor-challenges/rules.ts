// How long a sign-in waits for its second factor, and for how many tries.
import { MINUTE } from '../account/rules.ts'

export const LIFETIME_MS = 5 * MINUTE
export const MOST_TRIES = 5
