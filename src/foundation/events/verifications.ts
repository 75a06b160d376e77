// What must hold of the event log.
import type { Verification } from '../verification.ts'
import * as store from './store.ts'

export const eventVerifications: Verification[] = [
  {
    claim: 'The event log has no gap, and an event for every audited change',
    async run(tx) {
      const { events, first, last, head, audited } = await tx.get(store.extent, {}, 'Event log')
      const whole = events === head && audited === head && (events === 0 || (first === 1 && last === head))
      return { checked: events, problems: whole ? [] : [`${events} events from ${first} to ${last}, ${audited} audited changes, ${head} given out`] }
    },
  },
]
