// Tests of the built-in dashboards and of who may change the others.
import { describe, expect, it } from 'vitest'
import { ROLES } from '../../access/permissions.ts'
import { widgetBinding } from '../dashboard-widgets/rules.ts'
import { METRICS } from '../metrics/rules.ts'
import { BUILT_IN_BOARDS, builtInCursor, builtInsFor, mayPublish, placeOfCursor, requireEditor, toldBoard } from './rules.ts'

describe('built-in boards', () => {
  it('ask what the catalogue has, within the grid and without standing on each other', () => {
    const known = new Set(METRICS.map(({ metric }) => metric))
    expect(BUILT_IN_BOARDS.map(({ built_in }) => built_in)).toEqual(['owner', 'cash', 'close'])
    const ids = BUILT_IN_BOARDS.flatMap(({ id, widgets }) => [id, ...widgets.map((widget) => widget.id)])
    expect(new Set(ids).size).toBe(ids.length)
    for (const { widgets } of BUILT_IN_BOARDS) {
      const taken = new Set<string>()
      for (const widget of widgets) {
        const binding = widgetBinding(widget)
        expect(binding?.report === 'receivable-aging' || known.has(binding?.metric ?? '')).toBe(true)
        expect(widget.x + widget.w).toBeLessThanOrEqual(12)
        for (let x = widget.x; x < widget.x + widget.w; x++) for (let y = widget.y; y < widget.y + widget.h; y++) {
          expect(taken.has(`${x} ${y}`)).toBe(false)
          taken.add(`${x} ${y}`)
        }
      }
    }
  })

  it.each([
    [{}, 3], [{ visibility: 'business' }, 3], [{ visibility: 'private' }, 0], [{ owner: 'x' }, 0], [{ q: 'Cash' }, 1], [{ q: 'cash owner' }, 0],
      [{ q: '!!' }, 0], [{ q: 'cas' }, 0],
  ])('%j finds %d', (filters, count) => {
    expect(builtInsFor(filters)).toHaveLength(count)
  })

  it('a place among them is good for its own list only', () => {
    const cursor = builtInCursor(2, 'business', { q: 'a' })
    expect(placeOfCursor(cursor, 'business', { q: 'a' })).toBe(2)
    expect(() => placeOfCursor(cursor, 'business', {})).toThrow('does not belong')
    expect(() => placeOfCursor(cursor, 'other', { q: 'a' })).toThrow('does not belong')
    expect(() => placeOfCursor(cursor.replace('.2.', '.1.'), 'business', { q: 'a' })).toThrow('does not belong')
    expect(placeOfCursor('eyJ', 'business', {})).toBeNull()
  })
})

describe('who', () => {
  it('may show boards to others may write decks', () => {
    expect(ROLES.filter((role) => mayPublish({ user_id: 'a', role }))).toEqual(['owner', 'admin', 'accountant', 'bookkeeper'])
    expect(mayPublish({ user_id: null, role: null })).toBe(false)
  })

  it.each([
    ['me', 'viewer', 'private', true], ['me', 'viewer', 'business', false], ['me', 'bookkeeper', 'business', true], ['you', 'accountant', 'business', false],
    ['you', 'admin', 'business', true], ['you', 'owner', 'business', true],
  ] as const)('%s as %s changes a %s board of mine: %s', (user_id, role, visibility, allowed) => {
    const check = () => requireEditor({ owner_id: 'me', visibility }, { user_id, role })
    if (allowed) expect(check).not.toThrow()
    else expect(check).toThrow()
  })

  it('hears of a private board nothing but that it is there', () => {
    const row = {
      id: 'b', business_id: 'x', name: 'Secret', visibility: 'private' as const, owner_id: 'me', created_at: '', updated_at: '', version: 1,
      filters: { period: 'last_month' as const, basis: null, dimension: ['d'], comparison: 'none' as const },
    }
    expect(JSON.stringify(toldBoard(row, []))).not.toMatch(/Secret|last_month|"d"/)
    expect(toldBoard({ ...row, visibility: 'business' }, [])).toMatchObject({ name: 'Secret', filters: row.filters })
  })
})
