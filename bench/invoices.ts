// npm run bench:invoices: what invoices cost, as ratios of one run: finalizing, pages and aging of a million, many at once, and what recurs.
import { setTimeout as wait } from 'node:timers/promises'
import { asOwner, call, newBooks, newCaller, withoutIndexes, type Caller } from './parts/books.ts'
import { bulkBody, fillInvoices, FILLED, fillTemplates, invoiceBody, makeDrafts, newSeller, type Seller } from './parts/invoices.ts'
import { startDaybook, startMachine, startProcess, type Process } from './parts/machine.ts'
import { explainPages } from './parts/page-plans.ts'
import { nextDraft, rawFinalizations, type Lane } from './parts/raw-finalize.ts'
import { compare, httpLoad, laneLoad, median, type Load, type Request } from './parts/rounds.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 7)
const SECONDS = Number(process.env['SECONDS'] ?? 2)
const COUNT = Number(process.env['COUNT'] ?? 1_000_000)
const TEMPLATES = Number(process.env['TEMPLATES'] ?? 10_000)
const PARTS = new Set((process.env['PARTS'] ?? 'finalize,bulk,recurring,list,aging,plans').split(','))
const CLIENTS = 16
const MOST_AT_ONCE = 1_000

type Row = { measured: string; result: string; bar: string; met: string }
const rows: Row[] = []
function add(measured: string, result: string, bar = '', holds: boolean | null = null): void {
  rows.push({ measured, result, bar, met: holds === null ? '' : holds ? 'yes' : 'NO' })
  console.error(`${measured}: ${result}`)
}

/** What many at once come to, invoices a second, which recurring ones are held against. */
type BulkRates = Record<'draft' | 'finalize', number>

const machine = await startMachine()
try {
  const daybook = await startDaybook(machine)
  const caller = await newCaller(machine.database_url)
  if (PARTS.has('finalize')) await finalizing(daybook, caller)
  const bulk = PARTS.has('bulk') ? await together(daybook, caller) : null
  if (PARTS.has('recurring')) await recurring(daybook, caller, bulk)
  if (PARTS.has('list') || PARTS.has('aging') || PARTS.has('plans')) await pages(daybook, caller)
  await daybook.stop()
} finally {
  await machine.stop()
}
console.table(rows)

