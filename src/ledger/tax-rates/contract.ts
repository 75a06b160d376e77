// Tax rates: what an agency takes, in percent, from a date on.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, date, id, list, optional, partial, record, shape, text } from '../../foundation/shapes.ts'
import { archivedFilter } from '../tax-agencies/contract.ts'

const percentText = (description: string) =>
  Type.String({ pattern: '^(100(\\.0{1,4})?|[0-9]{1,2}(\\.[0-9]{1,4})?)$', description: `${description} Decimal text from 0 to 100 with at most 4 decimals.` })

export const TaxRateVersion = shape('TaxRateVersion', {
  percent: percentText('Such as 8.25.'),
  valid_from: date({ description: 'It holds from this date until the next version.' }),
})
export type TaxRateVersion = Static<typeof TaxRateVersion>

const fields = {
  name: text(1, 100, { pattern: '\\S' }),
  agency_id: id(),
  recoverable_percent: percentText('How much of it comes back on purchases: usually 100 for VAT and GST, 0 for sales tax in the US.'),
}
const versions = list(TaxRateVersion, { minItems: 1, maxItems: 100, description: 'In the order of their dates.' })

/** A row of the table; versions have one of their own. */
export const TaxRateRow = Type.Object({ ...record, ...fields, archived: boolean() })

export const TaxRate = shape('TaxRate', { ...TaxRateRow.properties, versions })
export const TaxRateInput = shape('TaxRateInput', { ...fields, versions, recoverable_percent: optional(fields.recoverable_percent) })
export const TaxRateUpdate = partial('TaxRateUpdate', { ...fields, versions, archived: boolean() })

export type TaxRate = Static<typeof TaxRate>
export type TaxRateInput = Static<typeof TaxRateInput>
export type TaxRateUpdate = Static<typeof TaxRateUpdate>

export const taxRateResource = resource({
  type: 'tax_rate', group: 'tax', shape: TaxRate, table: 'tax_rates', label: 'name',
  events: ['tax_rate.created', 'tax_rate.changed', 'tax_rate.updated', 'tax_rate.archived', 'tax_rate.restored', 'tax_rate.deleted'],
})

const endpoint = endpointsOf('tax', 'business')
const params = shape('TaxRateParams', { tax_rate_id: id() })

export const listTaxRates = endpoint({
  id: 'list_tax_rates', method: 'GET', path: '/rates', summary: 'List tax rates',
  query: listQuery(['name', 'created_at'], {
    agency_id: optional(id()),
    archived: archivedFilter,
    q: optional(text(1, 100, { description: 'Part of the name.' })),
  }),
  reply: pageOf(TaxRate),
})

export const createTaxRate = endpoint({
  id: 'create_tax_rate', method: 'POST', path: '/rates', summary: 'Create a tax rate',
  description: 'Unless said, recoverable_percent is 0 where the agency is in the US and 100 elsewhere.',
  body: TaxRateInput,
  reply: TaxRate,
  refusals: ['Two versions are valid from the same date.', 'The agency is archived.'],
})

export const getTaxRate = endpoint({
  id: 'get_tax_rate', method: 'GET', path: '/rates/{tax_rate_id}', summary: 'Get a tax rate',
  params,
  reply: TaxRate,
})

export const updateTaxRate = endpoint({
  id: 'update_tax_rate', method: 'PUT', path: '/rates/{tax_rate_id}', summary: 'Update a tax rate',
  description: 'versions replaces all of them. What the rate was on a date on which it was used stays: add a version with a later valid_from. '
    + 'A change of recoverable_percent counts for documents from then on. '
    + 'archived puts the rate away, and back: groups and codes that have an archived one go on with it.',
  params,
  body: TaxRateUpdate,
  reply: TaxRate,
  refusals: [
    'The percent of a date would change on which the rate was used.', 'A rate that was used would move to another agency.',
    'Two versions are valid from the same date.', 'The new agency is archived.',
  ],
  example: { name: 'State sales tax' },
})

export const deleteTaxRate = endpoint({
  id: 'delete_tax_rate', method: 'DELETE', path: '/rates/{tax_rate_id}', summary: 'Delete or archive a tax rate',
  description: 'One that is in no group and no code is deleted. Any other is archived, and the answer says archived: true.',
  params,
  reply: TaxRate,
})
