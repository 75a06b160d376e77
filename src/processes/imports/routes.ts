// The endpoints of imports before they run.
import { on, onOutside } from '../../foundation/endpoint.ts'
import { importKindRoutes } from '../import-kinds/routes.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const importRoutes = [
  ...importKindRoutes,
  on(contract.listImports, (tx, { query }) => operations.listImports(tx, query)),
  onOutside(contract.createImport, {
    read: (tx, { body }) => operations.planImport(tx, body),
    call: operations.readFile,
    // Reading what is stored changes nothing, so a dry run reads it too.
    rehearse: operations.readFile,
    write: (tx, { body }, plan, file) => operations.createImport(tx, body, plan, file ?? { columns: [], rows: [] }),
  }),
  on(contract.getImport, (tx, { params }) => operations.getImport(tx, params.import_id)),
  on(contract.deleteImport, (tx, { params }) => operations.deleteImport(tx, params.import_id)),
  on(contract.mapImport, (tx, { params, body }) => operations.mapImport(tx, params.import_id, body)),
]
