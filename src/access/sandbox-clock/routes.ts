// The test door of the clock over HTTP: contract → operation.
import { onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import { moveClock } from './operations.ts'

export const sandboxClockRoutes = (timed: readonly string[]) => [
  onOutside(contract.moveClock, moveClock(timed)),
]
