// What can be done with the ledgers of a business.
import { attemptEach, type BulkResult } from '../../foundation/bulk.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { addCents, type Currency } from '../../foundation/money.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid, notFound, Refusal } from '../../foundation/refusal.ts'
import { lockJournal } from '../books/operations.ts'
import type { Books } from '../books/contract.ts'
import { isProfitAndLoss, nameOf, periodOf } from '../posting/rules.ts'
import { ledgerResource, type Ledger, type LedgerBulk, type LedgerInput, type LedgerRow, type LedgerUpdate } from './contract.ts'
import {
  changesOf, mergedInto, newLedger, normalSide, requireArchivable, requireChangeable, requireDeletable, requireInput, requireMergeable, requireSound, settle,
  signOf, type Chart, type Proposal,
} from './rules.ts'
import * as store from './store.ts'

type LedgerEvent = (typeof ledgerResource.events)[number]
export type LedgerChange = { before: LedgerRow | null; after: LedgerRow }
export type LedgerQuery = PageQuery & { archived?: string }

export async function listLedgers(tx: BusinessTx, { archived = 'false', ...query }: LedgerQuery): Promise<Page<Ledger>> {
  const asked = { ...query, ...(archived === 'all' ? {} : { archived: archived === 'true' }) }
  const page = await tx.page(query.sort_by === 'balance' ? store.ledgersByBalance : store.ledgers, asked)
  const balances = new Map((await tx.many(store.balances, { ids: page.items.map(({ id }) => id) })).map((row) => [row.ledger_id, row]))
  return { ...page, items: page.items.map((ledger) => withFigures(ledger, balances.get(ledger.id))) }
}

export async function getLedger(tx: BusinessTx, ledger_id: string): Promise<Ledger> {
  const [ledger, balance] = await Promise.all([tx.get(store.findLedger, { id: ledger_id }, 'Ledger'), tx.find(store.balances, { ids: [ledger_id] })])
  return withFigures(ledger, balance)
}

export async function createLedger(tx: BusinessTx, input: LedgerInput): Promise<Ledger> {
  const { chart } = await lockChart(tx)
  await requireReferences(tx, chart, [input])
  const after = proposed(tx, input)
  requirePlace(chart, { before: null, after })
  saveLedgers(tx, 'ledger.created', [{ before: null, after }])
  return shown(tx, chart, after)
}

export async function updateLedger(tx: BusinessTx, ledger_id: string, input: LedgerUpdate): Promise<Ledger> {
  const { chart } = await lockChart(tx)
  const before = lockedLedger(tx, chart, ledger_id)
  await requireReferences(tx, chart, [input])
  const after = edited(tx, chart, before, input)
  if (after === before) return shown(tx, chart, before)
  requirePlace(chart, { before, after })
  saveLedgers(tx, 'ledger.updated', [{ before, after }])
  return shown(tx, chart, after)
}

export async function deleteLedger(tx: BusinessTx, ledger_id: string): Promise<Ledger> {
  const { chart } = await lockChart(tx)
  const ledger = lockedLedger(tx, chart, ledger_id)
  requireDeletable(chart, ledger)
  tx.queue(store.deleteLedger, ledger)
  tx.record(ledgerResource, 'ledger.deleted', { before: ledger, after: null })
  return shown(tx, chart, ledger)
}

export async function archiveLedger(tx: BusinessTx, ledger_id: string): Promise<Ledger> {
  const { chart, books } = await lockChart(tx)
  const before = lockedLedger(tx, chart, ledger_id)
  if (before.archived) return shown(tx, chart, before)
  const since = isProfitAndLoss(before) ? fiscalYearStart(books, tx.today) : null
  requireArchivable(chart.ledgers, before, await balancesOf(tx, chart, before, since), tx.business.base_currency as Currency)
  return save(tx, chart, 'ledger.archived', before, { archived: true })
}

export async function restoreLedger(tx: BusinessTx, ledger_id: string): Promise<Ledger> {
  const { chart } = await lockChart(tx)
  const before = lockedLedger(tx, chart, ledger_id)
  if (!before.archived) return shown(tx, chart, before)
  if (before.merged_into_id) throw invalid(`${nameOf(before)} is merged into another ledger: unmerge it instead.`)
  return save(tx, chart, 'ledger.restored', before, { archived: false })
}

