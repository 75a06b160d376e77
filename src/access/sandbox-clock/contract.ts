// The test door of the clock: in a sandbox the time can be moved ahead.
import { endpoint } from '../../foundation/endpoint.ts'
import { shape, timestamp } from '../../foundation/shapes.ts'

export const moveClock = endpoint({
  id: 'move_sandbox_clock', method: 'POST', path: '/sandbox/clock', summary: 'Move the clock of the sandbox ahead', scope: 'business',
  permission: 'billing:manage', allow_read_only: true,
  description: 'For the owner of a business, and only where every party outside is an embedded one: with a card processor or a mail server of its own this '
    + 'is a 404. The clock of all businesses and processes moves; what has fallen due meanwhile happens at once. Sessions stay open, tokens that end at a '
    + 'time end at that time. Back it never goes, and never further than five years ahead.',
  body: shape('SandboxClockInput', { now: timestamp() }),
  reply: shape('SandboxClock', { now: timestamp() }),
  refusals: ['The time is over already.', 'It lies more than five years ahead.'],
})
