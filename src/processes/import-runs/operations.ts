// Trying, running, stopping and undoing imports. Rows remember what became of them, so whoever goes on takes those that wait.
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addCents } from '../../foundation/money.ts'
import { forbidden, invalid, Refusal } from '../../foundation/refusal.ts'
import { refusalFor } from '../../foundation/database/errors.ts'
import { startJob } from '../../workspace/jobs/operations.ts'
import type { Worth } from '../import-handlers/contract.ts'
import { reading } from '../import-kinds/contract.ts'
import { KINDS } from '../import-kinds/rules.ts'
import { bringIn, handlerOf, type Brought } from '../import-records/operations.ts'
import type { ImportProblem } from '../import-rows/contract.ts'
import { createdRecords, nextUnits, renewRefused, saveResults } from '../import-rows/operations.ts'
import type { Import, ImportCounts } from '../imports/contract.ts'
import { getImport, lockImport, requireFirst, saveImport } from '../imports/operations.ts'
import { requireRecent, requireStatus } from '../imports/rules.ts'
import { MOST_AT_ONCE, MOST_SHOWN, type ImportPreview } from './contract.ts'

export const RUN_IMPORT = 'imports.run'
export const ROLL_BACK_IMPORT = 'imports.rollback'

export async function planPreview(tx: BusinessTx, import_id: string): Promise<Import> {
  const about = await getImport(tx, import_id)
  const permission = reading(KINDS[about.kind])
  if (!tx.actor.permissions.has(permission)) throw forbidden(`This needs the permission ${permission}.`)
  requireStatus(about, ['mapped'], about.status === 'uploaded' ? 'map its columns first' : 'its errors are listed under /errors')
  return about
}

/** Each piece is undone before the next one, so that nobody waits for locks longer than a piece takes. */
export async function previewImport(tx: BusinessTx, import_id: string): Promise<ImportPreview> {
  const about = await planPreview(tx, import_id)
  await tx.waitAsLongAsItTakes()
  let counts: ImportCounts = { ...about.counts }
  const totals = new Map<Worth['currency'], number>()
  const problems: ImportProblem[] = []
  for await (const { brought, worth } of rehearsed(tx, about)) {
    counts = added(counts, brought)
    problems.push(...problemsOf(brought))
    for (const { currency, amount } of worth) totals.set(currency, addCents(totals.get(currency) ?? 0, amount))
  }
  problems.sort((one, other) => Number(one.loc[0]) - Number(other.loc[0]))
  return {
    counts, problems: problems.slice(0, MOST_SHOWN), more_problems: problems.length > MOST_SHOWN,
    totals: [...totals].map(([currency, amount]) => ({ currency, amount })).sort((one, other) => (one.currency < other.currency ? -1 : 1)),
  }
}

async function* rehearsed(tx: BusinessTx, about: Import): AsyncGenerator<{ brought: Brought; worth: Worth[] }> {
  const handler = handlerOf(about.kind)
  for (let after = 0; ;) {
    const rows = await nextUnits(tx, about.id, after, handler.batch)
    if (rows.length === 0) return
    after = rows.at(-1)?.unit ?? after
    yield await tx.apart(async (part) => {
      const brought = await bringIn(part, about, rows)
      return { brought, worth: (await handler.worth?.(part, brought.record_ids)) ?? [] }
    }, true)
  }
}

const problemsOf = ({ results }: Brought): ImportProblem[] => results.flatMap(({ problems }) => problems)

function added(counts: ImportCounts, { results, created, updated, skipped, refused }: Brought): ImportCounts {
  return {
    rows: counts.rows, valid: counts.valid + results.length - refused, invalid: counts.invalid + refused, created: counts.created + created,
    updated: counts.updated + updated, skipped: counts.skipped + skipped,
  }
}

export async function runImport(tx: BusinessTx, import_id: string): Promise<Import> {
  const before = await lockImport(tx, import_id)
  if (before.status === 'running') return before
  requireStatus(before, ['mapped', 'failed'], before.status === 'uploaded' ? 'map its columns first' : 'begin a new import')
  // One at a time for one file: of two who run it the second finds the first.
  await tx.exclusive(`import of ${before.sha256} as ${before.kind} in ${tx.business_id}`)
  if (!before.confirm_duplicate) await requireFirst(tx, before)
  renewRefused(tx, import_id)
  if (before.options.on_error === 'abort') await requireSound(tx, before)
  const job = await startJob(tx, { kind: RUN_IMPORT, subject: import_id, input: { import_id }, total: before.counts.rows })
  const counts = { ...before.counts, invalid: 0 }
  const after = changed(before, { status: 'running', job_id: job.id, error: null, counts, started_at: before.started_at ?? tx.now, finished_at: null }, tx.now)
  return saveImport(tx, 'import.started', before, after)
}

