// How much of a document's lines has moved, and what of it can come back.
import { invalid } from '../../foundation/refusal.ts'
import type { Standing } from '../stock-costing/contract.ts'
import type { MovementRow } from '../stock-pools/contract.ts'

/** How much of a line has moved so far, what was undone not counted, and the number of its next step. */
export function progressOf(movements: readonly MovementRow[]): Map<string, { quantity: number; value: number; ordinal: number }> {
  const lines = new Map<string, { quantity: number; value: number; ordinal: number; steps: Set<number> }>()
  for (const { source_line_id, ordinal, line_quantity, value } of movements) {
    const line = lines.get(source_line_id) ?? { quantity: 0, value: 0, ordinal: 1, steps: new Set() }
    // A kit moves its parts in one step: each stands for the same kits.
    if (!line.steps.has(ordinal)) line.quantity += line_quantity
    line.steps.add(ordinal)
    line.value += value
    line.ordinal = Math.max(line.ordinal, ordinal + 1)
    lines.set(source_line_id, line)
  }
  return lines
}

/** What of the issues of a line comes back with a number of its units: the parts of each step in proportion, the earliest step first. */
export function partsToReturn(
  issues: readonly MovementRow[], standings: ReadonlyMap<string, Standing>, quantity: number,
): { issue: MovementRow; quantity: number; line_quantity: number }[] {
  const parts: { issue: MovementRow; quantity: number; line_quantity: number }[] = []
  let left = quantity
  for (const ordinal of [...new Set(issues.map((issue) => issue.ordinal))].sort((a, b) => a - b)) {
    const step = issues.filter((issue) => issue.ordinal === ordinal)
    const [first] = step
    if (!first || left === 0) continue
    const perUnit = (issue: MovementRow) => -issue.quantity / issue.line_quantity
    const open = first.line_quantity - (standings.get(first.id)?.returned_quantity ?? 0) / perUnit(first)
    const units = Math.min(left, open)
    if (units <= 0) continue
    left -= units
    for (const issue of step) parts.push({ issue, quantity: units * perUnit(issue), line_quantity: units })
  }
  if (left > 0) throw invalid(`Only ${quantity - left} of the ${quantity} units can come back: no more were issued.`)
  return parts
}
