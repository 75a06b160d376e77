// What may be done with a product.
import { invalid } from '../../foundation/refusal.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { requireLedger } from '../locations/rules.ts'
import { requireOptions, requireVariantArchivable } from '../variants/rules.ts'
import type { VariantRow } from '../variants/contract.ts'
import type { ProductRow } from './contract.ts'

type Use = { id: string; moved: boolean; filled: boolean; kits: readonly string[]; in_kit: boolean; drafted: boolean }
type Ledgers = Pick<ProductRow, 'income_ledger_id' | 'cogs_ledger_id' | 'inventory_ledger_id'>

export function requireProductLedgers(books: Books, product: Ledgers): void {
  requireLedger(books, product.income_ledger_id, 'income', 'income_ledger_id')
  requireLedger(books, product.cogs_ledger_id, 'expense', 'cogs_ledger_id')
  requireLedger(books, product.inventory_ledger_id, 'asset', 'inventory_ledger_id')
}

/** What has been costed one way is not costed another way afterwards. */
export function requireChange(before: ProductRow, after: ProductRow, uses: readonly Use[], variants: readonly VariantRow[]): void {
  const moved = uses.some((use) => use.moved)
  if (moved && before.type !== after.type) throw invalid(`Stock of ${before.name} has moved: its type stays ${before.type}.`)
  if (moved && before.costing_method !== after.costing_method) {
    throw invalid(`Stock of ${before.name} has moved: its costing method stays ${before.costing_method}.`)
  }
  if (before.type !== after.type && after.type === 'kit' && uses.some((use) => use.in_kit)) {
    throw invalid(`${before.name} is part of a kit: a kit cannot be inside a kit.`)
  }
  if (before.inventory_ledger_id !== after.inventory_ledger_id && uses.some((use) => use.filled)) {
    throw invalid(`Stock of ${before.name} stands on its ledger: change the ledger once there is none.`)
  }
  for (const { option_values } of variants) requireOptions(after, option_values)
}

export function requireProductArchivable(variants: readonly VariantRow[], uses: readonly Use[]): void {
  const byId = new Map(uses.map((use) => [use.id, use]))
  for (const variant of variants) {
    const use = byId.get(variant.id)
    if (use) requireVariantArchivable(variant, use)
  }
}

export function requireProductDeletable({ name }: { name: string }, uses: readonly Use[]): void {
  if (uses.some(({ moved, in_kit, drafted }) => moved || in_kit || drafted)) throw invalid(`${name} is used: archive it instead.`)
}

export function requireOptionNames({ name, options }: Pick<ProductRow, 'name' | 'options'>): void {
  const names = options.map((option) => option.name)
  const twice = names.find((one, index) => names.indexOf(one) !== index)
  if (twice) throw invalid(`${name} has the option ${twice} twice.`)
}
