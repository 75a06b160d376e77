// Activation over HTTP: contract → operation. A sample gets what every new business gets, so the founders are handed in.
import type { Founder } from '../../access/businesses/operations.ts'
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const activationRoutes = (founders: readonly Founder[]) => [
  on(contract.getActivation, (tx) => operations.getActivation(tx)),
  on(contract.previewSample, (tx, { body }) => operations.previewSample(tx, body, founders)),
  on(contract.reportMilestone, (tx, { params }) => operations.reportMilestone(tx, params.milestone)),
]
