// Settings over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const businessSettingsRoutes = [
  on(contract.getSettings, (tx) => operations.getSettings(tx)),
  on(contract.updateSettings, (tx, { body }) => operations.updateSettings(tx, body)),
]
