// What can be done with counterparty defaults, and the doors for whoever categorizes:
//
//   defaultsFor(tx, wanted)    which default counts for each transaction; one that names something archived is passed over
//   noteApplied(tx, ids)       they were applied, an id once per transaction
//   noteCorrected(tx, ids)     a person overruled what they did; the second time in a row one stops being applied without asking
//   learn(tx, choices)         what people chose, in their order; three equal ones in a row make a default
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid } from '../../foundation/refusal.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import { differs } from '../../ledger/tax-agencies/rules.ts'
import {
  defaultResource, type CounterpartyDefault, type CounterpartyDefaultInput, type CounterpartyDefaultUpdate, type DefaultRow, type HumanChoice, type Streak,
  type Wanted,
} from './contract.ts'
import {
  afterChoice, afterCorrection, CORRECTIONS_TO_STOP, lesson, mostSpecific, nameKey, problemOf, requireBankLedger, requireCategoryLedger, requireNamed,
  requireValues, sameChoice, type Named,
} from './rules.ts'
import * as store from './store.ts'

type DefaultQuery = PageQuery & { counterparty?: string; q?: string }

export async function listDefaults(tx: BusinessTx, query: DefaultQuery): Promise<Page<CounterpartyDefault>> {
  const { counterparty, q } = query
  const asked = { ...query, ...(counterparty !== undefined && { counterparty: nameKey(counterparty) }), ...(q !== undefined && { q: nameKey(q) }) }
  const page = await tx.page(store.defaults, asked)
  return { ...page, items: await shown(tx, page.items) }
}

export async function createDefault(tx: BusinessTx, { apply_to_existing = false, ...input }: CounterpartyDefaultInput): Promise<CounterpartyDefault> {
  const row = newDefault(tx, tidy({ direction: 'any', auto_apply: false, ...input }), 'manual')
  await requireSound(tx, row, null)
  await requireFree(tx, row)
  tx.queue(store.insertDefault, { ...row, counterparty_key: nameKey(row.counterparty) })
  tx.record(defaultResource, 'counterparty_default.created', { before: null, after: apply_to_existing ? { ...row, apply_to_existing } : row })
  return { ...row, problem: null }
}

/** A change by hand makes it the person's own: learning leaves it alone from then on. */
export async function updateDefault(tx: BusinessTx, default_id: string, input: CounterpartyDefaultUpdate): Promise<CounterpartyDefault> {
  const before = await tx.lock(store.lockDefault, { id: default_id }, 'Counterparty default')
  const changes = tidy(input)
  if (!differs(before, changes)) return shownOne(tx, before)
  const after = changed<DefaultRow>(before, { ...changes, source: 'manual' }, tx.now)
  await requireSound(tx, after, before)
  await requireFree(tx, after)
  save(tx, before, after)
  return shownOne(tx, after)
}

export async function deleteDefault(tx: BusinessTx, default_id: string): Promise<CounterpartyDefault> {
  const row = await tx.lock(store.lockDefault, { id: default_id }, 'Counterparty default')
  drop(tx, row)
  tx.queue(store.forget, { keys: [nameKey(row.counterparty)] })
  return shownOne(tx, row)
}

/** For each transaction the default that counts, or null. */
export async function defaultsFor(tx: BusinessTx, wanted: readonly Wanted[]): Promise<(CounterpartyDefault | null)[]> {
  const keys = wanted.map(({ counterparty }) => nameKey(counterparty))
  if (keys.length === 0) return []
  const rows = await tx.many(store.defaultsByKeys, { keys: [...new Set(keys)] })
  const usable = (await shown(tx, rows.map(({ counterparty_key: _key, ...row }) => row))).filter(({ problem }) => problem === null)
  const byKey = Map.groupBy(usable, ({ counterparty }) => nameKey(counterparty))
  return wanted.map((one, index) => mostSpecific(byKey.get(keys[index] ?? '') ?? [], one))
}

export function noteApplied(tx: BusinessTx, ids: readonly string[]): void {
  if (ids.length > 0) tx.queue(store.noteApplied, { ids })
}

