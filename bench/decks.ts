// npm run bench:decks: what a deck costs over many lines against few, and what its export costs against one report.
import { call, fillBooks, newBooks, newCaller, withoutIndexes, type BenchBusiness, type Caller } from './parts/books.ts'
import { startDaybook, startMachine } from './parts/machine.ts'
import { median } from './parts/rounds.ts'

const LINES = Number(process.env['LINES'] ?? 10_000_000)
const ROUNDS = Number(process.env['ROUNDS'] ?? 9)
const PERIOD = { period_start: '2025-01-01', period_end: '2025-12-31' }

type Deck = { id: string; status: string; job_id: string; error: string | null; slides: object[] }
type Job = { id: string; job_id: string; status: string; error: string | null; started_at: string; finished_at: string }
type Books = BenchBusiness & { deck: Deck }

const machine = await startMachine()
try {
  const daybook = await startDaybook(machine)
  const caller = await newCaller(machine.database_url)
  const few = await newBooks(daybook.url, caller, 'Bench few lines')
  const many = await newBooks(daybook.url, caller, 'Bench many lines')
  await fillBooks(machine.database_url, few, 10_000)
  await withoutIndexes(machine.database_url, () => fillBooks(machine.database_url, many, LINES))
  const [small, large] = [await withDeck(daybook.url, caller, few), await withDeck(daybook.url, caller, many)]
  const times = { small: [] as number[], large: [] as number[], export: [] as number[], waited: [] as number[], report: [] as number[] }
  const path = `/ai-reporting/decks/${large.deck.id}`
  for (let round = 0; round < ROUNDS + 2; round++) {
    const measured = {
      small: (await ran(daybook.url, caller, small, `/ai-reporting/decks/${small.deck.id}/refresh`, {})).busy,
      large: (await ran(daybook.url, caller, large, `${path}/refresh`, {})).busy,
      report: await reportTime(daybook.url, caller, large),
    }
    const { busy, waited } = await ran(daybook.url, caller, large, `${path}/export`, { format: 'pptx' })
    // The first ones warm up what they are measured with.
    if (round < 2) continue
    for (const [name, value] of Object.entries({ ...measured, export: busy, waited })) times[name as keyof typeof times].push(value)
  }
  const [fast, slow, file, all, one] = [times.small, times.large, times.export, times.waited, times.report].map(median) as [number, number, number, number, number]
  const ms = (value: number) => `${value.toFixed(0)} ms`
  console.table([
    { measured: `deck of ${large.deck.slides.length} slides refreshed, ${LINES.toLocaleString('en')} lines of 10,000`, result: `${(slow / fast).toFixed(2)} (${ms(slow)} against ${ms(fast)})`, bar: 'at most 1.5' },
    { measured: 'its export as PPTX, of one profit and loss', result: `${(file / one).toFixed(1)} times (${ms(file)} against ${one.toFixed(1)} ms)`, bar: 'under 20 times' },
    { measured: 'the same until the caller knows', result: `${(all / one).toFixed(1)} times (${ms(all)})`, bar: '' },
  ])
  await daybook.stop()
} finally {
  await machine.stop()
}

async function withDeck(url: string, caller: Caller, books: BenchBusiness): Promise<Books> {
  const made = await call<Deck>(url, caller, books.business_id, 'POST', '/ai-reporting/decks', { template: 'board', ...PERIOD })
  await untilEnded(url, caller, books.business_id, made.job_id)
  const deck = await call<Deck>(url, caller, books.business_id, 'GET', `/ai-reporting/decks/${made.id}`)
  if (deck.status !== 'ready') throw new Error(`The deck is ${deck.status}: ${deck.error ?? ''}`)
  return { ...books, deck }
}

/** A job begun by this call: how long it was busy, and how long the caller waited for it in all. */
async function ran(url: string, caller: Caller, { business_id }: BenchBusiness, path: string, body: object): Promise<{ busy: number; waited: number }> {
  const started = performance.now()
  const begun = await call<Job>(url, caller, business_id, 'POST', path, body)
  const { started_at, finished_at } = await untilEnded(url, caller, business_id, begun.job_id ?? begun.id)
  return { busy: Date.parse(finished_at) - Date.parse(started_at), waited: performance.now() - started }
}

/** Follows the job as it goes on, as a page would. */
async function untilEnded(url: string, { token }: Caller, business_id: string, job_id: string): Promise<Job> {
  const headers = { authorization: `Bearer ${token}`, 'x-business-id': business_id }
  const stream = await fetch(`${url}/api/v1/jobs/${job_id}/events`, { headers })
  await stream.text()
  const response = await fetch(`${url}/api/v1/jobs/${job_id}`, { headers })
  const { data: job } = await response.json() as { data: Job }
  if (job.status !== 'succeeded') throw new Error(`The job is ${job.status}: ${job.error ?? ''}`)
  return job
}

async function reportTime(url: string, caller: Caller, { business_id }: BenchBusiness): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const started = performance.now()
    await call(url, caller, business_id, 'GET', `/reports/profit-and-loss?start_date=${PERIOD.period_start}&end_date=${PERIOD.period_end}`)
    times.push(performance.now() - started)
  }
  return median(times)
}
