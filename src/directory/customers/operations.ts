// What can be done with customers.
//
//   customersByIds, customersByKeys    for documents and imports; recipientsOf(tx, id, kind) whom to write to; figuresOf(tx, ids) what they owe
//   linkProcessorCustomer(tx, id, …)   the customer's name at the card processor
//   requireCustomer, lockCustomer, withAliases, readTree, saveCustomers, shownCustomers, requireNoTemplates   for the groups beside this one
import { isReferenced } from '../../foundation/database/errors.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import { newId } from '../../foundation/ids.ts'
import { fileOfList } from '../../foundation/list-file.ts'
import type { Currency } from '../../foundation/money.ts'
import { invalid, Refusal } from '../../foundation/refusal.ts'
import { differs } from '../../ledger/tax-agencies/rules.ts'
import { dropTags, setTags, tagsOf } from '../../workspace/tags/operations.ts'
import { termsByIds } from '../payment-terms/operations.ts'
import {
  customerResource, type Customer, type CustomerBulk, type CustomerBulkResult, type CustomerBulkRow, type CustomerFilters, type CustomerInput,
  type CustomerRow, type CustomerUpdate, type Figures, type SavedCustomer,
} from './contract.ts'
import {
  FILE_COLUMNS, fileRow, isNew, requireFit, requireNotMerged, requireRealPlaces, tidy, treeOf, warningsOf, type Parts, type Proposal, type Tree,
} from './rules.ts'
import * as store from './store.ts'

type CustomerEvent = (typeof customerResource.events)[number]
type CustomerQuery = Omit<PageQuery, 'sort_by'> & CustomerFilters & { sort_by?: string }

export async function listCustomers(tx: BusinessTx, { status = 'active', ...query }: CustomerQuery): Promise<Page<Customer>> {
  const asked = { ...query, ...(status !== 'all' && { status }) }
  const by_figures = query.has_balance !== undefined || query.overdue !== undefined || query.sort_by === 'open_balance' || query.sort_by === 'last_payment_on'
  const page = await tx.page(by_figures ? store.customersByFigures : store.customers, asked)
  return { ...page, items: await shownCustomers(tx, page.items) }
}

export async function getCustomer(tx: BusinessTx, customer_id: string): Promise<Customer> {
  return shown(tx, await requireCustomer(tx, customer_id))
}

/** The stored fields of those of these that are there. A merged one comes as itself: it is archived, and documents refuse it. */
export async function customersByIds(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, CustomerRow>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.many(store.customersByIds, { ids: [...new Set(ids)] })
  return new Map(rows.map((row) => [row.id, row]))
}

type Keys = { external_ids?: readonly string[]; names?: readonly string[] }
export type CustomerKeys = { external_ids: Map<string, CustomerRow>; names: Map<string, CustomerRow[]> }

/** By what was asked for. The external id of a merged customer finds the one it was merged into; a name finds all that have it, ignoring case. */
export async function customersByKeys(tx: BusinessTx, { external_ids = [], names = [] }: Keys): Promise<CustomerKeys> {
  const [by_id, by_name] = await Promise.all([
    external_ids.length > 0 ? tx.many(store.byExternalIds, { external_ids: [...new Set(external_ids)] }) : [],
    names.length > 0 ? tx.many(store.byNames, { names: [...new Set(names)] }) : [],
  ])
  return {
    external_ids: new Map(by_id.map(({ asked, ...row }) => [asked, row])),
    names: new Map([...Map.groupBy(by_name, ({ asked }) => asked)].map(([asked, found]) => [asked, found.map(({ asked: _asked, ...row }) => row)])),
  }
}

/** What these owe and have to their credit, with the customers merged into them; in the base currency. */
export async function figuresOf(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, Figures>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.many(store.figuresByIds, { ids: [...new Set(ids)] })
  return new Map(rows.map(({ customer_id, ...figures }) => [customer_id, figures]))
}

export type MailKind = 'invoices' | 'statements' | 'reminders'

/** The contacts that receive this kind of mail, else the customer's own address; nobody where there is neither. */
export async function recipientsOf(tx: BusinessTx, customer_id: string, kind: MailKind): Promise<string[]> {
  const contacts = await tx.many(store.recipients, { customer_id, kind })
  if (contacts.length > 0) return contacts.map(({ email }) => email)
  const { email } = await requireCustomer(tx, customer_id)
  return email === null ? [] : [email]
}

