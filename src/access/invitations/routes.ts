// Invitations over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const invitationRoutes = [
  on(contract.listInvitations, (tx, { query }) => operations.listInvitations(tx, query)),
  on(contract.createInvitation, (tx, { body }) => operations.createInvitation(tx, body)),
  on(contract.createInvitations, (tx, { body }) => operations.createInvitations(tx, body)),
  on(contract.listOwnInvitations, (tx, { query }) => operations.listOwnInvitations(tx, query)),
  on(contract.getInvitation, (tx, { params }) => operations.getInvitation(tx, params.invitation_id)),
  on(contract.updateInvitation, (tx, { params, body }) => operations.updateInvitation(tx, params.invitation_id, body)),
  on(contract.resendInvitation, (tx, { params }) => operations.resendInvitation(tx, params.invitation_id)),
  on(contract.revokeInvitation, (tx, { params }) => operations.revokeInvitation(tx, params.invitation_id)),
  on(contract.lookUpInvitation, (tx, { body }) => operations.lookUpInvitation(tx, body.token)),
  on(contract.acceptInvitation, (tx, { body }) => operations.acceptInvitation(tx, body)),
  on(contract.signUpByInvitation, (tx, { body }) => operations.signUpByInvitation(tx, body)),
  on(contract.declineInvitation, (tx, { body }) => operations.declineInvitation(tx, body)),
  on(contract.declineByToken, (tx, { body }) => operations.declineByToken(tx, body.token)),
]
