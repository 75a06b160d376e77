// Reads documents into drafts. Reading takes seconds and may ask somebody outside: it happens between two transactions, the first of
// which checks and the second of which writes; what takes too long is left to the worker.
import { createHash } from 'node:crypto'
import { getSettings } from '../../access/business-settings/operations.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { Surroundings } from '../../foundation/database/context.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Currency } from '../../foundation/money.ts'
import { requireRecords } from '../../foundation/records.ts'
import { readWhole } from '../../foundation/storage/storage.ts'
import { forbidden, invalid, unprocessable, type Problem } from '../../foundation/refusal.ts'
import { requireCustomer } from '../../directory/customers/operations.ts'
import { documentsByIds } from '../../workspace/documents/operations.ts'
import { countModelRuns, modelRunsLeft } from '../../workspace/model-runs/operations.ts'
import { readInvoices, type DocumentOutcome, type GivenDocument, type Outcomes, type ReadingPlan } from '../invoice-model/operations.ts'
import { draftInvoices } from '../invoice-proposals/operations.ts'
import { jobResource, type AiCreateInput, type AiCreateResult, type AiJob, type ReadingResult, type ReadingRow } from './contract.ts'
import { bareResult, documentOf, toldOf } from './rules.ts'
import * as store from './store.ts'

const WORKER_WAIT_MS = 600_000
const MODEL_WAIT_MS = 45_000

type Input = { body: AiCreateInput }

type Plan = ReadingPlan & { business_id: string; all: GivenDocument[] }

export const aiCreate = {
  async read(tx: BusinessTx, { body }: Input): Promise<Plan> {
    const { ai } = await getSettings(tx)
    if (!ai.enabled) throw forbidden('Reading documents is turned off in the settings of this business (ai.enabled).')
    if (body.create_customers && !tx.actor.permissions.has('customers:write')) throw forbidden('To create customers you need the permission customers:write.')
    const documents = await documentsOf(tx, body)
    if (body.customer_id) await requireActive(tx, body.customer_id)
    const seen = await seenAmong(tx, newId(), documents)
    const plan = await planOf(tx, documents.filter(({ index }) => !seen.has(index)), body.hint ?? null, { wait_ms: tx.surroundings.reading_wait_ms, patient: false })
    return { ...plan, business_id: tx.business_id, all: documents }
  },

  call: async (surroundings: Surroundings, plan: Plan): Promise<Outcomes> => readInvoices(surroundings.model, await withContents(surroundings, plan)),

  /** Nothing leaves the service: by rules only. */
  rehearse: async (surroundings: Surroundings, plan: Plan): Promise<Outcomes> => readInvoices(null, await withContents(surroundings, plan)),

  async write(tx: BusinessTx, { body }: Input, plan: Plan, found: Outcomes | null): Promise<AiCreateResult> {
    const documents = plan.all
    // Of two calls with the same file the second finds what the first has made of it.
    await tx.exclusive(`invoice readings of ${tx.business_id}`)
    const id = newId()
    const seen = await seenAmong(tx, id, documents)
    const outcomes = new Map(found?.documents.map((outcome) => [outcome.index, outcome]))
    const waiting = documents.filter(({ index }) => !seen.has(index) && !outcomes.get(index)?.read)
    const job: AiJob = {
      id,
      business_id: tx.business_id,
      status: waiting.length > 0 ? 'processing' : 'completed',
      engine: engineOf(found),
      model: found?.model_runs ? plan.model : null,
      customer_id: body.customer_id ?? null,
      create_customers: body.create_customers ?? false,
      hint: body.hint ?? null,
      document_count: documents.length,
      model_runs: found?.model_runs ?? 0,
      created_by: tx.actor.user_id,
      created_at: tx.now,
      completed_at: waiting.length > 0 ? null : tx.now,
      updated_at: tx.now,
      version: 1,
    }
    tx.queue(store.insertJob, job)
    countModelRuns(tx, job.model_runs)
    const read = documents.flatMap((document) => {
      const outcome = outcomes.get(document.index)
      return outcome?.read && !seen.has(document.index) ? [{ document, outcome }] : []
    })
    const drafted = await concluded(tx, job, read)
    for (const document of waiting) {
      tx.queue(store.insertReading, { ...rowOf(tx, job, document, 0), status: 'waiting', content: document.content, result: null, invoice_id: null })
    }
    const rest = { business_id: tx.business_id, ai_job_id: id }
    if (waiting.length > 0) tx.enqueue('invoice_reading.go_on', rest, { job_key: `invoice_reading:${id}`, max_attempts: 5 })
    const reported = documents.flatMap((document): ReadingResult[] => {
      const before = seen.get(document.index)
      return before ? [bareResult(documentOf(document, null, null), 'reported', [before.warning], before.invoice_id)] : []
    })
    const left = waiting.map((document) => bareResult(documentOf(document, null, null), 'waiting'))
    const results = [...drafted, ...reported, ...left].toSorted((a, b) => a.document.index - b.document.index)
    tx.record(jobResource, waiting.length > 0 ? 'ai_job.started' : 'ai_job.completed', { before: null, after: { ...job, results: results.map(toldOf) } })
    return { job_id: id, engine: job.engine, status: job.status, results }
  },
}

