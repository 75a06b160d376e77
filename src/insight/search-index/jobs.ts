// The index follows the log of events, and a long job builds it anew.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { asSystem, plainRequest, transact } from '../../foundation/database/transact.ts'
import { job, type Event, type Subscriber } from '../../foundation/jobs/job.ts'
import { resources } from '../../foundation/resource.ts'
import { longJob, type Job } from '../../workspace/jobs/contract.ts'
import { startJob } from '../../workspace/jobs/operations.ts'
import { OF_CUSTOMERS, SEARCH_TYPES, type SearchType } from './contract.ts'
import { BATCH, businessesToIndex, countRecords, indexCustomer, indexRecords, noteAsked, recordsOf, reindexStretch, tidyWords } from './operations.ts'

const REINDEX = 'search.reindex'
const FIRST = '00000000-0000-0000-0000-000000000000'

type Input = { types: SearchType[] }
type Checkpoint = { types: SearchType[]; after: string; done: number; total: number; tidied: boolean }

/** The whole index, or some kinds of it. Kinds that were built are no longer in the checkpoint. */
export const reindexJob = longJob<Input, Checkpoint>({
  kind: REINDEX, title: 'Build the search index', cancelable: true, permission: 'businesses:write',
  async run(step, { types }) {
    while (!step.checkpoint?.tidied) {
      await step.chunk(async (tx, checkpoint) => {
        const before = checkpoint ?? { types, after: FIRST, done: 0, total: await countRecords(tx, types), tidied: false }
        const [type, ...rest] = before.types
        if (!type) {
          await tidyWords(tx)
          return { ...progressOf(before), checkpoint: { ...before, tidied: true }, phase: 'Tidying up' }
        }
        const { last, count } = await reindexStretch(tx, type, before.after, BATCH)
        const next = { ...before, types: last === null ? rest : before.types, after: last ?? FIRST, done: before.done + count }
        return { ...progressOf(next), checkpoint: next, phase: type }
      })
    }
    return { records: step.checkpoint.done }
  },
})

function progressOf({ done, total }: Checkpoint): { done: number; total: number } {
  return { done, total: Math.max(done, total) }
}

export function startReindex(tx: BusinessTx, types: readonly SearchType[] = SEARCH_TYPES): Promise<Job> {
  const subject = types.length === SEARCH_TYPES.length ? 'all' : types.join(', ')
  return startJob(tx, { kind: REINDEX, subject, input: { types: [...types] } })
}

export const followChanges: Subscriber = {
  name: 'search.index',
  /** Asked for when events are delivered: by then every kind of record is known. */
  get types() {
    const heard = new Set<string>([...SEARCH_TYPES, 'customer_contact'])
    return ['business.created', ...[...resources.values()].filter(({ type }) => heard.has(type)).flatMap(({ events }) => events)]
  },
  handle: follow,
}

async function follow(tx: BusinessTx, event: Event): Promise<void> {
  // What a business is founded with comes without events of its own, and so do the entries of an import.
  if (event.type === 'business.created') return void (await reindexStretch(tx, 'ledger', FIRST, 10_000))
  if (event.type === 'journal_entry.imported') return void (await startReindex(tx, ['journal_entry']))
  const record = recordsOf(event)
  if (!record || hasBeenRead(tx, `${record.type} ${record.id}`)) return
  if (record.type !== 'customer') return indexRecords(tx, record.type, [record.id])
  if (await indexCustomer(tx, record.id)) await startReindex(tx, OF_CUSTOMERS)
}

const readIn = new WeakMap<BusinessTx, Set<string>>()

/** Events come many to a transaction, all of them committed before it began: a record that was read in it is as new as its last event. */
function hasBeenRead(tx: BusinessTx, record: string): boolean {
  const read = readIn.get(tx) ?? new Set()
  readIn.set(tx, read)
  return read.size === read.add(record).size
}

/** Businesses that are older than the index; one that failed is tried again the next day. */
export const buildMissingIndexes = job({
  name: 'search.build',
  payload: Type.Object({}),
  cron: '* * * * *',
  async run({ database, job_id }) {
    const found = await transact(database, { business_id: null, read_only: true, request: plainRequest }, ({ tx }) => businessesToIndex(tx))
    for (const { business_id } of found) {
      const business = await findBusiness(database, business_id)
      if (!business) continue
      await asSystem(database, business, `job-${job_id}`, async (tx) => {
        noteAsked(tx)
        await startReindex(tx)
      })
    }
  },
})