/** An id once per transaction; one that is gone meanwhile is passed over. */
export async function noteCorrected(tx: BusinessTx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  for (const { corrections_in_row, applied_since_correction, ...before } of await tx.many(store.lockCorrections, { ids })) {
    const counters = afterCorrection({ corrections_in_row, applied_since_correction })
    const corrected_count = before.corrected_count + 1
    const stops = before.auto_apply && counters.corrections_in_row >= CORRECTIONS_TO_STOP
    const after = stops ? changed(before, { corrected_count, auto_apply: false }, tx.now) : { ...before, corrected_count }
    tx.queue(store.saveCorrection, { ...after, ...counters })
    if (!stops) continue
    const reason = `People corrected what it did ${CORRECTIONS_TO_STOP} times in a row.`
    tx.record(defaultResource, 'counterparty_default.updated', { before, after, reason })
  }
}

/** Takes in what people chose, in the order in which they chose it. Only what a person decided may be handed in. */
export async function learn(tx: BusinessTx, choices: readonly HumanChoice[]): Promise<void> {
  if (choices.length === 0) return
  const keys = [...new Set(choices.map(({ counterparty }) => nameKey(counterparty)))]
  // Of two who choose for the same counterparty at once both count.
  await tx.exclusive(`what is learned of counterparties in ${tx.business_id}`)
  const [known, rows] = await Promise.all([tx.many(store.streaksByKeys, { keys }), tx.many(store.lockDefaultsByKeys, { keys })])
  const streaks = new Map<string, Streak>(known.map((streak) => [placeOf(streak), streak]))
  const defaults = Map.groupBy(rows, ({ counterparty_key }) => counterparty_key)
  const names = new Map<string, string>()
  const confirmed = new Set<string>()
  for (const chosen of choices) {
    const place = placeOf({ counterparty_key: nameKey(chosen.counterparty), direction: chosen.direction })
    streaks.set(place, afterChoice(streaks.get(place), chosen))
    names.set(place, chosen.counterparty)
    const counting = mostSpecific(defaults.get(nameKey(chosen.counterparty)) ?? [], chosen)
    if (counting && sameChoice(counting, chosen)) confirmed.add(counting.id)
  }
  const touched = [...names.keys()].flatMap((place) => streaks.get(place) ?? [])
  tx.queue(store.saveStreaks, { streaks: JSON.stringify(touched) })
  if (confirmed.size > 0) tx.queue(store.confirm, { ids: [...confirmed] })
  for (const [place, name] of names) {
    const streak = streaks.get(place)
    if (streak) draw(tx, name, streak, defaults.get(streak.counterparty_key) ?? [])
  }
}

/** For the merging of counterparties: the defaults of these names, locked. */
export async function lockDefaultsOf(tx: BusinessTx, counterparties: readonly string[]): Promise<DefaultRow[]> {
  const rows = await tx.many(store.lockDefaultsByKeys, { keys: counterparties.map(nameKey) })
  return rows.map(({ counterparty_key: _key, ...row }) => row)
}

/** For the merging of counterparties: these defaults go, those get another name. What was learned of the names is forgotten. */
export function mergeDefaults(tx: BusinessTx, dropped: readonly DefaultRow[], kept: readonly DefaultRow[], counterparty: string): void {
  for (const row of dropped) drop(tx, row)
  for (const row of kept) if (row.counterparty !== counterparty) save(tx, row, changed(row, { counterparty }, tx.now))
  const keys = [...dropped, ...kept].map((row) => nameKey(row.counterparty))
  if (keys.length > 0) tx.queue(store.forget, { keys })
}

function placeOf({ counterparty_key, direction }: Pick<Streak, 'counterparty_key' | 'direction'>): string {
  return `${direction} ${counterparty_key}`
}

/** A default from what was chosen three times, or another content of one that was learned before. */
function draw(tx: BusinessTx, counterparty: string, streak: Streak, defaults: readonly DefaultRow[]): void {
  const found = lesson(streak, defaults)
  if (found?.kind === 'create') {
    const row = newDefault(tx, { counterparty: counterparty.trim().slice(0, 120), direction: streak.direction, auto_apply: false, ...streak.choice }, 'learned')
    tx.queue(store.insertDefault, { ...row, counterparty_key: streak.counterparty_key })
    tx.record(defaultResource, 'counterparty_default.created', { before: null, after: row })
  } else if (found) {
    const { counterparty_key: _key, ...before } = found.row as DefaultRow & { counterparty_key?: string }
    save(tx, before, changed(before, { ...streak.choice, auto_apply: false }, tx.now))
  }
}

