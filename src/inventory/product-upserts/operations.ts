// Making and changing many products in one call.
import { getSettings } from '../../access/business-settings/operations.ts'
import { attemptEach, type BulkResult } from '../../foundation/bulk.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { lockJournal } from '../../ledger/books/operations.ts'
import type { ProductRow } from '../products/contract.ts'
import { insertProducts, lockProducts, newProduct, newVariants, saveProducts } from '../products/operations.ts'
import { requireChange, requireOptionNames, requireProductLedgers } from '../products/rules.ts'
import { groupBy } from '../stock-pools/rules.ts'
import type { VariantRow } from '../variants/contract.ts'
import { insertVariants, lockVariantsOf, newVariant, saveVariants, useOfVariants, variantsBySkus } from '../variants/operations.ts'
import { requireOptions } from '../variants/rules.ts'
import type { ProductBulk, ProductUpsert } from './contract.ts'
import * as store from './store.ts'

type Writes = {
  made: { product: ProductRow; variants: VariantRow[] }[]
  products: { before: ProductRow; after: ProductRow }[]
  added: VariantRow[]
  variants: { before: VariantRow; after: VariantRow }[]
}

export async function bulkProducts(tx: BusinessTx, { items, atomic = true }: ProductBulk): Promise<BulkResult> {
  const { inventory: { costing_method } } = await getSettings(tx)
  const skus = items.flatMap(({ sku }) => sku ?? [])
  const known = await variantsBySkus(tx, skus)
  const products = await lockProducts(tx, known.map(({ product_id }) => product_id), items.flatMap(({ external_id }) => external_id ?? []))
  const variants = await lockVariantsOf(tx, products.map(({ id }) => id))
  const [uses, { books }, codes, taken] = await Promise.all([
    useOfVariants(tx, variants.map(({ id }) => id)), lockJournal(tx),
    tx.many(store.taxCodes, { ids: items.flatMap(({ tax_code_id }) => tax_code_id ?? []) }),
    tx.many(store.barcodes, { barcodes: items.flatMap(({ barcode }) => barcode ?? []) }),
  ])
  const bySku = new Map(variants.map((variant) => [variant.sku.toLowerCase(), variant]))
  const byId = new Map(products.map((product) => [product.id, product]))
  const byExternal = new Map(products.flatMap((product) => (product.external_id === null ? [] : [[product.external_id, product] as const])))
  const ofProduct = groupBy(variants, ({ product_id }) => product_id)
  const usesById = new Map(uses.map((use) => [use.id, use]))
  const taxCodes = new Set(codes.map(({ id }) => id))
  const barcodes = new Map(taken.map(({ id, barcode }) => [barcode ?? '', id]))
  const seen = new Set<string>()
  const writes: Writes = { made: [], products: [], added: [], variants: [] }

  const result = attemptEach(items, atomic, (item) => {
    const { product: productFields, variant: variantFields } = apart(item)
    requireKeys(item, seen)
    if (item.tax_code_id && !taxCodes.has(item.tax_code_id)) throw notFound(`Tax code ${item.tax_code_id}`)
    requireProductLedgers(books, {
      income_ledger_id: item.income_ledger_id ?? null, cogs_ledger_id: item.cogs_ledger_id ?? null, inventory_ledger_id: item.inventory_ledger_id ?? null,
    })
    const bySame = bySku.get(item.sku?.toLowerCase() ?? '')
    const before = byExternal.get(item.external_id ?? '') ?? byId.get(bySame?.product_id ?? '')
    if (bySame && before && bySame.product_id !== before.id) throw invalid(`Sku ${item.sku} belongs to another product than external_id ${item.external_id}.`)
    const owner = barcodes.get(item.barcode ?? '')
    if (!before) {
      if (!item.name) throw invalid('A new product needs a name.')
      if (owner !== undefined) throw invalid(`Barcode ${item.barcode} belongs to another variant.`)
      const product = newProduct(tx, { ...productFields, name: item.name }, costing_method)
      const inputs = item.sku === undefined ? {} : { variants: [{ ...variantFields, sku: item.sku }] }
      const [only] = newVariants(tx, product, inputs)
      const variant = { ...(only as VariantRow), ...(item.sku === undefined ? changedVariant(tx, only as VariantRow, variantFields) : {}), version: 1 }
      writes.made.push({ product, variants: [variant] })
      return product.id
    }
    const after = changed(before, productFields as Partial<ProductRow>, tx.now)
    requireOptionNames(after)
    const own = ofProduct.get(before.id) ?? []
    requireChange(before, after, own.flatMap(({ id }) => usesById.get(id) ?? []), own)
    const variant = bySame ?? (item.sku === undefined ? own.find(({ is_default }) => is_default) : undefined)
    if (owner !== undefined && owner !== variant?.id) throw invalid(`Barcode ${item.barcode} belongs to another variant.`)
    if (variant) {
      const next = changedVariant(tx, variant, variantFields)
      requireOptions(after, next.option_values)
      writes.variants.push({ before: variant, after: next })
    } else {
      const next = newVariant(tx, after, { ...variantFields, sku: item.sku ?? '' })
      requireOptions(after, next.option_values)
      writes.added.push(next)
    }
    if (Object.values(productFields).some((value) => value !== undefined)) writes.products.push({ before, after })
    return before.id
  })
  write(tx, writes)
  return result
}

/** Each product and each variant once in a call: what comes later would be lost in what came first. */
function requireKeys({ sku, external_id }: ProductUpsert, seen: Set<string>): void {
  if (sku === undefined && !external_id) throw invalid('An item needs a sku or an external_id.')
  const keys = [...(sku === undefined ? [] : [`sku ${sku.toLowerCase()}`]), ...(external_id ? [`external_id ${external_id}`] : [])]
  const twice = keys.find((key) => seen.has(key))
  if (twice) throw invalid(`The ${twice} is in this call twice.`)
  for (const key of keys) seen.add(key)
}

/** What is said of the product, and what of the variant. */
function apart(item: ProductUpsert) {
  const { sku, variant_name, barcode, option_values, price, standard_cost, cost_per, weight_grams, volume_ml, pack_quantity, ...product } = item
  const variant = { sku, name: variant_name, barcode, option_values, price, standard_cost, cost_per, weight_grams, volume_ml, pack_quantity }
  return { product, variant: Object.fromEntries(Object.entries(variant).filter(([, value]) => value !== undefined)) as Partial<VariantRow> }
}

function changedVariant(tx: BusinessTx, variant: VariantRow, fields: Partial<VariantRow>): VariantRow {
  return changed(variant, fields, tx.now)
}

function write(tx: BusinessTx, { made, products, added, variants }: Writes): void {
  insertProducts(tx, made)
  saveProducts(tx, products)
  if (added.length > 0) insertVariants(tx, added)
  saveVariants(tx, variants)
}
