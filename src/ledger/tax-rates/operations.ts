// What can be done with tax rates. The journal is locked first, as by whoever changes the tax set-up.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid } from '../../foundation/refusal.ts'
import { lockJournal } from '../books/operations.ts'
import { plainDecimal } from '../posting/rules.ts'
import { requireTaxAgencies } from '../tax-agencies/operations.ts'
import { differs, inOrder, kindOfChange } from '../tax-agencies/rules.ts'
import { taxRateResource, type TaxRate, type TaxRateInput, type TaxRateUpdate, type TaxRateVersion } from './contract.ts'
import { changedSpans, requireUsable, tidyVersions, usedOn, type Span } from './rules.ts'
import * as store from './store.ts'

export function listTaxRates(tx: BusinessTx, query: PageQuery) {
  const asked = { archived: 'false', ...query }
  return tx.page(store.taxRates, asked)
}

export function getTaxRate(tx: BusinessTx, id: string): Promise<TaxRate> {
  return tx.get(store.findTaxRate, { id }, 'Tax rate')
}

/** For what refers to rates: 404 naming one that is not there, 400 one that is archived. */
export async function requireTaxRates(tx: BusinessTx, ids: readonly string[]): Promise<TaxRate[]> {
  const rates = inOrder('Tax rate', ids, ids.length > 0 ? await tx.many(store.taxRatesById, { ids }) : [])
  rates.forEach(requireUsable)
  return rates
}

export async function createTaxRate(tx: BusinessTx, input: TaxRateInput): Promise<TaxRate> {
  await lockJournal(tx)
  const [agency] = await requireTaxAgencies(tx, [input.agency_id])
  const rate: TaxRate = {
    id: newId(),
    business_id: tx.business_id,
    name: input.name,
    agency_id: input.agency_id,
    recoverable_percent: plainDecimal(input.recoverable_percent ?? (agency?.country === 'US' ? '0' : '100')),
    archived: false,
    versions: tidyVersions(input.versions),
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  tx.queue(store.insertTaxRate, rate)
  writeVersions(tx, rate.id, rate.versions)
  tx.record(taxRateResource, 'tax_rate.created', { before: null, after: rate })
  return rate
}

export async function updateTaxRate(tx: BusinessTx, id: string, input: TaxRateUpdate): Promise<TaxRate> {
  await lockJournal(tx)
  const rate = await tx.lock(store.lockTaxRate, { id }, 'Tax rate')
  const changes = tidy(input)
  if (!differs(rate, changes)) return rate
  const moved = changes.agency_id !== undefined && changes.agency_id !== rate.agency_id
  if (moved) await requireTaxAgencies(tx, [changes.agency_id as string])
  if (moved && (await firstUse(tx, id, [{ from: '0001-01-01', before: null }]))) {
    throw invalid(`“${rate.name}” was used, so it stays with its agency: make another rate for the other one.`)
  }
  const spans = changes.versions ? changedSpans(rate.versions, changes.versions) : []
  const used = await firstUse(tx, id, spans)
  if (used) throw usedOn(rate, used)
  if (changes.versions) {
    tx.queue(store.deleteVersions, { id })
    writeVersions(tx, id, changes.versions)
  }
  return save(tx, rate, changes, spans.length > 0)
}

export async function deleteTaxRate(tx: BusinessTx, id: string): Promise<TaxRate> {
  await lockJournal(tx)
  const rate = await tx.lock(store.lockTaxRate, { id }, 'Tax rate')
  const { used } = await tx.get(store.isTaxRateReferredTo, { id }, 'Tax rate')
  if (used) return rate.archived ? rate : save(tx, rate, { archived: true }, false)
  tx.queue(store.deleteTaxRate, rate)
  tx.record(taxRateResource, 'tax_rate.deleted', { before: rate, after: null })
  // archived: true in the answer means that it is still there.
  return { ...rate, archived: false }
}

function tidy({ versions, recoverable_percent, ...rest }: TaxRateUpdate): Partial<TaxRate> {
  return {
    ...rest,
    ...(versions && { versions: tidyVersions(versions) }),
    ...(recoverable_percent !== undefined && { recoverable_percent: plainDecimal(recoverable_percent) }),
  }
}

function save(tx: BusinessTx, rate: TaxRate, changes: Partial<TaxRate>, percents: boolean): TaxRate {
  const after = changed(rate, changes, tx.now)
  tx.queue(store.updateTaxRate, after)
  tx.record(taxRateResource, percents ? 'tax_rate.changed' : `tax_rate.${kindOfChange(rate, after)}`, { before: rate, after })
  return after
}

function writeVersions(tx: BusinessTx, id: string, versions: readonly TaxRateVersion[]): void {
  tx.queue(store.insertVersions, { id, dates: versions.map(({ valid_from }) => valid_from), percents: versions.map(({ percent }) => percent) })
}

async function firstUse(tx: BusinessTx, id: string, spans: readonly Span[]): Promise<string | null> {
  if (spans.length === 0) return null
  const use = await tx.find(store.firstUse, { id, from: spans.map(({ from }) => from), before: spans.map(({ before }) => before) })
  return use?.date ?? null
}