function newDefault(tx: BusinessTx, input: Omit<CounterpartyDefaultInput, 'apply_to_existing'> & Pick<DefaultRow, 'direction' | 'auto_apply'>, source: DefaultRow['source']): DefaultRow {
  return {
    id: newId(),
    business_id: tx.business_id,
    counterparty: input.counterparty,
    direction: input.direction,
    bank_ledger_id: input.bank_ledger_id ?? null,
    ledger_id: input.ledger_id,
    tax_code_id: input.tax_code_id ?? null,
    customer_id: input.customer_id ?? null,
    vendor_id: input.vendor_id ?? null,
    project_id: input.project_id ?? null,
    dimension_value_ids: input.dimension_value_ids ?? [],
    tag_ids: input.tag_ids ?? [],
    memo: input.memo ?? null,
    auto_apply: input.auto_apply,
    source,
    applied_count: 0,
    corrected_count: 0,
    last_applied_at: null,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
}

function save(tx: BusinessTx, before: DefaultRow, after: DefaultRow): void {
  tx.queue(store.updateDefault, { ...after, counterparty_key: nameKey(after.counterparty) })
  tx.record(defaultResource, 'counterparty_default.updated', { before, after })
}

function drop(tx: BusinessTx, row: DefaultRow): void {
  tx.queue(store.deleteDefault, row)
  tx.record(defaultResource, 'counterparty_default.deleted', { before: row, after: null })
}

/** As it is kept: no blanks around the name, each id once. */
function tidy<Fields extends CounterpartyDefaultUpdate>(fields: Fields): Fields {
  const { counterparty, dimension_value_ids, tag_ids } = fields
  return {
    ...fields,
    ...(counterparty !== undefined && { counterparty: counterparty.trim() }),
    ...(dimension_value_ids && { dimension_value_ids: [...new Set(dimension_value_ids)] }),
    ...(tag_ids && { tag_ids: [...new Set(tag_ids)] }),
  }
}

/** Refuses what cannot be used; what it has had all along is left as it is. */
async function requireSound(tx: BusinessTx, after: DefaultRow, before: DefaultRow | null): Promise<void> {
  const { books } = await readBooks(tx)
  const named = await namedBy(tx, [after])
  const isNew = (field: keyof DefaultRow) => after[field] !== before?.[field]
  if (isNew('bank_ledger_id') && after.bank_ledger_id) requireBankLedger(books, after.bank_ledger_id)
  if (isNew('ledger_id')) requireCategoryLedger(books, after.ledger_id)
  if (isNew('tax_code_id')) requireNamed(named, 'tax code', [after.tax_code_id])
  if (isNew('customer_id')) requireNamed(named, 'customer', [after.customer_id])
  if (isNew('vendor_id') && after.vendor_id) await requireRecords(tx, 'vendor', [after.vendor_id])
  if (isNew('project_id') && after.project_id) await requireRecords(tx, 'project', [after.project_id])
  requireNamed(named, 'tag', after.tag_ids.filter((id) => !before?.tag_ids.includes(id)))
  if (differs({ dimension_value_ids: before?.dimension_value_ids ?? [] }, { dimension_value_ids: after.dimension_value_ids })) requireValues(books, after.dimension_value_ids)
}

/** Said before the constraint says it, so that a call refused for two reasons names the thing itself. */
async function requireFree(tx: BusinessTx, row: DefaultRow): Promise<void> {
  const others = await tx.many(store.defaultsByKeys, { keys: [nameKey(row.counterparty)] })
  const same = others.find(({ id, direction, bank_ledger_id }) => id !== row.id && direction === row.direction && bank_ledger_id === row.bank_ledger_id)
  if (same) throw invalid(`“${same.counterparty}” has a default for this direction and cash ledger already: change that one.`)
}

async function shownOne(tx: BusinessTx, row: DefaultRow): Promise<CounterpartyDefault> {
  const [one] = await shown(tx, [row])
  return one as CounterpartyDefault
}

async function shown(tx: BusinessTx, rows: readonly DefaultRow[]): Promise<CounterpartyDefault[]> {
  if (rows.length === 0) return []
  const { books } = await readBooks(tx)
  const named = await namedBy(tx, rows)
  return rows.map((row) => ({ ...row, problem: problemOf(row, books, named) }))
}

async function namedBy(tx: BusinessTx, rows: readonly DefaultRow[]): Promise<Named> {
  const ids = rows.flatMap(({ tax_code_id, customer_id, tag_ids }) => [tax_code_id, customer_id, ...tag_ids]).filter((id) => id !== null)
  const found = ids.length > 0 ? await tx.many(store.namedByIds, { ids: [...new Set(ids)] }) : []
  return new Map(found.map((one) => [one.id, one]))
}