export async function createCustomer(tx: BusinessTx, input: CustomerInput): Promise<SavedCustomer> {
  requireRealPlaces(input)
  const { tag_ids = [], ...given } = tidy(input)
  const proposal: Proposal = { before: null, after: newCustomer(tx, given), tag_ids }
  requireFit(proposal, await readParts(tx, [proposal]))
  await writeProposals(tx, [proposal])
  return saved(tx, proposal.after)
}

export async function updateCustomer(tx: BusinessTx, customer_id: string, input: CustomerUpdate): Promise<SavedCustomer> {
  requireRealPlaces(input)
  const before = await lockCustomer(tx, customer_id)
  requireNotMerged(before)
  const proposal = await proposed(tx, before, input)
  if (!proposal) return saved(tx, before)
  requireFit(proposal, await readParts(tx, [proposal]))
  await writeProposals(tx, [proposal])
  return saved(tx, proposal.after)
}

export async function deleteCustomer(tx: BusinessTx, customer_id: string): Promise<Customer> {
  const row = await lockCustomer(tx, customer_id)
  const customer = await shown(tx, row)
  const used = () => invalid(`The customer “${row.name}” is named by a document, an entry or another customer: archive it instead.`)
  if ((await tx.get(store.useOf, { id: customer_id }, 'Customer')).used) throw used()
  try {
    await tx.run(store.deleteCustomer, row)
  } catch (error) {
    throw isReferenced(error) ? used() : error
  }
  await dropTags(tx, { resource_type: 'customer', resource_id: customer_id })
  tx.record(customerResource, 'customer.deleted', { before: { ...row, tag_ids: customer.tag_ids }, after: null })
  return customer
}

export async function archiveCustomer(tx: BusinessTx, customer_id: string): Promise<Customer> {
  const row = await lockCustomer(tx, customer_id)
  if (row.status === 'archived') return shown(tx, row)
  await requireNoTemplates(tx, [row])
  return saveOne(tx, 'customer.archived', row, { status: 'archived' })
}

export async function restoreCustomer(tx: BusinessTx, customer_id: string): Promise<Customer> {
  const row = await lockCustomer(tx, customer_id)
  requireNotMerged(row)
  return row.status === 'active' ? shown(tx, row) : saveOne(tx, 'customer.restored', row, { status: 'active' })
}

/** Refuses where something would go on making documents for one of these. */
export async function requireNoTemplates(tx: BusinessTx, customers: readonly CustomerRow[]): Promise<void> {
  const template = await tx.find(store.openTemplate, { ids: customers.map(({ id }) => id) })
  const customer = customers.find(({ id }) => id === template?.customer_id)
  if (template && customer) throw invalid(`The recurring template “${template.name}” bills “${customer.name}”: end it first.`)
}

/** Creates those whose external id is not known, and updates the others. */
export async function bulkCustomers(tx: BusinessTx, { customers, atomic = true }: CustomerBulk): Promise<CustomerBulkResult> {
  // One at a time: of two that bring the same customer the second updates what the first has made.
  await tx.exclusive(`customers of ${tx.business_id}`)
  customers.forEach((input, index) => requireRealPlaces(input, 'customers', index))
  const items = customers.map(tidy)
  const external_ids = items.flatMap(({ external_id }) => external_id ?? [])
  const known = new Map((external_ids.length > 0 ? await tx.many(store.lockByExternalIds, { external_ids }) : []).map(({ asked, ...row }) => [asked, row]))
  const carried = await tagsOf(tx, 'customer', [...known.values()].map(({ id }) => id))
  const proposals = items.map(({ external_id = null, ...input }): Proposal => {
    const before = known.get(external_id ?? '')
    // Its own external id stays: it may have been found by that of a customer merged into it.
    if (before) return edited(tx, before, input, carried.get(before.id) ?? [])
    return { before: null, after: newCustomer(tx, { ...input, external_id }), tag_ids: input.tag_ids }
  })
  const parts = await readParts(tx, proposals)
  const seen = new Map<string, number>()
  const rows = proposals.map((proposal, index): CustomerBulkRow => {
    try {
      const key = proposal.before?.id ?? items[index]?.external_id ?? proposal.after.id
      const same = seen.get(key)
      if (same !== undefined) throw invalid(`Item ${same} is about the same customer: send it once.`)
      seen.set(key, index)
      requireFit(proposal, parts)
      return { index, status: !proposal.before ? 'created' : says(proposal) ? 'updated' : 'skipped', id: proposal.after.id, detail: null }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (atomic) throw invalid(`Item ${index}: ${error.detail}`)
      return { index, status: 'error', id: null, detail: error.detail }
    }
  })
  await writeProposals(tx, proposals.filter((_, index) => rows[index]?.status === 'created' || rows[index]?.status === 'updated'))
  const count = (status: string) => rows.filter((row) => row.status === status).length
  return { created: count('created'), updated: count('updated'), skipped: count('skipped'), failed: count('error'), rows }
}

