// Payouts over HTTP: contract → operation.
import { on, onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const processorPayoutRoutes = [
  on(contract.listPayouts, (tx, { query }) => operations.listPayouts(tx, query)),
  onOutside(contract.syncPayouts, operations.sync),
  on(contract.getPayout, (tx, { params }) => operations.getPayout(tx, params.payout_id)),
  on(contract.payoutCandidates, (tx, { params }) => operations.payoutCandidates(tx, params.payout_id)),
  on(contract.matchPayout, (tx, { params, body }) => operations.matchPayout(tx, params.payout_id, body.transaction_id)),
  on(contract.unmatchPayout, (tx, { params }) => operations.unmatchPayout(tx, params.payout_id)),
  on(contract.postPayout, (tx, { params, body }) => operations.postPayout(tx, params.payout_id, body.date)),
]
