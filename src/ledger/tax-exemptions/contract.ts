// Tax exemptions: customers who do not pay the tax of some agencies, by a certificate.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, date, id, list, nullable, optional, partial, record, shape, text } from '../../foundation/shapes.ts'
import { archivedFilter } from '../tax-agencies/contract.ts'

const customer_id = id()
const fields = {
  agency_ids: list(id(), { maxItems: 100, description: 'Whose tax is not charged; empty: that of every agency.' }),
  certificate_number: nullable(text(1, 100)),
  valid_from: date(),
  valid_to: nullable(date({ description: 'The last day; null: without an end.' })),
  document_id: nullable(id({ description: 'The certificate itself.' })),
}

export const TaxExemption = shape('TaxExemption', { ...record, customer_id, ...fields, archived: boolean() })
export const TaxExemptionInput = shape('TaxExemptionInput', { ...partial('TaxExemptionFields', fields).properties, customer_id, valid_from: fields.valid_from })
export const TaxExemptionUpdate = partial('TaxExemptionUpdate', { ...fields, archived: boolean() })

export type TaxExemption = Static<typeof TaxExemption>
export type TaxExemptionInput = Static<typeof TaxExemptionInput>
export type TaxExemptionUpdate = Static<typeof TaxExemptionUpdate>

export const taxExemptionResource = resource({
  type: 'tax_exemption', group: 'tax', shape: TaxExemption, table: 'tax_exemptions', label: 'certificate_number',
  events: ['tax_exemption.created', 'tax_exemption.updated', 'tax_exemption.archived', 'tax_exemption.restored', 'tax_exemption.deleted'],
})

const endpoint = endpointsOf('tax', 'business')
const params = shape('TaxExemptionParams', { tax_exemption_id: id() })

const misuse = ['It would end before it begins.', 'An agency is archived.']

export const listTaxExemptions = endpoint({
  id: 'list_tax_exemptions', method: 'GET', path: '/exemptions', summary: 'List tax exemptions',
  query: listQuery(['created_at', 'valid_from'], {
    customer_id: optional(id()),
    agency_id: optional(id({ description: 'Only those that count for this agency.' })),
    archived: archivedFilter,
    q: optional(text(1, 100, { description: 'Part of the certificate number.' })),
  }),
  reply: pageOf(TaxExemption),
})

export const createTaxExemption = endpoint({
  id: 'create_tax_exemption', method: 'POST', path: '/exemptions', summary: 'Create a tax exemption',
  description: 'Taxable lines of sales to this customer bear no tax of these agencies while it is valid.',
  body: TaxExemptionInput,
  reply: TaxExemption,
  refusals: misuse,
})

export const getTaxExemption = endpoint({
  id: 'get_tax_exemption', method: 'GET', path: '/exemptions/{tax_exemption_id}', summary: 'Get a tax exemption',
  params,
  reply: TaxExemption,
})

export const updateTaxExemption = endpoint({
  id: 'update_tax_exemption', method: 'PUT', path: '/exemptions/{tax_exemption_id}', summary: 'Update a tax exemption',
  description: 'It stays with its customer. Documents that are posted keep their tax. archived puts it away, and back: an archived one exempts nobody.',
  params,
  body: TaxExemptionUpdate,
  reply: TaxExemption,
  refusals: misuse,
  example: { certificate_number: 'FL-85-8012345678C-1' },
})

export const deleteTaxExemption = endpoint({
  id: 'delete_tax_exemption', method: 'DELETE', path: '/exemptions/{tax_exemption_id}', summary: 'Delete or archive a tax exemption',
  description: 'One that cannot have counted is deleted. Where its customer has posted lines with a tax code while it was valid it is archived instead, '
    + 'to be shown when asked for, and the answer says archived: true.',
  params,
  reply: TaxExemption,
})
