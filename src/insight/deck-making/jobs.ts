// The long jobs that make decks: a plan, its figures, words about them, and all slides at once. Nothing is seen before the last step.
import { invalid } from '../../foundation/refusal.ts'
import { longJob, type LongJob, type Step } from '../../workspace/jobs/contract.ts'
import { countModelRuns, modelRunsLeft } from '../../workspace/model-runs/operations.ts'
import type { Speaker } from '../narrative/contract.ts'
import { narrate } from '../narrative/operations.ts'
import { drawSlides, GENERATE, markFailed, planDeck, REFRESH, writeSlides, type Making, type Plan } from './operations.ts'
import { heldAgainst, textsWanted, toldOf, type Told, type Wanted } from './rules.ts'

/** Figures are not kept: those of a moment can be read again. Words are, for a model may be slow and paid for. */
type Checkpoint = { plan: Plan | null; told: Told | null; result: { deck_id: string; data_as_of: string; slides: number } | null }

const NOTHING: Checkpoint = { plan: null, told: null, result: null }
/** What is drawn can be out of date when it is written; then it is drawn again. */
const MOST_TRIES = 5

const deckJob = (kind: string, title: string): LongJob => longJob<Making, Checkpoint>({
  kind, title, cancelable: true, permission: 'ai-reporting:write',
  async run(step, making) {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const result = step.checkpoint?.result ?? await make(step, making)
      if (result) return result
    }
    throw invalid('The books or the slides kept changing while this deck was made: refresh it again in a moment.')
  },
  ended: (tx, job, { deck_id }) => markFailed(tx, deck_id, job),
})

export const generateDeckJob = deckJob(GENERATE, 'Generate a deck')
export const refreshDeckJob = deckJob(REFRESH, 'Refresh a deck')

async function make(step: Step<Checkpoint>, making: Making): Promise<Checkpoint['result']> {
  const { checkpoint: { plan, told: known } } = await step.chunk(async (tx, before) => {
    const planned = await planDeck(tx, making, step.job_id, before?.plan ?? null)
    return { checkpoint: { ...NOTHING, plan: planned, told: planned === before?.plan ? before.told : null }, done: 1, phase: 'figures' }
  })
  if (!plan) throw new Error('Nothing was planned.')
  const { speaker, ...drawn } = await step.snapshot(async (tx) => {
    const speaker: Speaker = { model: tx.surroundings.model, runs_left: await modelRunsLeft(tx) }
    return { ...(await drawSlides(tx, making, plan)), speaker }
  })
  const wanted = textsWanted(drawn.slides, drawn.deck, making.overwrite_edits)
  // Slides may have changed since the words that are kept were said.
  const told = heldAgainst(wanted, known ?? await spoken(step, plan, wanted, speaker))
  const { checkpoint: { result } } = await step.chunk(async (tx) => {
    const written = await writeSlides(tx, making, { ...drawn, data_as_of: plan.data_as_of, told })
    if (!written) return { checkpoint: NOTHING, done: 3, phase: 'plan' }
    const made = { deck_id: written.id, data_as_of: plan.data_as_of, slides: drawn.slides.length }
    return { checkpoint: { ...NOTHING, result: made }, done: 4, phase: 'done' }
  })
  return result
}

/** No transaction is open while a model is waited for. */
async function spoken(step: Step<Checkpoint>, plan: Plan, wanted: readonly Wanted[], speaker: Speaker): Promise<Told> {
  await step.chunk(async () => ({ checkpoint: { ...NOTHING, plan }, done: 2, phase: 'words' }))
  const said = await narrate(speaker, wanted.map(({ narration }) => narration))
  const told = toldOf(wanted, said)
  await step.chunk(async (tx) => {
    countModelRuns(tx, said.runs)
    return { checkpoint: { ...NOTHING, plan, told }, done: 3, phase: 'slides' }
  })
  return told
}