/** Ledgers that were merged into this one go along, so that a ledger stands for others at first hand only. */
export async function mergeLedger(tx: BusinessTx, ledger_id: string, into_id: string): Promise<Ledger> {
  const { chart } = await lockChart(tx)
  const before = lockedLedger(tx, chart, ledger_id)
  const into = chart.ledgers.get(into_id)
  if (!into) throw notFound(`Ledger ${into_id} of into_id`)
  if (before.merged_into_id === into_id) return shown(tx, chart, before)
  requireMergeable(chart.ledgers, before, into)
  const after = changed(before, { archived: true, merged_into_id: into_id }, tx.now)
  const along = mergedInto(chart.ledgers, ledger_id).map((ledger) => ({ before: ledger, after: changed(ledger, { merged_into_id: into_id }, tx.now) }))
  saveLedgers(tx, 'ledger.merged', [{ before, after }, ...along])
  return shown(tx, chart, after)
}

export async function unmergeLedger(tx: BusinessTx, ledger_id: string): Promise<Ledger> {
  const { chart } = await lockChart(tx)
  const before = lockedLedger(tx, chart, ledger_id)
  if (!before.merged_into_id) return shown(tx, chart, before)
  return save(tx, chart, 'ledger.unmerged', before, { archived: false, merged_into_id: null })
}

export async function bulkLedgers(tx: BusinessTx, { items, atomic = true }: LedgerBulk): Promise<BulkResult> {
  const { chart } = await lockChart(tx)
  await requireTaxCodes(tx, items)
  const seen = new Set<string>()
  const { changes, refused } = together(chart, items.map((item) => () => {
    if (item.id === undefined) return { before: null, after: proposed(tx, requireInput(item)) }
    const before = chart.ledgers.get(item.id)
    if (!before) throw notFound(`Ledger ${item.id}`)
    if (seen.has(item.id)) throw invalid(`${nameOf(before)} is in this call twice.`)
    seen.add(item.id)
    const { id: _id, ...input } = item
    return { before, after: edited(tx, chart, before, input) }
  }))
  const [first] = refused
  if (atomic && first) throw invalid(`Item ${first[0]}: ${first[1].detail}`)
  saveProposals(tx, changes.values())
  return attemptEach(items, false, (_item, index) => {
    const refusal = refused.get(index)
    if (refusal) throw refusal
    return changes.get(index)?.after.id ?? ''
  })
}

/** Locks the journal and reads the whole chart: every change of ledgers decides by it. */
export async function lockChart(tx: BusinessTx): Promise<{ chart: Chart; books: Books }> {
  const { books } = await lockJournal(tx)
  return { chart: await readChart(tx), books }
}

/** In the order of numbers, those without one last. */
export async function readChart(tx: BusinessTx): Promise<Chart> {
  const rows = await tx.many(store.chart)
  const used = new Set(rows.filter((row) => row.used).map(({ id }) => id))
  return { ledgers: new Map(rows.map(({ used: _used, ...ledger }) => [ledger.id, ledger])), used }
}

/** Several changes at once: those that can be made together, by their place in the list, and what was said against the others, first things first. */
export function together(chart: Chart, attempts: readonly (() => LedgerChange)[]): { changes: Map<number, LedgerChange>; refused: Map<number, Refusal> } {
  const refused = new Map<number, Refusal>()
  const proposals: Proposal[] = []
  for (const [index, attempt] of attempts.entries()) {
    try {
      proposals.push({ index, ...attempt() })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.set(index, error)
    }
  }
  const settled = settle(chart.ledgers, proposals)
  for (const [index, refusal] of settled.refused) refused.set(index, refusal)
  return { changes: new Map(settled.standing.map(({ index, before, after }) => [index, { before, after }])), refused }
}

/** Writes what is new and what differs, each with its event. */
export function saveProposals(tx: BusinessTx, changes: Iterable<LedgerChange>): void {
  const real = [...changes].filter(({ before, after }) => before !== after)
  if (real.length === 0) return
  writeLedgers(tx, real)
  for (const change of real) tx.record(ledgerResource, change.before ? 'ledger.updated' : 'ledger.created', change)
}

export function saveLedgers(tx: BusinessTx, event: LedgerEvent, changes: readonly LedgerChange[]): void {
  writeLedgers(tx, changes)
  for (const change of changes) tx.record(ledgerResource, event, change)
}

/** Deletes ledgers of a chart that is locked. That nothing names them is the caller's to have seen. */
export function removeLedgers(tx: BusinessTx, chart: Chart, ledgers: readonly LedgerRow[]): void {
  if (ledgers.length === 0) return
  for (const ledger of ledgers) requireDeletable(chart, ledger)
  tx.queue(store.deleteLedgers, { ids: ledgers.map(({ id }) => id) })
  for (const ledger of ledgers) tx.record(ledgerResource, 'ledger.deleted', { before: ledger, after: null })
}

