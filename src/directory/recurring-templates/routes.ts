// Recurring templates over HTTP, as far as no document is made: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const recurringTemplateRoutes = [
  on(contract.listTemplates, (tx, { query }) => operations.listTemplates(tx, query)),
  on(contract.previewDates, (tx, { body }) => operations.previewDates(tx, body)),
  on(contract.getTemplate, (tx, { params }) => operations.getTemplate(tx, params.template_id)),
  on(contract.deleteTemplate, (tx, { params }) => operations.deleteTemplate(tx, params.template_id)),
  on(contract.pauseTemplate, (tx, { params, body }) => operations.pauseTemplate(tx, params.template_id, body.until ?? null)),
  on(contract.resumeTemplate, (tx, { params, body }) => operations.resumeTemplate(tx, params.template_id, body.catch_up ?? false)),
  on(contract.endTemplate, (tx, { params }) => operations.endTemplate(tx, params.template_id)),
  on(contract.skipOccurrence, (tx, { params }) => operations.skipOccurrence(tx, params.template_id)),
  on(contract.listOccurrences, (tx, { params, query }) => operations.listOccurrences(tx, params.template_id, query)),
]
