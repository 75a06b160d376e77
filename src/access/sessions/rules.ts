// How long a session lasts.
import { DAY } from '../account/rules.ts'

/** However much it is used; without use it ends earlier, which the gate sees to. */
export const LONGEST_MS = 90 * DAY
