// What can be done with adjustments.
import { nextNumber } from '../../access/numbering/operations.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import { isControlLedger, nameOf, periodOf } from '../../ledger/posting/rules.ts'
import { adjustStock, reverseStock } from '../stock/operations.ts'
import { stockedVariants, stockPlaces } from '../stock-pools/operations.ts'
import { groupBy } from '../stock-pools/rules.ts'
import { adjustmentResource, type Adjustment, type AdjustmentInput, type AdjustmentLine, type AdjustmentRow, type AdjustmentUpdate } from './contract.ts'
import { changeOf, linesOf, requireDraft, requireWriteUp, worthOf } from './rules.ts'
import * as store from './store.ts'

const SOURCE = 'adjustment'

export async function listAdjustments(tx: BusinessTx, query: PageQuery): Promise<Page<Adjustment>> {
  const page = await tx.page(store.adjustments, query)
  return { ...page, items: await withLines(tx, page.items) }
}

export async function getAdjustment(tx: BusinessTx, id: string): Promise<Adjustment> {
  return only(await withLines(tx, [await tx.get(store.findAdjustment, { id }, 'Adjustment')]))
}

export async function createAdjustment(tx: BusinessTx, input: AdjustmentInput): Promise<Adjustment> {
  const kind = input.kind ?? 'quantity'
  const draft: Adjustment = {
    id: newId(),
    business_id: tx.business_id,
    number: null,
    kind,
    reason: input.reason,
    adjusted_on: input.adjusted_on ?? tx.today,
    ledger_id: input.ledger_id ?? null,
    note: input.note ?? null,
    project_id: input.project_id ?? null,
    dimension_value_ids: input.dimension_value_ids ?? [],
    source: 'manual',
    status: 'draft',
    total_value: 0,
    entry_id: null,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
    lines: linesOf(kind, input.lines, newId),
  }
  await requireReferences(tx, draft)
  tx.queue(store.insertAdjustment, rowOf(draft))
  insertLines(tx, draft)
  tx.record(adjustmentResource, 'adjustment.created', { before: null, after: draft })
  return input.post ? post(tx, draft) : draft
}

export async function updateAdjustment(tx: BusinessTx, id: string, { lines, ...changes }: AdjustmentUpdate): Promise<Adjustment> {
  const before = await lock(tx, id)
  const { note, ...others } = changes
  const more = lines !== undefined || Object.values(others).some((value) => value !== undefined)
  if (more) requireDraft(before)
  const { lines: old, ...row } = before
  const after = changed(row, (more ? changes : { note }) as Partial<AdjustmentRow>, tx.now)
  // What the lines of a draft say is held against its kind again, which may be another one now.
  const held = more ? linesOf(after.kind, lines ?? old, newId) : old
  const shown = { ...after, lines: lines ? held : old }
  if (more) await requireReferences(tx, shown)
  tx.queue(store.updateAdjustment, after)
  if (lines) {
    tx.queue(store.deleteLines, { id })
    insertLines(tx, shown)
  }
  tx.record(adjustmentResource, 'adjustment.updated', { before, after: shown })
  return shown
}

export async function deleteAdjustment(tx: BusinessTx, id: string): Promise<Adjustment> {
  const adjustment = await lock(tx, id)
  if (adjustment.status !== 'draft') throw invalid(`Adjustment ${adjustment.number} is ${adjustment.status}: reverse it instead of deleting it.`)
  tx.queue(store.deleteAdjustment, { id })
  tx.record(adjustmentResource, 'adjustment.deleted', { before: adjustment, after: null })
  return adjustment
}

export async function postAdjustment(tx: BusinessTx, id: string): Promise<Adjustment> {
  const adjustment = await lock(tx, id)
  if (adjustment.status === 'posted') return adjustment
  if (adjustment.status === 'reversed') throw invalid(`Adjustment ${adjustment.number} is reversed: make another one.`)
  return post(tx, adjustment)
}

export async function reverseAdjustment(tx: BusinessTx, id: string, reversal_date: string | null = null): Promise<Adjustment> {
  const before = await lock(tx, id)
  if (before.status === 'reversed') return before
  if (before.status === 'draft') throw invalid('This adjustment is a draft: delete it instead of reversing it.')
  await reverseStock(tx, { source_type: SOURCE, source_id: id, memo: `Reversal of adjustment ${before.number}`, ...(reversal_date ? { reversal_date } : {}) })
  return save(tx, before, { status: 'reversed' }, before.lines, 'adjustment.reversed')
}

