// Random books, posted through the door; every figure is held against a sum over all lines that is done here.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '../../foundation/calendar.ts'
import { newId } from '../../foundation/ids.ts'
import { redateEntry, reverseEntry } from '../../ledger/posting/operations.ts'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import type { Axis, FigureFilters, Figures, FiguresRequest } from './contract.ts'
import { figures } from './operations.ts'
import { segmentsOf } from './rules.ts'
import { balances } from './store.ts'

type Tags = { customer_id?: string; vendor_id?: string; project_id?: string; dimension_value_ids?: string[] }
type Row = { ledger_id: string; date: string; base_amount: number; entry_number: number; is_adjusting: boolean; dimension_value_ids: string[] } & Record<'customer_id' | 'vendor_id' | 'project_id', string | null>

const FIRST = '2023-12-01'
const DAYS = 1190
const parties = { customer: [newId(), newId(), newId()], vendor: [newId(), newId()], project: [newId(), newId()] }
let team: Team
let values: Record<'north' | 'york' | 'old' | 'south' | 'red' | 'blue', string>
let merged: { from: string; into: string }
let lines: { accrual: Row[]; cash: Row[] }
let numbers: { number: number; recorded_at: string }[]

const seed = 20260224
const random = mulberry(seed)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

beforeAll(async () => {
  const { clock } = await service()
  clock.set('2026-12-01T00:00:00Z')
  team = await newBusiness()
  for (const fiscal_year of [2025, 2024, 2023, 2027]) await team.client.post('/accounting-periods/generate', { fiscal_year })
  const made = async (dimension_id: string, code: string, parent_id: string | null = null): Promise<string> =>
    (await team.client.post(`/accounting-dimensions/${dimension_id}/values`, { code, name: code, parent_id })).data.id
  const place = (await team.client.post('/accounting-dimensions', { key: 'place', name: 'Place' })).data.id
  const colour = (await team.client.post('/accounting-dimensions', { key: 'colour', name: 'Colour' })).data.id
  const north = await made(place, 'north')
  values = { north, york: await made(place, 'york', north), old: await made(place, 'old'), south: await made(place, 'south'), red: await made(colour, 'red'), blue: await made(colour, 'blue') }
  await fill()
  await team.client.put(`/accounting-dimensions/${place}/values/${values.old}/merge`, { into_id: values.york })
  const chart = await chartOf(team.business_id)
  merged = { from: chart.named('Rent'), into: chart.named('Utilities') }
  await sql('update ledgers set merged_into_id = $3, archived = true where business_id = $1 and id = $2', [team.business_id, merged.from, merged.into])
  lines = { accrual: await read('journal_lines'), cash: await read('cash_basis_lines') }
  numbers = await sql('select number::int as number, recorded_at::text as recorded_at from journal_entries where business_id = $1 order by number', [team.business_id])
})
afterAll(async () => (await service()).clock.set(null))

