// Chance that can be replayed: the same seed gives the same books.

export type Random = {
  /** A whole number from low to high, both included. */
  between(low: number, high: number): number
  /** True in this share of all cases, 0 to 1. */
  chance(share: number): boolean
  pick<T>(items: readonly [T, ...T[]]): T
  /** A factor around 1. */
  around(spread: number): number
  /** Cents of about this many dollars, up to the spread more or less, and never a round sum. */
  money(dollars: number, spread?: number): number
}

/** The name gives each client and each purpose chance of its own: more clients do not change the books of those before them. */
export function randomFrom(seed: number, name: string): Random {
  const next = chanceFrom(hashOf(`${seed} ${name}`))
  const random: Random = {
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (share) => next() < share,
    pick: (items) => items[random.between(0, items.length - 1)] ?? items[0],
    around: (spread) => 1 + spread * (2 * next() - 1),
    money(dollars, spread = 0.15) {
      const cents = Math.round(dollars * 100 * random.around(spread))
      return cents % 10_000 === 0 ? cents + random.between(101, 9_899) : cents
    },
  }
  return random
}

/** Numbers from 0 to below 1. mulberry32: small, fast and good enough for choosing. */
export function chanceFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}
