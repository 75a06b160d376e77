// Random work on the books of one business over HTTP, as several people would do it at once, and what they were answered.
import { addDays } from '../../src/foundation/calendar.ts'
import type { JournalEntry } from '../../src/ledger/journal/contract.ts'
import type { Answer, Client } from '../support/client.ts'
import { CREDITS, creditOperations } from './credits.ts'
import type { Random } from './random.ts'
import { SALES, salesOperations } from './sales.ts'
import { dateIn, expectDone, isLost, refuse, type Operation, type World } from './world.ts'

const JOURNAL = {
  post: 50, post_foreign: 10, post_mirrored: 4, unbalanced: 3, retried: 4, dry_run: 2, draft: 4, bulk: 2, import: 1, reverse: 8, redate: 6, rate: 3, revalue: 1, close: 2, soft_close: 1,
  reopen: 3, lock: 1, unlock: 2,
}

/** As much is sold as is written into the journal by hand. */
const ALL = { ...JOURNAL, ...SALES, ...CREDITS }

/** One operation. A refusal is an answer; a fault of the service is not. */
export async function step(client: Client, world: World, random: Random): Promise<void> {
  const name = random.weighted(world.sales ? ALL : JOURNAL)
  try {
    await operations[name](client, world, random)
    world.done[name] = (world.done[name] ?? 0) + 1
  } catch (error) {
    if (!isLost(error)) throw new Error(`${name}: ${(error as Error).message}`, { cause: error })
    world.lost += 1
  }
}

const journalOperations: Record<keyof typeof JOURNAL, Operation> = {
  async post(client, world, random) {
    const given = entry(world, random)
    keep(world, [given], await client.post('/journal-entries', { ...given, post: true }))
  },
  async post_foreign(client, world, random) {
    const given = entry(world, random, random.pick(['CAD', 'EUR']))
    keep(world, [given], await client.post('/journal-entries', { ...given, post: true }))
  },
  async post_mirrored(client, world, random) {
    const given = entry(world, random)
    keep(world, [given], await client.post('/journal-entries', { ...given, auto_reverse_on: addDays(given.date, random.between(1, 40)), post: true }))
  },
  async unbalanced(client, world, random) {
    const given = entry(world, random)
    given.lines[0]!.amount += 1
    const answer = await client.post('/journal-entries', { ...given, post: true })
    if (answer.status === 201) throw new Error('An entry that does not balance was posted.')
    keep(world, [given], answer)
  },
  async retried(client, world, random) {
    const given = entry(world, random)
    const headers = { 'idempotency-key': given.memo }
    const answers = await Promise.all([1, 2].map(() => client.post('/journal-entries', { ...given, post: true }, { headers })))
    const made = answers.find(({ status }) => status === 201)
    for (const { status } of answers) if (![201, 400, 409].includes(status)) throw new Error(`A retry was answered ${status}.`)
    keep(world, [given], made ?? answers[0]!)
  },
  async dry_run(client, world, random) {
    const given = entry(world, random)
    const answer = await client.post('/journal-entries', { ...given, post: true }, { query: { dry_run: true } })
    if (answer.status !== 201) refuse(world, answer)
    world.tried.set(given.memo, false)
  },
  async draft(client, world, random) {
    const given = entry(world, random)
    const { data, status } = await client.post('/journal-entries', given)
    if (status !== 201) throw new Error(`A draft was answered ${status}.`)
    if (random.chance(50)) return keep(world, [given], await client.put(`/journal-entries/${data.id}/post`))
    await client.delete(`/journal-entries/${data.id}`)
    world.tried.set(given.memo, false)
  },
  async bulk(client, world, random) {
    const entries = Array.from({ length: random.between(2, 20) }, () => entry(world, random))
    const answer = await client.post('/journal-entries/bulk', { entries, post: true, atomic: random.chance(50) })
    if (answer.status !== 201) return keep(world, entries, answer)
    for (const { index, status } of answer.data.results) world.tried.set(entries[index]!.memo, status === 'ok')
  },
  async import(client, world, random) {
    const entries = Array.from({ length: random.between(2, 10) }, () => entry(world, random))
    const rows = entries.flatMap(({ date, memo, lines }) =>
      lines.map((line) => `${memo},${date},${memo},"${world.ledgers.find(({ id }) => id === line.ledger_id)?.name}",${(line.amount / 100).toFixed(2)}`))
    const content_base64 = Buffer.from(['entry_ref,date,memo,ledger,amount', ...rows].join('\n')).toString('base64')
    const answer = await client.post('/journal-entries/import', { file_name: 'entries.csv', content_base64, post: true, force: true })
    keep(world, entries, answer, answer.status === 201)
  },
  async reverse(client, world, random) {
    const target = some(world, random)
    if (!target) return
    const answer = await client.put(`/journal-entries/${target.id}/reverse`, random.chance(30) ? { reversal_date: addDays(target.date, random.between(0, 30)) } : {})
    if (answer.status !== 200) return refuse(world, answer)
    if (answer.data.status !== 'reversed') throw new Error('A reversed entry is not called reversed.')
    world.posted.set(target.id, answer.data)
  },
  async redate(client, world, random) {
    const target = some(world, random)
    if (!target || target.auto_reverse_on || target.mirror_of_id) return
    const date = dateIn(world, random)
    const answer = await client.put(`/journal-entries/${target.id}/date`, { date })
    if (answer.status !== 200) return refuse(world, answer)
    if (answer.data.id === target.id) return
    world.posted.delete(target.id)
    world.posted.set(answer.data.id, answer.data)
  },
  async rate(client, world, random) {
    const from_currency = random.pick(['CAD', 'EUR'])
    await expectDone(client.post('/fx/rates', { from_currency, to_currency: 'USD', date: dateIn(world, random), rate: `0.${random.between(6000, 9999)}` }))
  },
  async revalue(client, world, random) {
    const data = await expectDone(client.get('/accounting-periods', { limit: 60 }))
    const period = random.pick(data.items as { end_date: string }[])
    const answer = await client.post('/fx/revalue', { as_of: period.end_date })
    if (answer.status !== 201) refuse(world, answer)
  },
  close: (client, world, random) => onPeriod(client, world, random, 'close', { accept_warnings: true }),
  soft_close: (client, world, random) => onPeriod(client, world, random, 'soft-close'),
  reopen: (client, world, random) => onPeriod(client, world, random, 'reopen', { reason: 'More to post.' }),
  lock: (client, world, random) => onPeriod(client, world, random, 'lock', { areas: [random.pick(['journal', 'receivables', 'inventory'])] }),
  unlock: (client, world, random) => onPeriod(client, world, random, 'unlock', { areas: ['journal', 'receivables', 'inventory'] }),
}

