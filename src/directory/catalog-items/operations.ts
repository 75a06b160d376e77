// What can be done with catalog items.
import { attemptEach, type BulkResult } from '../../foundation/bulk.ts'
import { isReferenced } from '../../foundation/database/errors.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import { newId } from '../../foundation/ids.ts'
import { fileOfList } from '../../foundation/list-file.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import {
  catalogItemResource, MOST_PRICED, type CatalogItem, type CatalogItemBulk, type CatalogItemFilters, type CatalogItemInput, type CatalogItemUpdate,
  type CatalogPriceChange, type CatalogPriceResult,
} from './contract.ts'
import { differs, FILE_COLUMNS, fileRow, keyOf, nameOfCopy, repriced, requireOneWay, requireSound, requireUnsold, tidy, used } from './rules.ts'
import * as store from './store.ts'

type ItemEvent = (typeof catalogItemResource.events)[number]
type ItemChange = { before: CatalogItem | null; after: CatalogItem }

/** For documents: the items with their prices. Ids that are not there are missing from the map. */
export async function catalogItemsByIds(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, CatalogItem>> {
  if (ids.length === 0) return new Map()
  return new Map((await tx.many(store.itemsByIds, { ids })).map((item) => [item.id, item]))
}

/** For documents that are finalized. It follows from them, so it is no change of the item: neither its version moves nor its history. */
export function noteSold(tx: BusinessTx, ids: readonly string[], date: string): void {
  if (ids.length > 0) tx.queue(store.noteSold, { ids, date })
}

export function listCatalogItems(tx: BusinessTx, query: PageQuery & CatalogItemFilters): Promise<Page<CatalogItem>> {
  const asked = { ...query, archived: archivedOf(query) ?? undefined }
  return tx.page(store.items, asked)
}

export function exportCatalogItems(tx: BusinessTx, { format, ...filters }: CatalogItemFilters & { format?: 'csv' | 'xlsx' }): Promise<Download> {
  const page = (by: BusinessTx, paging: PageQuery) => listCatalogItems(by, { ...filters, ...paging, descending: false })
  return fileOfList(tx, { title: 'Catalog items', file_name: 'catalog-items', columns: FILE_COLUMNS, page, row: fileRow }, format)
}

export function getCatalogItem(tx: BusinessTx, item_id: string): Promise<CatalogItem> {
  return tx.get(store.findItem, { id: item_id }, 'Catalog item')
}

export async function createCatalogItem(tx: BusinessTx, input: CatalogItemInput): Promise<CatalogItem> {
  const { books, tax_codes } = await surroundingsOf(tx, [input])
  const after = newItem(tx, tidy(input))
  requireSound(after, null, books, tax_codes)
  save(tx, 'catalog_item.created', [{ before: null, after }])
  return after
}

export async function updateCatalogItem(tx: BusinessTx, item_id: string, input: CatalogItemUpdate): Promise<CatalogItem> {
  const before = await lockItem(tx, item_id)
  const changes = tidy(input)
  if (!differs(before, changes)) return before
  const { books, tax_codes } = await surroundingsOf(tx, [changes])
  const after = changed(before, changes, tx.now)
  requireSound(after, before, books, tax_codes)
  save(tx, 'catalog_item.updated', [{ before, after }])
  return after
}

export async function deleteCatalogItem(tx: BusinessTx, item_id: string): Promise<CatalogItem> {
  const item = await lockItem(tx, item_id)
  requireUnsold(item)
  try {
    await tx.run(store.deleteItem, item)
  } catch (error) {
    throw isReferenced(error) ? used(item) : error
  }
  tx.record(catalogItemResource, 'catalog_item.deleted', { before: item, after: null })
  return item
}

export async function archiveCatalogItem(tx: BusinessTx, item_id: string): Promise<CatalogItem> {
  const before = await lockItem(tx, item_id)
  if (before.archived) return before
  const after = changed(before, { archived: true }, tx.now)
  save(tx, 'catalog_item.archived', [{ before, after }])
  return after
}

export async function restoreCatalogItem(tx: BusinessTx, item_id: string): Promise<CatalogItem> {
  const before = await lockItem(tx, item_id)
  if (!before.archived) return before
  const after = changed(before, { archived: false }, tx.now)
  save(tx, 'catalog_item.restored', [{ before, after }])
  return after
}

export async function duplicateCatalogItem(tx: BusinessTx, item_id: string): Promise<CatalogItem> {
  const item = await getCatalogItem(tx, item_id)
  const after = newItem(tx, { ...item, name: nameOfCopy(item.name), code: null })
  save(tx, 'catalog_item.created', [{ before: null, after }])
  return after
}

export async function bulkCatalogItems(tx: BusinessTx, input: CatalogItemBulk): Promise<BulkResult> {
  const items = input.items.map((item) => tidy(item))
  const keys = items.flatMap(({ code }) => (code ? [keyOf(code)] : []))
  const [{ books, tax_codes }, locked] = await Promise.all([surroundingsOf(tx, items), tx.many(store.lockItemsByCode, { code_keys: keys })])
  const known = await tx.many(store.itemsByIds, { ids: locked.map(({ id }) => id) })
  const byCode = new Map(known.map((item) => [keyOf(item.code ?? ''), item]))
  const met = new Set<string>()
  const [made, edited]: [ItemChange[], ItemChange[]] = [[], []]
  const result = attemptEach(items, input.atomic ?? true, (item) => {
    const key = item.code ? keyOf(item.code) : null
    if (key !== null && met.has(key)) throw invalid(`The code ${item.code} is given twice: give each item once.`)
    if (key !== null) met.add(key)
    const before = key === null ? null : byCode.get(key) ?? null
    if (before && !differs(before, item)) return before.id
    const after = before ? changed(before, item, tx.now) : newItem(tx, requireName(item))
    requireSound(after, before, books, tax_codes)
    ;(before ? edited : made).push({ before, after })
    return after.id
  })
  save(tx, 'catalog_item.created', made)
  save(tx, 'catalog_item.updated', edited)
  return result
}

export async function changeCatalogPrices(tx: BusinessTx, input: CatalogPriceChange): Promise<CatalogPriceResult> {
  requireOneWay(input)
  const items = input.item_ids ? await lockItems(tx, [...new Set(input.item_ids)]) : await lockChosen(tx, input.filter ?? {})
  const changes = items.flatMap((before): ItemChange[] => {
    const prices = repriced(before.prices, input)
    return differs(before, { prices }) ? [{ before, after: changed(before, { prices }, tx.now) }] : []
  })
  save(tx, 'catalog_item.updated', changes)
  return { changed: changes.length, unchanged: items.length - changes.length, items: changes.map(({ after: { id, prices } }) => ({ id, prices })) }
}

function save(tx: BusinessTx, event: ItemEvent, changes: readonly ItemChange[]): void {
  if (changes.length === 0) return
  const rows = JSON.stringify(changes.map(({ after }) => after))
  tx.queue(event === 'catalog_item.created' ? store.insertItems : store.updateItems, { rows })
  if (changes.some(({ before, after }) => differs({ ...after, prices: before?.prices ?? [] }, { prices: after.prices }))) tx.queue(store.savePrices, { rows })
  for (const change of changes) tx.record(catalogItemResource, event, change)
}

function newItem(tx: BusinessTx, input: CatalogItemInput): CatalogItem {
  return {
    id: newId(),
    business_id: tx.business_id,
    name: input.name,
    code: input.code ?? null,
    description: input.description ?? null,
    kind: input.kind ?? 'service',
    unit: input.unit ?? null,
    income_ledger_id: input.income_ledger_id ?? null,
    expense_ledger_id: input.expense_ledger_id ?? null,
    tax_code_id: input.tax_code_id ?? null,
    deferred: input.deferred ?? false,
    recognition: input.recognition ?? null,
    prices: input.prices ?? [],
    archived: false,
    last_sold_on: null,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
}

function requireName(item: CatalogItemUpdate): CatalogItemInput {
  const { name } = item
  if (name === undefined) throw invalid('A new item needs a name.')
  return { ...item, name }
}

async function surroundingsOf(tx: BusinessTx, inputs: readonly CatalogItemUpdate[]): Promise<{ books: Books; tax_codes: Map<string, { code: string; archived: boolean }> }> {
  const ids = [...new Set(inputs.flatMap(({ tax_code_id }) => tax_code_id ?? []))]
  const [{ books }, codes] = await Promise.all([readBooks(tx), ids.length > 0 ? tx.many(store.taxCodes, { ids }) : []])
  return { books, tax_codes: new Map(codes.map((code) => [code.id, code])) }
}

async function lockItem(tx: BusinessTx, item_id: string): Promise<CatalogItem> {
  const [, item] = await Promise.all([tx.lock(store.lockItem, { id: item_id }, 'Catalog item'), getCatalogItem(tx, item_id)])
  return item
}

async function lockItems(tx: BusinessTx, ids: readonly string[]): Promise<CatalogItem[]> {
  const [, items] = await Promise.all([tx.many(store.lockItems, { ids }), tx.many(store.itemsByIds, { ids })])
  const known = new Set(items.map(({ id }) => id))
  const missing = ids.find((id) => !known.has(id))
  if (missing) throw notFound(`Catalog item ${missing}`)
  return items
}

async function lockChosen(tx: BusinessTx, filter: CatalogItemFilters): Promise<CatalogItem[]> {
  const { kind = null, currency = null, code = null, search = null, tag_id = null, updated_since = null } = filter
  const locked = await tx.many(store.lockItemsByFilter, { kind, currency, code, search, tag_id, updated_since, archived: archivedOf(filter) })
  if (locked.length > MOST_PRICED) throw invalid(`The filter chooses more than ${MOST_PRICED} items: narrow it, and change the prices in several calls.`)
  return tx.many(store.itemsByIds, { ids: locked.map(({ id }) => id) })
}

/** Those in use unless said otherwise; null is all. */
function archivedOf({ archived }: { archived?: 'false' | 'true' | 'all' | undefined }): boolean | null {
  return archived === 'all' ? null : archived === 'true'
}
