// Taking the chart of accounts away as a file, and bringing one in.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import { invalid, Refusal } from '../../foundation/refusal.ts'
import { downloadOf, readSheet, type Sheet, type SheetRow } from '../../foundation/sheets.ts'
import { fields, type LedgerRow, type LedgerUpdate } from '../ledgers/contract.ts'
import { edited, listLedgers, lockChart, proposed, readChart, saveProposals, together, type LedgerChange, type LedgerQuery } from '../ledgers/operations.ts'
import { requireInput, type Chart } from '../ledgers/rules.ts'
import { MOST_IMPORT_ROWS, type EXPORT_FORMATS, type ImportRow, type LedgerImport, type LedgerImportResult } from './contract.ts'
import { ledgerMeant, parentNumberOf, readRow, tableOf } from './rules.ts'

export async function exportLedgers(
  tx: BusinessTx, { format = 'csv', ...filters }: LedgerQuery & { format?: (typeof EXPORT_FORMATS)[number] },
): Promise<Download> {
  const asked = { ...filters, sort_by: 'number', descending: false, limit: MOST_EXPORTED }
  const [{ items }, { ledgers }] = await Promise.all([listLedgers(tx, asked), readChart(tx)])
  return downloadOf(tableOf(items, (id) => ledgers.get(id)?.number ?? null), format, 'chart-of-accounts')
}

/** All of them. */
const MOST_EXPORTED = 1_000_000

export async function importLedgers(tx: BusinessTx, { preview = false, ...file }: LedgerImport): Promise<LedgerImportResult> {
  const sheet = await readSheet(file)
  const count = sheet.rows.length
  if (count > MOST_IMPORT_ROWS) throw invalid(`${file.file_name} has ${count} rows; a chart of accounts takes at most ${MOST_IMPORT_ROWS}.`)
  const { chart } = await lockChart(tx)
  const { changes, refused } = together(chart, attemptsOf(tx, chart, sheet))
  const [first] = refused
  if (first && !preview) throw invalid(`Row ${sheet.rows[first[0]]?.row} of ${file.file_name}: ${first[1].detail}`)
  if (!preview) saveProposals(tx, changes.values())
  return resultOf(preview, sheet.rows.map(({ row, cells }, index) => rowResult(row, cells, preview, changes.get(index), refused.get(index))))
}

/** Rows may name parents that stand further down: each row first gets its ledger, then its parent. */
function attemptsOf(tx: BusinessTx, chart: Chart, { rows }: Sheet): (() => LedgerChange)[] {
  const seen = new Map<LedgerRow, number>()
  const attempts = rows.map(({ row, cells }) => attemptOnce(() => {
    const said = readRow(cells)
    const meant = ledgerMeant(chart.ledgers, said)
    if (!meant) return { said, change: { before: null, after: proposed(tx, requireInput(said)) } }
    if (seen.has(meant)) throw invalid(`Row ${seen.get(meant)} is about the same ledger.`)
    seen.set(meant, row)
    return { said, change: { before: meant, after: meant } }
  }))
  const numbers = new Map([...chart.ledgers.values()].map(({ number, id }) => [number, id]))
  for (const { change } of attempts.flatMap(({ done }) => done ?? [])) if (change.before === null) numbers.set(change.after.number, change.after.id)
  return rows.map(({ cells }, index) => () => withParent(tx, chart, numbers, cells, attempts[index]))
}

type Attempt = { done?: { said: LedgerUpdate; change: LedgerChange }; refusal?: Refusal }

function attemptOnce(attempt: () => NonNullable<Attempt['done']>): Attempt {
  try {
    return { done: attempt() }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error }
    throw error
  }
}

function withParent(
  tx: BusinessTx, chart: Chart, numbers: ReadonlyMap<string | null, string>, cells: SheetRow['cells'], attempt: Attempt | undefined,
): LedgerChange {
  if (!attempt?.done) throw attempt?.refusal ?? invalid('The row could not be read.')
  const { said, change: { before, after } } = attempt.done
  const parent_number = parentNumberOf(cells)
  const parent_id = parent_number === null ? undefined : numbers.get(parent_number)
  if (parent_number !== null && parent_id === undefined) throw invalid(`No ledger has the number ${parent_number} that parent_number names.`)
  if (before === null) return { before, after: { ...after, parent_id: parent_id ?? null } }
  return { before, after: edited(tx, chart, before, { ...said, ...(parent_id === undefined ? {} : { parent_id }) }) }
}

function rowResult(row: number, cells: SheetRow['cells'], preview: boolean, change: LedgerChange | undefined, refusal: Refusal | undefined): ImportRow {
  if (!change) {
    return { row, action: 'error', ledger_id: null, number: numberIn(cells), name: cells['name'] || null, changes: [], detail: refusal?.detail ?? null }
  }
  const { before, after } = change
  const changes = before ? TOLD.filter((field) => before[field] !== after[field]) : []
  const action = before === null ? 'create' : changes.length > 0 ? 'change' : 'none'
  return { row, action, ledger_id: before === null && preview ? null : after.id, number: after.number, name: after.name, changes, detail: null }
}

/** The fields that a change is told by. */
const TOLD = Object.keys(fields) as (keyof typeof fields)[]

/** Of a row that may be wrong in any way. */
function numberIn(cells: SheetRow['cells']): string | null {
  const number = cells['number'] ?? ''
  return number === '' || number.length > 20 ? null : number
}

function resultOf(preview: boolean, rows: ImportRow[]): LedgerImportResult {
  const count = (action: ImportRow['action']) => rows.filter((row) => row.action === action).length
  return { preview, created: count('create'), changed: count('change'), unchanged: count('none'), errors: count('error'), rows }
}
