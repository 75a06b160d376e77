// Making the file of an export: one transaction reads one state of the business, and beside it each part commits with the progress.
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import type { Surroundings } from '../../foundation/database/context.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { asSystem, plainRequest, transact } from '../../foundation/database/transact.ts'
import type { Body } from '../../foundation/endpoint.ts'
import { job, type Job } from '../../foundation/jobs/job.ts'
import { MOST_SHEET_ROWS } from '../../foundation/list-file.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { pdfOf, xlsxOf, type Table, type TableRow } from '../../foundation/sheets.ts'
import type { RecordStates } from '../../workspace/document-attachments/contract.ts'
import { storeMade } from '../../workspace/document-files/operations.ts'
import { longJob, type LongJob, type Step } from '../../workspace/jobs/contract.ts'
import { hasRows, type ExportKind, type FileKind, type RowsKind } from '../export-kinds/contract.ts'
import { beginning, chosenColumns, ending, rowsText, type Writing } from '../export-kinds/rules.ts'
import type { Export } from './contract.ts'
import { addPart, beginExport, EXPORT, expireExports as expireIn, finishExport, noteEnd, readParts } from './operations.ts'
import { MOST_BYTES, MOST_PDF_ROWS, namesOf } from './rules.ts'
import { businessesWithOld, forgetOld } from './store.ts'

type Input = { export_id: string }
type Checkpoint = { stage: 'writing' | 'written' | 'ready'; rows: number | null; done: number; total: number | null }

/** The next part of a file, and how far the reading is with it. */
type Piece = { text: string | Buffer; done: number; total: number | null; rows: number | null }

export const exportJob = (kinds: readonly ExportKind[]): LongJob => longJob<Input, Checkpoint>({
  kind: EXPORT, title: 'Make an export', cancelable: true, permission: 'exports:write',
  async run(step, { export_id }) {
    if (step.checkpoint === null || step.checkpoint.stage === 'writing') await write(step, kinds, export_id)
    if (step.checkpoint?.stage !== 'ready') await finish(step, kinds, export_id)
    return { export_id }
  },
  ended: (tx, ended, { export_id }) => noteEnd(tx, ended, export_id),
})

/**
 * One repeatable-read transaction reads everything, so that the first row and the last show the same moment. It ends with its worker: the
 * one that takes over begins at the first row again, with the moment of then.
 */
function write(step: Step<Checkpoint>, kinds: readonly ExportKind[], export_id: string): Promise<void> {
  return step.snapshot(async (tx) => {
    let row: Export | null = null
    await step.chunk(async (own) => {
      row = await beginExport(own, export_id, step.job_id, tx.now)
      return { checkpoint: { stage: 'writing', rows: null, done: 0, total: null }, done: 0, phase: 'Reading' }
    })
    const { kind, wanted } = wantedOf(kinds, row)
    let position = 0
    let size = 0
    let last: Piece = { text: '', done: 0, total: null, rows: null }
    for await (const piece of hasRows(kind) ? rowPieces(tx, kind, wanted) : filePieces(tx, kind, wanted)) {
      last = piece
      const content = typeof piece.text === 'string' ? Buffer.from(piece.text) : piece.text
      size += content.length
      if (size > MOST_BYTES) throw invalid(`The file would be larger than ${MOST_BYTES / 1_048_576} MiB: narrow the filters, or choose fewer columns.`)
      await step.chunk(async (own) => {
        await addPart(own, export_id, position, content)
        const { done, total, rows } = piece
        return { checkpoint: { stage: 'writing', rows, done, total }, done, total }
      })
      position += 1
    }
    const { done, total, rows } = last
    await step.chunk(async () => ({ checkpoint: { stage: 'written', rows, done, total }, done, total, phase: 'Making the file' }))
  })
}

function wantedOf(kinds: readonly ExportKind[], row: Export | null): { kind: ExportKind; wanted: Export } {
  const kind = kinds.find((one) => one.kind === row?.kind)
  if (!row || !kind) throw notFound(`Export kind ${row?.kind ?? ''}`)
  return { kind, wanted: row }
}

const PAGE = 500

