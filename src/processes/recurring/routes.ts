// Recurring templates over HTTP, as far as documents are concerned: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const recurringRoutes = [
  on(contract.createTemplate, (tx, { body }) => operations.createTemplate(tx, body)),
  on(contract.updateTemplate, (tx, { params, body }) => operations.updateTemplate(tx, params.template_id, body)),
  on(contract.generateNext, (tx, { params }) => operations.generateNext(tx, params.template_id)),
  on(contract.retryOccurrence, (tx, { params }) => operations.retryOccurrence(tx, params.template_id, params.number)),
]
