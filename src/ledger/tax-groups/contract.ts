// Tax groups: several rates that a line bears together, in an order.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, list, optional, partial, record, shape, text } from '../../foundation/shapes.ts'
import { archivedFilter } from '../tax-agencies/contract.ts'

export const MOST_COMPONENTS = 10

export const TaxGroupComponent = shape('TaxGroupComponent', {
  rate_id: id(),
  compound: boolean({ description: 'Taxes the net and the tax of the components before it.' }),
})
export type TaxGroupComponent = Static<typeof TaxGroupComponent>

const name = text(1, 100, { pattern: '\\S' })
const components = list(TaxGroupComponent, { minItems: 1, maxItems: MOST_COMPONENTS, description: 'In the order in which they are computed.' })

const GivenComponent = shape('TaxGroupComponentInput', { ...TaxGroupComponent.properties, compound: optional(boolean({ default: false })) })
const given = list(GivenComponent, { minItems: 1, maxItems: MOST_COMPONENTS, description: 'In the order in which they are computed; each rate once.' })

/** A row of the table; components have one of their own. */
export const TaxGroupRow = Type.Object({ ...record, name, archived: boolean() })

export const TaxGroup = shape('TaxGroup', { ...TaxGroupRow.properties, components })
export const TaxGroupInput = shape('TaxGroupInput', { name, components: given })
export const TaxGroupUpdate = partial('TaxGroupUpdate', { name, components: given, archived: boolean() })

export type TaxGroup = Static<typeof TaxGroup>
export type TaxGroupInput = Static<typeof TaxGroupInput>
export type TaxGroupUpdate = Static<typeof TaxGroupUpdate>

export const taxGroupResource = resource({
  type: 'tax_group', group: 'tax', shape: TaxGroup, table: 'tax_groups', label: 'name',
  events: ['tax_group.created', 'tax_group.updated', 'tax_group.archived', 'tax_group.restored', 'tax_group.deleted'],
})

const endpoint = endpointsOf('tax', 'business')
const params = shape('TaxGroupParams', { tax_group_id: id() })

export const listTaxGroups = endpoint({
  id: 'list_tax_groups', method: 'GET', path: '/groups', summary: 'List tax groups',
  query: listQuery(['name', 'created_at'], {
    agency_id: optional(id({ description: 'Only groups with a rate of this agency.' })),
    archived: archivedFilter,
    q: optional(text(1, 100, { description: 'Part of the name.' })),
  }),
  reply: pageOf(TaxGroup),
})

export const createTaxGroup = endpoint({
  id: 'create_tax_group', method: 'POST', path: '/groups', summary: 'Create a tax group',
  body: TaxGroupInput,
  reply: TaxGroup,
  refusals: ['A rate is in it twice.', 'A rate is archived.'],
})

export const getTaxGroup = endpoint({
  id: 'get_tax_group', method: 'GET', path: '/groups/{tax_group_id}', summary: 'Get a tax group',
  params,
  reply: TaxGroup,
})

export const updateTaxGroup = endpoint({
  id: 'update_tax_group', method: 'PUT', path: '/groups/{tax_group_id}', summary: 'Update a tax group',
  description: 'components replaces all of them; those of a group that was used stay. '
    + 'archived puts the group away, and back: codes that have an archived one go on with it.',
  params,
  body: TaxGroupUpdate,
  reply: TaxGroup,
  refusals: ['The components of a group that was used would change.', 'A rate is in it twice.', 'A rate that is new in it is archived.'],
  example: { name: 'State and county' },
})

export const deleteTaxGroup = endpoint({
  id: 'delete_tax_group', method: 'DELETE', path: '/groups/{tax_group_id}', summary: 'Delete or archive a tax group',
  description: 'One that no code has is deleted. Any other is archived, and the answer says archived: true.',
  params,
  reply: TaxGroup,
})
