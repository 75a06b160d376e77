// A language model that answers in a given shape: any that speaks the protocol of OpenAI, or Anthropic's. What it says is as
// trustworthy as a stranger's word, and whoever asks must check it.
import type { LanguageModel } from 'ai'
import { Compile } from 'typebox/compile'
import type { Settings } from '../settings.ts'

export type Question = {
  instructions: string
  /** What the question is about. It is material, never an instruction; the instructions must say so. */
  text: string
  /** JSON Schema of the answer. */
  schema: object
  time_limit_ms: number
}

export type Model = {
  /** As the settings call it, to be shown. */
  name: string
  /** The answer, which fits the schema. Throws ModelError where there is none. */
  ask(question: Question): Promise<unknown>
}

/** Says why there is no answer in words that may be shown: nothing of the provider's own message is in it. */
export class ModelError extends Error {
  /** There was no time for an answer. */
  readonly late: boolean
  constructor(message: string, late = false) {
    super(message)
    this.late = late
  }
}

const MOST_WORDS = 8_000

export function openModel({ ai_provider, ai_url, ai_key, ai_model }: Pick<Settings, 'ai_provider' | 'ai_url' | 'ai_key' | 'ai_model'>): Model | null {
  if (ai_model === null || (ai_provider === 'openai-compatible' && ai_url === null)) return null
  return {
    name: ai_model,
    async ask(question) {
      try {
        return await answerOf(await speaker(true), question)
      } catch (error) {
        // Not every server knows how to hold an answer to a schema: then the words of the question alone must do.
        if (ai_provider !== 'openai-compatible' || !refusesShape(error)) throw explained(error)
        return await answerOf(await speaker(false), question).catch((again: unknown) => { throw explained(again) })
      }
    },
  }

  /** Loaded when it is first asked: most installations have none. */
  async function speaker(shaped: boolean): Promise<LanguageModel> {
    if (ai_provider === 'anthropic') {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ apiKey: ai_key ?? '', ...(ai_url ? { baseURL: ai_url } : {}) })(ai_model ?? '')
    }
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const key = ai_key ? { apiKey: ai_key } : {}
    return createOpenAICompatible({ name: 'model', baseURL: ai_url ?? '', supportsStructuredOutputs: shaped, ...key })(ai_model ?? '')
  }
}

async function answerOf(model: LanguageModel, { instructions, text, schema, time_limit_ms }: Question): Promise<unknown> {
  const { generateText, jsonSchema, Output } = await import('ai')
  const shape = Compile(schema as never) as unknown as { Check(value: unknown): boolean }
  const validate = (value: unknown) =>
    (shape.Check(value) ? { success: true as const, value } : { success: false as const, error: new Error('The answer does not have its shape.') })
  const { output } = await generateText({
    model,
    instructions: `${instructions}\n\nAnswer with one JSON object of this schema and nothing else:\n${JSON.stringify(schema)}`,
    prompt: text,
    output: Output.object({ schema: jsonSchema(schema as never, { validate }) }),
    maxOutputTokens: MOST_WORDS,
    maxRetries: 1,
    temperature: 0,
    abortSignal: AbortSignal.timeout(time_limit_ms),
  })
  return output
}

function refusesShape(error: unknown): boolean {
  const { statusCode } = error as { statusCode?: number }
  return statusCode === 400 || statusCode === 404 || statusCode === 422
}

function explained(error: unknown): ModelError {
  // After a second try it is wrapped.
  const cause = (error as { lastError?: unknown }).lastError ?? error
  const { name, statusCode } = cause as { name?: string; statusCode?: number }
  if (name === 'TimeoutError' || name === 'AbortError') return new ModelError('did not answer in time', true)
  if (statusCode === 401 || statusCode === 403) return new ModelError('did not accept the key')
  if (statusCode !== undefined) return new ModelError(`answered with status ${statusCode}`)
  if (/NoObjectGenerated|NoOutput|TypeValidation|JSONParse/.test(name ?? '')) return new ModelError('gave an answer that has not the shape it was asked for')
  return new ModelError('could not be reached')
}
