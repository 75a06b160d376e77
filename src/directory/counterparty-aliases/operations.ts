// What can be done with counterparty aliases, and the door for whoever takes in bank text: cleanNames(tx, texts).
import { attemptEach, type BulkResult } from '../../foundation/bulk.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import { newId } from '../../foundation/ids.ts'
import { fileOfList } from '../../foundation/list-file.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { lockTransactions, renameRows } from '../../ledger/cash-book/operations.ts'
import { differs } from '../../ledger/tax-agencies/rules.ts'
import { lockDefaultsOf, mergeDefaults } from '../counterparty-defaults/operations.ts'
import { nameKey } from '../counterparty-defaults/rules.ts'
import {
  aliasResource, MOST_EXPRESSIONS, MOST_RENAMED, type AliasApplication, type AliasSuggestion, type CounterpartyAlias, type CounterpartyAliasBulk,
  type CounterpartyAliasInput, type CounterpartyAliasUpdate, type CounterpartyMerge, type CounterpartyMergeResult, type ResolvedText,
} from './contract.ts'
import { cleaned, clusters, FILE_COLUMNS, fileRow, matcher, patternKey, requireOneParty, settleDefaults } from './rules.ts'
import * as store from './store.ts'

type AliasFilters = { counterparty?: string; customer_id?: string; vendor_id?: string; enabled?: boolean; q?: string }
type AliasChange = { before: CounterpartyAlias | null; after: CounterpartyAlias }

/** The clean name of each text; what an alias gave counts as its hit, an equal text as often as it is handed in. */
export async function cleanNames(tx: BusinessTx, texts: readonly string[]): Promise<Map<string, string>> {
  if (texts.length === 0) return new Map()
  const match = matcher(await tx.many(store.enabledAliases))
  const names = new Map<string, string>()
  const hits = new Map<string, number>()
  const found = new Map<string, CounterpartyAlias | null>()
  for (const text of texts) {
    if (!found.has(text)) found.set(text, match(text))
    const alias = found.get(text)
    names.set(text, alias?.counterparty ?? cleaned(text))
    if (alias) hits.set(alias.id, (hits.get(alias.id) ?? 0) + 1)
  }
  if (hits.size > 0) tx.queue(store.addHits, { ids: [...hits.keys()], times: [...hits.values()] })
  return names
}

export function listAliases(tx: BusinessTx, query: PageQuery & AliasFilters): Promise<Page<CounterpartyAlias>> {
  const asked = { ...query, ...(query.counterparty !== undefined && { counterparty: nameKey(query.counterparty) }) }
  return tx.page(store.aliases, asked)
}

export function exportAliases(tx: BusinessTx, { format, ...filters }: AliasFilters & { format?: 'csv' | 'xlsx' }): Promise<Download> {
  const page = (by: BusinessTx, paging: PageQuery) => listAliases(by, { ...filters, ...paging, descending: false })
  return fileOfList(tx, { title: 'Counterparty aliases', file_name: 'counterparty-aliases', columns: FILE_COLUMNS, page, row: fileRow }, format)
}

export function getAlias(tx: BusinessTx, alias_id: string): Promise<CounterpartyAlias> {
  return tx.get(store.findAlias, { id: alias_id }, 'Counterparty alias')
}

export async function createAlias(tx: BusinessTx, input: CounterpartyAliasInput): Promise<CounterpartyAlias> {
  const after = newAlias(tx, input)
  await requireSound(tx, [{ before: null, after }])
  write(tx, [{ before: null, after }])
  return after
}

export async function updateAlias(tx: BusinessTx, alias_id: string, input: CounterpartyAliasUpdate): Promise<CounterpartyAlias> {
  const before = await tx.lock(store.lockAlias, { id: alias_id }, 'Counterparty alias')
  const changes = tidy(input)
  if (!differs(before, changes)) return before
  const after = changed(before, changes, tx.now)
  await requireSound(tx, [{ before, after }])
  write(tx, [{ before, after }])
  return after
}

export async function deleteAlias(tx: BusinessTx, alias_id: string): Promise<CounterpartyAlias> {
  const alias = await tx.lock(store.lockAlias, { id: alias_id }, 'Counterparty alias')
  tx.queue(store.deleteAlias, alias)
  tx.record(aliasResource, 'counterparty_alias.changed', { before: alias, after: null })
  return alias
}

