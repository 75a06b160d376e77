// The test doors over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const processorSandboxRoutes = [
  on(contract.refundSandboxCharge, (tx, { params, body }) => operations.refundSandboxCharge(tx, params.charge_id, body.amount)),
  on(contract.disputeSandboxCharge, (tx, { params, body }) => operations.disputeSandboxCharge(tx, params.charge_id, body.status ?? 'open')),
  on(contract.paySandboxOut, (tx, { body }) => operations.paySandboxOut(tx, body.arrival_date)),
  on(contract.failSandboxPayout, (tx, { params }) => operations.failSandboxPayout(tx, params.payout_id)),
  on(contract.completeSandboxCheckout, (tx, { params, body }) => operations.completeSandboxCheckout(tx, params.session_id, body.card_number)),
  on(contract.cancelSandboxCheckout, (tx, { params }) => operations.cancelSandboxCheckout(tx, params.session_id)),
  on(contract.expireSandboxCheckout, (tx, { params }) => operations.expireSandboxCheckout(tx, params.session_id)),
]
