// What a failure of the database means for the caller.
import { invalid, unavailable, type Refusal } from '../refusal.ts'

type DatabaseError = Error & { code?: string; constraint?: string }

/** Deadlock or serialization failure: the whole request may simply run again. */
export function isRetryable(error: unknown): boolean {
  const { code } = error as DatabaseError
  return code === '40001' || code === '40P01'
}

const refusalsByConstraint = new Map<string, string>()

/** Groups register what a broken constraint means; a check in the code comes first, the constraint catches two callers at once. */
export function constraintMeans(constraint: string, detail: string): void {
  refusalsByConstraint.set(constraint, detail)
}

/** The refusal for a database error, or null where it is a fault of ours. */
export function refusalFor(error: unknown): Refusal | null {
  const { code, constraint } = error as DatabaseError
  if (constraint) {
    // A distributed table adds its shard number to the constraint's name.
    const detail = refusalsByConstraint.get(constraint) ?? refusalsByConstraint.get(constraint.replace(/_\d+$/, ''))
    if (detail) return invalid(detail)
  }
  if (isConnectionLoss(error)) return unavailable('The connection to the database was lost. Try again in a moment.', 1)
  if (code === undefined) return null
  if (code === '55P03' || code === '57014') return unavailable('Another change holds this record. Try again in a moment.', 1)
  if (code === '53100') return unavailable('The disk of the database is full: nothing was changed. Free some space, then try again.', 60)
  if (code.startsWith('08') || code.startsWith('57P') || code.startsWith('53') || code === '25P03') {
    return unavailable('The database is not available right now. Try again in a moment.', 2)
  }
  return null
}

/** A deletion that failed because other records point at the row, whatever they are. */
export function isReferenced(error: unknown): boolean {
  return (error as DatabaseError).code === '23503'
}

export function isConnectionLoss(error: unknown): boolean {
  const { message, code } = error as DatabaseError
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNREFUSED' || code === 'ETIMEDOUT' || /connection (terminated|error|ended)|not queryable|client has encountered/i.test(message ?? '')
}
