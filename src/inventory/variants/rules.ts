// What may be done with the variants of a product.
import { invalid } from '../../foundation/refusal.ts'
import { unitCost } from '../stock-costing/rules.ts'
import type { ProductOfVariant, Variant, VariantRow } from './contract.ts'

type Use = { moved: boolean; filled: boolean; kits: readonly string[]; in_kit: boolean; drafted: boolean }

/** Every option value names an option of the product and one of its values. */
export function requireOptions({ name, options }: Pick<ProductOfVariant, 'name' | 'options'>, option_values: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(option_values)) {
    const option = options.find((one) => one.name === key)
    if (!option) throw invalid(`${name} has no option ${key}: add it to the product, or leave it out.`)
    if (typeof value !== 'string' || !option.values.includes(value)) throw invalid(`${key} of ${name} is one of: ${option.values.join(', ')}.`)
  }
}

export function requireNoTwins(variants: readonly Pick<VariantRow, 'sku' | 'barcode'>[]): void {
  const seen = new Set<string>()
  for (const { sku, barcode } of variants) {
    for (const key of [`sku ${sku.toLowerCase()}`, ...(barcode === null ? [] : [`barcode ${barcode}`])]) {
      if (seen.has(key)) throw invalid(`Two variants have the ${key}: each needs its own.`)
      seen.add(key)
    }
  }
}

export function requireVariantArchivable({ sku }: { sku: string }, { filled, kits }: Use): void {
  if (filled) throw invalid(`${sku} is on hand: sell or adjust it away first.`)
  if (kits.length > 0) throw invalid(`${sku} is part of ${kits.join(', ')}: take it out of the kit first.`)
}

export function requireVariantDeletable({ sku }: { sku: string }, { moved, in_kit, drafted }: Use): void {
  if (moved || in_kit || drafted) throw invalid(`${sku} is used: archive it instead.`)
}

/** A variant with how much there is of it. */
export function withFigures(variant: VariantRow, figures: { on_hand: number; value: number } | undefined, kits: number | undefined): Variant {
  const { on_hand = 0, value = 0 } = figures ?? {}
  return { ...variant, on_hand, reserved: 0, available: kits ?? on_hand, incoming: 0, in_transit: 0, unit_cost: unitCost(on_hand, value), value }
}
