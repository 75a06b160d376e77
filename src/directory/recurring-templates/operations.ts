// What can be done with recurring templates short of making a document, and the doors for those who make them.
import { addDays } from '../../foundation/calendar.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx, Tx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Currency } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import { templateResource, UPCOMING, type Occurrence, type RecurringConfig, type RecurringTemplate, type RecurringTemplateWithDates } from './contract.ts'
import { advanced, datesOf, nameFor, requireDates, requireNext, requireNotEnded, requireOccurrence, retried, retryAt, scheduleOf } from './rules.ts'
import * as store from './store.ts'

/** The job that makes what is due in one business; made further up, asked for here in the commit that makes something due. */
export const GENERATE = 'recurring.generate'

export function listTemplates(tx: BusinessTx, query: PageQuery): Promise<Page<RecurringTemplate>> {
  return tx.page(store.templates, query)
}

export async function getTemplate(tx: BusinessTx, template_id: string): Promise<RecurringTemplateWithDates> {
  return withDates(await tx.get(store.findTemplate, { id: template_id }, 'Recurring template'))
}

export function lockTemplate(tx: BusinessTx, template_id: string): Promise<RecurringTemplate> {
  return tx.lock(store.lockTemplate, { id: template_id }, 'Recurring template')
}

/** For those whose turn it may no longer be. */
export function findAndLock(tx: BusinessTx, template_id: string): Promise<RecurringTemplate | null> {
  return tx.find(store.lockTemplate, { id: template_id })
}

export type NewTemplate = {
  config: RecurringConfig
  kind: RecurringTemplate['kind']
  /** The create body of the document, with its customer_id, without dates and number. */
  template: Record<string, unknown> & { customer_id: string }
  /** What each of its lines costs now, in their order; null where it has no price. */
  prices: (number | null)[]
  currency: Currency
  /** What a document would come to now. */
  amount: number
  /** Names the template where the configuration does not. */
  described: string | null
  source_invoice_id?: string | null
  on_generate?: RecurringTemplate['on_generate'] | undefined
  price_mode?: RecurringTemplate['price_mode'] | undefined
}

