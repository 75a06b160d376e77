// Shares from outside over HTTP: contract → operation.
import { on, onOutside, type Route } from '../../foundation/endpoint.ts'
import type { SharedViews } from '../shares/contract.ts'
import { unlockShare } from '../shares/operations.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const publicDashboardRoutes = (views: SharedViews): Route[] => [
  onOutside(contract.viewShare, operations.viewShare(views)),
  on(contract.unlockShare, (tx, { params, body }) => unlockShare(tx, params.share_token, body.password)),
  onOutside(contract.shareData, operations.shareData(views)),
  onOutside(contract.downloadShare, operations.downloadShare(views)),
  onOutside(contract.viewSlide, operations.viewSlide(views)),
]
