// Plays a golden case: a business of its own, entries and deeds through the doors that everybody uses, and statements held against what is written.
import { expect } from 'vitest'
import { newId } from '../../src/foundation/ids.ts'
import type { Currency } from '../../src/foundation/money.ts'
import type { PostedEntry } from '../../src/ledger/journal/contract.ts'
import type { PostingLine } from '../../src/ledger/posting/contract.ts'
import { redateEntry, reverseEntry } from '../../src/ledger/posting/operations.ts'
import { inside, post } from '../support/books.ts'
import type { Answer } from '../support/client.ts'
import { newBusiness, sql, type Team } from '../support/people.ts'
import { service } from '../support/service.ts'
import { centsOf, type Deed, type Entry, type Line, type Statement, type Step } from './language.ts'
import { createParty, PARTIES, withParties, type Party } from './parties.ts'
import { rendered } from './rendering.ts'

/** The business of a case, and everything that the case has named so far. */
type Stage = {
  team: Team
  base_currency: Currency
  ledgers: Map<string, string>
  entries: Map<string, PostedEntry>
  parties: Map<string, string>
  /** Dimensions by `key:`, values by `key:code`. */
  dimensions: Map<string, string>
  moments: Map<string, string>
}

export async function play(steps: readonly Step[]): Promise<void> {
  const stage = await newStage(steps)
  await withParties(async () => {
    for (const act of actsOf(steps)) await perform(stage, act)
    await verify(stage)
  })
}

/** Steps that can be taken at once: statements between two changes, and entries that settle nothing of each other. */
type Act = { statements: Statement[] } | { entries: Entry[] } | { deed: Deed } | { refused: Entry | Deed }

function actsOf(steps: readonly Step[]): Act[] {
  const acts: Act[] = []
  for (const step of steps) {
    const last = acts.at(-1)
    if (step.kind === 'business') continue
    if (step.kind === 'statement') {
      if (last && 'statements' in last) last.statements.push(step)
      else acts.push({ statements: [step] })
    } else if (step.refused !== null) acts.push({ refused: step })
    else if (step.kind === 'deed') acts.push({ deed: step })
    else if (last && 'entries' in last && !settlesOneOf(step, last.entries)) last.entries.push(step)
    else acts.push({ entries: [step] })
  }
  return acts
}

function settlesOneOf({ lines }: Entry, entries: readonly Entry[]): boolean {
  return lines.some(({ tags }) => entries.some(({ options }) => options['as'] !== undefined && options['as'] === tags['settles']?.split('/')[0]))
}

async function perform(stage: Stage, act: Act): Promise<void> {
  if ('statements' in act) return allOf(act.statements.map((statement) => state(stage, statement)))
  if ('entries' in act) return enter(stage, act.entries)
  if ('deed' in act) return carryOut(stage, act.deed)
  const { refused } = act
  return expect(refused.kind === 'entry' ? enter(stage, [refused]) : carryOut(stage, refused)).rejects.toThrow(refused.refused ?? '')
}

/** The first that fails, once none is running any more. */
async function allOf(asked: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(asked)) if (outcome.status === 'rejected') throw outcome.reason
}

async function newStage(steps: readonly Step[]): Promise<Stage> {
  const { now = '2026-12-31', ...settings } = steps.find((step) => step.kind === 'business')?.settings ?? {}
  await setClock(now)
  const team = await newBusiness()
  const { fiscal_year_start_month: month = '1', base_currency = 'USD' } = settings
  const changes = { books_start_date: `2026-${month.padStart(2, '0')}-01`, ...settings, fiscal_year_start_month: Number(month) }
  if (Object.keys(settings).length > 0) done(await team.client.put(`/businesses/${team.business_id}`, changes))
  const stage: Stage = {
    team, base_currency: base_currency as Currency, ledgers: new Map(), entries: new Map(), parties: new Map(), dimensions: new Map(), moments: new Map(),
  }
  await learnLedgers(stage)
  return stage
}

async function setClock(day: string): Promise<void> {
  const { clock } = await service()
  clock.set(day.includes('T') ? day : `${day}T12:00:00Z`)
}

async function learnLedgers({ team, ledgers }: Stage): Promise<void> {
  for (const { name, id } of await sql('select name, id from ledgers where business_id = $1', [team.business_id])) ledgers.set(name, id)
}

