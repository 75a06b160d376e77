// The inbox over HTTP: contract → operation.
import { onMessageOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentInboxRoutes = [
  onMessageOutside(contract.receiveMail, operations.receiveMail),
]
