// The list of all public links over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const shareLinkRoutes = [on(contract.listShareLinks, (tx, { query }) => operations.listShareLinks(tx, query))]