function found(names: ReadonlyMap<string, string>, name: string): string {
  const id = names.get(name)
  if (id === undefined) throw new Error(`The case names something that is not there: ${name}`)
  return id
}

async function enter(stage: Stage, entries: readonly Entry[]): Promise<void> {
  const postings: Parameters<typeof post>[1][] = []
  for (const entry of entries) postings.push(await postingOf(stage, entry))
  const posted = (await post(stage.team.business_id, ...postings)).filter(({ mirror_of_id }) => mirror_of_id === null)
  for (const [index, { options }] of entries.entries()) if (options['as']) stage.entries.set(options['as'], posted[index] as PostedEntry)
}

async function postingOf(stage: Stage, { date, memo, options, lines: written }: Entry): Promise<Parameters<typeof post>[1]> {
  const given = written.reduce((sum, line) => sum + (line.amount ?? 0), 0)
  const lines: PostingLine[] = []
  for (const line of written) lines.push(await postingLine(stage, line, line.amount ?? -given))
  return {
    date,
    memo,
    source_type: options['source'] ?? 'manual',
    source_id: options['source'] ? newId() : null,
    is_adjusting: options['adjusting'] === 'true',
    auto_reverse_on: options['reverse'] ?? null,
    ...(options['currency'] ? { currency: options['currency'] as Currency } : {}),
    ...(options['rate'] ? { rate: options['rate'] } : {}),
    lines,
  }
}

async function postingLine(stage: Stage, { ledger, currency, tags }: Line, amount: number): Promise<PostingLine> {
  const line: PostingLine = { ledger_id: found(stage.ledgers, ledger), amount, ...(currency ? { currency: currency as Currency } : {}) }
  const values: string[] = []
  for (const [key, value] of Object.entries(tags)) {
    if (key === 'settles') line.settles_line_id = itemOf(stage, value, line.ledger_id)
    else if (key === 'base') line.base_amount = centsOf(value)
    else if (isParty(key)) line[`${key}_id`] = await partyOf(stage, key, value)
    else values.push(await valueOf(stage, `${key}:${value}`))
  }
  return values.length > 0 ? { ...line, dimension_value_ids: values } : line
}

function isParty(key: string): key is Party {
  return (PARTIES as readonly string[]).includes(key)
}

function itemOf({ entries }: Stage, named: string, ledger_id: string): string {
  const [name = '', place = '1'] = named.split('/')
  const item = entries.get(name)?.lines.filter((line) => line.ledger_id === ledger_id)[Number(place) - 1]
  if (!item) throw new Error(`The case settles something that is not there: ${named}`)
  return item.id
}

/** Customers, vendors and projects come into being where they are named, and so do dimensions and their values. */
async function partyOf({ team, parties }: Stage, party: Party, name: string): Promise<string> {
  return parties.get(name) ?? made(parties, name, done(await createParty(team.client, party, name)))
}

async function valueOf({ team, dimensions }: Stage, name: string, more: { name?: string | undefined; parent_id?: string | undefined } = {}): Promise<string> {
  const known = dimensions.get(name)
  if (known) return known
  const [key = '', code = ''] = name.split(':')
  const dimension_id = dimensions.get(`${key}:`) ?? made(dimensions, `${key}:`, done(await team.client.post('/accounting-dimensions', { key, name: key })))
  return made(dimensions, name, done(await team.client.post(`/accounting-dimensions/${dimension_id}/values`, { code, name: code, ...more })))
}

function made(names: Map<string, string>, name: string, { data }: Answer): string {
  names.set(name, data.id)
  return data.id
}

