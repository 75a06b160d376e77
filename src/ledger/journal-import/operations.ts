// Brings in the entries of a file, many at a time: all of them or none.
import { createHash } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid, Refusal } from '../../foundation/refusal.ts'
import { openSheet, type SheetRow } from '../../foundation/sheets.ts'
import { readBooks } from '../books/operations.ts'
import { entryResource } from '../journal/contract.ts'
import type { EntryDraft } from '../journal-drafts/contract.ts'
import { baseOf, drawn, valuing } from '../journal-drafts/operations.ts'
import { openDesk } from '../journal-entries/operations.ts'
import { MOST_ERRORS, type ImportInput, type ImportResult, type ImportRow, type RowError } from './contract.ts'
import { countRows, groupRows, namesIn, readEntry, requireColumns, type Names } from './rules.ts'
import * as store from './store.ts'

/** So many entries are read, priced and written at a time: what a file takes does not grow with what is in it. */
const BATCH = 2000

export async function importEntries(tx: BusinessTx, { preview = false, post = false, force = false, ...file }: ImportInput): Promise<ImportResult> {
  const content_hash = createHash('sha256').update(Buffer.from(file.content_base64, 'base64')).digest('hex')
  await tx.waitAsLongAsItTakes()
  // One at a time, so that of two who send the same file the second finds the first.
  if (!preview) await tx.exclusive(`journal import of ${tx.business_id}`)
  if (!force) await requireNewFile(tx, file.file_name, content_hash)
  const { books } = await readBooks(tx)
  const sheet = await openSheet(file)
  requireColumns(sheet, file.file_name, books)
  const names = namesIn(books, sheet.columns)
  // Read twice: the first time tells when an entry is whole.
  const counts = await countRows(sheet.rows)
  const { rows } = await openSheet(file)
  const done: Done = { first_number: null, last_number: null, errors: [] }
  let [entry_count, line_count] = [0, 0]
  for await (const batch of batchesOf(groupRows(rows, counts))) {
    entry_count += batch.length
    line_count += batch.reduce((count, rows) => count + rows.length, 0)
    if (done.errors.length < MOST_ERRORS) await bringIn(tx, batch, names, { preview, post }, done)
  }
  const errors = done.errors.slice(0, MOST_ERRORS)
  const told = {
    file_name: file.file_name, content_hash, posted: post, entry_count, line_count, first_number: done.first_number, last_number: done.last_number,
  }
  if (preview) return { id: null, preview, ...told, errors }
  const more = errors.length > 1 ? ' It is not the only one: a preview lists them.' : ''
  if (errors[0]) throw invalid(`Row ${errors[0].row} of ${file.file_name}: ${errors[0].detail}${more}`)
  const made: ImportRow = { id: newId(), business_id: tx.business_id, ...told, created_by: tx.actor.user_id, created_at: tx.now }
  tx.queue(store.insertImport, made)
  tx.record(entryResource, 'journal_entry.imported', { before: null, after: made })
  return { id: made.id, preview, ...told, errors }
}

type Done = { first_number: number | null; last_number: number | null; errors: RowError[] }

async function* batchesOf(groups: AsyncIterable<SheetRow[][]>): AsyncGenerator<SheetRow[][]> {
  let batch: SheetRow[][] = []
  for await (const some of groups) {
    batch.push(...some)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function bringIn(tx: BusinessTx, batch: SheetRow[][], names: Names, { preview, post }: { preview: boolean; post: boolean }, done: Done): Promise<void> {
  const read = batch.map((rows) => readEntry(rows, names, baseOf(tx)))
  const rowOf = new Map<string, number>()
  const refused = (row: number, work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      done.errors.push({ row, detail: error.detail })
    }
  }
  const sound: EntryDraft[] = []
  for (const { row, input, errors } of read) {
    done.errors.push(...errors)
    if (input) refused(row, () => {
      const draft = drawn(tx, input)
      rowOf.set(draft.id, row)
      sound.push(draft)
    })
  }
  const [value, desk] = await Promise.all([valuing(tx, post ? [] : sound), openDesk(tx, sound, post ? sound : [], { recorded: false, ahead: preview })])
  for (const draft of sound) refused(rowOf.get(draft.id) ?? 1, () => desk.take(post ? draft : value(draft), post))
  // Once something is wrong the rest is only looked at.
  if (preview || done.errors.length > 0) return
  const entries = desk.finish()
  done.first_number ??= entries[0]?.number ?? null
  done.last_number = entries.at(-1)?.number ?? done.last_number
  // The batch leaves for the database now, which writes it while the next one is read here.
  await pause()
}

async function requireNewFile(tx: BusinessTx, file_name: string, content_hash: string): Promise<void> {
  const before = await tx.find(store.latestImport, { content_hash })
  if (!before) return
  const name = before.file_name === file_name ? file_name : `${file_name}, as ${before.file_name},`
  throw invalid(`${name} was brought in on ${before.created_at.slice(0, 10)} already: send force to bring it in again.`)
}
