// Tax agencies: who levies a tax, and how and when it is declared to them.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, date, id, integer, nullable, oneOf, optional, partial, record, shape, text } from '../../foundation/shapes.ts'

export const FILING_FREQUENCIES = ['monthly', 'quarterly', 'annually'] as const
export const TAX_BASES = ['accrual', 'cash'] as const

const fields = {
  name: text(1, 100, { pattern: '\\S' }),
  country: text(2, 2, { pattern: '^[A-Z]{2}$', description: 'ISO 3166-1, two capital letters.' }),
  region: nullable(text(1, 100, { description: 'State, province or district.' })),
  registration_number: nullable(text(1, 50)),
  filing_frequency: oneOf(FILING_FREQUENCIES, { description: 'A change counts from the next unfiled return on.' }),
  basis: oneOf(TAX_BASES, { description: 'cash: tax is due once the document is paid. A change counts from the next unfiled return on.' }),
  due_day: integer(1, 31, { description: 'Day of the month after the end of a period; the last day of a shorter month.' }),
  first_period_start: nullable(date({ description: 'Where the first return begins; null: with the first accounting period.' })),
  payable_ledger_id: id({ description: 'The liability that a filed return is owed on. Made where none is given.' }),
}

export const TaxAgency = shape('TaxAgency', { ...record, ...fields, archived: boolean() })
export const TaxAgencyInput = shape('TaxAgencyInput', { ...partial('TaxAgencyFields', fields).properties, name: fields.name, country: fields.country })
export const TaxAgencyUpdate = partial('TaxAgencyUpdate', { ...fields, archived: boolean() })

export type TaxAgency = Static<typeof TaxAgency>
export type TaxAgencyInput = Static<typeof TaxAgencyInput>
export type TaxAgencyUpdate = Static<typeof TaxAgencyUpdate>

export const taxAgencyResource = resource({
  type: 'tax_agency', group: 'tax', shape: TaxAgency, table: 'tax_agencies', label: 'name',
  events: ['tax_agency.created', 'tax_agency.updated', 'tax_agency.archived', 'tax_agency.restored', 'tax_agency.deleted'],
})

const endpoint = endpointsOf('tax', 'business')
const params = shape('TaxAgencyParams', { tax_agency_id: id() })

export const archivedFilter = optional(oneOf(['false', 'true', 'all'], { default: 'false' }))

export const listTaxAgencies = endpoint({
  id: 'list_tax_agencies', method: 'GET', path: '/agencies', summary: 'List tax agencies',
  query: listQuery(['name', 'created_at'], { archived: archivedFilter, q: optional(text(1, 100, { description: 'Part of the name.' })) }),
  reply: pageOf(TaxAgency),
})

export const createTaxAgency = endpoint({
  id: 'create_tax_agency', method: 'POST', path: '/agencies', summary: 'Create a tax agency',
  description: 'Without payable_ledger_id a liability of the subtype sales_tax is made for it. '
    + 'Unless said, it is declared quarterly, on the accrual basis, by the 20th.',
  body: TaxAgencyInput,
  reply: TaxAgency,
  refusals: ['The payable ledger is no liability, is kept by a bank, takes no lines, or has a role of its own.'],
  example: { name: 'Florida Department of Revenue', country: 'US', region: 'Florida', filing_frequency: 'quarterly' },
})

export const getTaxAgency = endpoint({
  id: 'get_tax_agency', method: 'GET', path: '/agencies/{tax_agency_id}', summary: 'Get a tax agency',
  params,
  reply: TaxAgency,
})

export const updateTaxAgency = endpoint({
  id: 'update_tax_agency', method: 'PUT', path: '/agencies/{tax_agency_id}', summary: 'Update a tax agency',
  description: 'archived puts it away, and back: an archived one gets no new rates; those it has go on.',
  params,
  body: TaxAgencyUpdate,
  reply: TaxAgency,
  refusals: ['The payable ledger is no liability, is kept by a bank, takes no lines, or has a role of its own.'],
  example: { registration_number: '80-8012345678-9' },
})

export const deleteTaxAgency = endpoint({
  id: 'delete_tax_agency', method: 'DELETE', path: '/agencies/{tax_agency_id}', summary: 'Delete or archive a tax agency',
  description: 'One that has no rates and no exemptions is deleted; its payable ledger stays. Any other is archived, and the answer says archived: true.',
  params,
  reply: TaxAgency,
})