export async function bulkAliases(tx: BusinessTx, { aliases, atomic = true }: CounterpartyAliasBulk): Promise<BulkResult> {
  const known = new Map((await tx.many(store.aliasesByIds, { ids: aliases.flatMap(({ id }) => id ?? []) })).map(({ pattern_key: _key, ...one }) => [one.id, one]))
  const context = await contextOf(tx, aliases.flatMap((item) => keyOrNone({ ...known.get(item.id ?? ''), ...item })), aliases)
  const changes: AliasChange[] = []
  const result = attemptEach(aliases, atomic, ({ id, ...item }) => {
    const before = id ? known.get(id) : null
    if (before === undefined) throw notFound(`Counterparty alias ${id}`)
    const after = before ? changed(before, tidy(item), tx.now) : newAlias(tx, complete(item))
    check(context, { before, after })
    if (before && changes.some((change) => change.after.id === before.id)) throw invalid('The alias is named twice.')
    if (!before || differs(before, tidy(item))) changes.push({ before, after })
    return after.id
  })
  write(tx, changes)
  return result
}

export async function resolveTexts(tx: BusinessTx, texts: readonly string[]): Promise<ResolvedText[]> {
  const match = matcher(await tx.many(store.enabledAliases))
  return texts.map((text) => {
    const alias = match(text)
    return {
      text, counterparty: alias?.counterparty ?? cleaned(text), alias_id: alias?.id ?? null,
      customer_id: alias?.customer_id ?? null, vendor_id: alias?.vendor_id ?? null,
    }
  })
}

export async function applyAliases(tx: BusinessTx, { alias_id, preview = false }: { alias_id?: string | null; preview?: boolean }): Promise<AliasApplication> {
  if (alias_id) await getAlias(tx, alias_id)
  const match = matcher(await tx.many(store.enabledAliases))
  const named = (await tx.many(store.rawTexts)).flatMap(({ text }) => {
    const alias = match(text)
    return alias && (!alias_id || alias.id === alias_id) ? [{ text, alias }] : []
  })
  const asked = { texts: named.map(({ text }) => text), names: named.map(({ alias }) => alias.counterparty) }
  const counted = named.length > 0 ? await tx.many(store.countMisnamed, asked) : []
  const matched = counted.reduce((sum, { count }) => sum + count, 0)
  const rows = preview || matched === 0 ? [] : await tx.many(store.misnamedRows, { ...asked, limit: MOST_RENAMED })
  const locked = rows.length > 0 ? await lockTransactions(tx, rows.map(({ id }) => id)) : new Map()
  renameRows(tx, rows.flatMap(({ id, counterparty }) => (locked.has(id) ? [{ transaction: locked.get(id), counterparty }] : [])))
  return { matched, renamed: rows.length, names: counted.slice(0, 100) }
}

export async function suggestAliases(tx: BusinessTx): Promise<AliasSuggestion[]> {
  const match = matcher(await tx.many(store.enabledAliases))
  const texts = await tx.many(store.rawTexts)
  return clusters(texts.filter(({ text }) => match(text) === null))
}

export async function mergeCounterparties(tx: BusinessTx, input: CounterpartyMerge): Promise<CounterpartyMergeResult> {
  const counterparty = input.counterparty.trim()
  const into = nameKey(counterparty)
  const losers = [...new Map(input.counterparties.map((name) => [nameKey(name), name.trim()])).entries()].filter(([key]) => key !== into)
  await tx.exclusive(`counterparty aliases of ${tx.business_id}`)
  const defaults = await lockDefaultsOf(tx, [counterparty, ...losers.map(([, name]) => name)])
  const keep = input.keep_default_id ?? null
  if (keep && !defaults.some(({ id }) => id === keep)) throw notFound(`Counterparty default ${keep}`)
  const { kept, dropped } = settleDefaults(defaults, into, keep)
  const known = await tx.many(store.aliasesOf, { keys: [...losers.map(([key]) => key), into] })
  const patterns = losers.map(([, name]) => ({ pattern: name, match_type: 'exact' as const })).filter((one) => keyOrNone(one).length > 0)
  const standing = patterns.length > 0 ? await tx.many(store.aliasesByPatterns, { keys: patterns.map(patternKey) }) : []
  const led = new Map([...known, ...standing.filter(({ match_type }) => match_type === 'exact')].map(({ pattern_key: _key, ...one }) => [one.id, one]))
  const taken = new Set(standing.filter(({ match_type }) => match_type === 'exact').map(({ pattern_key }) => pattern_key))
  const repointed = [...led.values()].filter((one) => one.counterparty !== counterparty)
    .map((before): AliasChange => ({ before, after: changed(before, { counterparty }, tx.now) }))
  const fresh = [...new Map(patterns.map((one) => [patternKey(one), one])).entries()].filter(([key]) => !taken.has(key))
    .map(([, one]): AliasChange => ({ before: null, after: newAlias(tx, { ...one, counterparty }) }))
  write(tx, [...repointed, ...fresh])
  mergeDefaults(tx, dropped, kept, counterparty)
  const untouched = [...led.values()].filter((one) => one.counterparty === counterparty)
  return { counterparty, aliases: [...untouched, ...[...repointed, ...fresh].map(({ after }) => after)], defaults_kept: kept.length, defaults_dropped: dropped.length }
}

