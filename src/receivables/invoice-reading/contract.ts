// Documents read into draft invoices: what is sent, and what was found in each of them.
import { Type, type Static } from 'typebox'
import { CURRENCIES } from '../../foundation/money.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { MOST_FILE_BYTES } from '../../foundation/sheets.ts'
import { endpoint, Invoice } from '../invoices/contract.ts'

export const MOST_DOCUMENTS = 20
export const ENGINES = ['rules', 'model'] as const
export type Engine = (typeof ENGINES)[number]
const KINDS = ['pdf', 'png', 'jpeg', 'mail', 'text', 'unknown'] as const

const DocumentInput = shape('InvoiceDocumentInput', {
  document_id: optional(id({ description: 'A document that was uploaded before; instead of file_name and content_base64.' })),
  file_name: optional(text(1, 255, { description: 'For messages; what the file holds decides how it is read.' })),
  content_type: optional(text(1, 200, { description: 'Not believed: the content decides.' })),
  content_base64: optional(text(1, Math.ceil(MOST_FILE_BYTES / 3) * 4, { description: 'PDF, PNG, JPEG, an e-mail (.eml) or plain text, in base64.' })),
})

export const AiCreateInput = shape('InvoiceAiCreateInput', {
  documents: list(DocumentInput, { minItems: 1, maxItems: MOST_DOCUMENTS }),
  customer_id: optional(nullable(id({ description: 'The customer of all of them. Otherwise each is found by name and e-mail address.' }))),
  create_customers: optional(boolean({ default: false, description: 'Make customers that are not there yet. Needs the permission customers:write.' })),
  hint: optional(nullable(text(1, 1000, { description: 'What a person knows about the documents; told to the model.' }))),
})
export type AiCreateInput = Static<typeof AiCreateInput>

const Evidence = shape('DocumentEvidence', {
  text: Type.String({ description: 'The line of the document that shows it.' }),
  page: integer(1),
  line: integer(1, undefined, { description: 'From the top of the page.' }),
})

const confidence = integer(0, 100, { description: 'How sure, 0 to 100.' })

const ExtractedLine = shape('ExtractedLine', {
  description: Type.String(),
  quantity: nullable(Type.String({ description: 'Decimal text; null where only the amount was found.' })),
  unit_price: nullable(cents()),
  amount: cents({ description: 'Integer cents; negative where something is taken off.' }),
  confidence,
  evidence: nullable(Evidence),
})

const fields = {
  invoice_number: nullable(Type.String()),
  customer_name: nullable(Type.String()),
  customer_email: nullable(Type.String()),
  invoice_date: nullable(date()),
  due_date: nullable(date()),
  currency: nullable(oneOf(CURRENCIES)),
  purchase_order_number: nullable(Type.String()),
  payment_terms: nullable(Type.String()),
  subtotal: nullable(cents()),
  tax: nullable(cents()),
  total: nullable(cents()),
}
const each = <V extends Parameters<typeof optional>[0]>(value: V) =>
  Object.fromEntries([...Object.keys(fields), 'line_items'].map((name) => [name, optional(value)])) as Record<string, ReturnType<typeof optional<V>>>

export const Extracted = shape('ExtractedInvoice', { ...fields, line_items: list(ExtractedLine) })
export type Extracted = Static<typeof Extracted>