/** All or none: what would be refused is told before the job begins. */
async function requireSound(tx: BusinessTx, about: Import): Promise<void> {
  await tx.waitAsLongAsItTakes()
  for await (const { brought } of rehearsed(tx, about)) {
    const [first, ...others] = problemsOf(brought).sort((one, other) => Number(one.loc[0]) - Number(other.loc[0]))
    if (first) throw invalid(`${worded(first)}${others.length > 0 ? ' It is not the only one: the preview lists them.' : ''}`)
  }
}

function worded({ loc: [row, column], msg }: ImportProblem): string {
  return `Row ${row}${column === undefined ? '' : `, column “${column}”`}: ${msg}`
}

export async function cancelImport(tx: BusinessTx, import_id: string): Promise<Import> {
  const before = await lockImport(tx, import_id)
  if (before.status === 'canceled') return before
  requireStatus(before, ['running'], 'only a running import is canceled')
  // The worker finds it so at the end of its piece, which is then undone.
  return saveImport(tx, 'import.canceled', before, changed(before, { status: 'canceled', finished_at: tx.now }, tx.now))
}

/** Nothing of a piece stays where the import no longer runs: it was canceled, or another job has it. */
export class ImportStopped extends Error {}

/** What a whole import was refused for. */
export class ImportRefused extends Error {
  readonly brought: Brought
  constructor(brought: Brought) {
    super('A row was refused.')
    this.brought = brought
  }
}

/** The job begins, or begins again where it had failed. */
export async function enterRun(tx: BusinessTx, import_id: string, job_id: string): Promise<Import> {
  const before = await lockImport(tx, import_id)
  if (before.status === 'running' && before.job_id === job_id) return before
  if (before.status !== 'failed') throw new ImportStopped()
  renewRefused(tx, import_id)
  const counts = { ...before.counts, invalid: 0 }
  return saveImport(tx, 'import.started', before, changed(before, { status: 'running', job_id, error: null, counts, finished_at: null }, tx.now))
}

/** One piece of an import that leaves out what is refused; the import is completed by the one that finds nothing left. */
export async function runPiece(tx: BusinessTx, import_id: string, job_id: string): Promise<{ about: Import; over: boolean }> {
  const about = await getImport(tx, import_id)
  await tx.exclusive(`imports of ${about.kind} in ${tx.business_id}`)
  const rows = await nextUnits(tx, import_id, 0, handlerOf(about.kind).batch)
  if (rows.length === 0) return { about: complete(tx, await requireRunning(tx, import_id, job_id)), over: true }
  const brought = await bringIn(tx, about, rows)
  saveResults(tx, import_id, brought.results)
  const before = await requireRunning(tx, import_id, job_id)
  return { about: saveImport(tx, null, before, changed(before, { counts: added(before.counts, brought) }, tx.now)), over: false }
}

/** All rows or none. */
export async function runWhole(tx: BusinessTx, import_id: string, job_id: string): Promise<Import> {
  const about = await getImport(tx, import_id)
  await tx.waitAsLongAsItTakes()
  await tx.exclusive(`imports of ${about.kind} in ${tx.business_id}`)
  let { counts } = about
  for (let after = 0; ;) {
    const rows = await nextUnits(tx, import_id, after, handlerOf(about.kind).batch)
    if (rows.length === 0) break
    after = rows.at(-1)?.unit ?? after
    const brought = await bringIn(tx, about, rows)
    if (brought.refused > 0) throw new ImportRefused(brought)
    saveResults(tx, import_id, brought.results)
    counts = added(counts, brought)
  }
  const before = await requireRunning(tx, import_id, job_id)
  return complete(tx, { ...before, counts })
}

/** Taken last in a piece, so that whoever cancels need not wait for it. */
async function requireRunning(tx: BusinessTx, import_id: string, job_id: string): Promise<Import> {
  const about = await lockImport(tx, import_id)
  if (about.status !== 'running' || about.job_id !== job_id) throw new ImportStopped()
  return about
}

