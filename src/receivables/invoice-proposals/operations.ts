// Makes drafts of what was read, all at once: customers are looked up together, and a document that cannot become one says why.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { formatCents, type Currency } from '../../foundation/money.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { bulkCustomers, customersByIds } from '../../directory/customers/operations.ts'
import type { Extraction } from '../invoice-extraction/contract.ts'
import type { InvoiceInput } from '../invoice-drafts/contract.ts'
import { openWorkshop, writeDrafts } from '../invoice-drafts/operations.ts'
import type { PartOutcome } from '../invoice-model/operations.ts'
import { presentAll, type Loaded } from '../invoices/operations.ts'
import { numberKey } from '../invoices/rules.ts'
import type { AiJob, ReadingResult } from '../invoice-reading/contract.ts'
import { bareResult } from '../invoice-reading/rules.ts'
import { chooseCustomer, draftOf, isTwin, newCustomerOf, shownExtraction, type Candidate, type Twin } from './rules.ts'
import * as store from './store.ts'

/** A document, or a part of one, with what was found in it; without a part it could not be read, and the warnings say why. */
export type Proposal = { document: ReadingResult['document']; part: PartOutcome | null; warnings: readonly string[] }

type Open = Proposal & { part: PartOutcome; result: ReadingResult; customer_id: string | null; input: InvoiceInput | null; same_as: Open | null }

export async function draftInvoices(tx: BusinessTx, job: AiJob, proposals: readonly Proposal[]): Promise<ReadingResult[]> {
  const results = proposals.map(({ document, part, warnings }): ReadingResult => ({
    ...bareResult(document, part ? 'read' : 'reported', [...warnings, ...(part?.extraction.warnings ?? [])]),
    ...(part ? { engine: part.engine, ...shownExtraction(part.extraction) } : {}),
  }))
  const open = proposals.flatMap((proposal, index): Open[] => {
    const result = results[index]
    return proposal.part && result ? [{ ...proposal, part: proposal.part, result, customer_id: null, input: null, same_as: null }] : []
  })
  if (open.length === 0) return results
  await findCustomers(tx, job, open)
  await prepare(tx, open)
  const drafts = await make(tx, job, open)
  const shown = await presentAll(tx, [...drafts.values()])
  for (const [index, one] of [...drafts.keys()].entries()) one.result.invoice = shown[index] ?? null
  for (const { result, same_as } of open) if (same_as) result.duplicate_of = same_as.result.invoice?.id ?? null
  return results
}

/** Each gets its customer, or a warning that says why it has none. */
async function findCustomers(tx: BusinessTx, job: AiJob, open: readonly Open[]): Promise<void> {
  if (job.customer_id) {
    const customer = (await customersByIds(tx, [job.customer_id])).get(job.customer_id)
    for (const one of open) {
      one.customer_id = one.result.customer_id = customer?.id ?? null
      if (!customer) one.result.warnings.push('The customer that was asked for is gone.')
    }
    return
  }
  const { named, addressed } = await candidatesOf(tx, open)
  const missing: Open[] = []
  for (const one of open) {
    const { customer, warning } = chooseCustomer(one.part.extraction, named, addressed)
    one.customer_id = one.result.customer_id = customer?.id ?? null
    const creatable = job.create_customers && !customer && isUnknown(one.part.extraction, named, addressed)
    if (creatable && newCustomerOf(one.part.extraction)) missing.push(one)
    else if (warning) one.result.warnings.push(warning)
  }
  await createMissing(tx, missing)
}

async function candidatesOf(tx: BusinessTx, open: readonly Open[]): Promise<{ named: Candidate[]; addressed: Candidate[] }> {
  const names = [...new Set(open.flatMap(({ part }) => part.extraction.customer_name?.value ?? []))]
  const emails = [...new Set(open.flatMap(({ part }) => part.extraction.customer_email?.value ?? []))]
  const [named, addressed] = await Promise.all([
    names.length > 0 ? tx.many(store.customersByName, { names }) : [],
    emails.length > 0 ? tx.many(store.customersByEmail, { emails }) : [],
  ])
  return { named, addressed }
}

/** Nobody has this name or address: one of several is never made anew. */
function isUnknown({ customer_name, customer_email }: Extraction, named: readonly Candidate[], addressed: readonly Candidate[]): boolean {
  return !named.some(({ asked }) => asked === customer_name?.value) && !addressed.some(({ asked }) => asked === customer_email?.value)
}

