// Services and products from files, through their own groups.
import { CatalogItemInput, type CatalogPrice } from '../../directory/catalog-items/contract.ts'
import { bulkCatalogItems, catalogItemsByIds, deleteCatalogItem } from '../../directory/catalog-items/operations.ts'
import type { BulkResult } from '../../foundation/bulk.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { ProductUpsert } from '../../inventory/product-upserts/contract.ts'
import { bulkProducts } from '../../inventory/product-upserts/operations.ts'
import { deleteProduct } from '../../inventory/products/operations.ts'
import { itemsByCode, productsByExternalId, productsBySku } from '../import-references/operations.ts'
import { ok, refused, type Handler, type Outcome } from '../import-handlers/contract.ts'

export const catalogItemHandler: Handler = {
  schema: CatalogItemInput,
  batch: 500,
  complete({ input }, { options, base_currency }) {
    const { prices, ...item } = input as { prices?: Partial<CatalogPrice>[] }
    const [price] = prices ?? []
    // A currency without a price says nothing of the item.
    return price?.unit_price === undefined ? item : { ...item, prices: [{ currency: options.currency ?? base_currency, ...price }] }
  },
  async known(tx, inputs) {
    const found = await itemsByCode(tx, inputs.flatMap(({ code }) => (code ? [keyOf(code)] : [])))
    return inputs.map(({ code }) => (code ? found.get(keyOf(code)) ?? null : null))
  },
  async save(tx, inputs, known) {
    const before = await catalogItemsByIds(tx, known.filter((id) => id !== null))
    const items = (inputs as CatalogItemInput[]).map((item, index) => {
      const prices = before.get(known[index] ?? '')?.prices ?? []
      // A file has the price in one currency; those in others stay.
      return item.prices ? { ...item, prices: [...prices.filter(({ currency }) => currency !== item.prices?.[0]?.currency), ...item.prices] } : item
    })
    return outcomesOf(await bulkCatalogItems(tx, { items, atomic: false }), known)
  },
  remove: deleteCatalogItem,
}

export const productHandler: Handler = {
  schema: ProductUpsert,
  batch: 500,
  complete: ({ input }) => input,
  async known(tx, inputs) {
    const bySku = await productsBySku(tx, inputs.flatMap(({ sku }) => (sku ? [keyOf(sku)] : [])))
    const byExternal = await productsByExternalId(tx, inputs.flatMap(({ sku, external_id }) => (!sku && external_id ? [String(external_id)] : [])))
    return inputs.map(({ sku, external_id }) => (sku ? bySku.get(keyOf(sku)) ?? null : byExternal.get(String(external_id ?? '')) ?? null))
  },
  async save(tx, inputs, known) {
    const outcomes: Outcome[] = []
    for (const wave of wavesOf(inputs)) {
      // A product that a row before has made, or that is there with other variants, only gets one more.
      const external_ids = wave.flatMap((index) => (inputs[index]?.['external_id'] ? [String(inputs[index]['external_id'])] : []))
      const there = await productsByExternalId(tx, external_ids)
      const some = wave.map((index) => known[index] ?? there.get(String(inputs[index]?.['external_id'] ?? '')) ?? null)
      const saved = await saveProducts(tx, wave.map((index) => inputs[index] as ProductUpsert), some)
      for (const [at, index] of wave.entries()) outcomes[index] = saved[at] ?? refused('It could not be saved.')
    }
    return outcomes
  },
  remove: deleteProduct,
}

async function saveProducts(tx: BusinessTx, items: ProductUpsert[], known: readonly (string | null)[]): Promise<Outcome[]> {
  return outcomesOf(await bulkProducts(tx, { items, atomic: false }), known)
}

/** One call takes each product once: its further variants follow in the next. */
function wavesOf(inputs: readonly Record<string, unknown>[]): number[][] {
  const waves: number[][] = []
  const met = new Map<string, number>()
  for (const [index, { external_id }] of inputs.entries()) {
    const key = external_id ? String(external_id) : null
    const wave = key === null ? 0 : met.get(key) ?? 0
    if (key !== null) met.set(key, wave + 1)
    waves[wave] = [...(waves[wave] ?? []), index]
  }
  return waves
}

function outcomesOf({ results }: BulkResult, known: readonly (string | null)[]): Outcome[] {
  return results.map(({ status, id, detail }, index) => (status === 'error' ? refused(detail ?? '') : ok(known[index] ? 'updated' : 'created', id)))
}

function keyOf(text: unknown): string {
  return String(text).trim().toLowerCase()
}
