// Many products at once over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const productUpsertRoutes = [on(contract.bulkProducts, (tx, { body }) => operations.bulkProducts(tx, body))]
