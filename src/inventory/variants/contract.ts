// Variants: what lines everywhere name, one or more to each product.
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, id, integer, list, nullable, oneOf, optional, partial, record, shape, text } from '../../foundation/shapes.ts'

export const PRODUCT_TYPES = ['stocked', 'non_stocked', 'service', 'kit'] as const
export const STATUSES = ['active', 'archived'] as const

const optionValues = Type.Unsafe<Record<string, string>>({
  type: 'object', maxProperties: 3, description: 'The value of each option of the product, by its name.',
})

export const fields = {
  sku: text(1, 64, { pattern: '^\\S(.*\\S)?$', description: 'Unique in the business, whatever its case.' }),
  name: text(1, 200, { pattern: '\\S' }),
  barcode: nullable(text(1, 64, { pattern: '^\\S(.*\\S)?$', description: 'Unique in the business.' })),
  option_values: optionValues,
  price: cents({ minimum: 0, description: 'What one unit is sold for, integer cents in the base currency.' }),
  standard_cost: nullable(cents({ minimum: 0, description: 'What cost_per units are taken to cost while nothing better is known.' })),
  cost_per: integer(1, 1_000_000, { description: 'How many units standard_cost stands for.' }),
  weight_grams: nullable(integer(0)),
  volume_ml: nullable(integer(0)),
  pack_quantity: integer(1, 1_000_000_000, { description: 'How many units are bought at once.' }),
  is_default: boolean({ description: 'The one that stands for the product; making another one the default takes it from this.' }),
}

/** A row of the table. */
export const VariantRow = shape('VariantRow', { ...record, product_id: id(), ...fields, status: oneOf(STATUSES) })
export type VariantRow = Static<typeof VariantRow>

/** How much there is of something. */
export const figures = {
  on_hand: integer(undefined, undefined, { description: 'Units in all locations.' }),
  reserved: integer(0),
  available: integer(undefined, undefined, { description: 'on_hand less what is reserved; of a kit, how many its components make.' }),
  incoming: integer(0),
  in_transit: integer(0),
  unit_cost: nullable(Type.String({ description: 'What one unit is worth, in cents with six decimals.' })),
  value: cents({ description: 'What all of it is worth, integer cents in the base currency.' }),
}

export const Variant = shape('Variant', { ...VariantRow.properties, ...figures })
export type Variant = Static<typeof Variant>

const given = partial('VariantFields', fields).properties
export const VariantInput = shape('VariantInput', { ...given, sku: fields.sku })
export const VariantUpdate = partial('VariantUpdate', fields)
export type VariantInput = Static<typeof VariantInput>
export type VariantUpdate = Static<typeof VariantUpdate>

export const ProductOption = shape(
  'ProductOption', { name: text(1, 40, { pattern: '\\S' }), values: list(text(1, 60, { pattern: '\\S' }), { minItems: 1, maxItems: 100 }) },
)

/** What variants need to know of their product. */
export const ProductOfVariant = Type.Object({
  id: id(), name: Type.String(), type: oneOf(PRODUCT_TYPES), status: oneOf(STATUSES), options: list(ProductOption), version: integer(),
})
export type ProductOfVariant = Static<typeof ProductOfVariant>

export const variantResource = resource({
  type: 'variant', group: 'inventory', shape: VariantRow, table: 'product_variants', label: 'sku',
  events: ['variant.created', 'variant.updated', 'variant.price_changed', 'variant.archived', 'variant.unarchived', 'variant.deleted'],
})

const endpoint = endpointsOf('inventory', 'business')
const product = shape('ProductParams', { product_id: id() })
const params = shape('VariantParams', { product_id: id(), variant_id: id() })
const below = '/products/{product_id}/variants'
const at = `${below}/{variant_id}`

export const listVariants = endpoint({
  id: 'list_variants', method: 'GET', path: below, summary: 'List the variants of a product', live: true, params: product, reply: list(Variant),
})

export const addVariant = endpoint({
  id: 'add_variant', method: 'POST', path: below, summary: 'Add a variant to a product',
  params: product, body: VariantInput, reply: Variant,
  refusals: ['The sku or the barcode is taken.', 'The product is archived.', 'An option is not one of the product.'],
  example: { sku: 'MUG-BLUE', name: 'Blue', price: 1290 },
})

export const updateVariant = endpoint({
  id: 'update_variant', method: 'PATCH', path: at, summary: 'Change a variant',
  description: 'A change of price counts for new lines; those of existing documents keep theirs.',
  params, body: VariantUpdate, reply: Variant,
  refusals: ['The sku or the barcode is taken.', 'The default is taken away without another one being named.'],
  example: { price: 1490 },
})

export const deleteVariant = endpoint({
  id: 'delete_variant', method: 'DELETE', path: at, summary: 'Delete a variant that was never used',
  params, reply: Variant,
  refusals: ['It is the last variant of its product, or the default one.', 'It is used: archive it instead.'],
})

export const archiveVariant = endpoint({
  id: 'archive_variant', method: 'PUT', path: `${at}/archive`, summary: 'Archive a variant',
  params, reply: Variant,
  refusals: ['Stock of it is on hand, or a kit in use contains it.', 'It is the default variant of a product in use.'],
})

export const unarchiveVariant = endpoint({
  id: 'unarchive_variant', method: 'PUT', path: `${at}/unarchive`, summary: 'Take a variant out of the archive', params, reply: Variant,
})

export const lookupQuery = shape('VariantLookupQuery', {
  sku: optional(text(1, 64, { description: 'Whatever its case.' })),
  barcode: optional(text(1, 64)),
})

/** A variant with its product. */
export const FoundVariant = shape(
  'FoundVariant', { ...Variant.properties, product_name: Type.String(), product_type: oneOf(PRODUCT_TYPES), unit: Type.String() },
)

export const lookupVariant = endpoint({
  id: 'lookup_variant', method: 'GET', path: '/products/lookup', summary: 'Find a variant by its sku or barcode', live: true,
  query: lookupQuery, reply: FoundVariant,
  refusals: ['Neither sku nor barcode is given, or both.'],
})
