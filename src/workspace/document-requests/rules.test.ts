// Tests of the states of requests and of the days on which something is due.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ITEM_STATUSES, type RequestItem } from './contract.ts'
import { isComplete, movedPeriod, neededOf, nextDue, nextOn, nextReminder, statusByFiles, statusOf } from './rules.ts'

const item = (status: RequestItem['status'], required = true) => ({ status, required, files: [] as RequestItem['files'] }) as unknown as RequestItem
const anyItem = fc.record({ status: fc.constantFrom(...ITEM_STATUSES), required: fc.boolean() }).map(({ status, required }) => item(status, required))

describe('the state of a request', () => {
  it.each<[string, RequestItem[], string]>([
    ['nothing came', [item('open'), item('open')], 'sent'],
    ['only something that is not required came', [item('open'), item('received', false)], 'partially_received'],
    ['one of two', [item('received'), item('open')], 'partially_received'],
    ['rejected', [item('rejected')], 'partially_received'],
    ['one waived, one open', [item('waived'), item('open')], 'sent'],
    ['all that is required', [item('accepted'), item('waived'), item('open', false)], 'received'],
    ['nothing is required and not all came', [item('received', false), item('open', false)], 'partially_received'],
  ])('%s', (_, items, status) => expect(statusOf(items)).toBe(status))

  it('is received exactly when nothing needed is missing', () => {
    fc.assert(fc.property(fc.array(anyItem, { minLength: 1 }), (items) => {
      expect(statusOf(items) === 'received').toBe(isComplete(items))
      expect(neededOf(items).length).toBeGreaterThan(0)
    }))
  })

  it('of an item follows its files', () => {
    const file = (rejected_at: string | null) => ({ rejected_at }) as RequestItem['files'][number]
    expect([statusByFiles([]), statusByFiles([file('x')]), statusByFiles([file('x'), file(null)])]).toEqual(['open', 'rejected', 'received'])
  })
})

describe('days', () => {
  it('the next reminder is the first one after a day', () => {
    const request = { reminder_days: [-2, 0, 5], due_date: '2026-03-10' }
    expect([nextReminder(request, '2026-03-01', '2026-03-01'), nextReminder(request, '2026-03-01', '2026-03-08'), nextReminder(request, '2026-03-01', '2026-03-15')]).toEqual(['2026-03-08', '2026-03-10', null])
    expect(nextReminder({ reminder_days: [7], due_date: null }, '2026-03-01', '2026-03-01')).toBe('2026-03-08')
  })

  it('a series is counted from its start', () => {
    const place = { recurrence: { frequency: 'monthly' as const }, series_start: '2026-01-31' }
    expect([0, 1, 2].map((occurrence) => nextDue({ ...place, occurrence }))).toEqual(['2026-02-28', '2026-03-31', '2026-04-30'])
    expect(nextOn({ ...place, occurrence: 0 }, 10)).toBe('2026-02-18')
    expect(nextDue({ ...place, recurrence: { frequency: 'monthly', end_date: '2026-02-27' }, occurrence: 0 })).toBeNull()
  })

  it.each<[string | null, string, string, string | null]>([
    ['2026-03', '2026-04-10', '2026-05-10', '2026-04'], ['2026-12', '2026-04-10', '2026-05-10', '2027-01'], ['2026-03', '2026-04-10', '2026-07-10', '2026-06'],
    ['2026-Q1', '2026-04-10', '2026-07-10', '2026-Q2'], ['2026-Q4', '2026-04-10', '2026-07-10', '2027-Q1'], ['2026-Q1', '2026-04-10', '2026-05-10', '2026-Q1'],
    ['2025', '2026-04-10', '2027-04-10', '2026'], ['2025', '2026-04-10', '2026-05-10', '2025'], [null, '2026-04-10', '2026-05-10', null],
  ])('the period %s moves with the due date', (period, from, to, expected) => expect(movedPeriod(period, from, to)).toBe(expected))
})
