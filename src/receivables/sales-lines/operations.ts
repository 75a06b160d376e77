// What the lines of sales documents name, read for many documents at once.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Currency } from '../../foundation/money.ts'
import { notFound } from '../../foundation/refusal.ts'
import { catalogItemsByIds } from '../../directory/catalog-items/operations.ts'
import { variantsByIds } from '../../inventory/products/operations.ts'
import type { Sellable, Sellables } from './rules.ts'

/** What is sold, with its price in the currency of a document; `taxCodeOf` also of what may not be there. */
export type Catalogue = { in(currency: Currency): Sellables; taxCodeOf(line: { variant_id: string | null; catalog_item_id: string | null }): string | null }

export async function loadCatalogue(tx: BusinessTx, variant_ids: readonly string[], catalog_item_ids: readonly string[]): Promise<Catalogue> {
  const [variants, items] = await Promise.all([
    variant_ids.length > 0 ? variantsByIds(tx, [...new Set(variant_ids)]) : null,
    catalog_item_ids.length > 0 ? catalogItemsByIds(tx, [...new Set(catalog_item_ids)]) : null,
  ])
  const sellables = (currency: Currency): Sellables => ({
    variant(id) {
      const found = variants?.get(id)
      if (!found) throw notFound(`variant_id: variant ${id}`)
      const { product_name, name, price, income_ledger_id, tax_code_id, status } = found
      const shown = name === product_name ? name : `${product_name} ${name}`
      // Products are priced in the base currency.
      return { name: shown, description: null, price: currency === tx.business.base_currency ? price : null, ledger_id: income_ledger_id, tax_code_id, deferred: false, archived: status === 'archived' }
    },
    catalogItem(id): Sellable {
      const found = items?.get(id)
      if (!found) throw notFound(`catalog_item_id: catalog item ${id}`)
      const price = found.prices.find((each) => each.currency === currency)?.unit_price ?? null
      return { name: found.name, description: found.description, price, ledger_id: found.income_ledger_id, tax_code_id: found.tax_code_id, deferred: found.deferred, archived: found.archived }
    },
  })
  return {
    in: sellables,
    taxCodeOf: ({ variant_id, catalog_item_id }) => variants?.get(variant_id ?? '')?.tax_code_id ?? items?.get(catalog_item_id ?? '')?.tax_code_id ?? null,
  }
}
