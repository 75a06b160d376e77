// npm run bench:books: what the books cost, as ratios of one run: posting, posting together, importing, statements over ten million
// lines, and the same trial balance from hledger, ledger and beancount.
import { execFileSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fillBooks, newBooks, newCaller, withoutIndexes, type BenchBusiness, type Caller } from './parts/books.ts'
import { residentMb, startDaybook, startMachine, type Process } from './parts/machine.ts'
import { rawPostings, type Amounts } from './parts/raw-posting.ts'
import { compare, httpLoad, median } from './parts/rounds.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 7)
const SECONDS = Number(process.env['SECONDS'] ?? 2)
const LINES = Number(process.env['LINES'] ?? 10_000_000)
const ENTRIES = Number(process.env['ENTRIES'] ?? 100_000)
const PARTS = new Set((process.env['PARTS'] ?? 'posting,together,import,statements,ledger,others').split(','))
const CLIENTS = 16

type Row = { measured: string; result: string; bar: string; met: string }
const rows: Row[] = []
function add(measured: string, result: string, bar = '', holds: boolean | null = null): void {
  rows.push({ measured, result, bar, met: holds === null ? '' : holds ? 'yes' : 'NO' })
  console.error(`${measured}: ${result}`)
}

const DATE = '2025-06-15'
const AMOUNTS: Amounts = [['Rent', 150_000], ['Utilities', 12_345], ['Checking', -162_345]]

const machine = await startMachine()
try {
  const daybook = await startDaybook(machine)
  const caller = await newCaller(machine.database_url)
  const many: BenchBusiness[] = []
  for (let made = 0; made < CLIENTS; made++) many.push(await newBooks(daybook.url, caller, `Bench ${made}`))
  const single = PARTS.has('posting') ? await posting(daybook, caller, many) : NaN
  if (PARTS.has('together')) await together(daybook, caller, many)
  if (PARTS.has('import')) await importing(daybook, caller, single)
  if (PARTS.has('others')) await others(daybook, caller)
  if (PARTS.has('statements') || PARTS.has('ledger')) await statements(daybook, caller)
  await daybook.stop()
} finally {
  await machine.stop()
}
console.table(rows)

function postRequest(daybook: Process, { token }: Caller, { business_id, ledgers }: BenchBusiness) {
  const lines = AMOUNTS.map(([ledger, amount]) => ({ ledger_id: ledgers[ledger], amount }))
  return {
    method: 'POST' as const,
    url: `${daybook.url}/api/v1/journal-entries`,
    headers: { authorization: `Bearer ${token}`, 'x-business-id': business_id, 'content-type': 'application/json' },
    body: JSON.stringify({ date: DATE, memo: 'Bench', post: true, lines }),
  }
}

/** The rate of single postings by one client, which importing is held against. */
async function posting(daybook: Process, caller: Caller, many: BenchBusiness[]): Promise<number> {
  const raw = await rawPostings(machine.database_url, caller, many, DATE, AMOUNTS, CLIENTS)
  const spread = httpLoad('POST of an entry of 3 lines, 16 clients in 16 businesses', many.map((business) => postRequest(daybook, caller, business)), CLIENTS)
  const result = await compare(spread, raw.load, ROUNDS, SECONDS)
  await raw.stop()
  const [through, bare] = Object.values(result.rates)
  add('posting an entry of 3 lines through HTTP, of the same statements raw', `${result.ratio.toFixed(2)} (${Math.round(through ?? 0)} against ${Math.round(bare ?? 0)} a second)`, 'at least 0.5', result.ratio >= 0.5)
  return httpLoad('one client', postRequest(daybook, caller, many[0] as BenchBusiness), 1).measure(SECONDS * 2)
}

