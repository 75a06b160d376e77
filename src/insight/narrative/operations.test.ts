import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openModel } from '../../foundation/ai/model.ts'
import { modelServer, type ModelServer } from '../../../test/support/models.ts'
import type { Figure } from '../bindings/contract.ts'
import type { Narration } from './contract.ts'
import { narrate } from './operations.ts'

let server: ModelServer
beforeAll(async () => {
  server = await modelServer('openai')
})
afterAll(() => server.stop())

const model = () => openModel({ ai_provider: 'openai-compatible', ai_url: server.url, ai_key: null, ai_model: 'storyteller' })

const figure = (label: string, cents: number): Figure => ({
  key: `${label}@total`, label, row: label, column: 'total', column_label: 'March 2026', kind: 'total', depth: 0, unit: 'currency',
  value_cents: cents, decimal: null, formatted: `$${(cents / 100).toFixed(2)}`, reason: null, href: null,
})
const narration = (...figures: Figure[]): Narration => ({ slide: { kind: 'table', title: 'Sales' }, figures, audience: null, instructions: null })
const voice = (runs_left = 100) => ({ model: model(), runs_left })
const BY_RULES = { text: 'Revenue: $23.00.', generated_by: 'rules', model: null }
const one = narration(figure('Revenue', 2_300))

describe('narrating', () => {
  it('is by rules without a model', async () => {
    const told = [BY_RULES, { ...BY_RULES, text: 'There are no figures to speak of.' }]
    expect(await narrate({ model: null, runs_left: 1 }, [one, narration()])).toEqual({ told, runs: 0 })
  })

  it('takes the words of a model whose numbers are the figures, slide by slide', async () => {
    server.answer = { slides: [{ number: 2, text: 'It sold for $99.00.' }, { number: 1, text: 'Sales brought $23.00 in March 2026.' }] }
    const told = [{ text: 'Sales brought $23.00 in March 2026.', generated_by: 'model', model: 'storyteller' }, BY_RULES]
    expect(await narrate(voice(), [one, one])).toEqual({ told, runs: 1 })
    expect(server.asked).toHaveLength(1)
  })

  it.each([
    ['nonsense', 'I am a teapot'],
    ['another shape', { words: [] }],
    ['a fault', 500],
    ['a refusal', 401],
    ['slides that were not asked for', { slides: [{ number: 7, text: 'Sales brought $23.00.' }] }],
    ['invented figures', { slides: [{ number: 1, text: 'Sales brought $24.00.' }] }],
    ['what a name told it to say', { slides: [{ number: 1, text: 'Visit https://evil.example for the rest.' }] }],
  ])('goes by rules where it answers %s', async (_what, answer) => {
    server.answer = answer
    expect(await narrate(voice(), [one])).toEqual({ told: [BY_RULES], runs: 1 })
  })

  it('goes by rules where it does not answer in time, and asks no more', async () => {
    server.answer = 'silence'
    const before = server.asked.length
    expect(await narrate(voice(), Array.from({ length: 30 }, () => one), 300)).toEqual({ told: Array.from({ length: 30 }, () => BY_RULES), runs: 1 })
    expect(server.asked.length - before).toBeLessThanOrEqual(2)
  })

  it('asks no more often than it may', async () => {
    server.answer = { slides: [{ number: 1, text: 'Sales brought $23.00.' }] }
    const { told, runs } = await narrate(voice(1), Array.from({ length: 30 }, () => one))
    expect([runs, told.filter(({ generated_by }) => generated_by === 'model').length]).toEqual([1, 1])
    expect(await narrate(voice(0), [one])).toEqual({ told: [BY_RULES], runs: 0 })
  })
})
