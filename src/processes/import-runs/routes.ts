// The endpoints of imports on their way.
import { on, onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const importRunRoutes = [
  // In steps, because only the last one may write: what it writes is undone before it answers.
  onOutside(contract.previewImport, {
    read: (tx, { params }) => operations.planPreview(tx, params.import_id),
    call: () => Promise.resolve(null),
    write: (tx, { params }) => operations.previewImport(tx, params.import_id),
  }),
  on(contract.runImport, (tx, { params }) => operations.runImport(tx, params.import_id)),
  on(contract.cancelImport, (tx, { params }) => operations.cancelImport(tx, params.import_id)),
  on(contract.rollBackImport, (tx, { params }) => operations.rollBackImport(tx, params.import_id)),
]
