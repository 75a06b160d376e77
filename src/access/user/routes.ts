// Everything under /user over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import { passwordRoutes } from '../password/routes.ts'
import { securityEventRoutes } from '../security-events/routes.ts'
import { sessionRoutes } from '../sessions/routes.ts'
import { signInRoutes } from '../sign-in/routes.ts'
import { signUpRoutes } from '../sign-up/routes.ts'
import { twoFactorRoutes } from '../two-factor/routes.ts'
import { userEmailRoutes } from '../user-email/routes.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const userRoutes = [
  ...signUpRoutes,
  ...signInRoutes,
  on(contract.getUser, (tx) => operations.getUser(tx)),
  on(contract.updateUser, (tx, { body }) => operations.updateUser(tx, body)),
  on(contract.closeUser, (tx) => operations.closeUser(tx)),
  on(contract.listOwnMemberships, (tx, { query }) => operations.listOwnMemberships(tx, query)),
  ...securityEventRoutes,
  ...sessionRoutes,
  ...passwordRoutes,
  ...userEmailRoutes,
  ...twoFactorRoutes,
]