/** What the worker has still to read of a job; null where there is nothing. */
export async function planRest(tx: BusinessTx, ai_job_id: string): Promise<ReadingPlan | null> {
  const job = await tx.find(store.lockJob, { id: ai_job_id })
  if (!job || job.status === 'completed') return null
  const rows = await tx.many(store.waitingReadings, { ai_job_id })
  const documents = rows.map(({ position, file_name, content_hash, content }): GivenDocument =>
    ({ index: position, name: file_name, content: content ?? Buffer.alloc(0), hash: content_hash }))
  return planOf(tx, documents, job.hint, { wait_ms: WORKER_WAIT_MS, patient: true })
}

export async function finishReading(tx: BusinessTx, ai_job_id: string, plan: ReadingPlan, found: Outcomes): Promise<void> {
  await tx.exclusive(`invoice readings of ${tx.business_id}`)
  const job = await tx.find(store.lockJob, { id: ai_job_id })
  if (!job || job.status === 'completed') return
  const rows = await tx.many(store.waitingReadings, { ai_job_id })
  for (const { id } of rows) tx.queue(store.dropReading, { id })
  const outcomes = new Map(found.documents.map((outcome) => [outcome.index, outcome]))
  const read = plan.documents.map((document) => ({ document, outcome: outcomes.get(document.index) ?? { index: document.index, read: null, parts: [] } }))
  const results = await concluded(tx, job, read)
  const engine = job.engine === 'model' ? job.engine : engineOf(found)
  const model = found.model_runs > 0 ? plan.model : job.model
  const after = changed(job, { status: 'completed', engine, model, model_runs: job.model_runs + found.model_runs, completed_at: tx.now }, tx.now)
  tx.queue(store.updateJob, after)
  countModelRuns(tx, found.model_runs)
  tx.record(jobResource, 'ai_job.completed', { before: { ...job, results: [] }, after: { ...after, results: results.map(toldOf) } })
}

type Read = { document: GivenDocument; outcome: DocumentOutcome }

/** Drafts, and a row for each part of each document that was read. */
async function concluded(tx: BusinessTx, job: AiJob, read: readonly Read[]): Promise<ReadingResult[]> {
  const proposals = read.flatMap(({ document, outcome }) => {
    const warnings = outcome.read?.warnings ?? [LATE]
    return (outcome.parts.length > 0 ? outcome.parts : [null]).map((part) => ({ document: documentOf(document, outcome, part), part, warnings }))
  })
  const results = await draftInvoices(tx, job, proposals)
  for (const [index, result] of results.entries()) {
    const document = read.find((one) => one.document.index === result.document.index)?.document
    const part = results.slice(0, index).filter((other) => other.document.index === result.document.index).length
    const { invoice, ...kept } = result
    if (!document) continue
    const row = { ...rowOf(tx, job, document, part), status: 'read', content: null, result: JSON.stringify(kept), invoice_id: invoice?.id ?? null }
    tx.queue(store.insertReading, row)
  }
  return results
}

const LATE = 'The document took too long to be read: send it in smaller parts.'

type Head = Omit<ReadingRow, 'status' | 'content' | 'result' | 'invoice_id'>

function rowOf(tx: BusinessTx, job: AiJob, { index, name, hash }: GivenDocument, part: number): Head {
  return { id: newId(), business_id: tx.business_id, ai_job_id: job.id, position: index, part, file_name: name, content_hash: hash, created_at: tx.now }
}

/** Which engine may be used, as the settings are now, and how often. */
async function planOf(
  tx: BusinessTx, documents: GivenDocument[], hint: string | null, { wait_ms, patient }: Pick<ReadingPlan, 'wait_ms' | 'patient'>,
): Promise<ReadingPlan> {
  const { ai } = await getSettings(tx)
  const { model } = tx.surroundings
  const context = { base_currency: tx.business.base_currency as Currency, today: tx.today }
  const plan: ReadingPlan = { documents, hint, context, wait_ms, model_wait_ms: MODEL_WAIT_MS, patient, model: null, model_runs_left: 0, notes: [] }
  if (ai.provider !== 'model') return plan
  if (!model) return { ...plan, notes: ['No model is set up on this server: the document was read by rules.'] }
  if (!ai.may_send_documents) return { ...plan, notes: ['Documents may not be sent to the model (ai.may_send_documents): the document was read by rules.'] }
  return { ...plan, model: model.name, model_runs_left: await modelRunsLeft(tx) }
}