async function carryOut(stage: Stage, { verb, words, options }: Deed): Promise<void> {
  const { team, base_currency, entries } = stage
  const { client } = team
  const [first = '', second = '', third = '', fourth = ''] = words
  const entry = entries.get(first)
  const ledgerPath = () => `/ledgers/${found(stage.ledgers, first)}`
  const periodPath = async () => `/accounting-periods/${await periodId(team, first)}`
  switch (verb) {
    case 'clock':
      return setClock(first)
    case 'moment': {
      const { clock } = await service()
      const moment = clock.now()
      stage.moments.set(first, moment.toISOString())
      return setClock(new Date(moment.getTime() + 60_000).toISOString())
    }
    case 'ledger': {
      const { below, number = null, class: cash_flow_class } = options
      const parent_id = below ? found(stage.ledgers, below) : null
      const place = { number, parent_id, posting: !words.includes('heading'), ...(cash_flow_class ? { cash_flow_class } : {}) }
      const currency = /^[A-Z]{3}$/.test(fourth) ? fourth : base_currency
      done(await client.post('/ledgers', { name: first, type: second, subtype: third, currency, ...place }))
      return learnLedgers(stage)
    }
    case 'value': {
      const { below, name = first.split(':')[1] } = options
      await valueOf(stage, first, { name, ...(below ? { parent_id: found(stage.dimensions, below) } : {}) })
      return
    }
    case 'rate':
      return void done(await client.post('/fx/rates', { from_currency: first, to_currency: base_currency, date: second, rate: third }))
    case 'revalue':
      return void done(await client.post('/fx/revalue', { as_of: first }))
    case 'year':
      return void done(await client.post('/accounting-periods/generate', { fiscal_year: Number(first) }))
    case 'close':
      return void done(await client.put(`${await periodPath()}/close`, { accept_warnings: true }))
    case 'soft-close':
      return void done(await client.put(`${await periodPath()}/soft-close`))
    case 'reopen':
      return void done(await client.put(`${await periodPath()}/reopen`, { reason: 'A late entry' }))
    case 'archive':
      return void done(await client.put(`${ledgerPath()}/archive`))
    case 'merge':
      return void done(await client.put(`${ledgerPath()}/merge`, { into_id: found(stage.ledgers, second) }))
    case 'unmerge':
      return void done(await client.put(`${ledgerPath()}/unmerge`))
    case 'merge-value': {
      const path = `/accounting-dimensions/${found(stage.dimensions, `${first.split(':')[0]}:`)}/values/${found(stage.dimensions, first)}/merge`
      return void done(await client.put(path, { into_id: found(stage.dimensions, second) }))
    }
    case 'reverse':
      if (!entry) break
      await inside(team.business_id, (tx) => reverseEntry(tx, entry.id, second ? { reversal_date: second } : {}))
      return
    case 'redate':
      if (!entry) break
      entries.set(first, await inside(team.business_id, (tx) => redateEntry(tx, entry.id, second)))
      return
  }
  throw new Error(`The case does something unknown: ${verb} ${words.join(' ')}`)
}

/** Whatever a case does, the books still hold everything that the service claims of them. */
async function verify({ team }: Stage): Promise<void> {
  const { data } = done(await team.client.get('/books/verification'))
  expect(data.checks.filter((check: { ok: boolean }) => !check.ok)).toEqual([])
}

async function periodId(team: Team, name: string): Promise<string> {
  const [{ id }] = await sql('select id from accounting_periods where business_id = $1 and name = $2', [team.business_id, name])
  return id
}

async function state(stage: Stage, { report, query, shown, expected, at, refused }: Statement): Promise<void> {
  const asked = Object.fromEntries(Object.entries(query).map(([key, value]) => askedOf(stage, key, value)))
  const answer = await stage.team.client.get(`/reports/${report}`, asked)
  if (refused !== null) return expect(`${answer.status} ${answer.detail}`, `line ${at}`).toMatch(new RegExp(`^4\\d\\d .*${RegExp.escape(refused)}`))
  const { data } = done(answer)
  expect((data.checks ?? []).filter((check: { ok: boolean }) => !check.ok), `line ${at}: checks`).toEqual([])
  expect(rendered(data, shown), `line ${at}: ${report}`).toEqual(expected)
}

/** Names as the service takes them. */
function askedOf({ ledgers, parties, dimensions, moments }: Stage, key: string, value: string): [string, string] {
  if (isParty(key)) return [`${key}_id`, found(parties, value)]
  if (key === 'ledger') return ['ledger_id', found(ledgers, value)]
  if (key === 'value') return ['dimension_value_id', value.split(',').map((each) => found(dimensions, each)).join(',')]
  if (value.startsWith('@')) return [key, found(moments, value.slice(1))]
  return [key, value]
}

function done(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer
}