const ReadDocument = shape('ReadInvoiceDocument', {
  index: integer(0, MOST_DOCUMENTS - 1, { description: 'Which of the documents that were sent.' }),
  document_id: nullable(id()),
  file_name: Type.String(),
  part: nullable(Type.String({ description: 'The attachment of an e-mail that this was found in.' })),
  kind: oneOf(KINDS, { description: 'What the file is, by its content.' }),
  pages: integer(0),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

export const ReadingResult = shape('InvoiceReadingResult', {
  document: ReadDocument,
  status: oneOf(['read', 'waiting', 'reported'], { description: 'waiting: the worker reads it. reported: it was seen before, or could not be read.' }),
  engine: nullable(oneOf(ENGINES)),
  invoice: nullable(Invoice),
  customer_id: nullable(id()),
  extracted: nullable(Extracted),
  confidence: Type.Unsafe<Record<string, number>>(shape('FieldConfidence', each(confidence))),
  evidence: Type.Unsafe<Record<string, Static<typeof Evidence>>>(shape('FieldEvidence', each(Evidence))),
  warnings: list(Type.String()),
  duplicate_of: nullable(id({ description: 'The invoice that this file, or this number with this customer and total, became before.' })),
})
export type ReadingResult = Static<typeof ReadingResult>

/** A row of the table of readings as a whole. */
export const AiJob = Type.Object({
  id: id(),
  business_id: id(),
  status: oneOf(['processing', 'completed']),
  engine: oneOf(ENGINES, { description: 'model where at least one document was read by it.' }),
  model: nullable(Type.String()),
  customer_id: nullable(id()),
  create_customers: boolean(),
  hint: nullable(Type.String()),
  document_count: integer(1, MOST_DOCUMENTS),
  model_runs: integer(0),
  created_by: nullable(id()),
  created_at: timestamp(),
  completed_at: nullable(timestamp()),
  updated_at: timestamp(),
  version: integer(1),
})
export type AiJob = Static<typeof AiJob>

const ToldResult = Type.Object({
  file_name: Type.String(),
  part: nullable(Type.String()),
  status: Type.String(),
  invoice_id: nullable(id()),
  customer_id: nullable(id()),
  warnings: list(Type.String()),
  duplicate_of: nullable(id()),
})
export type ToldResult = Static<typeof ToldResult>

export const AiJobRecord = Type.Object({ ...AiJob.properties, results: list(ToldResult) })

export const jobResource = resource({
  type: 'ai_job', group: 'invoices', shape: AiJobRecord, table: null, label: 'id', events: ['ai_job.started', 'ai_job.completed'],
})

/** A document of it: a row of its table. */
export const ReadingRow = Type.Object({
  id: id(),
  business_id: id(),
  ai_job_id: id(),
  position: integer(0),
  part: integer(0),
  status: oneOf(['waiting', 'read']),
  file_name: Type.String(),
  content_hash: Type.Unsafe<Buffer>({ type: 'buffer' }),
  content: nullable(Type.Unsafe<Buffer>({ type: 'buffer' })),
  result: nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
  invoice_id: nullable(id()),
  created_at: timestamp(),
})
export type ReadingRow = Static<typeof ReadingRow>

const AiCreateResult = shape('InvoiceAiCreateResult', {
  job_id: id({ description: 'Invoices that come of it carry it as ai_job_id.' }),
  engine: oneOf(ENGINES, { description: 'What read the documents: rules, or a model whose values were held against the documents.' }),
  status: oneOf(['completed', 'processing']),
  results: list(ReadingResult),
})
export type AiCreateResult = Static<typeof AiCreateResult>

export const aiCreateInvoices = endpoint({
  id: 'ai_create_invoices', method: 'POST', path: '/ai-create', summary: 'Read documents into draft invoices',
  description: [
    'PDFs, scans and photographs (letters are recognised), e-mails with their attachments and plain text become drafts; nothing is ever finalized.',
    'They are read by rules, within the service. Where the settings of the business choose a model and allow documents to be sent,',
    'the model reads them, and what it says counts only as far as the document shows it. Every value comes with its confidence and',
    'the line that shows it. A draft is made only where the customer is known. Where lines and total disagree, the lines win.',
    'A file that became an invoice before is only reported. What takes longer than a minute is left to the worker: its drafts',
    'are found by ai_job_id, and ai_job.completed tells the end. A dry run reads by rules and keeps nothing.',
  ].join(' '),
  large_body: true,
  body: AiCreateInput,
  reply: AiCreateResult,
  refusals: ['The customer is archived.'],
  example: {
    documents: [{ file_name: 'request.txt', content_base64: Buffer.from('Please invoice ACME for 3 days of consulting at $1,200.00').toString('base64') }],
    create_customers: true,
  },
})
