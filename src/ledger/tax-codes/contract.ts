// Tax codes: what a line carries to say how it is taxed.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, nullable, oneOf, optional, partial, record, shape, text } from '../../foundation/shapes.ts'
import { archivedFilter } from '../tax-agencies/contract.ts'

export const TREATMENTS = ['taxable', 'zero_rated', 'exempt', 'out_of_scope', 'reverse_charge'] as const
export type Treatment = (typeof TREATMENTS)[number]

const box = nullable(text(1, 20))
export const TaxCodeBoxes = shape(
  'TaxCodeBoxes',
  { sales_net: box, sales_tax: box, purchases_net: box, purchases_tax: box },
  { description: 'The boxes of a return in which the amounts of its lines count.' },
)

const fields = {
  code: text(1, 10, { pattern: '^\\S+$', description: 'Unique in the business, ignoring case; without blanks.' }),
  name: text(1, 100, { pattern: '\\S' }),
  treatment: oneOf(TREATMENTS, {
    description: 'taxable and reverse_charge need a rate or a group, the others have neither. reverse_charge: the buyer accounts for the tax.',
  }),
  rate_id: nullable(id()),
  group_id: nullable(id()),
}

export const TaxCode = shape('TaxCode', { ...record, ...fields, boxes: TaxCodeBoxes, archived: boolean() })

const givenBoxes = partial('TaxCodeBoxesInput', TaxCodeBoxes.properties)
export const TaxCodeInput = shape('TaxCodeInput', {
  ...fields, rate_id: optional(fields.rate_id), group_id: optional(fields.group_id), boxes: optional(givenBoxes),
})
export const TaxCodeUpdate = partial('TaxCodeUpdate', { ...fields, boxes: givenBoxes, archived: boolean() })

export type TaxCode = Static<typeof TaxCode>
export type TaxCodeInput = Static<typeof TaxCodeInput>
export type TaxCodeUpdate = Static<typeof TaxCodeUpdate>

export const taxCodeResource = resource({
  type: 'tax_code', group: 'tax', shape: TaxCode, table: 'tax_codes', label: 'code',
  events: ['tax_code.created', 'tax_code.updated', 'tax_code.archived', 'tax_code.restored', 'tax_code.deleted'],
})

const endpoint = endpointsOf('tax', 'business')
const params = shape('TaxCodeParams', { tax_code_id: id() })

const misuse = [
  'A taxable or reverse_charge code has no rate and no group, or both; another one has either.', 'The rate or the group is archived.',
  'Another code is written the same.',
]

export const listTaxCodes = endpoint({
  id: 'list_tax_codes', method: 'GET', path: '/codes', summary: 'List tax codes',
  query: listQuery(['code', 'name', 'created_at'], {
    agency_id: optional(id({ description: 'Only codes with a rate of this agency, by itself or in a group.' })),
    treatment: optional(oneOf(TREATMENTS)),
    archived: archivedFilter,
    q: optional(text(1, 100, { description: 'Part of the code or the name.' })),
  }),
  reply: pageOf(TaxCode),
})

export const createTaxCode = endpoint({
  id: 'create_tax_code', method: 'POST', path: '/codes', summary: 'Create a tax code',
  body: TaxCodeInput,
  reply: TaxCode,
  refusals: misuse,
  example: { code: 'EXPORT', name: 'Export of goods', treatment: 'zero_rated' },
})

export const getTaxCode = endpoint({
  id: 'get_tax_code', method: 'GET', path: '/codes/{tax_code_id}', summary: 'Get a tax code',
  params,
  reply: TaxCode,
})

export const updateTaxCode = endpoint({
  id: 'update_tax_code', method: 'PUT', path: '/codes/{tax_code_id}', summary: 'Update a tax code',
  description: 'boxes are merged one by one. The treatment, rate and group of a code that was used stay. '
    + 'archived puts the code away, and back: an archived one taxes nothing new.',
  params,
  body: TaxCodeUpdate,
  reply: TaxCode,
  refusals: ['The treatment, rate or group of a code that was used would change.', 'A default code of the settings would be archived.', ...misuse],
  example: { name: 'Exempt supplies' },
})

export const deleteTaxCode = endpoint({
  id: 'delete_tax_code', method: 'DELETE', path: '/codes/{tax_code_id}', summary: 'Delete or archive a tax code',
  description: 'One that no posted line carries and no ledger has as its default is deleted. Any other is archived, and the answer says archived: true.',
  params,
  reply: TaxCode,
  refusals: ['It is a default code of the settings.'],
})
