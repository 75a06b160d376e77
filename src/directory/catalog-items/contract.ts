// Catalog items: services and fees that are sold without stock, with a price per currency.
import { Type, type Static } from 'typebox'
import { atomic, BulkResult, MOST_ITEMS } from '../../foundation/bulk.ts'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { LIST_FILE_REFUSALS, LIST_FILE_WORDS, listFileFormat, listFileReply } from '../../foundation/list-file.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, date, id, integer, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'

export const KINDS = ['service', 'fee', 'time'] as const
export const METHODS = ['daily', 'monthly', 'monthly_half', 'milestone', 'percent_complete', 'manual'] as const

const currency = oneOf(CURRENCIES)
const code = text(1, 40, { pattern: '\\S', description: 'Unique in the business, ignoring case.' })

export const CatalogPrice = shape('CatalogPrice', { currency, unit_price: integer(0, undefined, { description: 'Integer cents.' }) })
export const Recognition = shape('CatalogRecognition', {
  method: oneOf(METHODS, { description: 'daily, monthly and monthly_half spread the income over months.' }),
  months: nullable(integer(1, 120)),
})

const prices = list(CatalogPrice, { maxItems: CURRENCIES.length, description: 'At most one per currency.' })

const fields = {
  name: text(1, 200, { pattern: '\\S' }),
  code: nullable(code),
  description: nullable(text(1, 2000)),
  kind: oneOf(KINDS),
  unit: nullable(text(1, 30, { description: 'What is counted, such as hour or piece.' })),
  income_ledger_id: nullable(id({ description: 'The income ledger of its lines; null: that of the role sales.' })),
  expense_ledger_id: nullable(id({ description: 'The expense ledger where it is bought.' })),
  tax_code_id: nullable(id()),
  deferred: boolean({ description: 'Whether its lines are deferred unless said otherwise.' }),
  recognition: nullable(Recognition),
}

/** A row of the table; prices have one of their own. */
export const CatalogItemRow = Type.Object({
  ...record,
  ...fields,
  archived: boolean(),
  last_sold_on: nullable(date({ description: 'The latest date of a finalized document with it.' })),
})

export const CatalogItem = shape('CatalogItem', { ...CatalogItemRow.properties, prices })
const optionalFields = partial('CatalogItemFields', { ...fields, prices }).properties
export const CatalogItemInput = shape('CatalogItemInput', { ...optionalFields, name: fields.name })
export const CatalogItemUpdate = partial('CatalogItemUpdate', { ...fields, prices })
export const CatalogItemBulk = shape('CatalogItemBulk', {
  items: list(shape('CatalogItemBulkItem', optionalFields), { minItems: 1, maxItems: MOST_ITEMS }),
  atomic,
})

const listFilters = {
  kind: optional(oneOf(KINDS)),
  archived: optional(oneOf(['false', 'true', 'all'], { default: 'false' })),
  currency: optional(oneOf(CURRENCIES, { description: 'Only items with a price in it.' })),
  code: optional(code),
  search: optional(text(1, 200, { description: 'Beginnings of words of the name, the code or the description.' })),
  tag_id: optional(id()),
  updated_since: optional(timestamp()),
}
const PriceFilter = shape('CatalogPriceFilter', listFilters, { description: 'As in the list; {} is every item that is not archived.' })

export const CatalogPriceChange = shape('CatalogPriceChange', {
  item_ids: optional(list(id(), { minItems: 1, maxItems: MOST_ITEMS })),
  filter: optional(PriceFilter),
  percent: optional(text(1, 12, { pattern: '^-?\\d{1,4}(\\.\\d{1,4})?$', description: 'Added to each price, such as 3.5 or -10.' })),
  prices: optional(prices),
  currency: optional(oneOf(CURRENCIES, { description: 'With percent: only prices in it.' })),
  round_to: optional(integer(1, 1_000_000, { default: 1, description: 'With percent: cents of which the new price is a multiple, the nearest one, half away from zero.' })),
})

export const CatalogPriceResult = shape('CatalogPriceResult', {
  changed: integer(0),
  unchanged: integer(0),
  items: list(shape('CatalogPricedItem', { id: id(), prices }), { description: 'Those that changed.' }),
})

export type CatalogItemRow = Static<typeof CatalogItemRow>
export type CatalogItem = Static<typeof CatalogItem>
export type CatalogItemInput = Static<typeof CatalogItemInput>
export type CatalogItemUpdate = Static<typeof CatalogItemUpdate>
export type CatalogItemBulk = Static<typeof CatalogItemBulk>
export type CatalogItemFilters = Static<typeof PriceFilter>
export type CatalogPrice = Static<typeof CatalogPrice>
export type CatalogPriceChange = Static<typeof CatalogPriceChange>
export type CatalogPriceResult = Static<typeof CatalogPriceResult>

