// What can be done with templates of entries, by people and by the clock.
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { firstDayOfMonth } from '../../foundation/calendar.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid, notFound, Refusal } from '../../foundation/refusal.ts'
import { lockJournal, readBooks } from '../books/operations.ts'
import type { Entry, EntryDraft } from '../journal-drafts/contract.ts'
import { baseOf, drawn, insertDrafts, referencesOf, saveDraft, withValues } from '../journal-drafts/operations.ts'
import { shownDraft } from '../journal-drafts/rules.ts'
import { needsApproval, openDesk } from '../journal-entries/operations.ts'
import { handProblems, requireNone } from '../journal-entries/rules.ts'
import { templateResource, type Template, type TemplateInput, type TemplateUpdate } from './contract.ts'
import { entryLines, nextDate, requireSchedule, sharedLedgers, templateLine } from './rules.ts'
import * as store from './store.ts'

export function listTemplates(tx: BusinessTx, query: PageQuery): Promise<Page<Template>> {
  return tx.page(store.templates, query)
}

export function getTemplate(tx: BusinessTx, template_id: string): Promise<Template> {
  return tx.get(store.findTemplate, { id: template_id }, 'Template')
}

export async function createTemplate(tx: BusinessTx, input: TemplateInput): Promise<Template> {
  const { lines, ...given } = input
  const template: Template = {
    id: newId(),
    business_id: tx.business_id,
    name: given.name.trim(),
    memo: given.memo ?? null,
    currency: given.currency ?? baseOf(tx),
    is_adjusting: given.is_adjusting ?? false,
    frequency: given.frequency ?? null,
    start_date: given.start_date ?? null,
    end_date: given.end_date ?? null,
    day_of_month: given.day_of_month ?? null,
    max_occurrences: given.max_occurrences ?? null,
    auto_post: given.auto_post ?? false,
    lines: lines.map((line, index) => templateLine(line, index + 1)),
    occurrences: 0,
    last_date: null,
    next_date: null,
    created_by: tx.actor.user_id,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  await requireUsable(tx, template)
  const scheduled = { ...template, next_date: nextDate(template) }
  tx.queue(store.insertTemplate, { template: JSON.stringify(scheduled) })
  tx.record(templateResource, 'journal_template.created', { before: null, after: scheduled })
  return scheduled
}

export async function updateTemplate(tx: BusinessTx, template_id: string, input: TemplateUpdate): Promise<Template> {
  const template = await tx.lock(store.lockTemplate, { id: template_id }, 'Template')
  if (Object.keys(input).length === 0) return template
  const { lines, name, ...plain } = input
  const after: Template = {
    ...template,
    ...plain,
    name: name?.trim() ?? template.name,
    lines: lines?.map((line, index) => templateLine(line, index + 1)) ?? template.lines,
  }
  await requireUsable(tx, after)
  return save(tx, 'journal_template.updated', template, { ...after, next_date: nextDate(after) })
}

export async function deleteTemplate(tx: BusinessTx, template_id: string): Promise<Template> {
  const template = await tx.lock(store.lockTemplate, { id: template_id }, 'Template')
  tx.queue(store.deleteTemplate, template)
  tx.record(templateResource, 'journal_template.deleted', { before: template, after: null })
  return template
}

/** By hand. Where the date is one of its schedule, that occurrence is done by it. */
export async function runTemplate(tx: BusinessTx, template_id: string, date: string = tx.today): Promise<Entry> {
  const template = await tx.lock(store.lockTemplate, { id: template_id }, 'Template')
  if (!(await tx.find(store.claimRun, { template_id, date }))) {
    const run = await tx.get(store.findRun, { template_id, date }, 'Run')
    throw invalid(`${template.name} was run for ${date} already${run.entry_id === null ? '' : ` and made entry ${run.entry_id}`}.`)
  }
  const { entry, held } = await makeEntry(tx, template, date)
  if (!entry) throw invalid(`${template.name} has nothing to enter for ${date}: the ledgers that it shares out have not moved in that month.`)
  finishRun(tx, template, date, entry, held, template.next_date === date)
  return entry
}

/** The next occurrence, if it is due: false where it is not. Each happens once, whoever comes first. */
export async function runDue(tx: BusinessTx, template_id: string): Promise<boolean> {
  const template = await tx.find(store.lockTemplate, { id: template_id })
  const date = template?.next_date
  if (!template || !date || date > tx.today) return false
  const fresh = await tx.find(store.claimRun, { template_id, date })
  if (!fresh) {
    save(tx, 'journal_template.updated', template, advanced(template, date))
    return true
  }
  const { entry, held } = await makeEntry(tx, template, date)
  finishRun(tx, template, date, entry, held, true)
  return true
}

type Made = { entry: Entry | null; held: string | null }

/** Posted where the template says so and nothing stands against it; otherwise a draft, with the reason. */
async function makeEntry(tx: BusinessTx, template: Template, date: string): Promise<Made> {
  const draft = await draftFor(tx, template, date)
  if (!draft) return { entry: null, held: null }
  const approval = template.auto_post && (await needsApproval(tx, draft.total))
  if (template.auto_post && !approval) {
    try {
      const desk = await openDesk(tx, [draft], [draft])
      desk.take(draft, true)
      return { entry: desk.finish()[0] ?? null, held: null }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      insertDrafts(tx, [draft])
      return { entry: shownDraft(draft), held: error.detail }
    }
  }
  insertDrafts(tx, [draft])
  const kept = approval ? saveDraft(tx, 'journal_entry.submitted', draft, { status: 'pending_approval' }) : draft
  return { entry: shownDraft(kept), held: null }
}

/** Under the lock of the journal, so that what a ledger has moved is still so when its shares are posted. */
async function draftFor(tx: BusinessTx, template: Template, date: string): Promise<EntryDraft | null> {
  await lockJournal(tx)
  const ledger_ids = sharedLedgers(template.lines)
  const moved = ledger_ids.length === 0 ? [] : await tx.many(store.movements, { ledger_ids, month: firstDayOfMonth(date) })
  const lines = entryLines(template.lines, new Map(moved.map(({ ledger_id, movement }) => [ledger_id, movement])), baseOf(tx))
  if (lines.length < 2) return null
  const { memo, name, currency, is_adjusting, id, created_by } = template
  const [draft] = await withValues(tx, [drawn(tx, { date, memo: memo ?? name, currency, is_adjusting, lines }, id, created_by)])
  return draft ?? null
}

function finishRun(tx: BusinessTx, template: Template, date: string, entry: Entry | null, held: string | null, scheduled: boolean): void {
  if (entry) tx.queue(store.nameEntryOfRun, { template_id: template.id, date, entry_id: entry.id })
  const after = scheduled ? changed(template, advanced(template, date), tx.now) : template
  if (scheduled) tx.queue(store.updateTemplate, stored(after))
  const outcome = { run_date: date, entry_id: entry?.id ?? null, entry_status: entry?.status ?? null }
  if (held === null) tx.record(templateResource, 'journal_template.run', { before: template, after: { ...after, ...outcome } })
  else tx.record(templateResource, 'journal_template.held', { before: template, after: { ...after, ...outcome }, reason: held })
}

function advanced(template: Template, date: string): Pick<Template, 'occurrences' | 'last_date' | 'next_date'> {
  const after = { ...template, occurrences: template.occurrences + 1, last_date: date }
  return { occurrences: after.occurrences, last_date: date, next_date: nextDate(after) }
}

async function requireUsable(tx: BusinessTx, template: Template): Promise<void> {
  // As an entry would be looked at, with any amount in place of a share.
  const lines = template.lines.map(({ amount_kind: _kind, percent: _percent, of_ledger_id: _of, amount, currency, ...line }) =>
    ({ ...line, amount: amount ?? 1, ...(currency !== null && { currency }) }))
  const example = drawn(tx, { date: tx.today, currency: template.currency, lines })
  const [{ books }, requireKnown] = await Promise.all([readBooks(tx), referencesOf(tx, [example])])
  requireKnown(example, books)
  const unknown = template.lines.findIndex(({ of_ledger_id }) => of_ledger_id !== null && !books.ledgers.has(of_ledger_id))
  if (unknown >= 0) throw notFound(`Ledger ${template.lines[unknown]?.of_ledger_id}, of which line ${unknown + 1} is a share,`)
  requireNone(handProblems(example, books))
  requireSchedule(template)
}

function save(tx: BusinessTx, event: (typeof templateResource.events)[number], template: Template, changes: Partial<Template>): Template {
  const after = changed(template, changes, tx.now)
  tx.queue(store.updateTemplate, stored(after))
  tx.record(templateResource, event, { before: template, after })
  return after
}

function stored(template: Template) {
  return { ...template, lines: JSON.stringify(template.lines) }
}
