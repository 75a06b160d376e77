// Exports over HTTP: contract → operation.
import { on, type Route } from '../../foundation/endpoint.ts'
import { recordStates } from '../../processes/document-records/operations.ts'
import type { ExportKind } from '../export-kinds/contract.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export function exportRoutes(kinds: readonly ExportKind[]): Route[] {
  return [
    on(contract.listExportKinds, (tx) => operations.listKinds(tx, kinds)),
    on(contract.listExports, (tx, { query }) => operations.listExports(tx, kinds, query)),
    on(contract.createExport, (tx, { body }) => operations.createExport(tx, kinds, body)),
    on(contract.getExport, (tx, { params }) => operations.getExport(tx, kinds, params.export_id)),
    on(contract.deleteExport, (tx, { params }) => operations.deleteExport(tx, kinds, params.export_id, recordStates)),
    on(contract.downloadExport, (tx, { params }) => operations.downloadExport(tx, kinds, params.export_id)),
  ]
}
