// What can be done with products.
import { getSettings } from '../../access/business-settings/operations.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import { newId } from '../../foundation/ids.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid } from '../../foundation/refusal.ts'
import { downloadOf, type Column } from '../../foundation/sheets.ts'
import { lockJournal } from '../../ledger/books/operations.ts'
import type { CostingMethod } from '../stock-costing/contract.ts'
import { groupBy } from '../stock-pools/rules.ts'
import type { VariantInput, VariantRow } from '../variants/contract.ts'
import {
  dropVariants, insertVariants, lockVariantsOf, newVariant, sellableVariants, useOfVariants, variantsOfProducts, type SellableVariant,
} from '../variants/operations.ts'
import { requireOptions } from '../variants/rules.ts'
import { productResource, type Product, type ProductInput, type ProductRow, type ProductUpdate } from './contract.ts'
import { requireChange, requireOptionNames, requireProductArchivable, requireProductDeletable, requireProductLedgers } from './rules.ts'
import * as store from './store.ts'

export type { SellableVariant } from '../variants/operations.ts'

/** For lines of documents: variants with what their products say of them; an unknown id is simply not there. */
export function variantsByIds(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, SellableVariant>> {
  return sellableVariants(tx, ids)
}

export async function listProducts(tx: BusinessTx, query: PageQuery): Promise<Page<Product>> {
  const page = await tx.page(query.sort_by === 'on_hand' || query.sort_by === 'value' ? store.productsByStock : store.products, query)
  return { ...page, items: await shown(tx, page.items) }
}

export async function getProduct(tx: BusinessTx, id: string): Promise<Product> {
  return only(await shown(tx, [await tx.get(store.findProduct, { id }, 'Product')]))
}

export async function createProduct(tx: BusinessTx, input: ProductInput): Promise<Product> {
  const product = newProduct(tx, input, (await getSettings(tx)).inventory.costing_method)
  await requireReferences(tx, [product])
  insertProducts(tx, [{ product, variants: newVariants(tx, product, input) }])
  return only(await shown(tx, [product]))
}

export async function updateProduct(tx: BusinessTx, id: string, input: ProductUpdate): Promise<Product> {
  const product = await tx.lock(store.lockProduct, { id }, 'Product')
  const after = changed(product, input as Partial<ProductRow>, tx.now)
  requireOptionNames(after)
  await requireReferences(tx, [after], [product])
  const variants = await lockVariantsOf(tx, [id])
  requireChange(product, after, await useOfVariants(tx, variants.map((variant) => variant.id)), variants)
  saveProducts(tx, [{ before: product, after }])
  return only(await shown(tx, [after]))
}

export async function deleteProduct(tx: BusinessTx, id: string): Promise<Product> {
  const product = await tx.lock(store.lockProduct, { id }, 'Product')
  const variants = await lockVariantsOf(tx, [id])
  requireProductDeletable(product, await useOfVariants(tx, variants.map((variant) => variant.id)))
  const before = only(await shown(tx, [product]))
  dropVariants(tx, id, variants)
  tx.queue(store.deleteProduct, product)
  tx.record(productResource, 'product.deleted', { before: product, after: null })
  return before
}

export async function archiveProduct(tx: BusinessTx, id: string): Promise<Product> {
  const product = await tx.lock(store.lockProduct, { id }, 'Product')
  if (product.status === 'archived') return only(await shown(tx, [product]))
  const variants = await lockVariantsOf(tx, [id])
  requireProductArchivable(variants, await useOfVariants(tx, variants.map((variant) => variant.id)))
  return only(await shown(tx, [saveStatus(tx, product, 'archived')]))
}

export async function unarchiveProduct(tx: BusinessTx, id: string): Promise<Product> {
  const product = await tx.lock(store.lockProduct, { id }, 'Product')
  return only(await shown(tx, [product.status === 'active' ? product : saveStatus(tx, product, 'active')]))
}

export async function exportProducts(tx: BusinessTx, filters: object): Promise<Download> {
  const { items } = await listProducts(tx, { ...filters, sort_by: 'name', descending: false, limit: MOST_EXPORTED })
  const text = [
    'product', 'type', 'category', 'sku', 'variant', 'barcode', 'unit', 'status', 'external_id',
  ].map((key): Column => ({ key, label: key, kind: 'text' }))
  const columns: Column[] = [
    ...text, { key: 'price', label: 'price', kind: 'money' }, { key: 'on_hand', label: 'on_hand', kind: 'integer' },
    { key: 'value', label: 'value', kind: 'money' },
  ]
  const rows = items.flatMap(({ name, type, category, unit, external_id, variants }) => variants.map((variant) => ({
    product: name, type, category, sku: variant.sku, variant: variant.name, barcode: variant.barcode, unit, status: variant.status, external_id,
    price: variant.price, on_hand: variant.on_hand, value: variant.value,
  })))
  return downloadOf({ title: 'Products', columns, rows }, 'csv', 'products')
}

/** All of them. */
const MOST_EXPORTED = 1_000_000

export function newProduct(tx: BusinessTx, input: ProductInput, costing_method: CostingMethod): ProductRow {
  const product: ProductRow = {
    id: newId(),
    business_id: tx.business_id,
    name: input.name,
    type: input.type ?? 'stocked',
    tracking: 'none',
    costing_method: input.costing_method ?? costing_method,
    unit: input.unit ?? 'piece',
    category: input.category ?? null,
    description: input.description ?? null,
    options: input.options ?? [],
    income_ledger_id: input.income_ledger_id ?? null,
    cogs_ledger_id: input.cogs_ledger_id ?? null,
    inventory_ledger_id: input.inventory_ledger_id ?? null,
    tax_code_id: input.tax_code_id ?? null,
    tags: input.tags ?? [],
    external_id: input.external_id ?? null,
    status: 'active',
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  requireOptionNames(product)
  return product
}

/** Those that are given, or one made from the product itself; exactly one of them is the default. */
export function newVariants(tx: BusinessTx, product: ProductRow, { variants, sku, price }: Pick<ProductInput, 'variants' | 'sku' | 'price'>): VariantRow[] {
  if (variants && (sku !== undefined || price !== undefined)) throw invalid('Give sku and price with the variants, or no variants.')
  const inputs: VariantInput[] = variants ?? [{ sku: sku ?? `P-${product.id.slice(-12).toUpperCase()}`, ...(price === undefined ? {} : { price }) }]
  const chosen = inputs.flatMap((input, index) => (input.is_default ? [index] : []))
  if (chosen.length > 1) throw invalid(`${product.name} can have one default variant only.`)
  return inputs.map((input, index) => {
    const variant = { ...newVariant(tx, product, input), is_default: index === (chosen[0] ?? 0) }
    requireOptions(product, variant.option_values)
    return variant
  })
}

export function insertProducts(tx: BusinessTx, made: readonly { product: ProductRow; variants: readonly VariantRow[] }[]): void {
  if (made.length === 0) return
  tx.queue(store.insertProducts, { products: JSON.stringify(made.map(({ product }) => product)) })
  for (const { product } of made) tx.record(productResource, 'product.created', { before: null, after: product })
  insertVariants(tx, made.flatMap(({ variants }) => variants))
}

export function saveProducts(tx: BusinessTx, changes: readonly { before: ProductRow; after: ProductRow }[]): void {
  if (changes.length === 0) return
  tx.queue(store.updateProducts, { products: JSON.stringify(changes.map(({ after }) => after)) })
  for (const { before, after } of changes) tx.record(productResource, 'product.updated', { before, after })
}

/** Products by their ids or by the names that another system gives them, in the order of ids. */
export function lockProducts(tx: BusinessTx, ids: readonly string[], external_ids: readonly string[]): Promise<ProductRow[]> {
  return tx.many(store.lockProducts, { ids: [...new Set(ids)], external_ids: [...new Set(external_ids)] })
}

/** Ledgers and tax codes that are newly named must be there. */
export async function requireReferences(tx: BusinessTx, products: readonly ProductRow[], before: readonly ProductRow[] = []): Promise<void> {
  const known = new Map(before.map((product) => [product.id, product]))
  const fresh = products.map((product) => {
    const { income_ledger_id, cogs_ledger_id, inventory_ledger_id } = product
    const old = known.get(product.id)
    const changing = (now: string | null, was: string | null | undefined) => (now === was ? null : now)
    return {
      income_ledger_id: changing(income_ledger_id, old?.income_ledger_id),
      cogs_ledger_id: changing(cogs_ledger_id, old?.cogs_ledger_id),
      inventory_ledger_id: changing(inventory_ledger_id, old?.inventory_ledger_id),
    }
  })
  const codes = products.flatMap(({ id, tax_code_id }) => (tax_code_id && tax_code_id !== known.get(id)?.tax_code_id ? [tax_code_id] : []))
  if (codes.length > 0) await requireRecords(tx, 'tax_code', codes)
  if (fresh.every((ledgers) => Object.values(ledgers).every((ledger_id) => ledger_id === null))) return
  const { books } = await lockJournal(tx)
  for (const ledgers of fresh) requireProductLedgers(books, ledgers)
}

function saveStatus(tx: BusinessTx, before: ProductRow, status: ProductRow['status']): ProductRow {
  const after = changed(before, { status }, tx.now)
  tx.queue(store.updateProducts, { products: JSON.stringify([after]) })
  tx.record(productResource, status === 'archived' ? 'product.archived' : 'product.unarchived', { before, after })
  return after
}

export async function shown(tx: BusinessTx, products: readonly ProductRow[]): Promise<Product[]> {
  const variants = groupBy(await variantsOfProducts(tx, products), ({ product_id }) => product_id)
  return products.map((product) => {
    const own = variants.get(product.id) ?? []
    const sum = (key: 'on_hand' | 'value') => own.reduce((total, variant) => total + variant[key], 0)
    return { ...product, on_hand: sum('on_hand'), value: sum('value'), variants: own }
  })
}

function only<Row>(rows: readonly Row[]): Row {
  return rows[0] as Row
}
