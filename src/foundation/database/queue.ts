// Adding a job in the transaction of the change it follows from.
import { command } from './statement.ts'

export type JobOptions = {
  /** Jobs with the same key are one job while they wait. */
  job_key?: string
  run_at?: string
  max_attempts?: number
  /** Jobs of one queue run one after another. */
  queue_name?: string
}

export const enqueueJob = command('select enqueue_job(:task, :payload::json, :job_key, :run_at::timestamptz, :max_attempts::int, :queue_name)')
