// Brings the events of the embedded processor in by the way that a real one's come: signed bytes, checked and kept.
import { Type } from 'typebox'
import { plainRequest, transact } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import { SANDBOX_EVENT } from '../../foundation/processor/sandbox-records.ts'
import { signedMessage } from '../../foundation/processor/sandbox.ts'
import { nullable, oneOf, timestamp } from '../../foundation/shapes.ts'
import { SUBJECTS } from './contract.ts'
import { receiveEvent } from './operations.ts'

const Event = Type.Object({
  id: Type.String(), type: Type.String(), subject: nullable(oneOf(SUBJECTS)), object_id: nullable(Type.String()), account: nullable(Type.String()),
  created_at: timestamp(),
})

export const deliverSandboxEvent = job({
  name: SANDBOX_EVENT,
  payload: Type.Object({ event: Event }),
  async run({ database }, { event }) {
    const message = signedMessage(database.surroundings.encryption_key, event, database.clock.now())
    await transact(database, { business_id: null, read_only: false, request: plainRequest }, ({ tx }) => receiveEvent(tx, message))
  },
})
