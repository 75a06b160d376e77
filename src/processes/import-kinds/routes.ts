// The endpoints of what can be imported.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import { getImportTemplate, listImportKinds } from './operations.ts'

export const importKindRoutes = [
  on(contract.listImportKinds, listImportKinds),
  on(contract.getImportTemplate, (_tx, { params }) => getImportTemplate(params.kind)),
]
