// Every kind of long job: what people can wait for and follow.
import { exportDashboardJob } from '../insight/dashboard-exports/jobs.ts'
import { exportJob } from '../insight/exports/jobs.ts'
import { exportDeckJob } from '../insight/deck-exports/jobs.ts'
import { generateDeckJob, refreshDeckJob } from '../insight/deck-making/jobs.ts'
import { reindexJob } from '../insight/search-index/jobs.ts'
import { extractDocument } from '../processes/document-records/operations.ts'
import { rollBackImportJob, runImportJob } from '../processes/import-runs/jobs.ts'
import { extractionJob } from '../workspace/document-reading/jobs.ts'
import type { LongJob } from '../workspace/jobs/contract.ts'
import { exportKinds } from './exports.ts'

export const longJobs: LongJob[] = [extractionJob(extractDocument), reindexJob, generateDeckJob, refreshDeckJob, exportDeckJob, exportDashboardJob, exportJob(exportKinds), runImportJob, rollBackImportJob]
