// Running recurring templates: made and changed with a look at what they will make, and the documents of their dates.
import { canonicalJson } from '../../foundation/canonical.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Currency } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import { customersByIds, recipientsOf } from '../../directory/customers/operations.ts'
import type { Occurrence, RecurringTemplateWithDates } from '../../directory/recurring-templates/contract.ts'
import * as templates from '../../directory/recurring-templates/operations.ts'
import { datesOf, requireDates, requireNext, requireNotEnded, rescheduled } from '../../directory/recurring-templates/rules.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import { openWorkshop, writeDrafts } from '../../receivables/invoice-drafts/operations.ts'
import { sendInvoices } from '../../receivables/invoice-messages/operations.ts'
import { finalizeInvoices } from '../../receivables/invoice-postings/operations.ts'
import { requireLineShapes } from '../../receivables/sales-lines/rules.ts'
import type { InvoiceTemplate, RecurringInput, RecurringUpdate } from './contract.ts'
import { datedFor, inputFor, type Turn } from './rules.ts'

export async function createTemplate(tx: BusinessTx, input: RecurringInput): Promise<RecurringTemplateWithDates> {
  const { kind, template, on_generate, price_mode, ...config } = input
  requireDates(config)
  const weighed = await weigh(tx, template)
  if (on_generate === 'send') await requireAddress(tx, template.customer_id)
  return templates.withDates(templates.insertTemplate(tx, { config, kind, template, ...weighed, described: template.description ?? null, on_generate, price_mode }))
}

export async function updateTemplate(tx: BusinessTx, template_id: string, input: RecurringUpdate): Promise<RecurringTemplateWithDates> {
  const before = await templates.lockTemplate(tx, template_id)
  requireNotEnded(before)
  const { template, price_mode, on_generate, name, days_until_due, kind: _kind, ...schedule } = input
  // Prices are frozen anew where the body is, or where they were not.
  const freezing = template !== undefined || (price_mode === 'frozen' && before.price_mode !== 'frozen')
  const body = template ?? (before.template as InvoiceTemplate)
  const weighed = freezing ? await weigh(tx, body) : {}
  const plain = Object.fromEntries(Object.entries({ price_mode, on_generate, name: name?.trim() || undefined, days_until_due }).filter(([, value]) => value !== undefined))
  const after = { ...rescheduled(before, schedule, tx.today), ...plain, template: body, customer_id: body.customer_id, ...weighed }
  if (after.on_generate === 'send' && (before.on_generate !== 'send' || after.customer_id !== before.customer_id)) await requireAddress(tx, body.customer_id)
  if (canonicalJson(after) === canonicalJson(before)) return templates.withDates(before)
  return templates.withDates(templates.saveTemplate(tx, 'recurring.updated', before, after))
}

/** The next document, before its time or not. */
export async function generateNext(tx: BusinessTx, template_id: string): Promise<Occurrence> {
  const template = await templates.lockTemplate(tx, template_id)
  const [occurrence] = await generate(tx, [{ template, scheduled_date: requireNext(template) }])
  return occurrence as Occurrence
}

/** A failed date once more, by a person: a refusal is answered and changes nothing. */
export async function retryOccurrence(tx: BusinessTx, template_id: string, number: number): Promise<Occurrence> {
  const template = await templates.lockTemplate(tx, template_id)
  const failed = await templates.lockOccurrence(tx, template_id, number)
  if (failed.status === 'generated') return failed
  if (failed.status === 'skipped') throw invalid(`Occurrence ${number} of ${template.name}, ${failed.scheduled_date}, was skipped: make the document by hand.`)
  templates.requireRoom(template, failed)
  return retry(tx, { template, scheduled_date: failed.scheduled_date }, failed)
}

/** Dates that are due, of many templates, oldest first: their templates are locked, and nobody else has them. */
export async function takeDue(tx: BusinessTx, limit: number): Promise<Turn[]> {
  const due = await templates.templatesDue(tx, tx.today, limit)
  const turns = due.flatMap((template) => datesOf(template, { through: tx.today, most: limit }).map((scheduled_date) => ({ template, scheduled_date })))
  return turns.toSorted((a, b) => (a.scheduled_date < b.scheduled_date ? -1 : a.scheduled_date > b.scheduled_date ? 1 : 0)).slice(0, limit)
}

