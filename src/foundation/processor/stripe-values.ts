// How Stripe writes what every object of its has: references that may be whole, and times in seconds.

/** Null where only its id was sent. */
export function objectOf<T extends object>(value: string | T | null): T | null {
  return value === null || typeof value === 'string' ? null : value
}

export function idOf(value: string | { id: string } | null): string | null {
  return value === null || typeof value === 'string' ? value : value.id
}

export function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
