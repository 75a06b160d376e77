// Every kind of long job: what people can wait for and follow.
import { reindexJob } from '../insight/search-index/jobs.ts'
import { extractDocument } from '../processes/document-records/operations.ts'
import { extractionJob } from '../workspace/document-reading/jobs.ts'
import type { LongJob } from '../workspace/jobs/contract.ts'

export const longJobs: LongJob[] = [extractionJob(extractDocument), reindexJob]
