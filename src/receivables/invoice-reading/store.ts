// The SQL of readings.
import { Type } from 'typebox'
import { insertion } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id, nullable } from '../../foundation/shapes.ts'
import { AiJob, ReadingRow } from './contract.ts'

export const insertJob = insertion('ai_jobs', AiJob)
export const lockJob = statement(AiJob, `select ${columns(AiJob)} from ai_jobs where business_id = :business_id and id = :id for update`)
export const updateJob = command(
  `update ai_jobs set status = :status, engine = :engine, model = :model, model_runs = :model_runs, completed_at = :completed_at,
     updated_at = :updated_at, version = :version
   where business_id = :business_id and id = :id`)

export const insertReading = insertion('invoice_readings', ReadingRow)
export const dropReading = command('delete from invoice_readings where business_id = :business_id and id = :id')
export const waitingReadings = statement(
  ReadingRow,
  `select ${columns(ReadingRow)} from invoice_readings
   where business_id = :business_id and ai_job_id = :ai_job_id and status = 'waiting' order by position`)

/** Files that became an invoice, or are being read in another job. */
export const seenFiles = statement(
  Type.Object({ content_hash: Type.Unsafe<Buffer>({ type: 'buffer' }), invoice_id: nullable(id()), ai_job_id: id(), number: nullable(Type.String()) }),
  `select distinct on (r.content_hash) r.content_hash, r.invoice_id, r.ai_job_id, i.number
   from invoice_readings r left join invoices i on i.business_id = r.business_id and i.id = r.invoice_id
   where r.business_id = :business_id and r.content_hash = any(:hashes) and (r.invoice_id is not null or r.status = 'waiting') and r.ai_job_id <> :ai_job_id
   order by r.content_hash, r.created_at, r.id`)
