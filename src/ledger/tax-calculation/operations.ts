// Computing the tax of a document from the set-up of the business.
import { getSettings } from '../../access/business-settings/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { requireRecords } from '../../foundation/records.ts'
import type { TaxCalculation, TaxCalculationInput } from './contract.ts'
import { calculateTax, type TaxSetup } from './rules.ts'
import * as store from './store.ts'

/**
 * For documents, whose customer is known to exist. One that is about to be posted locks the journal before it asks: whoever
 * changes the set-up does the same, so that what is used here cannot be changed as unused in the meantime.
 */
export async function taxFor(tx: BusinessTx, input: TaxCalculationInput): Promise<TaxCalculation> {
  const { settings, ...setup } = await loadSetup(tx, input)
  const inclusive = input.inclusive ?? (input.direction === 'sale' && settings.prices_include_tax)
  return calculateTax(setup, { ...input, inclusive })
}

export async function calculate(tx: BusinessTx, input: TaxCalculationInput): Promise<TaxCalculation> {
  if (input.customer_id) await requireRecords(tx, 'customer', [input.customer_id])
  return taxFor(tx, input)
}

async function loadSetup(tx: BusinessTx, { direction, customer_id, lines }: TaxCalculationInput) {
  const code_ids = [...new Set(lines.flatMap(({ tax_code_id }) => tax_code_id ?? []))]
  const uncoded = lines.some(({ tax_code_id }) => !tax_code_id)
  const asked = { code_ids, default_key: uncoded ? (direction === 'sale' ? 'default_sales_code_id' : 'default_purchase_code_id') : null }
  const [{ tax: settings }, codes, components, rates, exemptions] = await Promise.all([
    getSettings(tx),
    tx.many(store.codes, asked),
    tx.many(store.componentsOfGroups, asked),
    tx.many(store.rates, asked),
    customer_id && direction === 'sale' ? tx.many(store.exemptionsOf, { customer_id }) : [],
  ])
  const setup: TaxSetup = {
    codes: new Map(codes.map((code) => [code.id, code])),
    groups: Map.groupBy(components, ({ group_id }) => group_id),
    rates: new Map(rates.map((rate) => [rate.id, rate])),
    exemptions,
    defaults: { sale: settings.default_sales_code_id?.toLowerCase() ?? null, purchase: settings.default_purchase_code_id?.toLowerCase() ?? null },
  }
  return { settings, ...setup }
}
