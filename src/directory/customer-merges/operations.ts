// Finding customers that are there twice, and making one of them.
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { notFound } from '../../foundation/refusal.ts'
import { tagsOf } from '../../workspace/tags/operations.ts'
import { moveContacts } from '../customer-contacts/operations.ts'
import type { Customer, CustomerRow } from '../customers/contract.ts'
import { customersByIds, readTree, requireNoTemplates, saveCustomers, shownCustomers, type CustomerChange } from '../customers/operations.ts'
import { moveInTree } from '../customers/rules.ts'
import type { CustomerDuplicates } from './contract.ts'
import { requireMergeable } from './rules.ts'
import * as store from './store.ts'

export async function listDuplicates(tx: BusinessTx, query: PageQuery): Promise<Page<CustomerDuplicates>> {
  const page = await tx.page(store.duplicates, query)
  const rows = await customersByIds(tx, page.items.flatMap(({ customer_ids }) => customer_ids))
  const shortened = ({ id, name, email, tax_number, external_id }: CustomerRow) => ({ id, name, email, tax_number, external_id })
  const items = page.items.map(({ evidence, value, customer_ids }) => ({
    evidence, value, customers: customer_ids.flatMap((id) => rows.get(id) ?? []).map(shortened),
  }))
  return { ...page, items }
}

/** The others become aliases: whoever adds up by customer counts theirs with the target's. */
export async function mergeCustomers(tx: BusinessTx, customer_id: string, given_ids: readonly string[]): Promise<Customer> {
  const source_ids = [...new Set(given_ids)]
  const rows = new Map((await tx.many(store.lockWithFollowers, { ids: [customer_id, ...source_ids], source_ids })).map((row) => [row.id, row]))
  const target = rows.get(customer_id)
  if (!target) throw notFound('Customer')
  tx.checkMatch(target.version)
  const sources = source_ids.map((id) => {
    const source = rows.get(id)
    if (!source) throw notFound(`Customer ${id} of source_ids`)
    return source
  }).filter(({ merged_into }) => merged_into !== customer_id)
  if (sources.length === 0) return shown(tx, target)
  const tree = await readTree(tx, true)
  requireMergeable(target, sources, tree)
  await requireNoTemplates(tx, sources)

  const merged = new Set(sources.map(({ id }) => id))
  const changes = [...rows.values()].flatMap((before): Omit<CustomerChange, 'tag_ids'>[] => {
    const change = (event: CustomerChange['event'], values: Partial<CustomerRow>) => [{ event, before, after: changed(before, values, tx.now) }]
    if (merged.has(before.id)) {
      moveInTree(tree, before.id, null)
      return change('customer.merged', { status: 'archived', merged_into: customer_id, parent_id: null, processor_customer_id: null })
    }
    if (before.merged_into !== null && merged.has(before.merged_into)) return change('customer.merged', { merged_into: customer_id })
    return []
  })
  // Only once all sources have left the tree, so that one of them is in nobody's way.
  for (const before of rows.values()) {
    if (before.parent_id === null || !merged.has(before.parent_id) || merged.has(before.id)) continue
    moveInTree(tree, before.id, customer_id)
    changes.push({ event: 'customer.updated', before, after: changed(before, { parent_id: customer_id }, tx.now) })
  }
  const cards = sources.find(({ processor_customer_id }) => processor_customer_id !== null)?.processor_customer_id
  if (cards) changes.push({ event: 'customer.updated', before: target, after: changed(target, { processor_customer_id: cards }, tx.now) })

  const tags = await tagsOf(tx, 'customer', changes.map(({ after }) => after.id))
  saveCustomers(tx, changes.map((change) => ({ ...change, tag_ids: tags.get(change.after.id) ?? [] })))
  await moveContacts(tx, [...merged], customer_id)
  return shown(tx, changes.find(({ after }) => after.id === customer_id)?.after ?? target)
}

async function shown(tx: BusinessTx, row: CustomerRow): Promise<Customer> {
  const [customer] = await shownCustomers(tx, [row])
  return customer as Customer
}
