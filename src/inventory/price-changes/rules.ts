// What a price becomes.
import { divideRounded, parseDecimal, toCents } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'

/** A price so many percent higher or lower. */
export function byPercent(price: number, percent: string): number {
  const { units, scale } = parseDecimal(percent)
  const hundred = 100n * 10n ** BigInt(scale)
  const changed = toCents(divideRounded(BigInt(price) * (hundred + units), hundred))
  if (changed < 0) throw invalid(`A price cannot fall by ${percent} percent: it would be below 0.`)
  return changed
}

/** The price of which so many percent are left over what a unit costs: `value` cents for `quantity` units. */
export function byMargin({ quantity, value }: { quantity: number; value: number }, margin: string): number {
  const { units, scale } = parseDecimal(margin)
  const hundred = 100n * 10n ** BigInt(scale)
  if (units >= hundred) throw invalid('A margin is below 100 percent.')
  return toCents(divideRounded(BigInt(value) * hundred, BigInt(quantity) * (hundred - units)))
}
