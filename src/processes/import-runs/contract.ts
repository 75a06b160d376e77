// Imports on their way: tried, run, stopped and undone.
import type { Static } from 'typebox'
import { CURRENCIES } from '../../foundation/money.ts'
import { boolean, cents, list, oneOf, shape } from '../../foundation/shapes.ts'
import { ImportProblem } from '../import-rows/contract.ts'
import { endpoint, Import, ImportCounts, MOST_WHOLE_ROWS, params } from '../imports/contract.ts'

/** A preview shows so many problems. */
export const MOST_SHOWN = 200
/** More records than this are taken back by a job. */
export const MOST_AT_ONCE = 200

export const ImportPreview = shape('ImportPreview', {
  counts: ImportCounts,
  problems: list(ImportProblem, { description: `The first ${MOST_SHOWN}, in the order of rows.` }),
  more_problems: boolean(),
  totals: list(shape('ImportTotal', { currency: oneOf(CURRENCIES), amount: cents() }),
    { description: 'What the documents add up to. They are drafts: no entry is posted.' }),
})
export type ImportPreview = Static<typeof ImportPreview>

export const previewImport = endpoint({
  id: 'preview_import', method: 'GET', path: '/{import_id}/preview', summary: 'Try an import',
  description: 'Brings every row in through the group that owns its record, tells what came of it, and undoes it all.',
  live: true, params, reply: ImportPreview,
  refusals: ['Its columns are not mapped yet, or it has run.'],
})

export const runImport = endpoint({
  id: 'run_import', method: 'PUT', path: '/{import_id}/run', summary: 'Run an import',
  description: `A job brings the rows in. With abort it is one transaction of up to ${MOST_WHOLE_ROWS.toLocaleString('en')} rows, `
    + 'with skip each piece commits by itself, and a crash repeats none. A failed import can be run again and goes on with the rows that are left.',
  params, reply: Import,
  refusals: ['on_error is abort and a row would be refused: the answer names the first.', 'Its columns are not mapped yet.', 'It is over.',
    'The same file was brought in meanwhile.'],
})

export const cancelImport = endpoint({
  id: 'cancel_import', method: 'PUT', path: '/{import_id}/cancel', summary: 'Stop a running import',
  description: 'What was brought in stays; roll it back to take it away.',
  params, reply: Import,
  refusals: ['It is not running.'],
})

export const rollBackImport = endpoint({
  id: 'roll_back_import', method: 'PUT', path: '/{import_id}/rollback', summary: 'Undo an import',
  description: 'Takes away every record that it made, all or none; records that it changed stay as they are. '
    + `More than ${MOST_AT_ONCE.toLocaleString('en')} records are taken away by a job, `
    + 'whose id is then in job_id, and which fails where one cannot be taken away.',
  params, reply: Import,
  refusals: ['A record is used, finalized or named by others since: the answer lists the first.', 'It ended more than 30 days ago.',
    'It has not run, or is running.'],
})
