// How the components of a group are written, and when they can change.
import { invalid } from '../../foundation/refusal.ts'
import type { TaxGroup, TaxGroupComponent, TaxGroupInput } from './contract.ts'

/** Complete; refuses a rate that comes twice. */
export function tidyComponents(given: TaxGroupInput['components']): TaxGroupComponent[] {
  const twice = given.find(({ rate_id }, index) => given.findIndex((other) => other.rate_id === rate_id) < index)
  if (twice) throw invalid(`The rate ${twice.rate_id} is in the group twice: leave one of them out.`)
  return given.map(({ rate_id, compound = false }) => ({ rate_id, compound }))
}

export function requireUsable(group: TaxGroup): void {
  if (group.archived) throw invalid(`The tax group “${group.name}” is archived: restore it first.`)
}

export function compositionFrozen(group: TaxGroup) {
  return invalid(`The tax group “${group.name}” was used, so its components stay: make another group, and a code for it.`)
}
