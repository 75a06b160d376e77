// What can be done with tax groups. The journal is locked first, as by whoever changes the tax set-up.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { lockJournal } from '../books/operations.ts'
import { differs, kindOfChange } from '../tax-agencies/rules.ts'
import { requireTaxRates } from '../tax-rates/operations.ts'
import { taxGroupResource, type TaxGroup, type TaxGroupComponent, type TaxGroupInput, type TaxGroupUpdate } from './contract.ts'
import { compositionFrozen, requireUsable, tidyComponents } from './rules.ts'
import * as store from './store.ts'

export function listTaxGroups(tx: BusinessTx, query: PageQuery) {
  const asked = { archived: 'false', ...query }
  return tx.page(store.taxGroups, asked)
}

export function getTaxGroup(tx: BusinessTx, id: string): Promise<TaxGroup> {
  return tx.get(store.findTaxGroup, { id }, 'Tax group')
}

/** For what refers to a group: 404 where it is not there, 400 where it is archived. */
export async function requireTaxGroup(tx: BusinessTx, id: string): Promise<TaxGroup> {
  const group = await tx.get(store.findTaxGroup, { id }, `Tax group ${id}`)
  requireUsable(group)
  return group
}

export async function createTaxGroup(tx: BusinessTx, input: TaxGroupInput): Promise<TaxGroup> {
  await lockJournal(tx)
  await requireTaxRates(tx, input.components.map(({ rate_id }) => rate_id))
  const group: TaxGroup = {
    id: newId(),
    business_id: tx.business_id,
    name: input.name,
    archived: false,
    components: tidyComponents(input.components),
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  tx.queue(store.insertTaxGroup, group)
  writeComponents(tx, group.id, group.components)
  tx.record(taxGroupResource, 'tax_group.created', { before: null, after: group })
  return group
}

export async function updateTaxGroup(tx: BusinessTx, id: string, input: TaxGroupUpdate): Promise<TaxGroup> {
  await lockJournal(tx)
  const group = await tx.lock(store.lockTaxGroup, { id }, 'Tax group')
  const known = new Set(group.components.map(({ rate_id }) => rate_id))
  await requireTaxRates(tx, (input.components ?? []).map(({ rate_id }) => rate_id).filter((rate_id) => !known.has(rate_id)))
  const { components: given, ...rest } = input
  const components = given && tidyComponents(given)
  const changes: Partial<TaxGroup> = { ...rest, ...(components && { components }) }
  if (!differs(group, changes)) return group
  if (components && differs(group, { components })) {
    const { posted } = await tx.get(store.useOfTaxGroup, { id }, 'Tax group')
    if (posted) throw compositionFrozen(group)
    tx.queue(store.deleteComponents, { id })
    writeComponents(tx, id, components)
  }
  return save(tx, group, changes)
}

export async function deleteTaxGroup(tx: BusinessTx, id: string): Promise<TaxGroup> {
  await lockJournal(tx)
  const group = await tx.lock(store.lockTaxGroup, { id }, 'Tax group')
  const { used } = await tx.get(store.useOfTaxGroup, { id }, 'Tax group')
  if (used) return group.archived ? group : save(tx, group, { archived: true })
  tx.queue(store.deleteTaxGroup, group)
  tx.record(taxGroupResource, 'tax_group.deleted', { before: group, after: null })
  // archived: true in the answer means that it is still there.
  return { ...group, archived: false }
}

function save(tx: BusinessTx, group: TaxGroup, changes: Partial<TaxGroup>): TaxGroup {
  const after = changed(group, changes, tx.now)
  tx.queue(store.updateTaxGroup, after)
  tx.record(taxGroupResource, `tax_group.${kindOfChange(group, after)}`, { before: group, after })
  return after
}

function writeComponents(tx: BusinessTx, id: string, components: readonly TaxGroupComponent[]): void {
  tx.queue(store.insertComponents, { id, rate_ids: components.map(({ rate_id }) => rate_id), compounds: components.map(({ compound }) => compound) })
}
