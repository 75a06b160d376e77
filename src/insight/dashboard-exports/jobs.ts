// The job that makes the file of a dashboard: figures are read in one transaction, the file is made in none, and the document is kept at the end.
import { storeMade } from '../../workspace/document-files/operations.ts'
import { longJob, type LongJob } from '../../workspace/jobs/contract.ts'
import { fileName } from '../deck-exports/rules.ts'
import { EXPORT_BOARD, keepExport, makeFile, readForExport, type ExportOrder } from './operations.ts'

type Checkpoint = { kept: boolean }

export const exportDashboardJob: LongJob = longJob<ExportOrder, Checkpoint>({
  kind: EXPORT_BOARD, title: 'Export a dashboard', cancelable: true, permission: 'dashboards:write',
  async run(step, order) {
    const { dashboard_id, document_id, format } = order
    const result = { dashboard_id, document_id, format }
    // Kept, but its worker died before it could say so.
    if (step.checkpoint?.kept) return result
    await step.chunk(async () => ({ checkpoint: { kept: false }, done: 0, total: 3, phase: 'figures' }))
    const { file, business_id, surroundings, now } = await step.snapshot((tx) => readForExport(tx, order))
    await step.chunk(async () => ({ checkpoint: { kept: false }, done: 1, total: 3, phase: 'file' }))
    const content = await makeFile(file, format)
    const stored = await storeMade(surroundings, { business_id, now, name: fileName(file.data.name, format), format, content })
    await step.chunk(async (tx) => {
      await keepExport(tx, order, stored, file.data.name)
      return { checkpoint: { kept: true }, done: 3, total: 3, phase: 'done' }
    })
    return result
  },
})
