// The SQL of jobs.
import { Type, type Static, type TObject } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { insertion, insertions } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { anyObject, id, integer, nullable, shape, timestamp } from '../../foundation/shapes.ts'
import { Job } from './contract.ts'

const { progress: _progress, ...kept } = Job.properties

/** A job as it is stored: also what only its worker needs. */
export const JobRow = Type.Object({
  ...kept,
  done: integer(0),
  total: nullable(integer(0)),
  input: anyObject(),
  checkpoint: nullable(anyObject()),
  askers: Type.Array(id()),
  runner: nullable(id()),
  lease_until: nullable(timestamp()),
  losses: integer(0),
})
export type JobRow = Static<typeof JobRow>

const EventRow = Type.Object({ job_id: id(), seq: integer(1), event: Type.String(), data: anyObject(), at: timestamp() })

const shown = `${columns(Type.Object(kept), 't')}, jsonb_build_object('done', t.done, 'total', t.total) as progress`
const mine = ':actor_id = any(t.askers)'

export const jobs = list({
  item: Job,
  select: shown,
  from: 'jobs t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { kind: 't.kind = :kind', status: 't.status = :status', created_by: 't.created_by = :created_by', mine },
})

/** One that the caller may see: their own, or any for an admin. */
export const findJob = statement(Job, `select ${shown} from jobs t where t.business_id = :business_id and t.id = :id and (:admin::boolean or ${mine})`)
export const findRetry = statement(Job, `select ${shown} from jobs t where t.business_id = :business_id and t.retry_of = :id`)

const row = columns(JobRow)
const lockRow = (condition: string, more = '') => statement(JobRow, `select ${row} from jobs t where t.business_id = :business_id and ${condition} for update${more}`)

export const lockJob = lockRow(`t.id = :id and (:admin::boolean or ${mine})`)
export const lockActive = lockRow(`t.kind = :kind and t.subject = :subject and t.status in ('queued', 'running')`)
export const lockUnattended = lockRow('t.id = :id', ' skip locked')
export const readJob = statement(JobRow, `select ${row} from jobs where business_id = :business_id and id = :id`)

export const insertJob = insertion('jobs', JobRow)
const { id: _id, business_id: _business, created_at: _created, ...changeable } = (JobRow as TObject).properties
const sets = Object.keys(changeable).map((name) => `${name} = :${name}`).join(', ')
export const saveJob = command(`update jobs set ${sets} where business_id = :business_id and id = :id`)

/** Only by the worker that still has it: nothing comes back where another has taken it over, and the chunk is undone. */
export const advanceJob = statement(
  JobRow,
  `update jobs set checkpoint = :checkpoint::jsonb, done = :done, total = :total, phase = :phase, lease_until = :lease_until, losses = 0,
     updated_at = :now, version = version + 1
   where business_id = :business_id and id = :id and status = 'running' and runner = :runner returning ${row}`,
)

export const renewLease = command(
  `update jobs set lease_until = :lease_until where business_id = :business_id and id = :id and status = 'running' and runner = :runner`)

/** What nobody has looked after for too long. */
export const takeLost = statement(
  JobRow,
  `select ${row} from jobs t where t.business_id = :business_id and t.lease_until < :now order by t.lease_until limit 200 for update skip locked`,
)
/** Several at once, given as whole rows. */
export const saveJobs = command(
  `update jobs t set ${Object.keys(changeable).map((name) => `${name} = r.${name}`).join(', ')}
   from jsonb_populate_recordset(null::jobs, :rows::jsonb) r where t.business_id = :business_id and t.id = r.id`)

export const insertEvents = insertions('job_events', EventRow)
export const eventsAfter = statement(
  shape('JobEventRow', { seq: integer(1), event: Type.String(), data: anyObject() }),
  'select seq, event, data from job_events where business_id = :business_id and job_id = :id and seq > :seq order by seq limit 1000',
)

export const businessesWithLost = statement(Type.Object({ business_id: id() }), 'select businesses_with_lost_jobs(:now) as business_id')
export const forgetOld = command('select forget_old_jobs(:now)')

constraintMeans('jobs_once', 'The same work has just been started. Ask again to see it.')
constraintMeans('jobs_retried_once', 'This job has just been retried. Ask again to see the new one.')
