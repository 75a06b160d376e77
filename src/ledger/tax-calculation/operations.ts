// Computing the tax of a document from the set-up of the business.
import { getSettings } from '../../access/business-settings/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { requireRecords } from '../../foundation/records.ts'
import type { Direction, TaxCalculation, TaxCalculationInput } from './contract.ts'
import { calculateTax, type TaxSetup } from './rules.ts'
import * as store from './store.ts'

/**
 * For documents, whose customers are known to exist: the tax of each, once whatever they need of the set-up is read. One that is about to be
 * posted locks the journal before it asks: whoever changes the set-up does the same, so that what is used here cannot be changed as unused.
 */
export async function openTax(tx: BusinessTx, inputs: readonly TaxQuestion[]): Promise<(input: TaxCalculationInput) => TaxCalculation> {
  const { settings, ...setup } = await loadSetup(tx, inputs)
  return (input) => calculateTax(setup, { ...input, inclusive: input.inclusive ?? (input.direction === 'sale' && settings.prices_include_tax) })
}

export async function calculate(tx: BusinessTx, input: TaxCalculationInput): Promise<TaxCalculation> {
  if (input.customer_id) await requireRecords(tx, 'customer', [input.customer_id])
  return (await openTax(tx, [input]))(input)
}

type TaxQuestion = Pick<TaxCalculationInput, 'direction' | 'customer_id'> & { lines: readonly { tax_code_id?: string | null | undefined }[] }

async function loadSetup(tx: BusinessTx, inputs: readonly TaxQuestion[]) {
  const code_ids = [...new Set(inputs.flatMap(({ lines }) => lines.flatMap(({ tax_code_id }) => tax_code_id ?? [])))]
  const uncoded = (wanted: Direction) => inputs.some(({ direction, lines }) => direction === wanted && lines.some(({ tax_code_id }) => !tax_code_id))
  const asked = {
    code_ids,
    default_keys: [...(uncoded('sale') ? ['default_sales_code_id'] : []), ...(uncoded('purchase') ? ['default_purchase_code_id'] : [])],
  }
  const customer_ids = [...new Set(inputs.flatMap(({ direction, customer_id }) => (direction === 'sale' ? customer_id ?? [] : [])))]
  const [{ tax: settings }, codes, components, rates, exemptions] = await Promise.all([
    getSettings(tx),
    tx.many(store.codes, asked),
    tx.many(store.componentsOfGroups, asked),
    tx.many(store.rates, asked),
    customer_ids.length > 0 ? tx.many(store.exemptionsOf, { customer_ids }) : [],
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
