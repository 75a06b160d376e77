// Products: what is bought, kept and sold.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, id, integer, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { COSTING_METHODS } from '../stock-costing/contract.ts'
import { fields as variantFields, PRODUCT_TYPES, ProductOption, STATUSES, Variant, VariantInput } from '../variants/contract.ts'

export const fields = {
  name: text(1, 200, { pattern: '\\S' }),
  type: oneOf(PRODUCT_TYPES, { description: 'stocked: counted and costed. kit: put together from components when it is sold. Fixed once stock has moved.' }),
  costing_method: oneOf(COSTING_METHODS, { description: 'What an issue costs; fixed once stock has moved.' }),
  unit: text(1, 20, { pattern: '\\S', description: 'What quantities count: pieces, grams. Quantities are whole numbers.' }),
  category: nullable(text(1, 100, { pattern: '\\S' })),
  description: nullable(text(1, 5000)),
  options: list(ProductOption, { maxItems: 3, description: 'In what its variants differ, such as size or colour.' }),
  income_ledger_id: nullable(id({ description: 'Where its sales go; null: the ledger with the role sales.' })),
  cogs_ledger_id: nullable(id({ description: 'Where its cost goes when sold; null: the ledger with the role cost_of_goods_sold.' })),
  inventory_ledger_id: nullable(id({ description: 'Where its stock stands; null: the ledger with the role inventory.' })),
  tax_code_id: nullable(id()),
  tags: list(text(1, 50, { pattern: '\\S' }), { maxItems: 50, uniqueItems: true }),
  external_id: nullable(text(1, 120, { description: 'The name that another system gives it; unique in the business.' })),
}

/** A row of the table. */
export const ProductRow = shape('ProductRow', {
  ...record, ...fields, tracking: oneOf(['none'], { description: 'Lots and serial numbers are not kept.' }), status: oneOf(STATUSES),
})
export type ProductRow = Static<typeof ProductRow>

export const Product = shape('Product', {
  ...ProductRow.properties,
  on_hand: integer(undefined, undefined, { description: 'Units of all variants in all locations.' }),
  value: cents({ description: 'What they are worth, integer cents in the base currency.' }),
  variants: list(Variant),
})
export type Product = Static<typeof Product>

const given = partial('ProductFields', fields).properties
const { sku, price } = variantFields
export const ProductInput = shape('ProductInput', {
  ...given,
  name: fields.name,
  variants: optional(list(VariantInput, { minItems: 1, maxItems: 200, description: 'Without any, one is made from the product itself.' })),
  sku: optional(sku),
  price: optional(price),
})
export const ProductUpdate = partial('ProductUpdate', fields)
export type ProductInput = Static<typeof ProductInput>
export type ProductUpdate = Static<typeof ProductUpdate>

export const productResource = resource({
  type: 'product', group: 'inventory', shape: ProductRow, table: 'products', label: 'name',
  events: ['product.created', 'product.updated', 'product.archived', 'product.unarchived', 'product.deleted'],
})

const endpoint = endpointsOf('inventory', 'business')
const params = shape('ProductParams', { product_id: id() })
const at = '/products/{product_id}'

export const productFilters = {
  type: optional(oneOf(PRODUCT_TYPES)),
  status: optional(oneOf(STATUSES)),
  category: optional(text(1, 100)),
  tag: optional(text(1, 50)),
  location_id: optional(id({ description: 'Only what is on hand there.' })),
  has_stock: optional(boolean()),
  q: optional(text(1, 100, { description: 'Part of the name, or of the sku or barcode of a variant.' })),
  updated_since: optional(timestamp()),
}

export const listProducts = endpoint({
  id: 'list_products', method: 'GET', path: '/products', summary: 'List products', live: true,
  query: listQuery(['name', 'sku', 'created_at', 'on_hand', 'value'], productFilters),
  reply: pageOf(Product),
})

export const createProduct = endpoint({
  id: 'create_product', method: 'POST', path: '/products', summary: 'Make a product with its variants',
  description: 'The costing method is that of the settings unless said. The first variant is the default one unless another says so.',
  body: ProductInput, reply: Product,
  refusals: [
    'A sku, barcode or external_id is taken.', 'A ledger is not of the type it is needed for, or takes no lines.', 'An option value is not one of the product.',
  ],
  example: { name: 'Coffee mug', type: 'stocked', unit: 'piece', variants: [{ sku: 'MUG-RED', name: 'Red', price: 1290, standard_cost: 400 }] },
})

export const getProduct = endpoint({ id: 'get_product', method: 'GET', path: at, summary: 'Get a product', live: true, params, reply: Product })

export const updateProduct = endpoint({
  id: 'update_product', method: 'PUT', path: at, summary: 'Change a product',
  params, body: ProductUpdate, reply: Product,
  refusals: [
    'The type or the costing method changes although stock has moved.', 'Another inventory ledger is given while stock is on hand.',
    'An option in use is taken away.',
  ],
  example: { name: 'Coffee mug, large', category: 'Kitchen' },
})

export const deleteProduct = endpoint({
  id: 'delete_product', method: 'DELETE', path: at, summary: 'Delete a product that was never used',
  params, reply: Product,
  refusals: ['A variant of it has moved or is used: archive the product instead.'],
})

export const archiveProduct = endpoint({
  id: 'archive_product', method: 'PUT', path: `${at}/archive`, summary: 'Archive a product',
  description: 'It stays on the documents that name it.',
  params, reply: Product,
  refusals: ['Stock of it is on hand, or a kit in use contains it.'],
})

export const unarchiveProduct = endpoint({
  id: 'unarchive_product', method: 'PUT', path: `${at}/unarchive`, summary: 'Take a product out of the archive', params, reply: Product,
})

export const exportProducts = endpoint({
  id: 'export_products', method: 'GET', path: '/products/export.csv', summary: 'Export products as CSV, a row per variant',
  query: shape('ProductExportQuery', productFilters),
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'text/csv' }),
})
