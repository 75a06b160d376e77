// What a customer may be: where it stands among others, what it may refer to, and how it reads in a file.
import { isCountry } from '../../access/businesses/rules.ts'
import { invalid, notFound, unprocessable, type Problem } from '../../foundation/refusal.ts'
import type { Column, TableRow } from '../../foundation/sheets.ts'
import type { PaymentTerm } from '../payment-terms/contract.ts'
import { requireUsable as requireUsableTerm } from '../payment-terms/rules.ts'
import { MOST_LEVELS, type Customer, type CustomerInput, type CustomerRow, type CustomerUpdate, type Warning } from './contract.ts'

type Given = CustomerInput | CustomerUpdate

/** Texts as they are kept, addresses with their own members only. */
export function tidy<Fields extends Given>(fields: Fields): Fields {
  const { name, external_id, billing_address, shipping_address, tag_ids } = fields
  return {
    ...fields,
    ...(name && { name: name.trim().replaceAll(/\s+/g, ' ') }),
    ...(external_id && { external_id: external_id.trim() }),
    ...(billing_address && { billing_address: addressOf(billing_address) }),
    ...(shipping_address && { shipping_address: addressOf(shipping_address) }),
    ...(tag_ids && { tag_ids: [...new Set(tag_ids)].sort() }),
  }
}

type Address = NonNullable<CustomerRow['billing_address']>

function addressOf({ line1 = null, line2 = null, city = null, region = null, postal_code = null, country = null }: Address): Address {
  return { line1, line2, city, region, postal_code, country }
}

/** Refuses with 422 a country that there is not. */
export function requireRealPlaces(given: Given, ...place: (string | number)[]): void {
  const problems = (['billing_address', 'shipping_address'] as const).flatMap((name): Problem[] => {
    const country = given[name]?.country
    return country && !isCountry(country)
      ? [{ loc: ['body', ...place, name, 'country'], msg: 'Must be a country code of ISO 3166-1, such as US.', type: 'value_error' }] : []
  })
  if (problems.length > 0) throw unprocessable(problems)
}

/** For new documents: an archived customer takes none, a merged one least of all. */
export function requireUsable(customer: Pick<CustomerRow, 'name' | 'status' | 'merged_into'>): void {
  requireNotMerged(customer)
  if (customer.status === 'archived') throw invalid(`The customer “${customer.name}” is archived: restore it first.`)
}

export function requireNotMerged({ name, merged_into }: Pick<CustomerRow, 'name' | 'merged_into'>): void {
  if (merged_into !== null) throw invalid(`The customer “${name}” was merged into ${merged_into}: use that one.`)
}

/** Who belongs to whom, both ways. */
export type Tree = { parents: Map<string, string>; children: Map<string, Set<string>> }

export function treeOf(links: readonly { id: string; parent_id: string }[]): Tree {
  const tree: Tree = { parents: new Map(), children: new Map() }
  for (const { id, parent_id } of links) hang(tree, id, parent_id)
  return tree
}

function hang({ parents, children }: Tree, id: string, parent_id: string | null): void {
  const former = parents.get(id)
  if (former !== undefined) children.get(former)?.delete(id)
  parents.delete(id)
  if (parent_id === null) return
  parents.set(id, parent_id)
  children.set(parent_id, (children.get(parent_id) ?? new Set()).add(id))
}

/** Puts a customer below another; refuses a circle and too many levels, and leaves the tree as it is then. */
export function moveInTree(tree: Tree, id: string, parent_id: string | null): void {
  if (parent_id !== null) {
    const above = ancestorsOf(tree, parent_id)
    if (parent_id === id || above.includes(id)) throw invalid('A customer cannot belong to itself or to one that belongs to it: choose another parent_id.')
    const levels = above.length + 1 + heightOf(tree, id)
    if (levels > MOST_LEVELS) throw invalid(`Customers can stand at most ${MOST_LEVELS} levels deep: choose a parent_id further up.`)
  }
  hang(tree, id, parent_id)
}

/** The nearest first. */
export function ancestorsOf({ parents }: Tree, id: string): string[] {
  const found: string[] = []
  for (let at = parents.get(id); at !== undefined; at = parents.get(at)) found.push(at)
  return found
}

/** All that belong to it, however far below. */
export function descendantsOf(tree: Tree, id: string): string[] {
  return [...(tree.children.get(id) ?? [])].flatMap((child) => [child, ...descendantsOf(tree, child)])
}

function heightOf(tree: Tree, id: string): number {
  return 1 + Math.max(0, ...[...(tree.children.get(id) ?? [])].map((child) => heightOf(tree, child)))
}

export type TagFacts = { id: string; name: string; archived: boolean; group_name: string | null }

/** What new values of customers are held against. */
export type Parts = {
  terms: ReadonlyMap<string, PaymentTerm>
  tax_codes: ReadonlyMap<string, { code: string; archived: boolean }>
  parents: ReadonlyMap<string, CustomerRow>
  tags: ReadonlyMap<string, TagFacts>
  tree: Tree
  /** Customers for whom something is posted. */
  posted: ReadonlySet<string>
}