async function post(tx: BusinessTx, draft: Adjustment): Promise<Adjustment> {
  const { id, adjusted_on, ledger_id, note, project_id, dimension_value_ids, lines } = draft
  if (draft.kind === 'value') await requireWriteUps(tx, draft)
  const moved = await adjustStock(tx, {
    source_type: SOURCE, source_id: id, date: adjusted_on, memo: note?.slice(0, 500) ?? null, ledger_id,
    lines: lines.map((line) => {
      const { id: source_line_id, variant_id, location_id, quantity } = line
      return { source_line_id, variant_id, location_id, quantity, value: worthOf(line), project_id, dimension_value_ids }
    }),
  })
  const values = new Map(moved.lines.map((line) => [line.source_line_id, line.value]))
  const after = lines.map((line) => ({ ...line, value: changeOf(line, values.get(line.id) ?? 0) }))
  tx.queue(store.saveValues, { ids: after.map((line) => line.id), values: after.map(({ value }) => value) })
  const total_value = after.reduce((sum, { value }) => sum + value, 0)
  const number = await nextNumber(tx, 'adjustment', adjusted_on)
  return save(tx, draft, { status: 'posted', number, total_value, entry_id: moved.entry?.id ?? null }, after, 'adjustment.posted')
}

async function requireWriteUps(tx: BusinessTx, draft: Adjustment): Promise<void> {
  const { books } = await readBooks(tx)
  const year = periodOf(books.periods, draft.adjusted_on)?.fiscal_year
  const periods = books.periods.filter(({ fiscal_year }) => fiscal_year === year)
  const range = { start_date: periods[0]?.start_date ?? draft.adjusted_on, end_date: periods.at(-1)?.end_date ?? draft.adjusted_on }
  const rows = await tx.many(store.writtenDown, { ...range, variant_ids: draft.lines.map(({ variant_id }) => variant_id) })
  requireWriteUp(
    draft, draft.lines, (line) => Math.max(0, rows.find((row) => row.variant_id === line.variant_id && row.location_id === line.location_id)?.value ?? 0),
  )
}

/** Whatever a draft names must be there. */
async function requireReferences(tx: BusinessTx, { ledger_id, project_id, dimension_value_ids, lines }: Adjustment): Promise<void> {
  const [variants, places, { books }] = await Promise.all([
    stockedVariants(tx, lines.map(({ variant_id }) => variant_id)), stockPlaces(tx, lines.map(({ location_id }) => location_id)), readBooks(tx),
  ])
  for (const { variant_id, location_id } of lines) {
    const variant = variants.get(variant_id)
    if (!variant) throw notFound(`Variant ${variant_id}`)
    if (!places.has(location_id)) throw notFound(`Location ${location_id}`)
    if (variant.type !== 'stocked') throw invalid(`${variant.sku} is of type ${variant.type}: only stocked products have stock.`)
  }
  if (project_id) await requireRecords(tx, 'project', [project_id])
  if (dimension_value_ids.length > 0) await requireRecords(tx, 'dimension_value', dimension_value_ids)
  const ledger = ledger_id ? books.ledgers.get(ledger_id) : undefined
  if (ledger_id && !ledger) throw notFound(`Ledger ${ledger_id}`)
  if (ledger && isControlLedger(ledger)) throw invalid(`${nameOf(ledger)} is made up of documents: choose another ledger for the adjustment.`)
}

async function lock(tx: BusinessTx, id: string): Promise<Adjustment> {
  return only(await withLines(tx, [await tx.lock(store.lockAdjustment, { id }, 'Adjustment')]))
}

function save(
  tx: BusinessTx, before: Adjustment, changes: Partial<AdjustmentRow>, lines: AdjustmentLine[], event: 'adjustment.posted' | 'adjustment.reversed',
): Adjustment {
  const after = { ...changed(rowOf(before), changes, tx.now), lines }
  tx.queue(store.updateAdjustment, rowOf(after))
  tx.record(adjustmentResource, event, { before, after })
  return after
}

function insertLines(tx: BusinessTx, { id, lines }: Adjustment): void {
  tx.queue(store.insertLines, { id, lines: JSON.stringify(lines.map((line, index) => ({ ...line, position: index + 1 }))) })
}

async function withLines(tx: BusinessTx, rows: readonly AdjustmentRow[]): Promise<Adjustment[]> {
  if (rows.length === 0) return []
  const lines = groupBy(await tx.many(store.linesOf, { ids: rows.map(({ id }) => id) }), ({ adjustment_id }) => adjustment_id)
  return rows.map((row) => ({ ...row, lines: (lines.get(row.id) ?? []).map(({ adjustment_id: _adjustment, ...line }) => line) }))
}

function rowOf({ lines: _lines, ...row }: Adjustment): AdjustmentRow {
  return row
}

function only<Row>(rows: readonly Row[]): Row {
  return rows[0] as Row
}