function engineOf(found: Outcomes | null): 'rules' | 'model' {
  return found?.documents.some(({ parts }) => parts.some(({ engine }) => engine === 'model')) ? 'model' : 'rules'
}

/** Those that were uploaded before are fetched from the storage, into what the plan holds of them. */
async function withContents({ storage }: Pick<Surroundings, 'storage'>, plan: Plan): Promise<Plan> {
  for (const document of plan.documents) {
    if (document.document_id) document.content = await readWhole(storage, { business_id: plan.business_id, sha256: document.hash.toString('hex') })
  }
  return plan
}

/** In their order; 404 for one that was uploaded and is not there. The bytes of those are still to be fetched. */
async function documentsOf(tx: BusinessTx, body: AiCreateInput): Promise<GivenDocument[]> {
  const sent = sentOf(body)
  const wanted = body.documents.flatMap(({ document_id }, index) => (document_id ? [{ index, document_id }] : []))
  if (wanted.length === 0) return sent
  await requireRecords(tx, 'document', wanted.map(({ document_id }) => document_id))
  const known = await documentsByIds(tx, wanted.map(({ document_id }) => document_id))
  const uploaded = wanted.flatMap(({ index, document_id }): GivenDocument[] => {
    const document = known.get(document_id)
    return document ? [{ index, document_id, name: document.name, content: Buffer.alloc(0), hash: Buffer.from(document.sha256, 'hex') }] : []
  })
  return [...sent, ...uploaded].toSorted((a, b) => a.index - b.index)
}

/** The bytes of what was sent; 422 where a document is neither uploaded nor sent whole. */
function sentOf({ documents }: AiCreateInput): GivenDocument[] {
  const problems: Problem[] = []
  const given = documents.flatMap(({ document_id, file_name, content_base64 }, index): GivenDocument[] => {
    if (document_id) return []
    for (const [name, value] of [['file_name', file_name], ['content_base64', content_base64]] as const) {
      if (value === undefined) problems.push({ loc: ['body', 'documents', index, name], msg: 'Field required, unless document_id is given.', type: 'missing' })
    }
    const packed = (content_base64 ?? '').replaceAll(/\s+/g, '')
    if (content_base64 !== undefined && (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(packed))) {
      problems.push({ loc: ['body', 'documents', index, 'content_base64'], msg: 'Must be base64.', type: 'value_error' })
    }
    const content = Buffer.from(packed, 'base64')
    return [{ index, name: file_name ?? '', content, hash: createHash('sha256').update(content).digest() }]
  })
  if (problems.length > 0) throw unprocessable(problems)
  return given
}

async function requireActive(tx: BusinessTx, customer_id: string): Promise<void> {
  const customer = await requireCustomer(tx, customer_id)
  if (customer.status === 'archived') throw invalid(`The customer ${customer.name} is archived: restore it, or choose another.`)
}

type Seen = { invoice_id: string | null; warning: string }

/** By the place of a document: that it became an invoice before, is being read elsewhere, or was sent twice in this call. */
async function seenAmong(tx: BusinessTx, ai_job_id: string, documents: readonly GivenDocument[]): Promise<Map<number, Seen>> {
  if (documents.length === 0) return new Map()
  const rows = await tx.many(store.seenFiles, { hashes: documents.map(({ hash }) => hash), ai_job_id })
  const known = new Map(rows.map((row) => [row.content_hash.toString('hex'), row]))
  const first = new Map<string, GivenDocument>()
  return new Map(documents.flatMap((document): [number, Seen][] => {
    const key = document.hash.toString('hex')
    const [row, twin] = [known.get(key), first.get(key)]
    first.set(key, twin ?? document)
    if (row?.invoice_id) {
      const warning = `${document.name} became the invoice ${row.number ?? row.invoice_id} before: it was not read again.`
      return [[document.index, { invoice_id: row.invoice_id, warning }]]
    }
    if (row) return [[document.index, { invoice_id: null, warning: `${document.name} is being read already, in the job ${row.ai_job_id}.` }]]
    return twin ? [[document.index, { invoice_id: null, warning: `${document.name} is the same file as ${twin.name}: it was read once.` }]] : []
  }))
}