/** One for each name, however many documents have it. */
async function createMissing(tx: BusinessTx, missing: readonly Open[]): Promise<void> {
  if (missing.length === 0) return
  const inputs = new Map(missing.flatMap(({ part }) => {
    const input = newCustomerOf(part.extraction)
    return input ? [[input.name.toLowerCase(), input] as const] : []
  }))
  const { rows } = await bulkCustomers(tx, { customers: [...inputs.values()], atomic: false })
  const ids = new Map([...inputs.keys()].map((key, index) => [key, rows[index]]))
  for (const one of missing) {
    const made = ids.get(newCustomerOf(one.part.extraction)?.name.toLowerCase() ?? '')
    one.customer_id = one.result.customer_id = made?.id ?? null
    const name = one.part.extraction.customer_name?.value
    one.result.warnings.push(made?.id ? `The customer ${name} was created.` : `The customer ${name} could not be created: ${made?.detail ?? ''}`)
  }
}

/** What each draft is made from; an invoice that is there already is named instead. */
async function prepare(tx: BusinessTx, open: readonly Open[]): Promise<void> {
  const keys = [...new Set(open.flatMap(({ part }) => (part.extraction.invoice_number ? [numberKey(part.extraction.invoice_number.value)] : [])))]
  const [terms, numbered] = await Promise.all([tx.many(store.usableTerms), keys.length > 0 ? tx.many(store.invoicesByNumber, { keys }) : []])
  const twins = new Map<string, Twin>(numbered.map((row) => [row.key, row]))
  const first = new Map<string, Open>()
  for (const one of open) {
    const { extraction } = one.part
    const proposed = draftOf(extraction, one.document.part ?? one.document.file_name, terms, tx.business.base_currency as Currency)
    if (!proposed) {
      if (!extraction.is_credit) one.result.warnings.push('Nothing to charge was found in it.')
      continue
    }
    if (!one.customer_id) continue
    one.result.warnings.push(...proposed.warnings)
    const number = proposed.input.invoice_number
    const twin = number ? twins.get(numberKey(number)) : undefined
    if (twin && isTwin(twin, one.customer_id, [extraction.total?.value ?? null, sumOf(extraction)])) {
      one.result.duplicate_of = twin.id
      one.result.warnings.push(`The invoice ${twin.number} of this customer has the same total: no draft was made.`)
      continue
    }
    const other = number ? first.get(numberKey(number)) : undefined
    if (other && other.customer_id === one.customer_id && sumOf(other.part.extraction) === sumOf(extraction)) {
      one.same_as = other
      one.result.warnings.push(`${other.document.part ?? other.document.file_name} has the same number, customer and total: no second draft was made.`)
      continue
    }
    const taken = twin !== undefined || other !== undefined
    if (taken) one.result.warnings.push(`The number ${number} is used by another invoice: the draft has none.`)
    else if (number) first.set(numberKey(number), one)
    one.input = { ...proposed.input, customer_id: one.customer_id, invoice_number: taken ? null : number ?? null }
  }
}

function sumOf({ line_items }: Extraction): number | null {
  return line_items.length === 0 ? null : line_items.reduce((sum, { amount }) => sum + amount, 0)
}

/** Each by itself: one that is refused does not keep the others. */
async function make(tx: BusinessTx, job: AiJob, open: readonly Open[]): Promise<Map<Open, Loaded>> {
  const ready = open.flatMap((one) => {
    const { document_id } = one.result.document
    return one.input ? [{ one, input: { ...one.input, ...(document_id ? { attachment_ids: [document_id] } : {}) } }] : []
  })
  const drafts = new Map<Open, Loaded>()
  if (ready.length === 0) return drafts
  const workshop = await openWorkshop(tx, ready.map(({ input }) => input))
  for (const { one, input } of ready) {
    try {
      const draft = workshop.draft(input, { origin: 'ai', ai_job_id: job.id })
      const { extraction } = one.part
      const said = extraction.total?.value ?? null
      if (said !== null && said !== draft.invoice.total && extraction.total && extraction.total.confidence > 40) {
        const shown = (cents: number) => formatCents(cents, draft.invoice.currency)
        one.result.warnings.push(`The draft comes to ${shown(draft.invoice.total)} and the document to ${shown(said)}: look at the tax codes of its lines.`)
      }
      drafts.set(one, draft)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      one.result.warnings.push(`No draft was made: ${error.detail}`)
    }
  }
  writeDrafts(tx, [...drafts.values()])
  return drafts
}
