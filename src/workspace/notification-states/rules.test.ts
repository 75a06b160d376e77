import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../foundation/refusal.ts'
import type { NotificationRow, Status } from '../notification-kinds/contract.ts'
import { statusOf } from '../notification-kinds/rules.ts'
import * as rules from './rules.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const LATER = '2026-03-11T12:00:00.000Z'
const BEFORE = '2026-03-09T12:00:00.000Z'
const moment = fc.constantFrom(null, BEFORE, NOW, LATER)
const row = fc.record({ read_at: moment, snoozed_until: moment, dismissed_at: moment, resolved_at: moment, pinned_at: fc.constant(null), pin_seq: fc.constant(null) }) as fc.Arbitrary<unknown> as fc.Arbitrary<NotificationRow>

const actions = {
  read: { to: 'read', from: ['unread'], changes: (of: NotificationRow) => rules.readChanges(of, NOW) },
  unread: { to: 'unread', from: ['read'], changes: (of: NotificationRow) => rules.unreadChanges(of, NOW) },
  snooze: { to: 'snoozed', from: ['unread', 'read'], changes: (of: NotificationRow) => rules.snoozeChanges(of, NOW, LATER) },
  unsnooze: { to: 'unread', from: ['snoozed'], changes: (of: NotificationRow) => rules.unsnoozeChanges(of, NOW) },
  dismiss: { to: 'dismissed', from: ['unread', 'read', 'snoozed', 'resolved'], changes: (of: NotificationRow) => rules.dismissChanges(of, NOW) },
} satisfies Record<string, { to: Status; from: Status[]; changes: (of: NotificationRow) => rules.Changes }>

describe('states', () => {
  it.each(Object.entries(actions))('%s leads where it should, does nothing where it is, and is refused elsewhere', (_name, { to, from, changes }) => {
    fc.assert(fc.property(row, (of) => {
      const status = statusOf(of, NOW)
      if (status === to || (from as Status[]).includes(status)) {
        expect(statusOf({ ...of, ...changes(of) }, NOW)).toBe(to)
      } else {
        expect(() => changes(of)).toThrow(Refusal)
        expect(() => changes(of)).toThrow(status)
      }
    }))
  })

  it('a snooze ends by the clock, as unread', () => {
    const snoozed = { read_at: null, snoozed_until: LATER, dismissed_at: null, resolved_at: null }
    expect([statusOf(snoozed, NOW), statusOf(snoozed, LATER)]).toEqual(['snoozed', 'unread'])
  })

  it('is snoozed into the future only, a year at most', () => {
    expect(rules.requireUntil('2026-03-11T13:00:00+01:00', NOW)).toBe(LATER)
    expect(() => rules.requireUntil(NOW, NOW)).toThrow('not in the future')
    expect(() => rules.requireUntil('2027-03-12T12:00:00Z', NOW)).toThrow('more than a year')
  })
})