export function exportCustomers(tx: BusinessTx, { format, ...query }: CustomerFilters & { format?: 'csv' | 'xlsx' }): Promise<Download> {
  const page = (by: BusinessTx, paging: PageQuery) => listCustomers(by, { ...query, ...paging, sort_by: 'name', descending: false })
  return fileOfList(tx, { title: 'Customers', file_name: 'customers', columns: FILE_COLUMNS, page, row: fileRow }, format)
}

/** What the card processor calls it. */
export async function linkProcessorCustomer(tx: BusinessTx, customer_id: string, processor_customer_id: string): Promise<void> {
  const row = await tx.get(store.lockCustomer, { id: customer_id }, 'Customer')
  if (row.processor_customer_id !== processor_customer_id) await saveOne(tx, 'customer.updated', row, { processor_customer_id })
}

/** The stored fields, or a 404. */
export function requireCustomer(tx: BusinessTx, customer_id: string): Promise<CustomerRow> {
  return tx.get(store.findCustomer, { id: customer_id }, 'Customer')
}

/** The ids whose sums count as this customer's: its own, and those that were merged into it. */
export async function withAliases(tx: BusinessTx, customer_id: string): Promise<string[]> {
  return (await tx.many(store.withAliases, { id: customer_id })).map(({ id }) => id)
}

export function lockCustomer(tx: BusinessTx, customer_id: string): Promise<CustomerRow> {
  return tx.lock(store.lockCustomer, { id: customer_id }, 'Customer')
}

/** Who belongs to whom. `changing` keeps others from changing it: two moves at once could close a circle. */
export async function readTree(tx: BusinessTx, changing: boolean): Promise<Tree> {
  if (changing) await tx.exclusive(`tree of customers of ${tx.business_id}`)
  return treeOf(await tx.many(store.links))
}

export type CustomerChange = {
  event: CustomerEvent
  before: CustomerRow | null
  after: CustomerRow
  tag_ids: readonly string[]
  /** Where they were others before. */
  tag_ids_before?: readonly string[] | undefined
}

/** Writes customers, however many, and records each. */
export function saveCustomers(tx: BusinessTx, changes: readonly CustomerChange[]): void {
  const write = (statement: typeof store.insertCustomers, some: readonly CustomerChange[]) =>
    some.length > 0 && tx.queue(statement, { rows: JSON.stringify(some.map(({ after }) => after)) })
  write(store.insertCustomers, changes.filter(({ before }) => before === null))
  write(store.updateCustomers, changes.filter(({ before }) => before !== null))
  for (const { event, before, after, tag_ids, tag_ids_before = tag_ids } of changes) {
    tx.record(customerResource, event, { before: before && { ...before, tag_ids: tag_ids_before }, after: { ...after, tag_ids } })
  }
}

export async function shownCustomers(tx: BusinessTx, rows: readonly CustomerRow[]): Promise<Customer[]> {
  if (rows.length === 0) return []
  const found = new Map((await tx.many(store.liveOf, { ids: rows.map(({ id }) => id) })).map((live) => [live.id, live]))
  return rows.map((row) => ({ ...NOTHING, ...row, ...found.get(row.id) }))
}

const NOTHING = { tax_exempt: false, tag_ids: [], open_balance: 0, overdue_balance: 0, unapplied_credit: 0, deposit_balance: 0, last_payment_on: null }

async function shown(tx: BusinessTx, row: CustomerRow): Promise<Customer> {
  const [customer] = await shownCustomers(tx, [row])
  return customer as Customer
}

async function saved(tx: BusinessTx, row: CustomerRow): Promise<SavedCustomer> {
  const [customer, lookalikes] = await Promise.all([shown(tx, row), tx.get(store.lookalikes, { id: row.id, name: row.name, email: row.email }, 'Customer')])
  return { ...customer, warnings: warningsOf(lookalikes) }
}

