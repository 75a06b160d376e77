// Brings rows in through the groups that own the records, set by set; what one set cannot take as a whole is tried in halves.
import { refusalFor } from '../../foundation/database/errors.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { compileCheck, type Check } from '../../foundation/http/validate.ts'
import type { Currency } from '../../foundation/money.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { ImportKindName } from '../import-kinds/contract.ts'
import { KINDS } from '../import-kinds/rules.ts'
import { openReferences } from '../import-references/operations.ts'
import type { Cells, ImportProblem, RowResult } from '../import-rows/contract.ts'
import { catalogItemHandler, productHandler } from '../import-items/operations.ts'
import { invoiceHandler } from '../import-invoices/operations.ts'
import { customerHandler, projectHandler } from '../import-parties/operations.ts'
import type { Import } from '../imports/contract.ts'
import { ok, refused, type Draft, type Handler, type Outcome } from '../import-handlers/contract.ts'
import { problemsAt, readersOf, readUnit, referencesIn, twins } from './rules.ts'

const HANDLERS: Record<ImportKindName, Handler> = {
  customers: customerHandler, catalog_items: catalogItemHandler, products: productHandler, projects: projectHandler, invoices: invoiceHandler,
}

export const handlerOf = (kind: ImportKindName): Handler => HANDLERS[kind]

const checks = new Map<ImportKindName, Check>()

function checkOf(kind: ImportKindName): Check {
  const check = checks.get(kind) ?? compileCheck('body', HANDLERS[kind].schema)
  checks.set(kind, check)
  return check
}

/** What became of rows: a result for each of them, and how many records were made, changed and left. */
export type Brought = { results: RowResult[]; created: number; updated: number; skipped: number; refused: number; record_ids: string[] }

/** Rows as `nextUnits` gives them: all of a unit together. */
export async function bringIn(tx: BusinessTx, about: Import, rows: readonly Cells[]): Promise<Brought> {
  const kind = KINDS[about.kind]
  const handler = handlerOf(about.kind)
  const check = checkOf(about.kind)
  const readers = readersOf(kind, about.columns, about.mapping)
  const references = await openReferences(tx, referencesIn(readers, rows))
  const results: RowResult[] = []
  const refuse = (problems: readonly ImportProblem[], row_numbers: readonly number[]) => {
    for (const row_number of row_numbers) {
      const own = problems.filter(({ loc }) => loc[0] === row_number)
      const others = problems[0] ? `Row ${problems[0].loc[0]} of the same record is refused.` : ''
      results.push({ row_number, status: 'error', record_id: null, problems: own.length > 0 ? own : [{ loc: [row_number], msg: others }] })
    }
  }
  const drafts: Draft[] = []
  for (const group of Map.groupBy(rows, ({ unit }) => unit).values()) {
    const { rows: own, problems: extra } = twins(kind, group)
    refuse(extra, extra.map(({ loc }) => Number(loc[0])))
    const { draft, problems } = readUnit(readers, own, references, about.options, about.columns.length)
    if (problems.length === 0) {
      const input = handler.complete(draft, { import_id: about.id, options: about.options, base_currency: tx.business.base_currency as Currency })
      const checked = check(input)
      problems.push(...problemsAt(readers, draft, checked.problems))
      if (problems.length === 0) drafts.push({ ...draft, input: checked.value as Record<string, unknown> })
    }
    if (problems.length > 0) refuse(problems, draft.rows)
  }
  const outcomes = await decide(tx, handler, about.options.duplicate, drafts)
  for (const [index, { rows: row_numbers }] of drafts.entries()) {
    const outcome = outcomes[index] as Outcome
    if (outcome.status === 'error') refuse([{ loc: [row_numbers[0] ?? 0], msg: outcome.detail ?? '' }], row_numbers)
    else for (const row_number of row_numbers) results.push({ row_number, status: outcome.status, record_id: outcome.record_id, problems: [] })
  }
  const count = (status: string) => outcomes.filter((outcome) => outcome.status === status).length
  return {
    results, created: count('created'), updated: count('updated'), skipped: count('skipped'),
      refused: results.filter(({ status }) => status === 'error').length,
    record_ids: outcomes.flatMap(({ status, record_id }) => (status === 'created' && record_id ? [record_id] : [])),
  }
}

/** Records that are there already are skipped, refused or changed, as the options say; all others are made. */
async function decide(tx: BusinessTx, handler: Handler, duplicate: Import['options']['duplicate'], drafts: readonly Draft[]): Promise<Outcome[]> {
  if (drafts.length === 0) return []
  const known = await handler.known(tx, drafts.map(({ input }) => input))
  const outcomes: (Outcome | null)[] = known.map((record_id) => {
    if (record_id === null || duplicate === 'update') return null
    return duplicate === 'skip' ? ok('skipped', record_id) : refused('A record with the same key is there already.')
  })
  const open = drafts.flatMap((_, index) => (outcomes[index] === null ? [index] : []))
  const saved = await saveSome(tx, handler, open.map((index) => drafts[index]?.input ?? {}), open.map((index) => known[index] ?? null))
  for (const [at, index] of open.entries()) outcomes[index] = saved[at] ?? null
  return outcomes as Outcome[]
}

/** A set that is refused as a whole is tried in halves, down to the one that is to blame. */
async function saveSome(tx: BusinessTx, handler: Handler, inputs: readonly Record<string, unknown>[], known: readonly (string | null)[]): Promise<Outcome[]> {
  if (inputs.length === 0) return []
  try {
    return await tx.apart((part) => handler.save(part, inputs, known))
  } catch (error) {
    const refusal = error instanceof Refusal ? error : refusalFor(error)
    if (!refusal || refusal.status >= 500) throw error
    if (inputs.length === 1) return [refused(detailOf(refusal))]
    const middle = Math.ceil(inputs.length / 2)
    const first = await saveSome(tx, handler, inputs.slice(0, middle), known.slice(0, middle))
    return [...first, ...await saveSome(tx, handler, inputs.slice(middle), known.slice(middle))]
  }
}

export function detailOf({ problems, detail }: Refusal): string {
  return problems ? problems.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join(' ') : detail
}
