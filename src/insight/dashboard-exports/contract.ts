// Dashboards as files: pages, a picture, or a workbook, each with what its figures mean.
import type { Static } from 'typebox'
import { BASES } from '../../access/businesses/contract.ts'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { id, oneOf, optional, shape } from '../../foundation/shapes.ts'
import { PERIODS } from '../report-columns/contract.ts'

export const BOARD_FORMATS = ['pdf', 'png', 'xlsx'] as const
export type BoardFormat = (typeof BOARD_FORMATS)[number]

export const BoardExportInput = shape('DashboardExportInput', {
  format: oneOf(BOARD_FORMATS, {
    description: 'pdf: the board, the figures behind its charts and what they mean. png: the board alone. xlsx: figures and definitions.',
  }),
  period: optional(oneOf(PERIODS, { description: 'Instead of the periods of the dashboard and its widgets.' })),
  basis: optional(oneOf(BASES, { description: 'Instead of that of the dashboard.' })),
})
export type BoardExportInput = Static<typeof BoardExportInput>

export const BoardExport = shape('DashboardExport', {
  job_id: id({ description: 'The job that makes the file.' }),
  document_id: id({ description: 'The document that the file will be, once the job has succeeded.' }),
})
export type BoardExport = Static<typeof BoardExport>

const endpoint = endpointsOf('dashboards', 'business')

export const exportDashboard = endpoint({
  id: 'export_dashboard', method: 'POST', path: '/{dashboard_id}/export', summary: 'Export a dashboard',
  description: 'Starts a job that writes the dashboard, with the figures of the moment when it begins, into a file and keeps it as a document. '
    + 'Like every document it is seen by all who may read documents. Every call makes one of its own; it stays when the dashboard is deleted.',
  params: shape('DashboardExportParams', { dashboard_id: id() }),
  body: BoardExportInput,
  reply: BoardExport,
  example: { format: 'pdf' },
})