function complete(tx: BusinessTx, before: Import): Import {
  const status = before.counts.invalid > 0 ? 'completed_with_errors' : 'completed'
  return saveImport(tx, 'import.completed', before, changed(before, { status, finished_at: tx.now }, tx.now))
}

/** Nothing was brought in; the rows that stood in the way say why. Gives the sentence. */
export async function failRun(tx: BusinessTx, import_id: string, job_id: string, { results, refused }: Brought): Promise<string> {
  const before = await requireRunning(tx, import_id, job_id)
  const wrong = results.filter(({ status }) => status === 'error')
  saveResults(tx, import_id, wrong)
  const [first] = wrong.flatMap(({ problems }) => problems).sort((one, other) => Number(one.loc[0]) - Number(other.loc[0]))
  const error = first ? worded(first) : 'A row was refused.'
  const counts = { ...before.counts, invalid: refused }
  saveImport(tx, 'import.failed', before, changed(before, { status: 'failed', error, counts, finished_at: tx.now }, tx.now))
  return error
}

/** The job of an import ended without the import knowing: it was canceled or given up as a job. */
export async function followJob(tx: BusinessTx, job: { id: string; subject: string; status: string; error: string | null }): Promise<void> {
  const before = await lockImport(tx, job.subject)
  if (before.status !== 'running' || before.job_id !== job.id) return
  const canceled = job.status === 'canceled'
  const after = changed(before, { status: canceled ? 'canceled' : 'failed', error: canceled ? null : job.error, finished_at: tx.now }, tx.now)
  saveImport(tx, canceled ? 'import.canceled' : 'import.failed', before, after)
}

export async function rollBackImport(tx: BusinessTx, import_id: string): Promise<Import> {
  const before = await lockImport(tx, import_id)
  if (before.status === 'rolled_back') return before
  requireStatus(before, ['completed', 'completed_with_errors', 'canceled', 'failed'],
    before.status === 'running' ? 'cancel it first' : 'there is nothing to undo')
  requireRecent(before, tx.now)
  const records = await createdRecords(tx, import_id)
  if (records.length <= MOST_AT_ONCE) return takeBack(tx, before, records)
  const job = await startJob(tx, { kind: ROLL_BACK_IMPORT, subject: import_id, input: { import_id }, total: records.length })
  if (before.job_id === job.id) return before
  return saveImport(tx, 'import.rollback_started', before, changed(before, { job_id: job.id }, tx.now))
}

/** The job that takes back many records. */
export async function finishRollback(tx: BusinessTx, import_id: string): Promise<number> {
  const before = await lockImport(tx, import_id)
  if (before.status === 'rolled_back') return 0
  await tx.waitAsLongAsItTakes()
  const records = await createdRecords(tx, import_id)
  await takeBack(tx, before, records)
  return records.length
}

const MOST_NAMED = 20
const PIECE = 100

/** Takes every record away, all or none: those that cannot go are listed. */
async function takeBack(tx: BusinessTx, before: Import, record_ids: readonly string[]): Promise<Import> {
  const stuck: string[] = []
  for (let from = 0; from < record_ids.length && stuck.length < MOST_NAMED; from += PIECE) {
    stuck.push(...await remove(tx, before, record_ids.slice(from, from + PIECE)))
  }
  if (stuck.length > 0) {
    const more = stuck.length >= MOST_NAMED ? ' There may be more.' : ''
    throw invalid(`${stuck.length} of the ${record_ids.length} records cannot be taken away, so nothing was: ${stuck.slice(0, MOST_NAMED).join(' ')}${more}`)
  }
  return saveImport(tx, 'import.rolled_back', before, changed(before, { status: 'rolled_back', rolled_back_at: tx.now }, tx.now))
}

/** A piece is taken away together; where that is refused each by itself, to find those that are in the way. */
async function remove(tx: BusinessTx, about: Import, record_ids: readonly string[]): Promise<string[]> {
  const handler = handlerOf(about.kind)
  try {
    await tx.apart(async (part) => {
      for (const record_id of record_ids) await handler.remove(part, record_id)
    })
    return []
  } catch (error) {
    const refusal = error instanceof Refusal ? error : refusalFor(error)
    if (!refusal || refusal.status >= 500) throw error
    // Somebody has deleted it already.
    if (record_ids.length === 1) return refusal.status === 404 ? [] : [refusal.detail]
    const stuck: string[] = []
    for (const record_id of record_ids) stuck.push(...await remove(tx, about, [record_id]))
    return stuck
  }
}