export const catalogItemResource = resource({
  type: 'catalog_item', group: 'catalog-items', shape: CatalogItem, table: 'catalog_items', label: 'name',
  events: ['catalog_item.created', 'catalog_item.updated', 'catalog_item.archived', 'catalog_item.restored', 'catalog_item.deleted'],
})

/** More than this takes longer than a request may. */
export const MOST_PRICED = 10_000

const endpoint = endpointsOf('catalog-items', 'business')
const params = shape('CatalogItemParams', { item_id: id() })

const misuse = [
  'Another item has this code.', 'A currency has two prices.', 'recognition by daily, monthly or monthly_half says no months.',
  'The income ledger is no income ledger, the expense ledger no expense ledger, or one of them is archived or a heading.', 'The tax code is archived.',
]

export const listCatalogItems = endpoint({
  id: 'list_catalog_items', method: 'GET', path: '', summary: 'List catalog items',
  query: listQuery(['name', 'code', 'created_at', 'last_sold_on'], listFilters),
  reply: pageOf(CatalogItem),
})

export const createCatalogItem = endpoint({
  id: 'create_catalog_item', method: 'POST', path: '', summary: 'Create a catalog item',
  body: CatalogItemInput,
  reply: CatalogItem,
  refusals: misuse,
  example: { name: 'Consulting', kind: 'time', unit: 'hour', prices: [{ currency: 'USD', unit_price: 15_000 }] },
})

export const exportCatalogItems = endpoint({
  id: 'export_catalog_items', method: 'GET', path: '/export', summary: 'Take catalog items away as a file',
  description: LIST_FILE_WORDS,
  query: shape('CatalogItemExportQuery', { format: listFileFormat, ...listFilters }),
  reply: listFileReply,
  refusals: LIST_FILE_REFUSALS,
})

export const bulkCatalogItems = endpoint({
  id: 'bulk_catalog_items', method: 'POST', path: '/bulk', summary: 'Create or update many catalog items',
  description: 'An item whose code is known is updated: absent fields stay. Every other one is created and needs a name.',
  body: CatalogItemBulk,
  reply: BulkResult,
  refusals: [...misuse, 'A new item has no name.', 'Two items of the call have one code.'],
  example: { items: [{ name: 'Call-out fee', code: 'CALL', kind: 'fee', prices: [{ currency: 'USD', unit_price: 7_500 }] }] },
})

export const changeCatalogPrices = endpoint({
  id: 'change_catalog_prices', method: 'PUT', path: '/prices', summary: 'Change the prices of many catalog items',
  description: 'Of the items named by item_ids or chosen by filter: percent changes the prices they have, prices sets those of its currencies. '
    + `All or nothing, at most ${MOST_PRICED.toLocaleString('en')} items. Drafts see new prices when they are finalized; nothing that is finalized changes.`,
  body: CatalogPriceChange,
  reply: CatalogPriceResult,
  refusals: [
    'Not exactly one of item_ids and filter, or of percent and prices.', 'percent is below -100.', 'A currency has two prices.',
    `The filter chooses more than ${MOST_PRICED.toLocaleString('en')} items.`, 'A price would become too large.',
  ],
  example: { filter: { kind: 'service' }, percent: '3.5', round_to: 100 },
})

export const getCatalogItem = endpoint({
  id: 'get_catalog_item', method: 'GET', path: '/{item_id}', summary: 'Get a catalog item',
  live: true,
  params,
  reply: CatalogItem,
})

export const updateCatalogItem = endpoint({
  id: 'update_catalog_item', method: 'PUT', path: '/{item_id}', summary: 'Update a catalog item',
  description: 'prices replaces all of them.',
  params,
  body: CatalogItemUpdate,
  reply: CatalogItem,
  refusals: misuse,
  example: { description: 'By the hour' },
})

export const deleteCatalogItem = endpoint({
  id: 'delete_catalog_item', method: 'DELETE', path: '/{item_id}', summary: 'Delete a catalog item',
  params,
  reply: CatalogItem,
  refusals: ['It was used: archive it.'],
})

export const archiveCatalogItem = endpoint({
  id: 'archive_catalog_item', method: 'PUT', path: '/{item_id}/archive', summary: 'Archive a catalog item',
  description: 'Drafts and templates that have it keep working; new lines cannot take it.',
  params,
  reply: CatalogItem,
})

export const restoreCatalogItem = endpoint({
  id: 'restore_catalog_item', method: 'PUT', path: '/{item_id}/restore', summary: 'Restore an archived catalog item',
  params,
  reply: CatalogItem,
})

export const duplicateCatalogItem = endpoint({
  id: 'duplicate_catalog_item', method: 'POST', path: '/{item_id}/duplicate', summary: 'Copy a catalog item',
  description: 'The copy has every field but the code, which is unique, and “(copy)” after its name.',
  params,
  reply: CatalogItem,
})
