// Tests of the states of a todo, its series and its checklist.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths, daysBetween, weekday } from '../../foundation/calendar.ts'
import type { Todo } from './contract.ts'
import {
  ACTIONS, checked, checklistOf, moved, requireConsistent, requireManual, seriesOf, successorOf, tidyTags, updateEvent, weekOf, type Action,
} from './rules.ts'

const NOW = '2026-03-01T00:00:00.000Z'
const base: Todo = {
  id: 'a', business_id: 'b', title: 'File the return', description: null, due_date: null, priority: 'normal', assignee_id: null,
  resource_type: null, resource_id: null, checklist: [], tags: [], recurrence: null, series_id: null, series_start: null, occurrence: null,
  status: 'open', source: 'manual', completed_at: null, completed_by: null, created_at: NOW, updated_at: NOW, version: 1,
}
const recurring = (start: string, frequency: 'daily' | 'weekly' | 'monthly', more: Partial<Todo> = {}): Todo =>
  ({ ...base, due_date: start, recurrence: { frequency }, series_id: 's', series_start: start, occurrence: 0, ...more })

describe('moved', () => {
  const allowed: Record<Action, string> = { start: 'open', complete: 'open in_progress', reopen: 'done canceled', cancel: 'open in_progress' }
  const statuses = ['open', 'in_progress', 'done', 'canceled'] as const
  const cases = (Object.keys(ACTIONS) as Action[]).flatMap((action) => statuses.map((status) => [action, status] as const))

  it.each(cases)('%s of one that is %s', (action, status) => {
    const act = () => moved({ ...base, status }, action, { now: NOW, user_id: 'u' })
    const { to } = ACTIONS[action]
    const completion = to === 'done' ? { completed_at: NOW, completed_by: 'u' } : { completed_at: null, completed_by: null }
    if (status === to) expect(act()).toBeNull()
    else if (allowed[action].split(' ').includes(status)) expect(act()).toEqual({ status: to, ...completion })
    else expect(act).toThrow(`“File the return” is ${status}: only one that is ${allowed[action].replace(' ', ' or ')} can be`)
  })

  it('completing wants the checklist done, or force', () => {
    const todo: Todo = { ...base, checklist: [{ id: 'x', label: 'x', done: true }, { id: 'y', label: 'y', done: false }] }
    expect(() => moved(todo, 'complete', { now: NOW, user_id: 'u' })).toThrow('has 1 open checklist item:')
    expect(moved(todo, 'complete', { now: NOW, user_id: 'u', force: true })).toMatchObject({ status: 'done' })
    expect(moved(todo, 'cancel', { now: NOW, user_id: 'u' })).toMatchObject({ status: 'canceled' })
  })

  it('what the service made is canceled with a reason and never deleted', () => {
    const todo: Todo = { ...base, source: 'close' }
    expect(() => moved(todo, 'cancel', { now: NOW, user_id: 'u' })).toThrow('give a reason')
    expect(moved(todo, 'cancel', { now: NOW, user_id: 'u', reason: 'Not needed' })).toMatchObject({ status: 'canceled' })
    expect(() => requireManual(todo)).toThrow('cannot be deleted')
    expect(() => requireManual(base)).not.toThrow()
  })
})

describe('requireConsistent', () => {
  it.each<[string, Partial<Todo>, string | null]>([
    ['nothing given', {}, null],
    ['a type without id', { resource_type: 'todo' }, 'go together'],
    ['an id without type', { resource_id: 'x' }, 'go together'],
    ['recurring without a date', { recurrence: { frequency: 'daily' } }, 'needs a due_date'],
    ['ending before it is due', { due_date: '2026-02-02', recurrence: { frequency: 'daily', end_date: '2026-02-01' } }, 'ends on 2026-02-01'],
    ['ending on the day', { due_date: '2026-02-02', recurrence: { frequency: 'daily', end_date: '2026-02-02' } }, null],
  ])('%s', (_, more, refusal) => {
    const check = () => requireConsistent({ ...base, ...more })
    if (refusal) expect(check).toThrow(refusal)
    else expect(check).not.toThrow()
  })
})