function request(daybook: Process, { token }: Caller, business_id: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Request {
  return {
    method,
    url: `${daybook.url}/api/v1${path}`,
    headers: { authorization: `Bearer ${token}`, 'x-business-id': business_id, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }
}

async function finalizing(daybook: Process, caller: Caller): Promise<void> {
  const lanes: Lane[] = []
  for (let made = 0; made < CLIENTS; made++) lanes.push({ ...(await newSeller(daybook.url, caller, `Bench ${made}`)), drafts: [] })
  const through = supplied(daybook, caller, lanes, laneLoad('PUT finalize of an invoice of 3 lines, 16 clients in 16 businesses', daybook.url, lanes.map((lane) => () =>
    request(daybook, caller, lane.business_id, 'PUT', `/invoices/${nextDraft(lane).id}/finalize`, {}))))
  for (const [way, name, bar] of [
    ['every', 'of the same statements raw', 0.5],
    ['flights', 'of the same statements raw, each flight answered at once', null],
    ['fewest', 'of the statements that write and what they need, raw', null],
  ] as const) {
    const raw = await rawFinalizations(machine.database_url, caller, lanes, way)
    const result = await compare(through, supplied(daybook, caller, lanes, raw.load), ROUNDS, SECONDS)
    await raw.stop()
    const [http = NaN, bare = NaN] = Object.values(result.rates)
    add(`finalizing an invoice of 3 lines through HTTP, ${name}`, `${result.ratio.toFixed(2)} (${Math.round(http)} against ${Math.round(bare)} a second)`, bar ? `at least ${bar}` : '', bar ? result.ratio >= bar : null)
  }
}

/** Makes sure, before the time runs, that no lane is without drafts. */
function supplied(daybook: Process, caller: Caller, lanes: readonly Lane[], load: Load): Load {
  return {
    name: load.name,
    async measure(seconds) {
      for (const lane of lanes) while (lane.drafts.length < 150 * seconds) lane.drafts.push(...(await makeDrafts(daybook.url, caller, lane, MOST_AT_ONCE)))
      return load.measure(seconds)
    },
  }
}

async function together(daybook: Process, caller: Caller): Promise<BulkRates> {
  const rates: BulkRates = { draft: NaN, finalize: NaN }
  for (const kind of ['draft', 'finalize'] as const) {
    const more = kind === 'finalize' ? { finalize: true } : {}
    const seller = await newSeller(daybook.url, caller, `Bench bulk ${kind}`)
    const bulk = timesOver(`bulk ${kind}`, MOST_AT_ONCE, async () => void (await call(daybook.url, caller, seller.business_id, 'POST', '/invoices/bulk', bulkBody(seller, MOST_AT_ONCE, more))))
    const single = httpLoad(`single ${kind}`, request(daybook, caller, seller.business_id, 'POST', '/invoices', invoiceBody(seller, 0, more)), 1)
    const result = await compare(bulk, single, ROUNDS, SECONDS)
    const [many = NaN, one = NaN] = Object.values(result.rates)
    rates[kind] = many
    add(`${MOST_AT_ONCE.toLocaleString('en')} invoices at once, ${kind === 'draft' ? 'drafts' : 'finalized'}, of single ones by one client`, `${result.ratio.toFixed(1)} times (${Math.round(many)} against ${Math.round(one)} a second)`, 'at least 5 times', result.ratio >= 5)
  }
  return rates
}

/** Things a second of a call that makes so many; whole calls only. */
function timesOver(name: string, each: number, work: () => Promise<void>): Load {
  return {
    name,
    async measure(seconds) {
      const started = performance.now()
      let done = 0
      do {
        await work()
        done += each
      } while (performance.now() - started < seconds * 1000)
      return done / ((performance.now() - started) / 1000)
    },
  }
}

/** From the moment when templates are due until all their invoices are there, by the worker that runs beside the API. */
async function recurring(daybook: Process, caller: Caller, bulk: BulkRates | null): Promise<void> {
  for (const kind of ['draft', 'finalize'] as const) {
    const seller = await newSeller(daybook.url, caller, `Bench recurring ${kind}`)
    // What was made before is still being told to those who follow the log: that is not this work.
    await untilTold()
    await fillTemplates(machine.database_url, seller, TEMPLATES, kind)
    const seconds = await untilMade(seller)
    const rate = TEMPLATES / seconds
    const ratio = bulk ? rate / bulk[kind] : NaN
    add(`${TEMPLATES.toLocaleString('en')} recurring templates due at once, ${kind === 'draft' ? 'drafts' : 'finalized'}, in ${seconds.toFixed(1)} s, of the rate of many at once`,
      `${ratio.toFixed(2)} (${Math.round(rate)} against ${Math.round(bulk?.[kind] ?? NaN)} a second)`, bulk ? 'at least 1' : '', bulk ? ratio >= 1 : null)
  }
}

function untilTold(): Promise<void> {
  return asOwner(machine.database_url, async (client) => {
    while ((await client.query('select from outbox limit 1')).rowCount) await wait(250)
  })
}

function untilMade({ business_id }: Seller): Promise<number> {
  const started = performance.now()
  return asOwner(machine.database_url, async (client) => {
    for (;;) {
      const { rows: [made] } = await client.query('select sum(occurrences_generated)::int as generated, sum(occurrences)::int as come from recurring_templates where business_id = $1', [business_id])
      if (made.generated < made.come) throw new Error('A recurring template has failed.')
      if (made.generated === TEMPLATES) return (performance.now() - started) / 1000
      await wait(50)
    }
  })
}

async function pages(daybook: Process, caller: Caller): Promise<void> {
  const large = await newBooks(daybook.url, caller, 'Bench large')
  const started = performance.now()
  await withoutIndexes(machine.database_url, () => fillInvoices(machine.database_url, large, COUNT), FILLED)
  console.error(`${COUNT.toLocaleString('en')} invoices filled in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  if (PARTS.has('list')) await listing(daybook, caller, large.business_id)
  if (PARTS.has('aging')) await aging(daybook, caller, large.business_id)
  if (PARTS.has('plans')) await plans(large.business_id)
}

async function plans(business_id: string): Promise<void> {
  const found = await explainPages(machine.database_url, business_id)
  for (const { asked, detail, walks } of found) console.error(`${walks ? '' : 'NO WALK '}page of 50, ${asked}: ${detail}`)
  const others = found.filter(({ walks }) => !walks)
  add('pages of 50 by filters and sorts that walk an index', `${found.length - others.length} of ${found.length}`, 'all', others.length === 0)
  for (const { asked, detail } of others) add(`page of 50, ${asked}`, detail.split('; ')[0] ?? '', 'walks an index', false)
}

async function listing(daybook: Process, caller: Caller, business_id: string): Promise<void> {
  const bare = await startProcess('bench/bare-server.ts', { DATABASE_URL: machine.database_url })
  const result = await compare(
    httpLoad('a page of 50 through Daybook', request(daybook, caller, business_id, 'GET', '/invoices'), CLIENTS),
    httpLoad('the same query, bare', { method: 'GET', url: `${bare.url}/${business_id}/invoices` }, CLIENTS),
    ROUNDS, SECONDS)
  await bare.stop()
  const [ours = NaN, theirs = NaN] = Object.values(result.rates)
  add(`page of 50 of ${COUNT.toLocaleString('en')} invoices through HTTP, of the bare query served`, `${result.ratio.toFixed(2)} (${Math.round(ours)} against ${Math.round(theirs)} a second)`, 'at least 0.5', result.ratio >= 0.5)
  // A cursor is a place, whatever the size of the page that led to it.
  let cursor: string | null = null
  const steps = Math.min(500, Math.floor(COUNT / 2000))
  for (let step = 0; step < steps; step++) {
    cursor = (await call<{ next_cursor: string | null }>(daybook.url, caller, business_id, 'GET', `/invoices?limit=1000${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)).next_cursor
  }
  const [first = NaN, far = NaN] = await timed(daybook, caller, business_id, ['/invoices?limit=50', `/invoices?limit=50&cursor=${encodeURIComponent(cursor ?? '')}`], 61)
  add(`page ${(steps * 20).toLocaleString('en')} of the list against page 1`, `${(far / first).toFixed(2)} (${far.toFixed(1)} against ${first.toFixed(1)} ms)`, 'at most 1.2', far / first <= 1.2)
}

async function aging(daybook: Process, caller: Caller, business_id: string): Promise<void> {
  const { difference, totals } = await call<{ difference: number; totals: { total: number } }>(daybook.url, caller, business_id, 'GET', '/invoices/aging')
  if (difference !== 0 || totals.total === 0) throw new Error(`The aging differs from the books by ${difference}: the fill is wrong.`)
  const [page = NaN, aged = NaN, detailed = NaN] = await timed(daybook, caller, business_id, ['/invoices?limit=50', '/invoices/aging', '/invoices/aging?detail=true'], 15)
  add(`aging of ${COUNT.toLocaleString('en')} invoices, of the time of a page of 50`, `${(aged / page).toFixed(1)} times (${aged.toFixed(1)} against ${page.toFixed(1)} ms)`, 'under 20 times', aged / page < 20)
  add('the same with detail', `${(detailed / page).toFixed(1)} times (${detailed.toFixed(1)} ms)`)
}

/** Milliseconds of one GET, the middle of several, by turns. */
async function timed(daybook: Process, { token }: Caller, business_id: string, paths: readonly string[], rounds: number): Promise<number[]> {
  const times = paths.map((): number[] => [])
  for (let round = 0; round < rounds + 2; round++) {
    for (const [index, path] of paths.entries()) {
      const started = performance.now()
      const response = await fetch(`${daybook.url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}`, 'x-business-id': business_id } })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
      if (round >= 2) times[index]?.push(performance.now() - started)
    }
  }
  return times.map(median)
}
