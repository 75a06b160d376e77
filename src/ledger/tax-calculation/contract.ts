// Tax calculation: what a document asks of the tax set-up, and what it is told.
import { type Static } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, list, nullable, oneOf, optional, shape } from '../../foundation/shapes.ts'
import { TREATMENTS } from '../tax-codes/contract.ts'
import { TaxRate, TaxRateVersion } from '../tax-rates/contract.ts'

export const DIRECTIONS = ['sale', 'purchase'] as const
export type Direction = (typeof DIRECTIONS)[number]

export const TaxCalculationInput = shape('TaxCalculationInput', {
  date: date({ description: 'Of the document: it decides which version of a rate holds.' }),
  direction: oneOf(DIRECTIONS),
  customer_id: optional(nullable(id({ description: 'Whose exemptions count; without effect on a purchase.' }))),
  inclusive: optional(boolean({ description: 'The amounts contain the tax. Default: prices_include_tax of the settings for a sale, false for a purchase.' })),
  lines: list(shape('TaxCalculationLineInput', {
    amount: cents({ description: 'Integer cents, after discounts; negative for a credit.' }),
    tax_code_id: optional(nullable(id({ description: 'Default: the default code of the settings for this direction; where that is none, no tax.' }))),
  }), { minItems: 1, maxItems: 1000 }),
})

const { name, agency_id, recoverable_percent } = TaxRate.properties

export const TaxComponent = shape('TaxComponent', {
  rate_id: id(),
  agency_id,
  name,
  percent: TaxRateVersion.properties.percent,
  tax: cents(),
  recoverable_tax: cents({ description: 'The part of it that a purchase gives back; 0 on a sale.' }),
  exemption_id: nullable(id({ description: 'The exemption by which it is 0.' })),
})

export const TaxedLine = shape('TaxedLine', {
  tax_code_id: nullable(id({ description: 'The code that was used; null: none.' })),
  treatment: nullable(oneOf(TREATMENTS)),
  reverse_charge: boolean({ description: 'The buyer accounts for the tax: it is computed, and is no part of gross.' }),
  net: cents(),
  tax: cents({ description: 'The sum of its components.' }),
  gross: cents({ description: 'net + tax; net where the charge is reversed.' }),
  recoverable_tax: cents(),
  cost: cents({ description: 'Of a purchase: net and the tax that does not come back. Of a sale: net.' }),
  components: list(TaxComponent, { description: 'In the order in which they were computed.' }),
})

export const TaxTotals = shape('TaxTotals', {
  net: cents(),
  tax: cents({ description: 'What the lines add to net: without that of reversed charges.' }),
  reverse_charge_tax: cents(),
  gross: cents({ description: 'net + tax.' }),
  recoverable_tax: cents(),
  cost: cents(),
})

export const TaxCalculation = shape('TaxCalculation', {
  date: date(),
  direction: oneOf(DIRECTIONS),
  inclusive: boolean(),
  lines: list(TaxedLine, { description: 'One for each line that was given, in the same order.' }),
  totals: TaxTotals,
})

export type TaxCalculationInput = Static<typeof TaxCalculationInput>
export type TaxComponent = Static<typeof TaxComponent>
export type TaxedLine = Static<typeof TaxedLine>
export type TaxTotals = Static<typeof TaxTotals>
export type TaxCalculation = Static<typeof TaxCalculation>

/** What the calculation needs to know of a rate. */
export const LeviedRate = shape('LeviedRate', { id: id(), name, agency_id, recoverable_percent, versions: list(TaxRateVersion) })
export type LeviedRate = Static<typeof LeviedRate>

export const calculateTax = endpoint({
  id: 'calculate_tax', method: 'POST', path: '/tax/calculate', summary: 'Calculate the tax of a document',
  description: 'Writes nothing, so reading is enough. Tax is rounded by line and component, half away from zero. '
    + 'A compound component taxes the net and the tax before it. '
    + 'Where amounts contain the tax, it follows from the total rate and is split over the components by largest remainder.',
  scope: 'business',
  permission: 'tax:read',
  allow_read_only: true,
  body: TaxCalculationInput,
  reply: TaxCalculation,
  refusals: [
    'A rate has no version on or before the date.', 'A code is archived.', 'The default code of the settings does not exist.', 'An amount is out of range.',
  ],
  example: { date: '2026-03-10', direction: 'sale', lines: [{ amount: 100_000 }] },
})
