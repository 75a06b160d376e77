// The worker's side of imports: running them, and taking back what a large one made.
import type { Event, Subscriber } from '../../foundation/jobs/job.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { invalid, Refusal } from '../../foundation/refusal.ts'
import { longJob, type Step } from '../../workspace/jobs/contract.ts'
import { JobCanceled } from '../../workspace/jobs/operations.ts'
import type { Import } from '../imports/contract.ts'
import { enterRun, failRun, finishRollback, followJob, ImportRefused, ImportStopped, ROLL_BACK_IMPORT, RUN_IMPORT, runPiece, runWhole } from './operations.ts'

type Input = { import_id: string }
type Checkpoint = { over: boolean }

export const runImportJob = longJob<Input, Checkpoint>({
  kind: RUN_IMPORT, title: 'Import a file', cancelable: true, permission: 'imports:write',
  async run(step, { import_id }) {
    try {
      const about = await enter(step, import_id)
      const done = about.options.on_error === 'abort' ? await whole(step, import_id) : await pieces(step, import_id)
      return { import_id, ...done.counts }
    } catch (error) {
      if (error instanceof ImportStopped) throw new JobCanceled()
      throw error
    }
  },
})

async function enter(step: Step<Checkpoint>, import_id: string): Promise<Import> {
  return held(step, (tx) => enterRun(tx, import_id, step.job_id), false)
}

async function pieces(step: Step<Checkpoint>, import_id: string): Promise<Import> {
  for (;;) {
    const { about, over } = await held(step, (tx) => runPiece(tx, import_id, step.job_id), false)
    if (over) return about
  }
}

async function whole(step: Step<Checkpoint>, import_id: string): Promise<Import> {
  try {
    return await held(step, (tx) => runWhole(tx, import_id, step.job_id), true)
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error
    throw invalid(await held(step, (tx) => failRun(tx, import_id, step.job_id, error.brought), true))
  }
}

/** A piece with its progress: rows that were decided, of all there are. */
async function held<Result>(step: Step<Checkpoint>, work: (tx: BusinessTx) => Promise<Result>, over: boolean): Promise<Result> {
  const found: { result?: Result } = {}
  await step.chunk(async (tx) => {
    found.result = await work(tx)
    const about = countsIn(found.result)
    return { checkpoint: { over }, done: about ? about.valid + about.invalid : 0, ...(about && { total: about.rows }),
      phase: over ? 'Importing all rows' : 'Importing' }
  })
  return found.result as Result
}

function countsIn(result: unknown): Import['counts'] | null {
  if (result === null || typeof result !== 'object') return null
  return 'counts' in result ? (result as Import).counts : 'about' in result ? (result as { about: Import }).about.counts : null
}

export const rollBackImportJob = longJob<Input, Checkpoint>({
  kind: ROLL_BACK_IMPORT, title: 'Undo an import', cancelable: true, permission: 'imports:write',
  async run(step, { import_id }) {
    let removed = 0
    await step.chunk(async (tx) => {
      removed = await finishRollback(tx, import_id)
      return { checkpoint: { over: true }, done: removed, phase: 'Taking records away' }
    })
    return { import_id, removed }
  },
})

/** A job can also be canceled as a job, or be given up: its import must not seem to run for ever. */
export const followImportJobs: Subscriber = {
  name: 'imports.jobs',
  types: ['job.canceled', 'job.failed'],
  async handle(tx: BusinessTx, { data }: Event) {
    if (data['kind'] !== RUN_IMPORT) return
    try {
      await followJob(tx, data as Parameters<typeof followJob>[1])
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error
    }
  },
}
