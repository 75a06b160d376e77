// How many dimensions there may be, and in which order they stand.
import { invalid } from '../../foundation/refusal.ts'
import { MOST_ACTIVE, type Dimension } from './contract.ts'

/** One more must still fit among the active ones. */
export function requireRoom(dimensions: readonly Pick<Dimension, 'archived'>[]): void {
  if (dimensions.filter(({ archived }) => !archived).length < MOST_ACTIVE) return
  throw invalid(`The business has ${MOST_ACTIVE} active dimensions already: archive one first.`)
}

export function requireNewKey(dimensions: readonly Pick<Dimension, 'key' | 'archived'>[], key: string): void {
  const other = dimensions.find((dimension) => dimension.key === key)
  if (!other) return
  throw invalid(`A dimension with the key ${key} exists already${other.archived ? ' and is archived: restore it' : ': use it'}, or choose another key.`)
}

export function requireUnused(dimension: Pick<Dimension, 'name'>, used: boolean): void {
  if (used) throw invalid(`Posted lines carry values of the dimension ${dimension.name}: archive it instead.`)
}

type Placed = { id: string; position: number }

/** The place of each after one of them has moved: counted from 1, the others in the order they had. A place beyond the end is the last. */
export function reordered(dimensions: readonly Placed[], id: string, position: number): Map<string, number> {
  const others = dimensions.filter((dimension) => dimension.id !== id).toSorted((a, b) => a.position - b.position).map((dimension) => dimension.id)
  others.splice(position - 1, 0, id)
  return new Map(others.map((other, index) => [other, index + 1]))
}
