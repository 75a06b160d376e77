// What can be done with the variants of a product.
import type { Static } from 'typebox'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { variantResource, type FoundVariant, type ProductOfVariant, type Variant, type VariantInput, type VariantRow, type VariantUpdate } from './contract.ts'
import { requireNoTwins, requireOptions, requireVariantArchivable, requireVariantDeletable, withFigures } from './rules.ts'
import * as store from './store.ts'

export type SellableVariant = Static<typeof store.Sellable>

/** For lines of documents: a variant with what its product says of it. Archived where either is. */
export async function sellableVariants(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, SellableVariant>> {
  if (ids.length === 0) return new Map()
  return new Map((await tx.many(store.sellable, { ids: [...new Set(ids)] })).map((variant) => [variant.id, variant]))
}

export async function listVariants(tx: BusinessTx, product_id: string): Promise<Variant[]> {
  const product = await tx.get(store.findProduct, { id: product_id }, 'Product')
  return variantsOfProducts(tx, [product])
}

/** The variants of these products with their figures, in the order of their making. */
export async function variantsOfProducts(tx: BusinessTx, products: readonly Pick<ProductOfVariant, 'id' | 'type'>[]): Promise<Variant[]> {
  if (products.length === 0) return []
  return withStock(tx, products, await tx.many(store.variantsOf, { product_ids: products.map(({ id }) => id) }))
}

export async function addVariant(tx: BusinessTx, product_id: string, input: VariantInput): Promise<Variant> {
  const product = await tx.get(store.lockProduct, { id: product_id }, 'Product')
  if (product.status === 'archived') throw invalid(`${product.name} is archived: take it out of the archive first.`)
  const variant = { ...newVariant(tx, product, input), is_default: input.is_default ?? false }
  requireOptions(product, variant.option_values)
  if (variant.is_default) tx.queue(store.clearDefault, { product_ids: [product_id] })
  insertVariants(tx, [variant])
  return withFigures(variant, undefined, undefined)
}

export async function updateVariant(tx: BusinessTx, product_id: string, variant_id: string, input: VariantUpdate): Promise<Variant> {
  const { product, variant } = await lockVariant(tx, product_id, variant_id)
  const after = changed(variant, input as Partial<VariantRow>, tx.now)
  requireOptions(product, after.option_values)
  if (variant.is_default && !after.is_default) throw invalid(`${variant.sku} is the default of ${product.name}: make another variant the default instead.`)
  if (after.is_default && after.status === 'archived') throw invalid(`${variant.sku} is archived and cannot be the default of ${product.name}.`)
  if (after.is_default && !variant.is_default) tx.queue(store.clearDefault, { product_ids: [product_id] })
  saveVariants(tx, [{ before: variant, after }])
  return only(await withStock(tx, [product], [after]))
}

export async function deleteVariant(tx: BusinessTx, product_id: string, variant_id: string): Promise<Variant> {
  const { product, variant, others } = await lockVariant(tx, product_id, variant_id)
  if (others.length === 0) throw invalid(`${variant.sku} is the last variant of ${product.name}: delete the product instead.`)
  if (variant.is_default) throw invalid(`${variant.sku} is the default of ${product.name}: make another variant the default first.`)
  requireVariantDeletable(variant, await tx.get(store.useOfVariants, { ids: [variant_id] }, 'Variant'))
  tx.queue(store.dropEmptyPools, { ids: [variant_id] })
  tx.queue(store.deleteVariant, variant)
  tx.record(variantResource, 'variant.deleted', { before: variant, after: null })
  return withFigures(variant, undefined, undefined)
}

export async function archiveVariant(tx: BusinessTx, product_id: string, variant_id: string): Promise<Variant> {
  const { product, variant } = await lockVariant(tx, product_id, variant_id)
  if (variant.status === 'archived') return only(await withStock(tx, [product], [variant]))
  if (variant.is_default && product.status === 'active') {
    throw invalid(`${variant.sku} is the default of ${product.name}: make another variant the default, or archive the product.`)
  }
  requireVariantArchivable(variant, await tx.get(store.useOfVariants, { ids: [variant_id] }, 'Variant'))
  const after = changed(variant, { status: 'archived' }, tx.now)
  saveVariants(tx, [{ before: variant, after }])
  return only(await withStock(tx, [product], [after]))
}

export async function unarchiveVariant(tx: BusinessTx, product_id: string, variant_id: string): Promise<Variant> {
  const { product, variant } = await lockVariant(tx, product_id, variant_id)
  if (variant.status === 'active') return only(await withStock(tx, [product], [variant]))
  const after = changed(variant, { status: 'active' }, tx.now)
  saveVariants(tx, [{ before: variant, after }])
  return only(await withStock(tx, [product], [after]))
}

export async function lookupVariant(tx: BusinessTx, { sku, barcode }: { sku?: string; barcode?: string }): Promise<Static<typeof FoundVariant>> {
  if ((sku === undefined) === (barcode === undefined)) throw invalid('Give either sku or barcode.')
  const found = sku === undefined ? await tx.get(store.byBarcode, { barcode }, `Barcode ${barcode}`) : await tx.get(store.bySku, { sku }, `Sku ${sku}`)
  const { product_name, product_type, unit, ...variant } = found
  const shown = only(await withStock(tx, [{ id: variant.product_id, type: product_type }], [variant]))
  return { ...shown, product_name, product_type, unit }
}

/** The variants of these products, locked; the products are locked by the caller. */
export function lockVariantsOf(tx: BusinessTx, product_ids: readonly string[]): Promise<VariantRow[]> {
  return tx.many(store.lockVariantsOf, { product_ids: [...product_ids] })
}

export function variantsBySkus(tx: BusinessTx, skus: readonly string[]): Promise<VariantRow[]> {
  return skus.length === 0 ? Promise.resolve([]) : tx.many(store.bySkus, { skus: skus.map((sku) => sku.toLowerCase()) })
}

export function useOfVariants(tx: BusinessTx, ids: readonly string[]) {
  return tx.many(store.useOfVariants, { ids: [...ids] })
}

export function newVariant(tx: BusinessTx, product: Pick<ProductOfVariant, 'id' | 'name'>, input: VariantInput): VariantRow {
  return {
    id: newId(),
    business_id: tx.business_id,
    product_id: product.id,
    sku: input.sku,
    name: input.name ?? product.name,
    barcode: input.barcode ?? null,
    option_values: input.option_values ?? {},
    price: input.price ?? 0,
    standard_cost: input.standard_cost ?? null,
    cost_per: input.cost_per ?? 1,
    weight_grams: input.weight_grams ?? null,
    volume_ml: input.volume_ml ?? null,
    pack_quantity: input.pack_quantity ?? 1,
    is_default: false,
    status: 'active',
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
}

export function insertVariants(tx: BusinessTx, variants: readonly VariantRow[]): void {
  requireNoTwins(variants)
  tx.queue(store.insertVariants, { variants: JSON.stringify(variants) })
  for (const variant of variants) tx.record(variantResource, 'variant.created', { before: null, after: variant })
}

export function saveVariants(tx: BusinessTx, changes: readonly { before: VariantRow; after: VariantRow }[]): void {
  if (changes.length === 0) return
  tx.queue(store.updateVariants, { variants: JSON.stringify(changes.map(({ after }) => after)) })
  for (const { before, after } of changes) {
    if (before.price !== after.price) tx.record(variantResource, 'variant.price_changed', { before, after })
    if (before.status !== after.status) tx.record(variantResource, after.status === 'archived' ? 'variant.archived' : 'variant.unarchived', { before, after })
    else if (before.price === after.price) tx.record(variantResource, 'variant.updated', { before, after })
  }
}

export function dropVariants(tx: BusinessTx, product_id: string, variants: readonly VariantRow[]): void {
  tx.queue(store.dropEmptyPools, { ids: variants.map(({ id }) => id) })
  tx.queue(store.deleteOfProduct, { product_id })
  for (const variant of variants) tx.record(variantResource, 'variant.deleted', { before: variant, after: null })
}

/** The product is locked first: its variants change one after another. */
async function lockVariant(tx: BusinessTx, product_id: string, variant_id: string) {
  const product = await tx.get(store.lockProduct, { id: product_id }, 'Product')
  const variants = await lockVariantsOf(tx, [product_id])
  const variant = variants.find(({ id }) => id === variant_id)
  if (!variant) throw notFound('Variant')
  tx.checkMatch(variant.version)
  return { product, variant, others: variants.filter(({ id }) => id !== variant_id) }
}

export async function withStock(
  tx: BusinessTx, products: readonly Pick<ProductOfVariant, 'id' | 'type'>[], variants: readonly VariantRow[],
): Promise<Variant[]> {
  const kits = products.filter(({ type }) => type === 'kit').map(({ id }) => id)
  const [stock, made] = await Promise.all([
    tx.many(store.figures, { ids: variants.map(({ id }) => id) }), kits.length > 0 ? tx.many(store.kitsAvailable, { product_ids: kits }) : [],
  ])
  const figures = new Map(stock.map((row) => [row.variant_id, row]))
  const available = new Map(made.map((row) => [row.product_id, Math.max(0, row.available)]))
  return variants.map(
    (variant) => withFigures(variant, figures.get(variant.id), kits.includes(variant.product_id) ? available.get(variant.product_id) ?? 0 : undefined),
  )
}

function only<Row>(rows: readonly Row[]): Row {
  return rows[0] as Row
}
