// What an adjustment may say.
import { invalid } from '../../foundation/refusal.ts'
import { share } from '../stock-costing/rules.ts'
import type { AdjustmentLine, AdjustmentLineInput, AdjustmentRow } from './contract.ts'

/** The lines of a draft; each says what its kind asks for and nothing else. */
export function linesOf(kind: AdjustmentRow['kind'], inputs: readonly AdjustmentLineInput[], newId: () => string): AdjustmentLine[] {
  return inputs.map(({ variant_id, location_id, quantity = 0, value = 0, unit_cost = null, cost_per = 1 }, index) => {
    const place = `Line ${index + 1}`
    if (kind === 'quantity' && (quantity === 0 || value !== 0)) {
      throw invalid(`${place} needs a quantity other than 0, and no value: the adjustment is of quantities.`)
    }
    if (kind === 'value' && (value === 0 || quantity !== 0)) throw invalid(`${place} needs a value other than 0, and no quantity: the adjustment is of values.`)
    if (unit_cost !== null && quantity <= 0) throw invalid(`${place} takes no unit_cost: what leaves has the cost of what is there.`)
    return { id: newId(), variant_id, location_id, quantity, value, unit_cost, cost_per }
  })
}

/** What a line asks the stock to do: a change of value, or units with the worth that is given for them. */
export function worthOf({ quantity, value, unit_cost, cost_per }: AdjustmentLine): number | null {
  if (quantity === 0) return value
  return unit_cost === null ? null : share(unit_cost, quantity, cost_per)
}

/** What the line has changed the worth of the stock by. */
export function changeOf({ quantity, value }: AdjustmentLine, moved: number): number {
  if (quantity === 0) return value
  return quantity > 0 ? moved : 0 - moved
}

export function requireDraft({ status, number }: Pick<AdjustmentRow, 'status' | 'number'>): void {
  if (status !== 'draft') throw invalid(`Adjustment ${number} is ${status}: only its note can be changed; reverse it, and make another one.`)
}

/** Stock is written up only as far as it was written down before in the same fiscal year, or where something was wrong. */
export function requireWriteUp(
  { reason }: Pick<AdjustmentRow, 'reason'>, lines: readonly AdjustmentLine[], writtenDown: (line: AdjustmentLine) => number,
): void {
  if (reason === 'correction') return
  for (const [index, line] of lines.entries()) {
    if (line.quantity === 0 && line.value > writtenDown(line)) {
      throw invalid(
        `Line ${index + 1} writes up by more than was written down this fiscal year (${writtenDown(line)} cents): use the reason correction, or less.`,
      )
    }
  }
}
