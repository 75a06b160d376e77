// Exports of dashboards: started by people, and carried on by the job that makes the file.
import { getBusiness } from '../../access/businesses/operations.ts'
import type { Surroundings } from '../../foundation/database/context.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { drawPage } from '../../foundation/document-text/drawing.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid, unavailable } from '../../foundation/refusal.ts'
import { workbookOf } from '../../foundation/sheets.ts'
import type { StoredFile } from '../../workspace/document-files/operations.ts'
import { keepDocument } from '../../workspace/documents/operations.ts'
import { startJob } from '../../workspace/jobs/operations.ts'
import { boardData, hiddenReports, type Override } from '../dashboard-figures/operations.ts'
import { readBoard } from '../dashboards/operations.ts'
import type { BoardExport, BoardExportInput, BoardFormat } from './contract.ts'
import { boardPdf, boardTables, type BoardFile } from './rules.ts'

export const EXPORT_BOARD = 'dashboards.export'

/** The job reads as the service: `override` says what whoever asked may not read. */
export type ExportOrder = { dashboard_id: string; document_id: string; format: BoardFormat; override: Override }

export async function exportDashboard(tx: BusinessTx, dashboard_id: string, { format, period, basis }: BoardExportInput): Promise<BoardExport> {
  const { id } = await readBoard(tx, dashboard_id)
  const document_id = newId()
  const override: Override = { ...(period ? { period } : {}), ...(basis ? { basis } : {}), hidden: hiddenReports(tx) }
  const order: ExportOrder = { dashboard_id: id, document_id, format, override }
  const job = await startJob(tx, { kind: EXPORT_BOARD, subject: `${id} ${document_id}`, input: order })
  return { job_id: job.id, document_id }
}

export type ExportMaterial = { file: BoardFile; business_id: string; surroundings: Surroundings; now: string }

/** Everything that the file is made of, as it is at one moment, as whoever asked for it sees it. */
export async function readForExport(tx: BusinessTx, { dashboard_id, override }: ExportOrder): Promise<ExportMaterial> {
  const [board, { name, base_currency, country }] = await Promise.all([readBoard(tx, dashboard_id), getBusiness(tx)])
  const { business_id, surroundings, now } = tx
  return { file: { data: await boardData(tx, board, override), business: { name, currency: base_currency, country } }, business_id, surroundings, now }
}

const PICTURE_WIDTH = 1920

/** Outside any transaction; a picture is drawn in a process of its own. */
export async function makeFile(file: BoardFile, format: BoardFormat): Promise<Buffer> {
  if (format === 'xlsx') return workbookOf(boardTables(file))
  const pdf = await boardPdf(file, { whole: format === 'png' })
  if (format === 'pdf') return pdf
  const drawn = await drawPage({ kind: 'pdf', content: pdf, page: 1, width: PICTURE_WIDTH })
  if (drawn === null) throw unavailable('There was no room to draw the picture.', 5)
  if ('problem' in drawn) throw invalid(`The dashboard ${drawn.problem}.`)
  return Buffer.from(drawn.png)
}

/** The file is in the storage: from here on it is a document, with the id that was promised. */
export async function keepExport(tx: BusinessTx, { document_id }: ExportOrder, file: StoredFile, name: string): Promise<void> {
  await keepDocument(tx, { id: document_id, file, kind: 'report', description: `Dashboard: ${name}` })
}
