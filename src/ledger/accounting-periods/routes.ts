// Accounting periods over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

/** `checks` are what the rooms find in the way of closing a period. */
export const periodRoutes = (checks: readonly operations.CloseCheck[]) => [
  on(contract.listPeriods, (tx, { query }) => operations.listPeriods(tx, query)),
  on(contract.getCurrentPeriod, (tx) => operations.getCurrentPeriod(tx)),
  on(contract.generatePeriods, (tx, { body }) => operations.generatePeriods(tx, body.fiscal_year)),
  on(contract.closeYear, (tx, { body }) => operations.closeYear(tx, body.fiscal_year, body.accept_warnings ?? false, checks)),
  on(contract.getPeriod, (tx, { params }) => operations.getPeriod(tx, params.period_id)),
  on(contract.checkPeriod, (tx, { params }) => operations.checkPeriod(tx, params.period_id, checks)),
  on(contract.getCertificate, (tx, { params }) => operations.getCertificate(tx, params.period_id)),
  on(contract.getDrift, (tx, { params }) => operations.getDrift(tx, params.period_id)),
  on(contract.lockPeriod, (tx, { params, body }) => operations.lockPeriod(tx, params.period_id, body.areas)),
  on(contract.unlockPeriod, (tx, { params, body }) => operations.unlockPeriod(tx, params.period_id, body.areas)),
  on(contract.softClosePeriod, (tx, { params }) => operations.softClosePeriod(tx, params.period_id)),
  on(contract.closePeriod, (tx, { params, body }) => operations.closePeriod(tx, params.period_id, body.accept_warnings ?? false, checks)),
  on(contract.reopenPeriod, (tx, { params, body }) => operations.reopenPeriod(tx, params.period_id, body.reason)),
]
