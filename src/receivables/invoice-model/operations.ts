// Reads documents as invoices: by rules, and by a model where one may be asked. It calls outside, so it never runs inside a transaction.
import { ModelError, type Model } from '../../foundation/ai/model.ts'
import type { ReadDocument } from '../../foundation/document-text/document.ts'
import type { DocumentPart } from '../../foundation/document-text/pages.ts'
import { readDocuments, type Digested } from '../../foundation/document-text/reading.ts'
import type { Extraction, ReadingContext } from '../invoice-extraction/contract.ts'
import { INSTRUCTIONS, ModelAnswer } from './contract.ts'
import { backed, partsWorthReading, questionOf } from './rules.ts'

/** `document_id`: where it was uploaded before. */
export type GivenDocument = { index: number; name: string; content: Buffer; hash: Buffer; document_id?: string }

export type ReadingPlan = {
  documents: GivenDocument[]
  hint: string | null
  context: ReadingContext
  /** What is not read by then is left for another time. */
  wait_ms: number
  /** The longest that a model may think about one document. */
  model_wait_ms: number
  /** Nobody waits: what is late is late for good. */
  patient: boolean
  /** The model that may be asked, by name; null: rules only. */
  model: string | null
  model_runs_left: number
  /** Told with every document. */
  notes: string[]
}

export type PartOutcome = { part: DocumentPart; engine: 'rules' | 'model'; extraction: Extraction }

/** `read` is null where there was no time for it. */
export type DocumentOutcome = { index: number; read: ReadDocument | null; parts: PartOutcome[] }
export type Outcomes = { documents: DocumentOutcome[]; model_runs: number }

/** A long document takes the rules a while: they run where it is read. */
const RULES = { module: new URL('../invoice-extraction/rules.ts', import.meta.url).href, name: 'extractInvoice' }
/** So many questions at a time. */
const MOST_QUESTIONS = 4
// With less time than this a model is not even asked.
const LEAST_TIME_MS = 3_000

export async function readInvoices(model: Model | null, plan: ReadingPlan): Promise<Outcomes> {
  const end = performance.now() + plan.wait_ms
  const given = plan.documents.map(({ name, content }) => ({ name, content }))
  const read = await readDocuments<Extraction>(given, plan.wait_ms, { ...RULES, context: plan.context })
  const asked = model && plan.model === model.name ? model : null
  const budget = { left: plan.model_runs_left, used: 0 }
  const documents: DocumentOutcome[] = []
  for (let from = 0; from < plan.documents.length; from += MOST_QUESTIONS) {
    const some = plan.documents.slice(from, from + MOST_QUESTIONS)
    documents.push(...await Promise.all(some.map(async ({ index }, at): Promise<DocumentOutcome> => {
      const document = read[from + at] ?? null
      const parts = document ? await partsOf(document, asked, plan, end, budget) : null
      return parts ? { index, read: document, parts } : { index, read: null, parts: [] }
    })))
  }
  return { documents, model_runs: budget.used }
}

type Budget = { left: number; used: number }

/** What was found in each part; null where the time was over. */
async function partsOf(document: Digested<Extraction>, model: Model | null, plan: ReadingPlan, end: number, budget: Budget): Promise<PartOutcome[] | null> {
  const found = document.parts.flatMap((part, index) => (document.digests[index] ? [{ part, extraction: document.digests[index] }] : []))
  const parts = partsWorthReading(found).map(({ part, extraction }) => ({ part, extraction: noted(extraction, ...plan.notes) }))
  if (!model) return parts.map((one) => ({ ...one, engine: 'rules' as const }))
  const outcomes: PartOutcome[] = []
  for (const { part, extraction } of parts) {
    if (budget.left <= 0) {
      const used_up = 'The runs of this month are used up (ai.monthly_runs): the document was read by rules.'
      outcomes.push({ part, engine: 'rules', extraction: noted(extraction, used_up) })
      continue
    }
    const left = plan.patient ? plan.model_wait_ms : end - performance.now()
    if (left < LEAST_TIME_MS && !plan.patient) return null
    ;[budget.left, budget.used] = [budget.left - 1, budget.used + 1]
    const outcome = await asked(model, part, extraction, plan, Math.min(left, plan.model_wait_ms))
    if (!outcome) return null
    outcomes.push(outcome)
  }
  return outcomes
}

/** Where a model has no answer that can be used, what the rules found is the answer; null where it was only cut short. */
async function asked(model: Model, part: DocumentPart, rules: Extraction, plan: ReadingPlan, time_limit_ms: number): Promise<PartOutcome | null> {
  const { hint, context, model_wait_ms } = plan
  try {
    const answer = await model.ask({ instructions: INSTRUCTIONS, text: questionOf(part, hint), schema: ModelAnswer, time_limit_ms })
    return { part, engine: 'model', extraction: backed(answer as ModelAnswer, part, rules, context) }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    if (error.late && time_limit_ms < model_wait_ms) return null
    return { part, engine: 'rules', extraction: noted(rules, `The model ${model.name} ${error.message}: the document was read by rules.`) }
  }
}

/** What holds for the reading as a whole comes before what was found. */
function noted(extraction: Extraction, ...notes: string[]): Extraction {
  return { ...extraction, warnings: [...notes, ...extraction.warnings] }
}
