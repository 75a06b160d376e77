// Contracts over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const contractRoutes = [
  on(contract.listContracts, (tx, { query }) => operations.listContracts(tx, query)),
  on(contract.createContract, (tx, { body }) => operations.createContract(tx, body)),
  on(contract.exportContracts, (tx, { query }) => operations.exportContracts(tx, query)),
  on(contract.getContract, (tx, { params }) => operations.getContract(tx, params.contract_id)),
  on(contract.updateContract, (tx, { params, body }) => operations.updateContract(tx, params.contract_id, body)),
  on(contract.deleteContract, (tx, { params }) => operations.deleteContract(tx, params.contract_id)),
  on(contract.activateContract, (tx, { params, body }) => operations.activateContract(tx, params.contract_id, body)),
  on(contract.completeContract, (tx, { params, body }) => operations.completeContract(tx, params.contract_id, body)),
  on(contract.terminateContract, (tx, { params, body }) => operations.terminateContract(tx, params.contract_id, body)),
  on(contract.renewContract, (tx, { params }) => operations.renewContract(tx, params.contract_id)),
]