const operations: Record<keyof typeof ALL, Operation> = { ...journalOperations, ...salesOperations, ...creditOperations }

async function onPeriod(client: Client, world: World, random: Random, action: string, body: object = {}): Promise<void> {
  const data = await expectDone(client.get('/accounting-periods', { limit: 60, descending: false }))
  const periods = data.items as { id: string; status: string }[]
  // Mostly where it can work: the first that is not closed, or the last that is.
  const open = periods.findIndex(({ status }) => status !== 'closed')
  const likely = action === 'reopen' ? periods[open - 1] : periods[open]
  const answer = await client.put(`/accounting-periods/${(likely && random.chance(80) ? likely : random.pick(periods)).id}/${action}`, body)
  if (answer.status !== 200) refuse(world, answer)
}

function entry(world: World, random: Random, currency = 'USD') {
  const memo = `try ${world.tried.size + 1}`
  world.tried.set(memo, null)
  const usable = world.ledgers.filter((ledger) => (ledger.is_bank ? ledger.currency === currency : true))
  const lines = Array.from({ length: random.between(1, 5) }, () => ({ ledger_id: random.pick(usable).id, amount: random.between(1, random.pick([99, 5_000, 10_000_000])) * (random.chance(50) ? 1 : -1) }))
  const left = -lines.reduce((sum, line) => sum + line.amount, 0)
  const last = { ledger_id: random.pick(usable).id, amount: left }
  return { date: dateIn(world, random), memo, currency, is_adjusting: random.chance(10), lines: left === 0 ? lines.length > 1 ? lines : [...lines, ...opposite(lines)] : [...lines, last] }
}

function opposite(lines: { ledger_id: string; amount: number }[]) {
  return lines.map((line) => ({ ...line, amount: -line.amount }))
}

const some = (world: World, random: Random): JournalEntry | null => (world.posted.size === 0 ? null : random.pick([...world.posted.values()].slice(-200)))

/** Notes what became of entries: answered, then they are in the journal; refused, then they are not. */
function keep(world: World, given: { memo: string }[], answer: Answer, several = false): void {
  const made = answer.status === 201 || answer.status === 200
  for (const { memo } of given) world.tried.set(memo, made)
  if (!made) refuse(world, answer)
  else if (!several) world.posted.set(answer.data.id, answer.data)
}