async function together(daybook: Process, caller: Caller, many: BenchBusiness[]): Promise<void> {
  const one = await newBooks(daybook.url, caller, 'Bench together')
  const result = await compare(
    httpLoad('16 clients into one business', postRequest(daybook, caller, one), CLIENTS),
    httpLoad('16 clients spread over 16', many.map((business) => postRequest(daybook, caller, business)), CLIENTS),
    ROUNDS, SECONDS)
  const [same, spread] = Object.values(result.rates)
  add('16 clients into one business, of the same spread over 16', `${result.ratio.toFixed(2)} (${Math.round(same ?? 0)} against ${Math.round(spread ?? 0)} a second)`, 'at least 0.6', result.ratio >= 0.6)
}

/** Entries of three lines as a file. */
function entriesFile(count: number): Buffer {
  const text: string[] = ['entry_ref,date,memo,ledger,amount']
  for (let entry = 0; entry < count; entry++) {
    const date = new Date(Date.UTC(2024, 0, 1 + (entry % 700))).toISOString().slice(0, 10)
    const [rent, power] = [1 + (entry % 90_000), 1 + (entry % 7_000)]
    const money = (cents: number) => (cents / 100).toFixed(2)
    text.push(`${entry},${date},Imported ${entry},Rent,${money(rent)}`, `${entry},${date},Imported ${entry},Utilities,${money(power)}`, `${entry},${date},Imported ${entry},Checking,${money(-rent - power)}`)
  }
  return Buffer.from(text.join('\n'))
}

async function importInto(daybook: Process, { token }: Caller, { business_id }: BenchBusiness, count: number): Promise<number> {
  const body = JSON.stringify({ file_name: 'entries.csv', content_base64: entriesFile(count).toString('base64'), post: true })
  const started = performance.now()
  const response = await fetch(`${daybook.url}/api/v1/journal-entries/import`, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'x-business-id': business_id, 'content-type': 'application/json' }, body })
  if (!response.ok) throw new Error(`import: ${response.status} ${await response.text()}`)
  await response.text()
  return (performance.now() - started) / 1000
}

async function importing(daybook: Process, caller: Caller, single: number): Promise<void> {
  const before = residentMb(daybook.pid)
  let most = before
  const looking = setInterval(() => (most = Math.max(most, residentMb(daybook.pid))), 100)
  const small = await importInto(daybook, caller, await newBooks(daybook.url, caller, 'Bench import small'), ENTRIES / 10)
  const most_small = most
  const seconds = await importInto(daybook, caller, await newBooks(daybook.url, caller, 'Bench import'), ENTRIES)
  clearInterval(looking)
  const rate = ENTRIES / seconds
  add(`import of ${ENTRIES.toLocaleString('en')} entries in ${seconds.toFixed(1)} s, of single posts by one client (${Math.round(single)} a second)`, `${(rate / single).toFixed(1)} times (${Math.round(rate)} a second)`, 'at least 5 times', rate / single >= 5)
  add(`memory of the API process: before, importing ${ENTRIES / 10}, importing ${ENTRIES} (${small.toFixed(1)} s, ${seconds.toFixed(1)} s)`, `${before.toFixed(0)}, ${most_small.toFixed(0)}, ${most.toFixed(0)} MB`)
}

/** Milliseconds of one GET, the middle of several, by turns. */
async function timed(caller: Caller, requests: { url: string; business_id: string }[], rounds: number): Promise<number[]> {
  const times = requests.map((): number[] => [])
  for (let round = 0; round < rounds + 2; round++) {
    for (const [index, { url, business_id }] of requests.entries()) {
      const started = performance.now()
      const response = await fetch(url, { headers: { authorization: `Bearer ${caller.token}`, 'x-business-id': business_id } })
      const text = await response.text()
      if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
      if (round >= 2) times[index]?.push(performance.now() - started)
    }
  }
  return times.map(median)
}

