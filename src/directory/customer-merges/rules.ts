// Which customers can become one.
import { invalid } from '../../foundation/refusal.ts'
import type { CustomerRow } from '../customers/contract.ts'
import { ancestorsOf, requireNotMerged, type Tree } from '../customers/rules.ts'

/** Refuses what cannot be merged. */
export function requireMergeable(target: CustomerRow, sources: readonly CustomerRow[], tree: Tree): void {
  requireNotMerged(target)
  for (const source of sources) {
    if (source.id === target.id) throw invalid(`“${target.name}” cannot be merged into itself: leave it out of source_ids.`)
    requireNotMerged(source)
    if (source.currency !== target.currency) {
      const both = `“${source.name}” has the currency ${source.currency} and “${target.name}” ${target.currency}`
      throw invalid(`${both}: only customers of one currency can be merged.`)
    }
    if (ancestorsOf(tree, target.id).includes(source.id)) {
      throw invalid(`“${target.name}” belongs to “${source.name}”: merge the other way round, or change its parent_id first.`)
    }
  }
  const carded = [target, ...sources].filter(({ processor_customer_id }) => processor_customer_id !== null)
  const names = carded.map(({ name }) => `“${name}”`).join(' and ')
  if (carded.length > 1) throw invalid(`${names} have saved cards at the processor: remove those of all but one first.`)
}
