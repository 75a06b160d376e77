// Templates, trends, and how slides get their figures and words.
import { describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import type { Figure } from '../bindings/contract.ts'
import { DECK_TEMPLATES } from '../decks/contract.ts'
import { METRICS } from '../metrics/rules.ts'
import { strangeNumbers } from '../narrative/rules.ts'
import { readableOf } from '../report-reading/operations.ts'
import { MOST_BLOCKS, type Block } from '../slides/contract.ts'
import {
  bindingsOf, blockOf, draftSlides, figuresOn, heldAgainst, isGenerated, MOST_FIGURES, movedTo, sameQuestions, textsWanted, trendOf, withFigures,
  withTexts, writtenBy,
} from './rules.ts'
import { TEMPLATES, topicFor, TOPICS } from '../deck-templates/rules.ts'

const MARCH = { period_start: '2026-03-01', period_end: '2026-03-31' }
const APRIL = { period_start: '2026-04-01', period_end: '2026-04-30' }
const BOOKS = '2020-01-01'

const figure = (row: string, value_cents: number): Figure => ({
  key: `${row}@total`, label: row, row, column: 'total', column_label: 'March', kind: 'ledger', depth: 0, unit: 'currency', value_cents, decimal: null,
  formatted: `$${(value_cents / 100).toFixed(2)}`, reason: null, href: null,
})

describe('templates', () => {
  it.each(DECK_TEMPLATES)('%s has a sensible number of slides, and asks only for what there is', (template) => {
    const slides = draftSlides({ template, title: 'Deck', ...MARCH }, BOOKS)
    expect(slides.length).toBeGreaterThanOrEqual(template === 'custom' ? 4 : 6)
    expect(slides.length).toBeLessThanOrEqual(13)
    expect(slides[0]).toMatchObject({ kind: 'title', title: 'Deck', blocks: [] })
    for (const { report, metric } of bindingsOf(slides)) {
      if (metric) expect(METRICS.map((one) => one.metric)).toContain(metric)
      else expect(readableOf(report ?? '')).not.toBeNull()
    }
    for (const { blocks } of slides) expect(blocks.length).toBeLessThanOrEqual(MOST_BLOCKS)
    const ids = slides.flatMap(({ id, blocks }) => [id, ...blocks.map((block) => block.id)])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('every topic is used or can be asked for', () => {
    for (const [topic, { words }] of Object.entries(TOPICS)) {
      expect(words.length).toBeGreaterThan(0)
      for (const word of words) expect(topicFor(`Show ${word} please`), word).toBe(topic)
    }
    expect(Object.values(TEMPLATES).flat().every((topic) => topic in TOPICS)).toBe(true)
  })

  it('a prompt is matched by its words', () => {
    expect(topicFor('How long will our cash last, what is the runway?')).toBe('cash_and_runway')
    expect(topicFor('WHO OWES US: overdue receivables')).toBe('receivables')
    expect(topicFor('largest clients')).toBe('top_customers')
    expect(topicFor('the weather')).toBeNull()
    expect(topicFor('')).toBeNull()
  })
})

describe('a trend', () => {
  it('of a short period is the year up to it, as far as the books go', () => {
    expect(trendOf(MARCH, BOOKS)).toEqual({ start_date: '2025-04-01', end_date: '2026-03-31' })
    expect(trendOf(MARCH, '2026-01-15')).toEqual({ start_date: '2026-01-01', end_date: '2026-03-31' })
    expect(trendOf({ period_start: '2026-01-01', period_end: '2026-03-31' }, BOOKS)).toBeNull()
    expect(trendOf(MARCH, '2026-04-01')).toEqual({ start_date: '2026-03-01', end_date: '2026-03-31' })
  })

  it('moves with the period, while dates that people chose stay', () => {
    const slides = draftSlides({ template: 'monthly_review', title: 'Deck', ...MARCH }, BOOKS)
    const binding = { metric: 'revenue', params: { start_date: '2025-04-01', end_date: '2025-12-31' } }
    const chosen = { id: newId(), kind: 'chart' as const, title: 'Mine', blocks: [blockOf({ kind: 'chart', binding })] }
    const dates = (list: typeof slides) =>
      bindingsOf(list).flatMap(({ params }) => (params?.['start_date'] ? [`${params['start_date']} ${params['end_date']}`] : []))
    expect(new Set(dates(slides))).toEqual(new Set(['2025-04-01 2026-03-31']))
    const moved = [...slides, chosen].map((slide) => movedTo(slide, MARCH, APRIL, BOOKS))
    expect(new Set(dates(moved))).toEqual(new Set(['2025-05-01 2026-04-30', '2025-04-01 2025-12-31']))
    const quarter = slides.map((slide) => movedTo(slide, MARCH, { period_start: '2026-01-01', period_end: '2026-03-31' }, BOOKS))
    expect(dates(quarter)).toEqual([])
    expect(bindingsOf(quarter).find(({ params }) => params?.['columns'] === 'month')).toBeDefined()
  })
})

describe('figures and words', () => {
  const metric = blockOf({ kind: 'metric', binding: { metric: 'revenue' } })
  const image = blockOf({ kind: 'image', document_id: newId() })
  const own = blockOf({ kind: 'text', text: 'Mine, 5 of them.', generated_by: 'person' })
  const edited = blockOf({ kind: 'text', text: 'Better.', generated_by: 'person', edited: true })
  const rules = blockOf({ kind: 'text', text: 'Old.', generated_by: 'rules' })
  const bound = blockOf({ kind: 'text', binding: { metric: 'burn' } })
  const slide = { id: newId(), kind: 'summary' as const, title: 'Summary', blocks: [metric, image, own, edited, rules, bound] }
  const answers = [{ figures: [figure('Revenue', 20_000), figure('Cost', 5_000)], problem: null }, { figures: [], problem: 'A ledger is gone.' }]
  const [filled] = withFigures([slide], answers)
  const voice = { audience: null, instructions: null }

  it('each binding gets its answer, in order', () => {
    expect(bindingsOf([slide])).toEqual([{ metric: 'revenue' }, { metric: 'burn' }])
    const found = filled!.blocks.map(({ figures, problem }) => [figures.length, problem])
    expect(found).toEqual([[2, null], [0, null], [0, null], [0, null], [0, null], [0, 'A ledger is gone.']])
    expect(figuresOn(filled!)).toHaveLength(2)
  })

  it('too many figures are none', () => {
    const figures = Array.from({ length: MOST_FIGURES + 1 }, (_, at) => figure(`r${at}`, at))
    const [answer] = withFigures([{ blocks: [metric] }], [{ figures, problem: null }])
    expect(answer!.blocks[0]).toMatchObject({ figures: [], problem: expect.stringContaining('choose rows') })
  })

  it('people keep their words, and edits go only where they may', () => {
    const ids = (overwrite: boolean) => textsWanted([filled!], voice, overwrite).map(({ block_id }) => block_id)
    expect(ids(false)).toEqual([rules.id, bound.id])
    expect(ids(true)).toEqual([edited.id, rules.id, bound.id])
    expect(isGenerated(own, true)).toBe(false)
  })

  it('words that were kept from before are taken only where they fit', () => {
    const wanted = textsWanted([filled!], voice, false)
    const by = (text: string) => heldAgainst(wanted, { [rules.id]: { text, generated_by: 'model', model: 'm' } })[rules.id]
    expect(by('It is $200.00 now.')).toEqual({ text: 'It is $200.00 now.', generated_by: 'model', model: 'm' })
    expect(by('It was $300.00 then.')).toMatchObject({ generated_by: 'rules', model: null, text: expect.stringContaining('$200.00') })
    expect(Object.keys(heldAgainst(wanted, {}))).toEqual([rules.id, bound.id])
  })

  it('a text has the figures that it speaks of', () => {
    const text = 'Revenue: $200.00.'
    const said = withTexts(filled!, { [rules.id]: { text, generated_by: 'model', model: 'm' } })
    const block = said.blocks.find(({ id }) => id === rules.id) as Block
    expect(block).toMatchObject({ text, generated_by: 'model', model: 'm', edited: false })
    expect(block.figures.map(({ label }) => label)).toEqual(['Revenue'])
    expect(strangeNumbers(text, { slide, figures: block.figures })).toEqual([])
    expect(said.blocks.find(({ id }) => id === own.id)).toEqual({ ...own, figures: [] })
    expect(writtenBy([said])).toBe('model')
    expect(writtenBy([filled!])).toBe('rules')
  })

  it('questions are the same whatever the order, the words and the titles', () => {
    const other = { ...slide, id: newId(), blocks: [metric] }
    expect(sameQuestions([slide, other], [other, { ...slide, title: 'Else', blocks: slide.blocks.map((block) => ({ ...block, text: 'x' })) }])).toBe(true)
    expect(sameQuestions([slide], [slide, other])).toBe(false)
    expect(sameQuestions([slide], [{ ...slide, blocks: slide.blocks.slice(1) }])).toBe(false)
    expect(sameQuestions([other], [{ ...other, blocks: [{ ...metric, binding: { metric: 'burn' } }] }])).toBe(false)
  })
})
