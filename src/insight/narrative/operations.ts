// Says what the figures of slides show: by rules, or by a model where there is one. It calls outside, so it never runs inside a transaction.
import { ModelError, type Model } from '../../foundation/ai/model.ts'
import { INSTRUCTIONS, ModelAnswer, type Narrated, type Narration, type Speaker, type Spoken } from './contract.ts'
import { materialOf, sentencesOf, unfit } from './rules.ts'

/** So many slides in one question. */
const MOST_SLIDES = 12
const PATIENCE_MS = 60_000

/** In the order of what is wanted. What a model says is taken only where every number of it is one of the slide's own. */
export async function narrate({ model, runs_left }: Speaker, wanted: readonly Narration[], patience_ms = PATIENCE_MS): Promise<Spoken> {
  const told = wanted.map((narration): Narrated => ({ text: sentencesOf(narration), generated_by: 'rules', model: null }))
  const end = performance.now() + patience_ms
  let runs = 0
  for (let from = 0; model && runs < runs_left && from < wanted.length; from += MOST_SLIDES) {
    const some = wanted.slice(from, from + MOST_SLIDES)
    runs += 1
    const answer = await asked(model, some, Math.max(1, Math.ceil(end - performance.now())))
    // One that does not answer now is not asked again for the rest.
    if (!answer) break
    for (const [index, narration] of some.entries()) {
      const text = answer.slides.find(({ number }) => number === index + 1)?.text.trim() ?? ''
      if (narration.figures.length > 0 && unfit(text, narration) === null) told[from + index] = { text, generated_by: 'model', model: model.name }
    }
  }
  return { told, runs }
}

async function asked(model: Model, narrations: readonly Narration[], time_limit_ms: number): Promise<ModelAnswer | null> {
  try {
    return await model.ask({ instructions: INSTRUCTIONS, text: materialOf(narrations), schema: ModelAnswer, time_limit_ms }) as ModelAnswer
  } catch (error) {
    if (error instanceof ModelError) return null
    throw error
  }
}
