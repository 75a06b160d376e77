// Jobs over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const jobRoutes = [
  on(contract.listJobs, (tx, { query }) => operations.listJobs(tx, query)),
  on(contract.getJob, (tx, { params }) => operations.getJob(tx, params.job_id)),
  on(contract.followJob, (tx, { params }) => operations.followJob(tx, params.job_id)),
  on(contract.cancelJob, (tx, { params }) => operations.cancelJob(tx, params.job_id)),
  on(contract.retryJob, (tx, { params }) => operations.retryJob(tx, params.job_id)),
]
