// The verification of the books over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import type { Verification } from '../../foundation/verification.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

/** `verifications` are those of every room. */
export const bookRoutes = (verifications: readonly Verification[]) => [
  on(contract.verifyBooks, (tx) => operations.verifyBooks(tx, verifications)),
]