/** Writes ledgers and says nothing of it: for the chart of a new business, whose making is one event. */
export function writeLedgers(tx: BusinessTx, changes: readonly LedgerChange[]): void {
  const rows = (wanted: readonly LedgerChange[]) => JSON.stringify(wanted.map(({ after }) => after))
  tx.queue(store.writeLedgers, { made: rows(changes.filter(({ before }) => !before)), changed: rows(changes.filter(({ before }) => before)) })
}

/** A new ledger that is sound by itself. */
export function proposed(tx: BusinessTx, input: LedgerInput): LedgerRow {
  const ledger = newLedger(input, { id: newId(), business_id: tx.business_id, base_currency: tx.business.base_currency as Currency, now: tx.now })
  requireSound(ledger, tx.business.base_currency)
  return ledger
}

/** The ledger as it would be; the same object where nothing changes. */
export function edited(tx: BusinessTx, chart: Chart, before: LedgerRow, input: LedgerUpdate): LedgerRow {
  const changes = changesOf(before, input)
  if (Object.keys(changes).length === 0) return before
  const after = changed(before, changes, tx.now)
  requireChangeable(chart, before, after)
  requireSound(after, tx.business.base_currency)
  return after
}

/** What stands on a ledger and on those merged into it, per currency, where it is not zero. */
export async function balancesOf(tx: BusinessTx, chart: Chart, ledger: LedgerRow, since: string | null = null) {
  const ids = ledger.merged_into_id ? [] : [ledger.id, ...mergedInto(chart.ledgers, ledger.id).map(({ id }) => id)].filter((id) => chart.used.has(id))
  return ids.length === 0 ? [] : tx.many(store.balancesSince, { ids, since: since ?? '0001-01-01' })
}

/** Found in a chart that is locked; If-Match is held against it. */
function lockedLedger(tx: BusinessTx, chart: Chart, ledger_id: string): LedgerRow {
  const ledger = chart.ledgers.get(ledger_id)
  if (!ledger) throw notFound('Ledger')
  tx.checkMatch(ledger.version)
  return ledger
}

function save(tx: BusinessTx, chart: Chart, event: LedgerEvent, before: LedgerRow, changes: Partial<LedgerRow>): Promise<Ledger> {
  const after = changed(before, changes, tx.now)
  requirePlace(chart, { before, after })
  saveLedgers(tx, event, [{ before, after }])
  return shown(tx, chart, after)
}

function requirePlace(chart: Chart, change: LedgerChange): void {
  for (const refusal of settle(chart.ledgers, [{ index: 0, ...change }]).refused.values()) throw refusal
}

async function requireReferences(tx: BusinessTx, chart: Chart, inputs: readonly LedgerUpdate[]): Promise<void> {
  const unknown = inputs.find(({ parent_id }) => parent_id && !chart.ledgers.has(parent_id))
  if (unknown) throw notFound(`Parent ledger ${unknown.parent_id}`)
  await requireTaxCodes(tx, inputs)
}

async function requireTaxCodes(tx: BusinessTx, inputs: readonly LedgerUpdate[]): Promise<void> {
  const ids = inputs.flatMap(({ default_tax_code_id }) => default_tax_code_id ?? [])
  if (ids.length > 0) await requireRecords(tx, 'tax_code', ids)
}

/** The first day of the fiscal year that a date is in; of the last one where there is no period for it. */
function fiscalYearStart({ periods }: Books, date: string): string | null {
  const fiscal_year = (periodOf(periods, date) ?? periods.at(-1))?.fiscal_year
  return periods.find((period) => period.fiscal_year === fiscal_year)?.start_date ?? null
}

async function shown(tx: BusinessTx, chart: Chart, ledger: LedgerRow): Promise<Ledger> {
  const balances = await balancesOf(tx, chart, ledger)
  const own = balances.find(({ currency }) => currency === ledger.currency)
  return withFigures(ledger, { amount: own?.amount ?? 0, base_amount: addCents(...balances.map(({ base_amount }) => base_amount)) })
}

/** With what is worked out. Adding zero turns the -0 that a sign leaves into 0. */
function withFigures(ledger: LedgerRow, balance: { amount: number; base_amount: number } | null | undefined): Ledger {
  const sign = signOf(ledger.type)
  return { ...ledger, normal_side: normalSide(ledger), balance: sign * (balance?.amount ?? 0) + 0, base_balance: sign * (balance?.base_amount ?? 0) + 0 }
}