describe('figures', () => {
  it('the books have something of everything', () => {
    expect(lines.accrual.length).toBeGreaterThan(250)
    expect(lines.cash.length).toBeGreaterThan(60)
    expect(lines.accrual.some((line) => line.is_adjusting) && lines.cash.some((line) => line.is_adjusting)).toBe(true)
  })

  it('are the sum of the lines: any dates, both bases, any moment, any filter, any split', async () => {
    const date = fc.integer({ min: -40, max: DAYS + 40 }).map((days) => addDays(FIRST, days))
    const edge = fc.constantFrom('2024-02-01', '2024-02-28', '2024-02-29', '2024-03-01', '2024-12-31', '2025-01-01', '2025-02-28', '2026-06-30', '2026-07-01')
    const range = fc.tuple(fc.oneof(date, edge), fc.oneof(date, edge), fc.boolean()).map(([a, b, open]) => ({ start_date: open ? null : a < b ? a : b, end_date: a < b ? b : a }))
    const axis = fc.constantFrom<Axis>('customer', 'vendor', 'project', 'dimension:place', 'dimension:colour')
    const some = <T>(ids: readonly T[]) => fc.option(fc.constantFrom(...ids), { nil: undefined, freq: 3 })
    const filters: fc.Arbitrary<FigureFilters> = fc.record({
      customer_id: some(parties.customer), vendor_id: some([...parties.vendor, newId()]), project_id: some(parties.project),
      dimension_value_ids: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom('north', 'york', 'old', 'south', 'red', 'blue'), { maxLength: 2 }) }),
    }).map(({ dimension_value_ids, ...rest }) => ({ ...rest, dimension_value_ids: dimension_value_ids?.map((name) => values[name as 'north']) }))
    const request = fc.record({
      ranges: fc.array(range, { minLength: 1, maxLength: 4 }),
      basis: fc.constantFrom('accrual' as const, 'cash' as const),
      known: fc.oneof(fc.constant(null), fc.nat({ max: 1000 })),
      adjusting: fc.constantFrom('all' as const, 'exclude' as const),
      filters: fc.oneof(fc.constant({}), filters),
      split: fc.oneof(fc.constant([]), fc.array(axis, { maxLength: 1 }), fc.uniqueArray(axis, { minLength: 2, maxLength: 2 })),
    })
    await fc.assert(fc.asyncProperty(request, async ({ known, ...asked }) => {
      const known_at = known === null ? null : numbers[known % numbers.length]?.recorded_at.replace(' ', 'T').replace('+00', 'Z') ?? null
      const full: FiguresRequest = { ...asked, known_at }
      expect(flat(await inside(team.business_id, (tx) => figures(tx, full)), full)).toEqual(expected(full))
    }), { seed, numRuns: 220, endOnFailure: true })
  })

  it('need no line of the journal where no tag is asked for', async () => {
    const { bounds, first_date, last_date, broken_months, day_starts, day_ends } = segmentsOf([{ start_date: '2024-02-15', end_date: '2026-06-17' }, { start_date: null, end_date: '2025-12-31' }])
    const given: Record<string, unknown> = { business_id: team.business_id, cash: true, bounds, first_date, last_date, broken_months, day_starts, day_ends }
    const [row] = await sql(`explain (format json) ${balances.text}`, balances.parameters.map((name) => given[name]))
    const tables = [...JSON.stringify(row).matchAll(/"Relation Name":"(\w+)"/g)].map(([, name]) => name)
    expect(new Set(tables)).toEqual(new Set(['ledger_months', 'ledger_days']))
  })

  it('are nothing before the first entry was recorded, and all of it now', async () => {
    const request: FiguresRequest = { ranges: [{ start_date: null, end_date: '2027-12-31' }], basis: 'accrual', known_at: '2020-01-01T00:00:00Z' }
    expect(flat(await inside(team.business_id, (tx) => figures(tx, request)), request)).toEqual({})
    const now: FiguresRequest = { ...request, known_at: '2030-01-01T00:00:00Z' }
    expect(flat(await inside(team.business_id, (tx) => figures(tx, now)), now)).toEqual(expected({ ...request, known_at: null }))
  })
})

/** Sales and purchases on account and for cash, payments in part, corrections, in two currencies. */
async function fill(): Promise<void> {
  const { clock } = await service()
  const chart = await chartOf(team.business_id)
  const [receivable, payable, sales, bad_debt] = ['accounts_receivable', 'accounts_payable', 'sales', 'bad_debt'].map(chart.role) as [string, string, string, string]
  const [rent, utilities, undeposited] = [chart.named('Rent'), chart.named('Utilities'), chart.role('undeposited_funds')]
  const open: { id: string; ledger_id: string; amount: number; tags: Tags; date: string }[] = []
  const tags = (): Tags => ({
    ...(random() < 0.5 ? { customer_id: pick(parties.customer) } : {}),
    ...(random() < 0.3 ? { vendor_id: pick(parties.vendor) } : {}),
    ...(random() < 0.4 ? { project_id: pick(parties.project) } : {}),
    ...(random() < 0.6 ? { dimension_value_ids: [...(random() < 0.7 ? [pick([values.north, values.york, values.old, values.south])] : []), ...(random() < 0.5 ? [pick([values.red, values.blue])] : [])] } : {}),
  })
  let moment = Date.parse('2026-12-01T00:00:00Z')
  for (let index = 0; index < 130; index++) {
    clock.set(new Date((moment += Math.floor(random() * 3) * 60_000)).toISOString())
    const date = addDays(FIRST, 31 + Math.floor(random() * (DAYS - 60)))
    const amount = 100 + Math.floor(random() * 9_000)
    const is_adjusting = random() < 0.2
    const kind = random()
    if (kind < 0.35) {
      const item = tags()
      const part = Math.floor(amount * random())
      const lines = [{ ledger_id: receivable, amount, ...item }, { ledger_id: sales, amount: -part - 1, ...tags() }, { ledger_id: sales, amount: part + 1 - amount, ...tags() }].filter((line) => line.amount !== 0)
      const foreign = random() < 0.15
      const [entry] = await post(team.business_id, { date, source_type: 'invoice', source_id: newId(), is_adjusting, lines, ...(foreign ? { currency: 'EUR', rate: '1.0931' } as const : {}) })
      if (!foreign) open.push({ id: entry?.lines[0]?.id ?? '', ledger_id: receivable, amount, tags: item, date })
    } else if (kind < 0.5) {
      const item = tags()
      const [entry] = await post(team.business_id, { date, is_adjusting, lines: [{ ledger_id: payable, amount: -amount, ...item }, { ledger_id: pick([rent, utilities]), amount, ...tags() }] })
      open.push({ id: entry?.lines[0]?.id ?? '', ledger_id: payable, amount: -amount, tags: item, date })
    } else if (kind < 0.75 && open.length > 0) {
      const item = pick(open)
      const paid = random() < 0.5 ? item.amount : Math.trunc(item.amount / 2)
      item.amount -= paid
      if (item.amount === 0) open.splice(open.indexOf(item), 1)
      if (paid === 0) continue
      const with_loss = random() < 0.2 && Math.abs(paid) > 10
      const lines = [{ ledger_id: item.ledger_id, amount: -paid, ...item.tags, settles_line_id: item.id }, { ledger_id: undeposited, amount: with_loss ? paid - 7 : paid }, { ledger_id: bad_debt, amount: with_loss ? 7 : 0, ...tags() }]
      await post(team.business_id, { date: date < item.date ? item.date : date, is_adjusting, lines: lines.filter((line) => line.amount !== 0) })
    } else {
      const [entry] = await post(team.business_id, { date, is_adjusting, lines: [{ ledger_id: undeposited, amount, ...tags() }, { ledger_id: sales, amount: -amount, ...tags() }] })
      if (kind > 0.94) await inside(team.business_id, (tx) => reverseEntry(tx, entry?.id ?? ''))
      else if (kind > 0.88) await inside(team.business_id, (tx) => redateEntry(tx, entry?.id ?? '', addDays(date, 20)))
    }
  }
}