async function statements(daybook: Process, caller: Caller): Promise<void> {
  const [small, large] = [await newBooks(daybook.url, caller, 'Bench small'), await newBooks(daybook.url, caller, 'Bench large')]
  await fillBooks(machine.database_url, small, 10_000)
  await withoutIndexes(machine.database_url, () => fillBooks(machine.database_url, large, LINES))
  const reports = [
    ['trial balance', 'trial-balance?start_date=2025-01-01&end_date='],
    ['profit and loss', 'profit-and-loss?start_date=2025-01-01&end_date='],
    ['balance sheet', 'balance-sheet?as_of='],
  ] as const
  for (const [when, date, bar] of [['at a month end', '2025-11-30', 1.5], ['in mid-month', '2025-11-17', 10]] as const) {
    for (const [name, path] of PARTS.has('statements') ? reports : []) {
      const [few = NaN, lots = NaN] = await timed(caller, [small, large].map(({ business_id }) => ({ url: `${daybook.url}/api/v1/reports/${path}${date}`, business_id })), 41)
      add(`${name} ${when}: ${LINES.toLocaleString('en')} lines against 10,000`, `${(lots / few).toFixed(2)} (${lots.toFixed(1)} against ${few.toFixed(1)} ms)`, `at most ${bar}`, lots / few <= bar)
    }
  }
  if (PARTS.has('ledger')) await generalLedger(daybook, caller, large)
}

/** A page of 50 lines of the busiest ledger, at the beginning and 10,000 pages further. */
async function generalLedger(daybook: Process, caller: Caller, { business_id, ledgers }: BenchBusiness): Promise<void> {
  const path = `${daybook.url}/api/v1/reports/general-ledger?ledger_id=${ledgers['Checking']}&start_date=2024-01-01&end_date=2025-12-31`
  const read = async (url: string) => (await (await fetch(url, { headers: { authorization: `Bearer ${caller.token}`, 'x-business-id': business_id } })).json() as { data: { next_cursor: string | null } }).data.next_cursor
  // A cursor is a place, whatever the size of the page that led to it.
  let cursor: string | null = null
  for (let page = 0; page < 500; page++) cursor = await read(`${path}&limit=1000${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)
  const [first = NaN, far = NaN] = await timed(caller, [{ url: `${path}&limit=50`, business_id }, { url: `${path}&limit=50&cursor=${encodeURIComponent(cursor ?? '')}`, business_id }], 61)
  add('general ledger: page 10,000 against page 1', `${(far / first).toFixed(2)} (${far.toFixed(1)} against ${first.toFixed(1)} ms)`, 'at most 1.2', far / first <= 1.2)
}

/** The same books for everybody: exported by Daybook, read by each program. */
async function others(daybook: Process, caller: Caller): Promise<void> {
  const books = await newBooks(daybook.url, caller, 'Bench others')
  await importInto(daybook, caller, books, ENTRIES)
  const [ours = NaN] = await timed(caller, [{ url: `${daybook.url}/api/v1/reports/trial-balance?start_date=2024-01-01&end_date=2025-12-31`, business_id: books.business_id }], 21)
  add(`trial balance of ${ENTRIES.toLocaleString('en')} entries: Daybook, one request`, `${ours.toFixed(1)} ms`)
  for (const [program, format, parameters] of [
    ['hledger', 'hledger', (file: string) => ['-f', file, 'balance', '--flat']],
    ['ledger', 'hledger', (file: string) => ['-f', file, 'balance', '--flat']],
    ['bean-query', 'beancount', (file: string) => [file, 'select account, sum(position) group by account']],
  ] as const) {
    const file = join(machine.folder, `books.${format}`)
    const response = await fetch(`${daybook.url}/api/v1/books/export?format=${format}`, { headers: { authorization: `Bearer ${caller.token}`, 'x-business-id': books.business_id } })
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(file))
    try {
      const started = performance.now()
      execFileSync(program, parameters(file), { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28, env: { ...process.env, BEANCOUNT_DISABLE_LOAD_CACHE: '1' } })
      const took = performance.now() - started
      add(`the same from ${program}`, `${took.toFixed(0)} ms, ${(took / ours).toFixed(0)} times as long`, 'Daybook ahead', took > ours)
    } catch (error) {
      add(`the same from ${program}`, (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'not installed' : String(error).slice(0, 200))
    }
  }
}
