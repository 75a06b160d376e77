// OAuth clients over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const oauthClientRoutes = [
  on(contract.listClients, (tx, { query }) => operations.listClients(tx, query)),
  on(contract.createClient, (tx, { body }) => operations.createClient(tx, body)),
  on(contract.getClient, (tx, { params }) => operations.getClient(tx, params.client_id)),
  on(contract.updateClient, (tx, { params, body }) => operations.updateClient(tx, params.client_id, body)),
  on(contract.deleteClient, (tx, { params }) => operations.deleteClient(tx, params.client_id)),
  on(contract.enableClient, (tx, { params }) => operations.enableClient(tx, params.client_id)),
  on(contract.disableClient, (tx, { params }) => operations.disableClient(tx, params.client_id)),
  on(contract.createClientSecret, (tx, { params }) => operations.createClientSecret(tx, params.client_id)),
  on(contract.deleteClientSecret, (tx, { params }) => operations.deleteClientSecret(tx, params.client_id, params.secret_id)),
]