describe('series', () => {
  const dates = fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10))

  /** Due dates of a todo completed again and again. */
  function walk(first: Todo, steps: number): string[] {
    const found: string[] = []
    for (let todo: Todo | null = first; todo && found.length < steps; todo = successorOf({ ...todo, status: 'done' }, 'n', NOW)) found.push(todo.due_date ?? '')
    return found
  }

  it('never drifts over short months', () => {
    expect(walk(recurring('2027-12-31', 'monthly'), 6)).toEqual(['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31'])
    fc.assert(fc.property(dates, fc.integer({ min: 0, max: 40 }), (start, steps) => {
      expect(walk(recurring(start, 'monthly'), steps + 1).at(-1)).toBe(addMonths(start, steps))
    }))
  })

  it('of days and weeks keeps its distance', () => {
    fc.assert(fc.property(dates, fc.constantFrom(['daily', 1] as const, ['weekly', 7] as const), (start, [frequency, days]) => {
      const found = walk(recurring(start, frequency), 10)
      expect(found.slice(1).map((date, index) => daysBetween(found[index] ?? '', date))).toEqual(Array(9).fill(days))
    }))
  })

  it('ends with its last day', () => {
    const three_days = recurring('2026-01-01', 'daily', { recurrence: { frequency: 'daily', end_date: '2026-01-03' } })
    expect(walk(three_days, 9)).toEqual(['2026-01-01', '2026-01-02', '2026-01-03'])
    expect(successorOf(base, 'n', NOW)).toBeNull()
  })

  it('a successor starts afresh', () => {
    const item = { id: 'x', label: 'x', done: true }
    const done = recurring('2026-01-01', 'daily', { status: 'done', completed_at: NOW, completed_by: 'u', version: 7, checklist: [item], tags: ['t'] })
    expect(successorOf(done, 'n', NOW)).toEqual({
      ...done, id: 'n', due_date: '2026-01-02', occurrence: 1, status: 'open', completed_at: null, completed_by: null, version: 1,
      checklist: [{ ...item, done: false }],
    })
  })

  it('starts anew with another rhythm, moves with its first date, and stays when a later one is moved', () => {
    const first = recurring('2026-01-31', 'monthly')
    const later = { ...first, due_date: '2026-02-28', occurrence: 1 }
    const started = { series_id: 'new', series_start: '2026-05-05', occurrence: 0 }
    expect(seriesOf(null, { recurrence: { frequency: 'daily' }, due_date: '2026-05-05' }, 'new')).toEqual(started)
    expect(seriesOf(later, { recurrence: { frequency: 'daily' }, due_date: '2026-05-05' }, 'new')).toEqual(started)
    expect(seriesOf(first, { ...first, due_date: '2026-02-05' }, 'new')).toEqual({ series_id: 's', series_start: '2026-02-05', occurrence: 0 })
    expect(seriesOf(later, { ...later, due_date: '2026-03-05' }, 'new')).toEqual({ series_id: 's', series_start: '2026-01-31', occurrence: 1 })
    expect(seriesOf(later, { recurrence: null, due_date: null }, 'new')).toEqual({ series_id: null, series_start: null, occurrence: null })
  })
})

describe('checklists and labels', () => {
  const before = [{ id: 'x', label: 'X', done: true }, { id: 'y', label: 'Y', done: false }]

  it('known items keep their id, each once', () => {
    let made = 0
    const given = [{ id: 'y', label: 'Y2' }, { id: 'y', label: 'again' }, { id: 'z', label: 'unknown' }, { label: 'new', done: true }]
    expect(checklistOf(given, before, () => `new${++made}`)).toEqual([
      { id: 'y', label: 'Y2', done: false },
      { id: 'new1', label: 'again', done: false },
      { id: 'new2', label: 'unknown', done: false },
      { id: 'new3', label: 'new', done: true },
    ])
  })

  it('one item is checked, and checked again changes nothing', () => {
    expect(checked(before, 'y', true)).toEqual([before[0], { id: 'y', label: 'Y', done: true }])
    expect(checked(before, 'x', true)).toBeNull()
    expect(() => checked(before, 'z', true)).toThrow('Checklist item not found.')
  })

  it('labels are trimmed and each is there once', () => {
    expect(tidyTags([' a', 'a', 'b ', ' '])).toEqual(['a', 'b'])
    fc.assert(fc.property(fc.array(fc.string()), (tags) => { expect(tidyTags(tidyTags(tags))).toEqual(tidyTags(tags)) }))
  })
})

it('an update that changes the assignee says so', () => {
  expect(updateEvent(base, { ...base, title: 'x' })).toBe('todo.updated')
  expect(updateEvent(base, { ...base, assignee_id: 'u' })).toBe('todo.assigned')
  expect(updateEvent({ ...base, assignee_id: 'u' }, base)).toBe('todo.unassigned')
})

it('a week runs from Monday to Sunday', () => {
  expect(weekOf('2026-03-01')).toEqual({ monday: '2026-02-23', sunday: '2026-03-01' })
  fc.assert(fc.property(fc.integer({ min: 0, max: 20_000 }), (days) => {
    const date = addDays('2000-01-01', days)
    const { monday, sunday } = weekOf(date)
    expect([weekday(monday), daysBetween(monday, sunday), monday <= date && date <= sunday]).toEqual([0, 6, true])
  }))
})