/** Makes the documents of these turns and says so, all or none. The turns of one template come in the order of their dates. */
export async function generate(tx: BusinessTx, turns: readonly Turn[]): Promise<Occurrence[]> {
  const made = await makeInvoices(tx, turns)
  const byTemplate = Map.groupBy(turns.map((turn, index) => ({ ...turn, ...made[index] as Made })), ({ template }) => template.id)
  return templates.recordGenerated(tx, [...byTemplate.values()].flatMap((group) => (group[0] ? [{ template: group[0].template, made: group }] : [])))
}

/** The next date of one template, if it is still its turn; `work` makes the document, or says why there is none. */
export async function takeTurn(tx: BusinessTx, template_id: string, scheduled_date: string, work: (turn: Turn) => Promise<unknown> | unknown): Promise<void> {
  const template = await templates.findAndLock(tx, template_id)
  if (template?.status !== 'active' || template.next_date !== scheduled_date) return
  await work({ template, scheduled_date })
}

/** A failed date whose time has come again, if it still has. */
export async function takeRetry(tx: BusinessTx, due: { template_id: string; number: number }, work: (turn: Turn, failed: Occurrence) => Promise<unknown> | unknown): Promise<void> {
  const template = await templates.findAndLock(tx, due.template_id)
  if (template?.status !== 'active') return
  const failed = await templates.lockOccurrence(tx, due.template_id, due.number)
  if (failed.retry_at === null || failed.retry_at > tx.now) return
  await work({ template, scheduled_date: failed.scheduled_date }, failed)
}

export async function retry(tx: BusinessTx, turn: Turn, failed: Occurrence): Promise<Occurrence> {
  const [made] = await makeInvoices(tx, [turn])
  return templates.recordRetried(tx, turn.template, failed, made as Made)
}

type Made = { document_id: string; warning: string | null }

/** An invoice per turn, in their order. Where the books are closed on the day of one it becomes a draft of a later day. */
async function makeInvoices(tx: BusinessTx, turns: readonly Turn[]): Promise<Made[]> {
  const [{ books }, customers] = await Promise.all([readBooks(tx), customersByIds(tx, turns.map(({ template }) => template.customer_id ?? ''))])
  const dated = turns.map(({ scheduled_date }) => datedFor(books.periods, scheduled_date, tx.today))
  const inputs = turns.map((turn, index) => {
    const id = turn.template.customer_id ?? ''
    return inputFor(turn, dated[index] as (typeof dated)[number], customers.get(id)?.merged_into ?? id)
  })
  const { draft } = await openWorkshop(tx, inputs)
  const drafts = writeDrafts(tx, inputs.map((input, index) => {
    const id = turns[index]?.template.id ?? ''
    return draft(input, { origin: 'recurring', origin_id: id, recurring_template_id: id })
  }))
  const final = drafts.flatMap((loaded, index) => {
    const { on_generate } = (turns[index] as Turn).template
    return on_generate === 'draft' || dated[index]?.warning !== null ? [] : [{ loaded, on_generate }]
  })
  const finalized = final.length > 0 ? await finalizeInvoices(tx, final.map(({ loaded }) => ({ loaded, input: {} }))) : []
  const to_send = finalized.filter((_, index) => final[index]?.on_generate === 'send')
  if (to_send.length > 0) await sendInvoices(tx, to_send)
  return drafts.map(({ invoice }, index) => ({ document_id: invoice.id, warning: dated[index]?.warning ?? null }))
}

/** What an invoice of this body would come to today; refuses one that makes none. */
async function weigh(tx: BusinessTx, body: InvoiceTemplate): Promise<{ prices: (number | null)[]; currency: Currency; amount: number }> {
  requireLineShapes(body.line_items ?? [], ['body', 'template', 'line_items'])
  const { draft } = await openWorkshop(tx, [body])
  const { invoice, lines } = draft(body, { origin: 'recurring' })
  return { prices: lines.map(({ unit_price }) => unit_price), currency: invoice.currency, amount: invoice.total }
}

/** Said now rather than by every invoice that could not be sent. */
async function requireAddress(tx: BusinessTx, customer_id: string): Promise<void> {
  const addresses = await recipientsOf(tx, customer_id, 'invoices')
  if (addresses.length === 0) throw invalid('The customer has no e-mail address to send invoices to: add one, or choose finalize.')
}