/** What aliases are held against: patterns that are taken, customers, and how many expressions there are. */
type Context = {
  taken: Map<string, string>
  customers: ReadonlyMap<string, { name: string; archived: boolean }>
  expressions: number
}

async function requireSound(tx: BusinessTx, changes: readonly AliasChange[]): Promise<void> {
  const context = await contextOf(tx, changes.map(({ after }) => patternKey(after)), changes.map(({ after }) => after))
  for (const change of changes) check(context, change)
}

async function contextOf(tx: BusinessTx, keys: readonly string[], inputs: readonly CounterpartyAliasUpdate[]): Promise<Context> {
  const vendors = inputs.flatMap(({ vendor_id }) => vendor_id ?? [])
  if (vendors.length > 0) await requireRecords(tx, 'vendor', vendors)
  const ids = inputs.flatMap(({ customer_id }) => customer_id ?? [])
  const [standing, customers, counted] = await Promise.all([
    keys.length > 0 ? tx.many(store.aliasesByPatterns, { keys: [...new Set(keys)] }) : [],
    ids.length > 0 ? tx.many(store.customersByIds, { ids: [...new Set(ids)] }) : [],
    tx.find(store.countExpressions),
  ])
  return {
    taken: new Map(standing.map((one) => [`${one.match_type} ${one.pattern_key}`, one.id])),
    customers: new Map(customers.map((one) => [one.id, one])),
    expressions: counted?.count ?? 0,
  }
}

/** What is kept all along is left as it is. Takes the pattern, so that the next one of the same call sees it. */
function check(context: Context, { before, after }: AliasChange): void {
  requireOneParty(after)
  const customer = after.customer_id && after.customer_id !== before?.customer_id ? context.customers.get(after.customer_id) : null
  if (customer === undefined) throw notFound(`Customer ${after.customer_id}`)
  if (customer?.archived) throw invalid(`The customer ${customer.name} is archived: restore it, or choose another one.`)
  const place = `${after.match_type} ${patternKey(after)}`
  const holder = context.taken.get(place)
  if (holder && holder !== after.id) throw invalid(`Another alias has the pattern “${after.pattern}” with ${after.match_type}: change that one.`)
  const more = after.match_type === 'regex' && before?.match_type !== 'regex'
  if (more && context.expressions >= MOST_EXPRESSIONS) throw invalid(`There are ${MOST_EXPRESSIONS} regular expressions already: use another match_type, or delete one.`)
  if (more) context.expressions += 1
  context.taken.set(place, after.id)
}

/** The pattern as it is compared; none where it is missing or cannot be used, which is refused where the item itself is looked at. */
function keyOrNone({ pattern, match_type }: CounterpartyAliasUpdate): string[] {
  if (pattern === undefined || match_type === undefined) return []
  try {
    return [patternKey({ pattern, match_type })]
  } catch {
    return []
  }
}

function complete({ pattern, match_type, counterparty, ...others }: CounterpartyAliasUpdate): CounterpartyAliasInput {
  if (pattern === undefined || match_type === undefined || counterparty === undefined) throw invalid('A new alias needs pattern, match_type and counterparty.')
  return { pattern, match_type, counterparty, ...others }
}

function tidy<Fields extends CounterpartyAliasUpdate>(fields: Fields): Fields {
  const { pattern, counterparty } = fields
  return { ...fields, ...(pattern !== undefined && { pattern: pattern.trim() }), ...(counterparty !== undefined && { counterparty: counterparty.trim() }) }
}

function newAlias(tx: BusinessTx, input: CounterpartyAliasInput): CounterpartyAlias {
  const { pattern, match_type, counterparty, customer_id = null, vendor_id = null, enabled = true } = tidy(input)
  return {
    id: newId(), business_id: tx.business_id, pattern, match_type, counterparty, customer_id, vendor_id, enabled, hit_count: 0,
    created_at: tx.now, updated_at: tx.now, version: 1,
  }
}

function write(tx: BusinessTx, changes: readonly AliasChange[]): void {
  const rows = (some: readonly AliasChange[]) =>
    JSON.stringify(some.map(({ after }) => ({ ...after, pattern_key: patternKey(after), counterparty_key: nameKey(after.counterparty) })))
  const [fresh, kept] = [changes.filter(({ before }) => before === null), changes.filter(({ before }) => before !== null)]
  if (fresh.length > 0) tx.queue(store.insertAliases, { rows: rows(fresh) })
  if (kept.length > 0) tx.queue(store.updateAliases, { rows: rows(kept) })
  for (const change of changes) tx.record(aliasResource, 'counterparty_alias.changed', change)
}