async function saveOne(tx: BusinessTx, event: CustomerEvent, before: CustomerRow, changes: Partial<CustomerRow>): Promise<Customer> {
  const after = changed(before, changes, tx.now)
  const customer = await shown(tx, after)
  saveCustomers(tx, [{ event, before, after, tag_ids: customer.tag_ids }])
  return customer
}

/** What an update says, or null where it says nothing new. */
async function proposed(tx: BusinessTx, before: CustomerRow, input: CustomerUpdate): Promise<Proposal | null> {
  const carried = (await tagsOf(tx, 'customer', [before.id])).get(before.id) ?? []
  const proposal = edited(tx, before, tidy(input), carried)
  return says(proposal) ? proposal : null
}

function edited(tx: BusinessTx, before: CustomerRow, { tag_ids, ...given }: CustomerUpdate, carried: readonly string[]): Proposal {
  return { before, after: changed(before, given as Partial<CustomerRow>, tx.now), tag_ids, carried }
}

function says({ before, after, tag_ids, carried }: Proposal): boolean {
  const { updated_at: _at, version: _version, ...fields } = after
  return before === null || differs(before, fields) || (tag_ids !== undefined && differs({ tag_ids: carried }, { tag_ids }))
}

async function writeProposals(tx: BusinessTx, proposals: readonly Proposal[]): Promise<void> {
  if (proposals.length === 0) return
  saveCustomers(tx, proposals.map(({ before, after, tag_ids, carried = [] }) => ({
    event: before ? 'customer.updated' : 'customer.created', before, after, tag_ids: tag_ids ?? carried, tag_ids_before: carried,
  })))
  const tagged = proposals.flatMap(({ before, after, tag_ids }): [string, readonly string[]][] =>
    (tag_ids && (before || tag_ids.length > 0) ? [[after.id, tag_ids]] : []))
  await setTags(tx, 'customer', new Map(tagged))
}

/** What these proposals are held against, read at once. The tree is locked where one of them moves in it. */
async function readParts(tx: BusinessTx, proposals: readonly Proposal[]): Promise<Parts> {
  const newly = (name: 'payment_terms_id' | 'default_tax_code_id' | 'parent_id') =>
    [...new Set(proposals.flatMap((proposal) => (isNew(proposal, name) ? proposal.after[name] ?? [] : [])))]
  const [code_ids, tag_ids] = [newly('default_tax_code_id'), [...new Set(proposals.flatMap((proposal) => proposal.tag_ids ?? []))]]
  const moved = proposals.some(({ before, after }) => after.parent_id !== (before?.parent_id ?? null))
  const revalued = proposals.flatMap((proposal) => (proposal.before && isNew(proposal, 'currency') ? proposal.after.id : []))
  const tree = moved ? await readTree(tx, true) : treeOf([])
  const [terms, codes, parents, tags, posted] = await Promise.all([
    termsByIds(tx, newly('payment_terms_id')),
    code_ids.length > 0 ? tx.many(store.taxCodesByIds, { ids: code_ids }) : [],
    customersByIds(tx, newly('parent_id')),
    tag_ids.length > 0 ? tx.many(store.tagsByIds, { ids: tag_ids }) : [],
    revalued.length > 0 ? tx.many(store.postedFor, { ids: revalued }) : [],
  ])
  return {
    terms, parents, tree,
    tax_codes: new Map(codes.map((code) => [code.id, code])),
    tags: new Map(tags.map((tag) => [tag.id, tag])),
    posted: new Set(posted.map(({ id }) => id)),
  }
}

function newCustomer(tx: BusinessTx, input: Omit<CustomerInput, 'tag_ids'>): CustomerRow {
  return {
    id: newId(),
    business_id: tx.business_id,
    name: input.name,
    email: input.email ?? null,
    phone: input.phone ?? null,
    website: input.website ?? null,
    tax_number: input.tax_number ?? null,
    billing_address: input.billing_address ?? null,
    shipping_address: input.shipping_address ?? null,
    currency: input.currency ?? (tx.business.base_currency as Currency),
    payment_terms_id: input.payment_terms_id ?? null,
    default_tax_code_id: input.default_tax_code_id ?? null,
    credit_limit: input.credit_limit ?? null,
    language: input.language ?? 'en',
    parent_id: input.parent_id ?? null,
    external_id: input.external_id ?? null,
    notes: input.notes ?? null,
    reminders_paused: input.reminders_paused ?? false,
    status: 'active',
    merged_into: null,
    processor_customer_id: null,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
}
