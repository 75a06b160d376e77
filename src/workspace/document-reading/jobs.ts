// Documents are read by the worker: every new file for the search, and one that somebody asks about for what it says.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem } from '../../foundation/database/transact.ts'
import { readDocuments } from '../../foundation/document-text/reading.ts'
import { job } from '../../foundation/jobs/job.ts'
import { notFound, Refusal } from '../../foundation/refusal.ts'
import { id, integer } from '../../foundation/shapes.ts'
import { readWhole } from '../../foundation/storage/storage.ts'
import { longJob, type LongJob } from '../jobs/contract.ts'
import type { Extractor } from './contract.ts'
import { EXTRACTION, finishReading, planReading, type ToRead } from './operations.ts'
import { pagesOf, textOf } from './rules.ts'

const READING_MS = 180_000

export const readDocumentJob = job({
  name: 'documents.read',
  payload: Type.Object({ business_id: id(), document_id: id(), version_number: integer(1) }),
  async run({ database, job_id }, { business_id, document_id, version_number }) {
    const business = await findBusiness(database, business_id)
    if (!business) return
    const request_id = `job-${job_id}`
    const plan = await asSystem(database, business, request_id, (tx) => planReading(tx, document_id, version_number)).catch(unlessGone)
    if (!plan) return
    const content = await readWhole(database.surroundings.storage, plan.address)
    const [read] = await readDocuments([{ name: plan.document.name, content }], READING_MS)
    const found = read ? { text: textOf(read.parts), pages: pagesOf(read), failed: read.parts.length === 0 } : { text: '', pages: null, failed: true }
    await asSystem(database, business, request_id, (tx) => finishReading(tx, plan, found, 'document.read')).catch(unlessGone)
  },
})

/** A document that was removed meanwhile need not be read. */
function unlessGone(error: unknown): null {
  if (error instanceof Refusal && error.status === 404) return null
  throw error
}

type Input = { document_id: string; version_number: number }

export const extractionJob = (extract: Extractor): LongJob => longJob<Input, { done: boolean }>({
  kind: EXTRACTION, title: 'Read a document', cancelable: true, permission: 'documents:write',
  async run(step, { document_id, version_number }) {
    const planned: { plan?: ToRead; content?: () => Promise<Buffer> } = {}
    await step.chunk(async (tx) => {
      const plan = await planReading(tx, document_id, version_number)
      if (!plan) throw notFound('The version of this document that was to be read')
      const { storage } = tx.surroundings
      Object.assign(planned, { plan, content: () => readWhole(storage, plan.address) })
      return { checkpoint: { done: false }, done: 0, phase: 'reading' }
    })
    const { plan, content } = planned
    if (!plan || !content) throw new Error('Nothing was planned.')
    const found = await extract({ name: plan.document.name, content: await content() }, plan.context)
    if (!found) throw new Error('The document took too long to be read: send it in smaller parts.')
    await step.chunk(async (tx) => {
      await finishReading(tx, plan, { text: found.text, pages: found.pages, failed: found.text === '' }, 'document.extracted')
      return { checkpoint: { done: true }, done: 1, phase: 'done' }
    })
    return { document_id, version_number, ...found }
  },
})