/** Refuses a schedule without a date. Whether the body makes a document is for the caller to see, before. */
export function insertTemplate(tx: BusinessTx, input: NewTemplate): RecurringTemplate {
  const { config, kind, template, prices, currency, amount } = input
  requireDates(config)
  const schedule = scheduleOf(config)
  const made: RecurringTemplate = {
    id: newId(),
    business_id: tx.business_id,
    kind,
    name: nameFor(config.name, input.described, kind),
    status: 'active',
    ...schedule,
    days_until_due: config.days_until_due ?? 30,
    on_generate: input.on_generate ?? 'draft',
    price_mode: input.price_mode ?? 'frozen',
    template,
    customer_id: template.customer_id,
    prices,
    currency,
    amount,
    source_invoice_id: input.source_invoice_id ?? null,
    next_date: requireOccurrence(schedule, tx.today),
    paused_until: null,
    occurrences: 0,
    last_error: null,
    created_by: tx.actor.user_id,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  tx.queue(store.insertTemplates, { templates: JSON.stringify([made]) })
  tx.record(templateResource, 'recurring.created', { before: null, after: made })
  wakeGenerator(tx, made)
  return made
}

/** Writes a template that was changed by a person; it is due at once where it has become so. */
export function saveTemplate(tx: BusinessTx, event: (typeof templateResource.events)[number], before: RecurringTemplate, changes: Partial<RecurringTemplate>): RecurringTemplate {
  const after = changed(before, changes, tx.now)
  tx.queue(store.updateTemplates, { templates: JSON.stringify([after]) })
  tx.record(templateResource, event, { before, after })
  wakeGenerator(tx, after)
  return after
}

export async function deleteTemplate(tx: BusinessTx, template_id: string): Promise<RecurringTemplate> {
  const template = await lockTemplate(tx, template_id)
  if (template.occurrences_generated > 0) throw invalid(`${template.name} has generated documents: end it instead.`)
  tx.queue(store.deleteTemplate, template)
  tx.record(templateResource, 'recurring.deleted', { before: template, after: null })
  return template
}

export async function pauseTemplate(tx: BusinessTx, template_id: string, until: string | null): Promise<RecurringTemplateWithDates> {
  const template = await lockTemplate(tx, template_id)
  requireNotEnded(template)
  if (template.status === 'paused' && (until === null || until === template.paused_until)) return withDates(template)
  if (until !== null && until <= tx.today) throw invalid(`A pause of ${template.name} cannot end on ${until}: choose a day after ${tx.today}.`)
  return withDates(saveTemplate(tx, 'recurring.paused', template, { status: 'paused', paused_until: until }))
}

export async function resumeTemplate(tx: BusinessTx, template_id: string, catch_up: boolean): Promise<RecurringTemplateWithDates> {
  const template = await lockTemplate(tx, template_id)
  requireNotEnded(template)
  return withDates(template.status === 'active' ? template : resume(tx, template, catch_up ? null : tx.today))
}

/** Pauses that end today or have ended: the dates before their end are skipped. True while there may be more. */
export async function endPauses(tx: BusinessTx, limit: number): Promise<boolean> {
  const waking = await tx.many(store.templatesWaking, { through: tx.today, limit })
  for (const template of waking) resume(tx, template, template.paused_until)
  return waking.length === limit
}

function resume(tx: BusinessTx, template: RecurringTemplate, skip_before: string | null): RecurringTemplate {
  const missed = skip_before === null ? [] : datesOf(template, { through: addDays(skip_before, -1), most: Infinity })
  if (missed.length > 0) insertOccurrences(tx, missed.map((date, index) => occurrenceOf(tx, template, index, date, { status: 'skipped' })))
  const past = missed.reduce((each, date) => advanced(each, date, 'skipped'), template)
  const ended = past.status === 'ended'
  return saveTemplate(tx, ended ? 'recurring.ended' : 'recurring.resumed', template, { ...past, status: ended ? 'ended' : 'active', paused_until: null })
}

/** What failed is no longer tried again. */
export async function endTemplate(tx: BusinessTx, template_id: string): Promise<RecurringTemplateWithDates> {
  const template = await lockTemplate(tx, template_id)
  if (template.status === 'ended') return withDates(template)
  if (template.occurrences_retrying > 0) tx.queue(store.stopRetrying, { template_id })
  return withDates(saveTemplate(tx, 'recurring.ended', template, { status: 'ended', next_date: null, paused_until: null, occurrences_retrying: 0 }))
}

export async function skipOccurrence(tx: BusinessTx, template_id: string): Promise<Occurrence> {
  const template = await lockTemplate(tx, template_id)
  const date = requireNext(template)
  const skipped = occurrenceOf(tx, template, 0, date, { status: 'skipped' })
  const after = changed(template, advanced(template, date, 'skipped'), tx.now)
  insertOccurrences(tx, [skipped])
  tx.queue(store.advanceTemplates, { templates: JSON.stringify([turnOf(after)]) })
  recordTurn(tx, 'recurring.skipped', template, after, skipped)
  return skipped
}

export async function previewDates(tx: BusinessTx, { limit = 12, ...config }: RecurringConfig & { limit?: number }) {
  requireDates(config)
  const schedule = scheduleOf(config)
  const found = datesOf(schedule, { most: limit + 1 })
  if (found.length === 0) requireOccurrence(schedule, tx.today)
  const days = config.days_until_due ?? 30
  return { dates: found.slice(0, limit).map((date) => ({ date, due_date: addDays(date, days) })), more: found.length > limit }
}

export async function listOccurrences(tx: BusinessTx, template_id: string, query: PageQuery): Promise<Page<Occurrence>> {
  await tx.get(store.findTemplate, { id: template_id }, 'Recurring template')
  return tx.page(store.occurrences, { ...query, template_id } as PageQuery)
}

/** Templates that are due by then, oldest first, locked; those that somebody else is at work on are left to them. */
export function templatesDue(tx: BusinessTx, through: string, limit: number): Promise<RecurringTemplate[]> {
  return tx.many(store.templatesDue, { through, limit })
}

export function retriesDue(tx: BusinessTx, limit: number): Promise<{ template_id: string; number: number }[]> {
  return tx.many(store.retriesDue, { limit })
}

export async function businessesDue(tx: Tx): Promise<string[]> {
  return (await tx.many(store.businessesDue)).map(({ business_id }) => business_id)
}

/** The template must be locked. */
export async function lockOccurrence(tx: BusinessTx, template_id: string, number: number): Promise<Occurrence> {
  return tx.get(store.lockOccurrence, { template_id, number }, `Occurrence ${number}`)
}

/** A template whose next dates have made these documents, in the order of the dates. */
export type Generated = { template: RecurringTemplate; made: { scheduled_date: string; document_id: string; warning: string | null }[] }

/** In the transaction that writes the documents: one row per date, so that whoever comes second meets the first. */
export function recordGenerated(tx: BusinessTx, generated: readonly Generated[]): Occurrence[] {
  const after: RecurringTemplate[] = []
  const written = generated.flatMap(({ template, made }) => {
    let before = template
    const rows = made.map(({ scheduled_date, document_id, warning }, index) => {
      const occurrence = occurrenceOf(tx, template, index, scheduled_date, { status: 'generated', document_id, warning, attempts: 1 })
      const next = changed(before, { ...advanced(before, scheduled_date, 'generated'), last_error: null }, tx.now)
      recordTurn(tx, 'recurring.generated', before, next, occurrence)
      before = next
      return occurrence
    })
    after.push(before)
    return rows
  })
  insertOccurrences(tx, written)
  tx.queue(store.advanceTemplates, { templates: JSON.stringify(after.map(turnOf)) })
  return written
}

/** The next date of the template could not make its document: it is tried again from time to time, and the dates after it go on. */
export function recordFailure(tx: BusinessTx, template: RecurringTemplate, scheduled_date: string, error: string): void {
  const retry_at = retryAt(tx.now, 1, tx.now)
  const occurrence = occurrenceOf(tx, template, 0, scheduled_date, { status: 'failed', error, attempts: 1, retry_at })
  const after = changed(template, { ...advanced(template, scheduled_date, 'retrying'), last_error: error }, tx.now)
  insertOccurrences(tx, [occurrence])
  tx.queue(store.advanceTemplates, { templates: JSON.stringify([turnOf(after)]) })
  recordTurn(tx, 'recurring.failed', template, after, occurrence)
}

/** A failed date has made its document after all. */
export function recordRetried(tx: BusinessTx, template: RecurringTemplate, failed: Occurrence, { document_id, warning }: { document_id: string; warning: string | null }): Occurrence {
  const after = changed(template, { ...retried(template, failed, true), last_error: null }, tx.now)
  const occurrence: Occurrence = { ...failed, status: 'generated', document_id, warning, attempts: failed.attempts + 1, error: null, retry_at: null, updated_at: tx.now }
  tx.queue(store.updateOccurrence, occurrence)
  tx.queue(store.advanceTemplates, { templates: JSON.stringify([turnOf(after)]) })
  recordTurn(tx, 'recurring.generated', template, after, occurrence)
  return occurrence
}

/** A failed date has failed again. It is told when it was for the last time: then only a person tries it again. */
export function recordRetryFailure(tx: BusinessTx, template: RecurringTemplate, failed: Occurrence, error: string): Occurrence {
  const attempts = failed.attempts + 1
  const retry_at = retryAt(failed.created_at, attempts, tx.now)
  const occurrence: Occurrence = { ...failed, attempts, error, retry_at, updated_at: tx.now }
  const after = changed(template, { ...(retry_at === null ? retried(template, failed, false) : template), last_error: error }, tx.now)
  tx.queue(store.updateOccurrence, occurrence)
  tx.queue(store.advanceTemplates, { templates: JSON.stringify([turnOf(after)]) })
  if (retry_at === null) recordTurn(tx, 'recurring.failed', template, after, occurrence)
  return occurrence
}

/** Whether one more document may be made of it: a failed date of an ended template may still be tried, the limit holds. */
export function requireRoom(template: RecurringTemplate, failed: Occurrence): void {
  const { max_occurrences, occurrences_generated, occurrences_retrying, name } = template
  if (max_occurrences === null || failed.retry_at !== null || occurrences_generated + occurrences_retrying < max_occurrences) return
  throw invalid(`${name} has made its ${max_occurrences} documents: raise max_occurrences, or make the document by hand.`)
}

export function withDates(template: RecurringTemplate): RecurringTemplateWithDates {
  return { ...template, upcoming_dates: template.status === 'ended' ? [] : datesOf(template, { most: UPCOMING }) }
}

function wakeGenerator(tx: BusinessTx, { status, next_date }: RecurringTemplate): void {
  if (status !== 'active' || next_date === null || next_date > tx.today) return
  tx.enqueue(GENERATE, { business_id: tx.business_id }, { job_key: `${GENERATE} ${tx.business_id}` })
}

type Turn = Pick<Occurrence, 'status'> & Partial<Occurrence>

/** The row of a date of a template, which is the index-th after those that have come. */
function occurrenceOf(tx: BusinessTx, template: RecurringTemplate, index: number, scheduled_date: string, turn: Turn): Occurrence {
  return {
    id: newId(),
    template_id: template.id,
    number: template.occurrences + 1 + index,
    scheduled_date,
    document_id: null,
    attempts: 0,
    error: null,
    warning: null,
    retry_at: null,
    created_at: tx.now,
    updated_at: tx.now,
    ...turn,
  }
}

function insertOccurrences(tx: BusinessTx, occurrences: readonly Occurrence[]): void {
  tx.queue(store.insertOccurrences, { occurrences: JSON.stringify(occurrences.map((occurrence) => ({ ...occurrence, business_id: tx.business_id }))) })
}

/** Without the body, which a turn of the clock does not change and may be long. */
function turnOf({ template: _template, prices: _prices, ...turn }: RecurringTemplate) {
  return turn
}

function recordTurn(tx: BusinessTx, event: (typeof templateResource.events)[number], before: RecurringTemplate, after: RecurringTemplate, occurrence: Occurrence): void {
  const { number, scheduled_date, document_id, attempts, error, warning, retry_at } = occurrence
  const told = { number, scheduled_date, document_id, attempts, error, warning, retry_at }
  const ended = before.status !== 'ended' && after.status === 'ended'
  // Ended by its last date: told by itself, after what became of that.
  const shown = { ...after, status: before.status }
  tx.record(templateResource, event, { before, after: { ...shown, occurrence: told }, ...(warning !== null && { reason: warning }) })
  if (ended) tx.record(templateResource, 'recurring.ended', { before: shown, after })
}