async function* rowPieces(tx: BusinessTx, kind: RowsKind, wanted: Export): AsyncGenerator<Piece> {
  const writing = writingOf(kind, wanted)
  const most = { pdf: MOST_PDF_ROWS, xlsx: MOST_SHEET_ROWS }[wanted.format as string] ?? Infinity
  const head = { kind: kind.kind, title: kind.title, as_of: wanted.as_of, filters: wanted.filters }
  let [done, rows]: [number, number] = [0, 0]
  let total: number | null = null
  let cursor: string | undefined
  do {
    const page = await kind.page(tx, { limit: PAGE, include_total_count: cursor === undefined, ...wanted.filters, ...(cursor ? { cursor } : {}) })
    const given = page.items.flatMap((item) => kind.rows(item, tx))
    total ??= page.total
    const text = rowsText(writing, given, rows === 0)
    done += page.items.length
    rows += given.length
    if (rows > most) throw invalid(`There are more than ${most} rows, too many for ${wanted.format.toUpperCase()}: ask for CSV, or narrow the filters.`)
    const before = cursor === undefined ? beginning(writing, head) : ''
    cursor = page.next_cursor ?? undefined
    yield { text: `${before}${text}${cursor === undefined ? ending(writing) : ''}`, done, total, rows }
  } while (cursor !== undefined)
}

function writingOf(kind: RowsKind, { columns, format }: Export): Writing {
  return { columns: chosenColumns(kind.columns, columns), format: format as Writing['format'] }
}

async function* filePieces(tx: BusinessTx, kind: FileKind, wanted: Export): AsyncGenerator<Piece> {
  const { body } = await kind.file(tx, wanted.filters, wanted.format)
  for await (const text of bytesOf(body, tx)) yield { text, done: 0, total: 1, rows: null }
  yield { text: '', done: 1, total: 1, rows: null }
}

/** What would be read while a client takes it is read in the one transaction here. */
function bytesOf(body: Body, tx: BusinessTx): AsyncIterable<string | Buffer> | Iterable<Buffer> {
  if (Buffer.isBuffer(body)) return [body]
  if (typeof body === 'function') return body((work) => work(tx))
  if ('tag' in body) throw new Error('An export is made anew, not taken from the storage.')
  return Readable.from(body) as AsyncIterable<Buffer>
}

/** The bytes are in the storage before the document names them; where the worker dies in between, they are written again. */
async function finish(step: Step<Checkpoint>, kinds: readonly ExportKind[], export_id: string): Promise<void> {
  const { rows, done, total } = step.checkpoint as Checkpoint
  const read: { row?: Export; content?: Buffer; plan?: { surroundings: Surroundings; business_id: string; now: string; today: string } } = {}
  await step.chunk(async (tx, checkpoint) => {
    const { surroundings, business_id, now, today } = tx
    Object.assign(read, await readParts(tx, export_id), { plan: { surroundings, business_id, now, today } })
    return { checkpoint: checkpoint as Checkpoint, done, total }
  })
  const { row, content, plan } = read
  if (!row || !content || !plan) throw new Error('Nothing was read.')
  const { kind, wanted } = wantedOf(kinds, row)
  const { file_name, document, document_name } = namesOf(wanted, plan.today)
  const made = hasRows(kind) ? await madeOf(kind, wanted, content) : content
  const file = await storeMade(plan.surroundings, { ...plan, name: document_name, format: document, content: made })
  await step.chunk(async (tx) => {
    await finishExport(tx, export_id, file, file_name, rows)
    return { checkpoint: { stage: 'ready', rows, done, total }, done, total }
  })
}

async function madeOf(kind: RowsKind, wanted: Export, content: Buffer): Promise<Buffer> {
  // A file without a byte is none.
  if (wanted.format !== 'xlsx' && wanted.format !== 'pdf') return content.length > 0 ? content : Buffer.from('\n')
  const rows = content.toString().split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as TableRow)
  const table: Table = { title: kind.title, columns: [...writingOf(kind, wanted).columns], rows }
  return wanted.format === 'xlsx' ? xlsxOf(table) : pdfOf(table)
}

export const expireExports = (states: RecordStates): Job => job({
  name: 'exports.expire',
  payload: Type.Object({}),
  cron: '17 * * * *',
  async run({ database, job_id }) {
    const found = await transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => {
      tx.queue(forgetOld)
      return tx.many(businessesWithOld)
    })
    for (const { business_id } of found) {
      const business = await findBusiness(database, business_id)
      while (business && (await asSystem(database, business, `job-${job_id}`, (tx) => expireIn(tx, states)))) continue
    }
  },
})
