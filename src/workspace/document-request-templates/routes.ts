// Templates of document requests over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentRequestTemplateRoutes = [
  on(contract.listTemplates, (tx, { query }) => operations.listTemplates(tx, query)),
  on(contract.createTemplate, (tx, { body }) => operations.createTemplate(tx, body)),
  on(contract.getTemplate, (tx, { params }) => operations.getTemplate(tx, params.template_id)),
  on(contract.updateTemplate, (tx, { params, body }) => operations.updateTemplate(tx, params.template_id, body)),
  on(contract.deleteTemplate, (tx, { params }) => operations.deleteTemplate(tx, params.template_id)),
]
