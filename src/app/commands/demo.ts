// daybook demo: a practice with clients and two years of books, made through the public API.
import type { AddressInfo } from 'node:net'
import { systemClock, toTimestamp } from '../../foundation/calendar.ts'
import { connectAsOwner } from '../../foundation/database/pool.ts'
import { migrate } from '../../foundation/database/migrate.ts'
import { openLog } from '../../foundation/log.ts'
import { readSettings, type Settings } from '../../foundation/settings.ts'
import { UsageError, type Arguments, type Command } from '../command.ts'
import { findStanding, finish, signUp, takeUp, type Run, type Standing } from '../demo/account.ts'
import { MOST_CLIENTS } from '../demo/clients.ts'
import type { Api } from '../demo/api.ts'
import type { Practice } from '../demo/plan.ts'
import { ADVISOR, planPractice } from '../demo/practice.ts'
import { makeClient, stagesOf } from '../demo/stages.ts'
import { accessText, readFigures, tableOf, type Figures } from '../demo/summary.ts'
import { readEncryptionKey } from '../encryption-key.ts'
import { openDatabase } from '../open-database.ts'
import { openProgram, type Program } from '../program.ts'
import { leaveProgress, showProgress } from '../progress.ts'

/** So many clients are made at a time: the journal of each is written by one call after another. */
const LANES = 3

/** Names of writes are kept for a day; a run older than this is not gone on with. */
const GOES_ON_MS = 23 * 3_600_000

export const demo: Command = {
  name: 'demo',
  summary: 'make an example: a practice, its clients, two years of books',
  help: `Makes an advisor (${ADVISOR.email}) with client businesses and two years of books up to last month: customers with their invoices
and payments, other sales, wages, taxes, accruals, corrections, foreign currencies, departments, closed periods, notes and tasks.
Everything goes through the public API. The same seed gives the same books within a month. For trying things out: use a data folder
(DAYBOOK_DATA) of its own.
Where the demo is there already nothing is changed. One that was interrupted goes on within a day when it is run again.`,
  options: {
    seed: { value: 'number', meaning: 'which books are made (default: 1)' },
    businesses: { value: 'number', meaning: `how many clients, 1 to ${MOST_CLIENTS} (default: 6)` },
  },
  async run({ options }) {
    const asked = { seed: wholeNumber(options, 'seed', 1, 0, 2_147_483_647), businesses: wholeNumber(options, 'businesses', 6, 1, MOST_CLIENTS) }
    const settings = readSettings(process.env)
    if (settings.smtp_url !== null) {
      throw new Error('The demo invites people who do not exist, and DAYBOOK_SMTP_URL would send them mail: unset it, and use a data folder of its own.')
    }
    const opened = await openDatabase(settings)
    try {
      await migrate({ url: opened.url })
      await alone(opened.url, async () => {
        const encryption_key = await readEncryptionKey(settings)
        const program = openProgram({ settings: inside(settings), database_url: opened.url, encryption_key, log: openLog('error') })
        try {
          await makeDemo(program, asked, urlOf(settings))
        } finally {
          await program.stop()
        }
      })
    } catch (error) {
      leaveProgress()
      throw error
    } finally {
      await opened.stop()
    }
  },
}

async function makeDemo(program: Program, asked: Omit<Run, 'since'>, public_url: string): Promise<void> {
  const standing = await findStanding(program.database, ADVISOR.email)
  if (standing.state === 'complete') return console.log(presentText)
  const run = runToMake(standing, asked)
  const practice = planPractice({ ...run, date: run.since.slice(0, 10) })
  const url = await listen(program)
  const { api, password } = standing.state === 'absent' ? await signUp(url, practice.advisor, run) : await takeUp(url, program.database, practice.advisor, run)
  const figures = await makeClients(url, api, practice)
  const token = await finish(api)
  console.log(`\n${tableOf(figures)}\n\n${accessText({ email: ADVISOR.email, password, token, url: public_url }, figures, practice)}\n`)
}

const presentText = `The demo is here already: nothing was changed. Sign in as ${ADVISOR.email} with the password that was shown, or make another token:

  npm run daybook -- token --email ${ADVISOR.email}`

/** What was begun and interrupted is finished as it was begun. */
function runToMake(standing: Standing, asked: Omit<Run, 'since'>): Run {
  const now = systemClock.now()
  const begun = standing.state === 'begun' ? standing.run : null
  if (begun === null) return { since: toTimestamp(now), ...asked }
  if (now.getTime() - Date.parse(begun.since) > GOES_ON_MS) {
    throw new Error(`A demo was begun here at ${begun.since} and interrupted, too long ago to go on with it: use a new data folder (DAYBOOK_DATA).`)
  }
  console.log(`Going on with the demo that was interrupted: ${begun.businesses} ${begun.businesses === 1 ? 'business' : 'businesses'}, seed ${begun.seed}.`)
  return begun
}

async function makeClients(url: string, api: Api, practice: Practice): Promise<Figures[]> {
  const { clients } = practice
  const total = clients.flatMap((client) => stagesOf(url, practice, client)).reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const advance = (size: number, what: string) => showProgress((done += size), total, what)
  const figures: Figures[] = []
  const waiting = clients.entries()
  const lane = async () => {
    for (const [index, client] of waiting) {
      const business_id = await makeClient(url, api, practice, client, advance)
      figures[index] = await readFigures(api, business_id, client.name, practice)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return figures
}

/** For this process alone, on any free port; nobody else calls, so nobody is held back. */
function inside(settings: Settings): Settings {
  return { ...settings, host: '127.0.0.1', port: 0, public_url: urlOf(settings), rate_limit: 1_000_000, stripe_key: null }
}

function urlOf({ public_url, host, port }: Settings): string {
  return public_url ?? `http://${host}:${port ?? 8080}`
}

async function listen(program: Program): Promise<string> {
  await program.listen()
  return `http://127.0.0.1:${(program.server.server.address() as AddressInfo).port}`
}

/** Two at once would take each other's password away. */
async function alone(url: string, work: () => Promise<void>): Promise<void> {
  const connection = await connectAsOwner(url)
  try {
    const { rows } = await connection.query(`select pg_try_advisory_lock(hashtext('daybook demo')) as free`)
    if (!rows[0].free) throw new Error('Another daybook demo is at work on this database: wait until it has ended.')
    await work()
  } finally {
    await connection.end()
  }
}

function wholeNumber(options: Arguments['options'], name: string, absent: number, least: number, most: number): number {
  const text = options[name]
  if (text === undefined) return absent
  const value = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : NaN
  if (value >= least && value <= most) return value
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}. daybook demo --help shows how it is used.`)
}