/** A customer as it is to be; `tag_ids` where they are given. */
export type Proposal = { before: CustomerRow | null; after: CustomerRow; tag_ids?: readonly string[] | undefined; carried?: readonly string[] | undefined }

/** Whether it has this value only now: what it had before stays, even where it could not be chosen any more. */
export function isNew({ before, after }: Proposal, name: 'payment_terms_id' | 'default_tax_code_id' | 'parent_id' | 'currency'): boolean {
  return after[name] !== null && after[name] !== before?.[name]
}

/** Refuses what a proposal refers to wrongly; puts it into its place in the tree. */
export function requireFit(proposal: Proposal, { terms, tax_codes, parents, tags, tree, posted }: Parts): void {
  const { before, after, tag_ids = [], carried = [] } = proposal
  const chosen = <Value>(name: 'payment_terms_id' | 'default_tax_code_id' | 'parent_id', what: string, found: ReadonlyMap<string, Value>): Value | null => {
    const id = after[name]
    if (id === null || !isNew(proposal, name)) return null
    return found.get(id) ?? missing(`${what} ${id} of ${name}`)
  }
  const term = chosen('payment_terms_id', 'Payment terms', terms)
  const tax_code = chosen('default_tax_code_id', 'Tax code', tax_codes)
  const parent = chosen('parent_id', 'Customer', parents)
  const added = tag_ids.filter((id) => !carried.includes(id)).map((id) => tags.get(id) ?? missing(`Tag ${id} of tag_ids`))

  if (term) requireUsableTerm(term)
  if (tax_code?.archived) throw invalid(`The tax code ${tax_code.code} is archived: restore it, or choose another.`)
  if (parent) requireUsable(parent)
  const archived = added.find((tag) => tag.archived)
  if (archived) throw invalid(`The tag “${archived.name}” is archived: restore it first.`)
  requireOneOfAGroup(tag_ids.flatMap((id) => tags.get(id) ?? []))
  if (before && isNew(proposal, 'currency') && posted.has(after.id)) {
    const posted_in = `Something is posted for “${before.name}” in ${before.currency}`
    throw invalid(`${posted_in}, so its currency stays: make another customer for documents in ${after.currency}.`)
  }
  if (after.parent_id !== (before?.parent_id ?? null)) moveInTree(tree, after.id, after.parent_id)
}

function missing(what: string): never {
  throw notFound(what)
}

function requireOneOfAGroup(tags: readonly TagFacts[]): void {
  const grouped = tags.filter(({ group_name }) => group_name !== null)
  const second = grouped.find((tag, index) => grouped.findIndex(({ group_name }) => group_name === tag.group_name) < index)
  if (second) throw invalid(`A customer can have one tag of the group “${second.group_name}”: leave out “${second.name}” or the other one.`)
}

export function warningsOf({ same_email, same_name }: { same_email: string[]; same_name: string[] }): Warning[] {
  const warning = (kind: Warning['kind'], what: string, customer_ids: string[]): Warning[] => {
    const detail = `${customer_ids.length === 1 ? 'Another customer has' : 'Other customers have'} the same ${what}.`
    return customer_ids.length === 0 ? [] : [{ kind, customer_ids, detail }]
  }
  return [...warning('same_email', 'e-mail address', same_email), ...warning('same_name', 'name', same_name)]
}

const text = (key: string, label: string): Column => ({ key, label, kind: 'text' })
const money = (key: string, label: string): Column => ({ key, label, kind: 'money' })
const place = (key: string, label: string) =>
  ['line1', 'line2', 'city', 'region', 'postal_code', 'country'].map((part) => text(`${key}_${part}`, `${label} ${part.replace('_', ' ')}`))

export const FILE_COLUMNS: Column[] = [
  text('name', 'Name'), text('email', 'Email'), text('phone', 'Phone'), text('website', 'Website'), text('tax_number', 'Tax number'),
  text('currency', 'Currency'), money('credit_limit', 'Credit limit'), text('language', 'Language'), text('external_id', 'External id'),
  ...place('billing_address', 'Billing'), ...place('shipping_address', 'Shipping'),
  text('status', 'Status'), money('open_balance', 'Open balance'), money('overdue_balance', 'Overdue balance'), money('unapplied_credit', 'Unapplied credit'),
  money('deposit_balance', 'Deposit balance'), text('last_payment_on', 'Last payment on'), text('notes', 'Notes'), text('id', 'Id'),
]

export function fileRow(customer: Customer): TableRow {
  const parts = (['billing_address', 'shipping_address'] as const).flatMap((key) =>
    Object.entries(customer[key] ?? {}).map(([part, value]) => [`${key}_${part}`, value]))
  return { ...customer, ...Object.fromEntries(parts) } as unknown as TableRow
}
