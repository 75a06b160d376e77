// Chance that can be replayed: the same seed gives the same choices.
import { randomInt } from 'node:crypto'
import { chanceFrom } from '../../src/foundation/random.ts'

export type Random = {
  /** A whole number from low to high, both included. */
  between(low: number, high: number): number
  pick<T>(items: readonly T[]): T
  chance(percent: number): boolean
  /** One of the keys, as often as its weight says. */
  weighted<Key extends string>(weights: Record<Key, number>): Key
  /** Chance of its own, for somebody who acts at the same time. */
  branch(): Random
}

export function randomFrom(seed: number): Random {
  const next = chanceFrom(seed)
  const random: Random = {
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (items) => items[random.between(0, items.length - 1)] as never,
    chance: (percent) => next() * 100 < percent,
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [key, weight] of entries) if ((left -= weight) < 0) return key
      return entries[0]![0]
    },
    branch: () => randomFrom(Math.floor(next() * 4294967296)),
  }
  return random
}

/** The seed of this run: SIMULATION_SEED replays one. */
export const SEED = Number(process.env['SIMULATION_SEED'] ?? randomInt(2 ** 31))
