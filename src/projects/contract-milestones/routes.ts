// Milestones over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const milestoneRoutes = [
  on(contract.listMilestones, (tx, { params }) => operations.listMilestones(tx, params.contract_id)),
  on(contract.addMilestone, (tx, { params, body }) => operations.addMilestone(tx, params.contract_id, body)),
  on(contract.updateMilestone, (tx, { params, body }) => operations.updateMilestone(tx, params.contract_id, params.milestone_id, body)),
  on(contract.deleteMilestone, (tx, { params }) => operations.deleteMilestone(tx, params.contract_id, params.milestone_id)),
]
