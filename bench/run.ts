// npm run bench: starts what it needs, measures everything in one run and prints ratios. Nothing here is a test: machines differ, ratios less so.
import { cpuMs, residentMb, startDaybook, startMachine, startProcess, type Process } from './parts/machine.ts'
import { rawCreates } from './parts/raw-write.ts'
import { compare, httpLoad, median, type Comparison } from './parts/rounds.ts'
import { seed, type Seed } from './parts/seed.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 9)
const SECONDS = Number(process.env['SECONDS'] ?? 2)
const CLIENTS = 16

type Row = { measured: string; result: string; bar: string; met: string }

const machine = await startMachine()
const rows: Row[] = []
try {
  const seeded = await seed(machine.database_url)
  rows.push(await startUp())
  const daybook = await startDaybook(machine)
  const bare = await startProcess('bench/bare-server.ts', { DATABASE_URL: machine.database_url })
  const peak = watchMemory(daybook)
  rows.push(...(await reads(daybook, bare, seeded)), ...(await writes(daybook, seeded)))
  const most = peak()
  rows.push({ measured: 'API process, resident at most, MB', result: most.toFixed(0), bar: 'under 200', met: met(most < 200) })
  await bare.stop()
  await daybook.stop()
} finally {
  await machine.stop()
}
console.table(rows)

async function startUp(): Promise<Row> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const server = await startDaybook(machine)
    times.push(server.ready_ms)
    await server.stop()
  }
  return { measured: 'start to ready on an existing database, s', result: (median(times) / 1000).toFixed(2), bar: 'under 2', met: met(median(times) < 2000) }
}

async function reads(daybook: Process, bare: Process, { business_id, note_id, token }: Seed): Promise<Row[]> {
  const headers = { authorization: `Bearer ${token}`, 'x-business-id': business_id }
  const before = cpuMs(daybook.pid)
  const started = performance.now()
  const one = await compare(
    httpLoad('GET one through Daybook', { method: 'GET', url: `${daybook.url}/api/v1/notes/${note_id}`, headers }, CLIENTS),
    httpLoad('bare Fastify and pg, the same query', { method: 'GET', url: `${bare.url}/${business_id}/notes/${note_id}` }, CLIENTS),
    ROUNDS, SECONDS)
  const share = (cpuMs(daybook.pid) - before) / (performance.now() - started)
  const list = await compare(
    httpLoad('GET a page of 50 through Daybook', { method: 'GET', url: `${daybook.url}/api/v1/notes`, headers }, CLIENTS),
    httpLoad('bare Fastify and pg, the same page', { method: 'GET', url: `${bare.url}/${business_id}/notes` }, CLIENTS),
    ROUNDS, SECONDS)
  const per_request = (share * 2) / (one.rates['GET one through Daybook'] ?? NaN) * 1000
  return [row(one, '0.5'), row(list, ''), { measured: 'processor time of the API process per GET, ms', result: per_request.toFixed(2), bar: '', met: '' }]
}

async function writes(daybook: Process, seeded: Seed): Promise<Row[]> {
  const raw = await rawCreates(machine.database_url, seeded, CLIENTS)
  const body = JSON.stringify({ resource_type: 'todo', resource_id: seeded.record_id, body: 'Checked with the bank.' })
  const headers = { authorization: `Bearer ${seeded.token}`, 'x-business-id': seeded.business_id, 'content-type': 'application/json' }
  const create = await compare(httpLoad('POST through Daybook', { method: 'POST', url: `${daybook.url}/api/v1/notes`, headers, body }, CLIENTS), raw.load, ROUNDS, SECONDS)
  await raw.stop()
  return [row(create, '0.5')]
}

function row({ rates, ratio, ratios }: Comparison, bar: string): Row {
  const [first, second] = Object.entries(rates).map(([name, rate]) => `${name} ${Math.round(rate)}/s`)
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
  return { measured: `${first}; ${second}`, result: `${ratio.toFixed(2)} (${spread})`, bar: bar ? `at least ${bar}` : '', met: bar ? met(ratio >= Number(bar)) : '' }
}

function met(holds: boolean): string {
  return holds ? 'yes' : 'NO'
}

/** Looks every 200 ms; the most that was seen. */
function watchMemory(watched: Process): () => number {
  let most = 0
  const looking = setInterval(() => {
    most = Math.max(most, residentMb(watched.pid))
  }, 200)
  return () => {
    clearInterval(looking)
    return most
  }
}
