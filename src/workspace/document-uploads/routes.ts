// Uploads over HTTP: contract → operation.
import { onOutside, type Route } from '../../foundation/endpoint.ts'
import type { RecordStates } from '../document-attachments/contract.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentUploadRoutes = (states: RecordStates): Route[] => [
  onOutside(contract.uploadDocuments, operations.uploadDocuments),
  onOutside(contract.addVersion, operations.addVersion(states)),
]
