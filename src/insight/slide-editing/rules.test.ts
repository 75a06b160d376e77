// What people may put on slides, without a database.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import type { Refusal } from '../../foundation/refusal.ts'
import { blockOf } from '../deck-making/rules.ts'
import { MOST_BLOCKS } from '../slides/contract.ts'
import type { SlideChange } from './contract.ts'
import { asksAnew, blockProblems, changedBlocks, copyOf, newBlock, requireOrder, requirePlace, requireRoom, withoutFigures } from './rules.ts'

const metric = blockOf({ kind: 'metric', binding: { metric: 'revenue' }, figures: [{ key: 'a@total' } as never] })
const chart = blockOf({ kind: 'chart', chart: 'line', binding: { metric: 'burn' } })
const text = blockOf({ kind: 'text', text: 'Said.', generated_by: 'model', model: 'm' })
const slide = { blocks: [metric, chart, text] }

function refusalOf(work: () => unknown): Refusal {
  try {
    work()
  } catch (error) {
    return error as Refusal
  }
  throw new Error('It was not refused.')
}
const change = (input: SlideChange) => changedBlocks(slide, input)

describe('blocks', () => {
  it.each([
    [{ kind: 'metric' }, ['binding']],
    [{ kind: 'chart' }, ['binding']],
    [{ kind: 'table', document_id: newId() }, ['binding', 'document_id']],
    [{ kind: 'image' }, ['document_id']],
    [{ kind: 'image', binding: { metric: 'revenue' }, document_id: newId() }, ['binding']],
    [{ kind: 'metric', binding: { metric: 'revenue' }, text: 'x', chart: 'bar' }, ['text', 'chart']],
    [{ kind: 'text', text: 'x' }, []],
    [{ kind: 'text' }, []],
    [{ kind: 'chart', binding: { metric: 'revenue' } }, []],
  ] as const)('%j has problems with %j', (input, names) => {
    expect(blockProblems(newBlock(input), ['body']).map(({ loc }) => loc[1])).toEqual(names)
  })

  it('a chart is a bar where nothing is said, and a text that was given is a person\'s', () => {
    expect(newBlock({ kind: 'chart', binding: { metric: 'revenue' } }).chart).toBe('bar')
    expect(newBlock({ kind: 'text', text: 'x' })).toMatchObject({ generated_by: 'person', edited: false })
    expect(newBlock({ kind: 'text' })).toMatchObject({ generated_by: null, text: null })
  })
})

describe('a change', () => {
  it('touches only what it names', () => {
    const after = change({ blocks: [{ id: text.id, text: 'Better.' }, { kind: 'text', text: 'New.' }], removed_block_ids: [metric.id] })
    expect(after.map(({ id }) => id).slice(0, 2)).toEqual([chart.id, text.id])
    expect(after[0]).toEqual(chart)
    expect(after[1]).toEqual({ ...text, text: 'Better.', generated_by: 'person', model: null, edited: true })
    expect(after[2]).toMatchObject({ kind: 'text', text: 'New.', edited: false })
    expect(change({})).toEqual(slide.blocks)
  })

  it('of a text that is sent back as it was is none', () => {
    expect(change({ blocks: [{ id: text.id, text: 'Said.', figures: [] }, { id: metric.id, figures: metric.figures }] })).toEqual(slide.blocks)
  })

  it('to null gives a text back to the service', () => {
    const [block] = changedBlocks({ blocks: [{ ...text, generated_by: 'person', edited: true }] }, { blocks: [{ id: text.id, text: null }] })
    expect(block).toMatchObject({ text: null, generated_by: null, edited: false })
  })

  it.each([
    ['a figure', { blocks: [{ id: metric.id, figures: [{ key: 'a@total', value_cents: 1 }] }] }, 422, /typed over/],
    ['a figure of the slide', { figures: [{ value_cents: 1 }] }, 422, /typed over/],
    ['a figure of a new block', { blocks: [{ kind: 'metric', binding: { metric: 'burn' }, figures: [{}] }] }, 422, /typed over/],
    ['a kind', { blocks: [{ id: metric.id, kind: 'chart' }] }, 422, /keeps its kind/],
    ['a binding taken away', { blocks: [{ id: metric.id, binding: null }] }, 422, /needs a binding/],
    ['a new block of no kind', { blocks: [{ text: 'x' }] }, 422, /required/],
    ['a block of elsewhere', { blocks: [{ id: newId(), text: 'x' }] }, 404, /Block/],
    ['a removed block of elsewhere', { removed_block_ids: [newId()] }, 404, /Block/],
    ['too many', { blocks: Array.from({ length: MOST_BLOCKS }, () => ({ kind: 'text', text: 'x' })) }, 400, /at most 12/],
  ])('of %s is refused', (_what, input, status, detail) => {
    const refusal = refusalOf(() => change(input as SlideChange))
    expect([refusal.status, JSON.stringify(refusal.problems ?? refusal.detail)]).toEqual([status, expect.stringMatching(detail)])
  })

  it('asks anew only where a binding is another', () => {
    const table = { kind: 'table' as const, binding: { report: 'x' } }
    const after = change({ blocks: [{ id: chart.id, chart: 'donut' }, { id: metric.id, binding: { metric: 'dso' } }, table] })
    expect(asksAnew(after, slide.blocks).map(({ kind }) => kind)).toEqual(['metric', 'table'])
  })
})

describe('a deck', () => {
  it('keeps all its slides in any order', () => {
    fc.assert(fc.property(fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 20 }), fc.nat(), (ids, seed) => {
      const other = ids.toSorted((one, two) => (one.charCodeAt(seed % 36) - two.charCodeAt(seed % 36)))
      requireOrder(other, ids)
      expect(() => requireOrder(other.slice(1), ids)).toThrow(/is missing/)
      expect(() => requireOrder([...other, newId()], ids)).toThrow(/none of this deck/)
      expect(() => requireOrder([...other.slice(1), other.at(-1)!], ids)).toThrow(/twice/)
    }))
  })

  it('has sixty slides at most, one behind the other', () => {
    requireRoom(59)
    expect(() => requireRoom(60)).toThrow(/at most 60/)
    requirePlace(4, 3)
    expect(() => requirePlace(5, 3)).toThrow(/next position is 4/)
  })
})

it('a copy stands behind its original with ids of its own and the same figures', () => {
  const whole = { id: newId(), position: 3, version: 7, ...slide } as never as Parameters<typeof copyOf>[0]
  const copy = copyOf(whole)
  expect(copy).toMatchObject({ position: 4, version: 1 })
  expect(copy.blocks.map(({ id: _id, ...rest }) => rest)).toEqual(slide.blocks.map(({ id: _id, ...rest }) => rest))
  expect(copy.blocks.some(({ id }) => slide.blocks.some((block) => block.id === id))).toBe(false)
  expect(withoutFigures(whole).blocks[0]).toEqual({ ...metric, figures: [] })
})