function read(table: 'journal_lines' | 'cash_basis_lines'): Promise<Row[]> {
  return sql(
    `select ledger_id, date::text as date, base_amount::float8 as base_amount, entry_number::int as entry_number, is_adjusting, dimension_value_ids, customer_id, vendor_id, project_id
     from ${table} where business_id = $1`, [team.business_id])
}

/** By value and ledger, the debit and credit of each range; what is zero everywhere is left out. */
type Flat = Record<string, readonly { debit: number; credit: number }[]>

function flat({ groups }: Figures, { split = [] }: FiguresRequest): Flat {
  if (split.length === 0) expect(groups).toHaveLength(1)
  return Object.fromEntries(groups.flatMap(({ values: own, ledgers }) => [...ledgers].map(([ledger_id, amounts]) => [[...own, ledger_id].join(), amounts])))
}

function expected({ ranges, basis, known_at, adjusting, filters = {}, split = [] }: FiguresRequest): Flat {
  const last = known_at ? Math.max(0, ...numbers.filter(({ recorded_at }) => Date.parse(recorded_at) <= Date.parse(known_at)).map(({ number }) => number)) : Infinity
  const found: Flat = {}
  for (const line of [...lines.accrual, ...(basis === 'cash' ? lines.cash : [])]) {
    if (line.entry_number > last || (adjusting === 'exclude' && line.is_adjusting) || !matches(line, filters)) continue
    const key = [...split.map((axis) => valueOf(line, axis)), line.ledger_id === merged.from ? merged.into : line.ledger_id].join()
    for (const [index, { start_date, end_date }] of ranges.entries()) {
      if ((start_date !== null && line.date < start_date) || line.date > end_date) continue
      const amounts = ((found[key] ??= ranges.map(() => ({ debit: 0, credit: 0 })))[index])!
      if (line.base_amount > 0) amounts.debit += line.base_amount
      else amounts.credit -= line.base_amount
    }
  }
  return found
}

const shown = (id: string) => (id === values.old ? values.york : id)

function matches(line: Row, { customer_id, vendor_id, project_id, dimension_value_ids = [] }: FigureFilters): boolean {
  const below = (id: string) => (id === values.north ? [values.north, values.york] : [id])
  const places = [values.north, values.york, values.old, values.south]
  const wanted = [dimension_value_ids.filter((id) => places.includes(id)), dimension_value_ids.filter((id) => !places.includes(id))].filter((ids) => ids.length > 0)
  return (customer_id === undefined || line.customer_id === customer_id) && (vendor_id === undefined || line.vendor_id === vendor_id)
    && (project_id === undefined || line.project_id === project_id)
    && wanted.every((ids) => ids.map(shown).flatMap(below).some((id) => line.dimension_value_ids.map(shown).includes(id)))
}

function valueOf(line: Row, axis: Axis): string | null {
  if (axis === 'customer' || axis === 'vendor' || axis === 'project') return line[`${axis}_id`]
  const own = axis === 'dimension:colour' ? [values.red, values.blue] : [values.north, values.york, values.old, values.south]
  const found = line.dimension_value_ids.find((id) => own.includes(id))
  return found === undefined ? null : shown(found)
}

/** The same numbers in every run. */
function mulberry(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
