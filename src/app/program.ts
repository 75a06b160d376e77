// The program put together: pool, gate, server and worker from one set of settings.
import type { FastifyInstance } from 'fastify'
import { openGate } from '../access/gate.ts'
import { openTouches } from '../access/touches.ts'
import { findBusiness } from '../access/lookup.ts'
import { carrySessions } from '../access/sessions/operations.ts'
import { systemClock, type Clock } from '../foundation/calendar.ts'
import { openSandboxBank } from '../foundation/bank/sandbox.ts'
import { openModel } from '../foundation/ai/model.ts'
import { openPool } from '../foundation/database/pool.ts'
import type { Database } from '../foundation/database/transact.ts'
import { descriptionPages } from '../foundation/http/description.ts'
import { healthPages } from '../foundation/http/health.ts'
import { openMetrics } from '../foundation/http/metrics.ts'
import { publicPages } from '../foundation/http/pages.ts'
import { rateLimit } from '../foundation/http/rate-limit.ts'
import { buildServer } from '../foundation/http/server.ts'
import { openMailer } from '../foundation/jobs/mailer.ts'
import { startWorker, type Worker } from '../foundation/jobs/worker.ts'
import type { Logger } from '../foundation/log.ts'
import { openMovingClock } from '../foundation/moving-clock.ts'
import { openOutbound, type Resolve } from '../foundation/outbound.ts'
import { openProcessor } from '../foundation/processor/open.ts'
import type { Settings } from '../foundation/settings.ts'
import { openStorage } from '../foundation/storage/open.ts'
import { openScanner } from '../foundation/storage/scanner.ts'
import { openConsole } from './console.ts'
import { jobs, loops, subscribers } from './jobs.ts'
import { listenSomewhere } from './listening.ts'
import { pages, routes } from './routes.ts'

export type ProgramOptions = {
  settings: Settings
  /** As the owner of the schema. */
  database_url: string
  encryption_key: Buffer
  log: Logger
  clock?: Clock
  /** How names in addresses that customers give are looked up, where not by the name servers. */
  resolve?: Resolve
}

export type Program = {
  database: Database
  server: FastifyInstance
  /** The address it listens on. */
  listen(): Promise<string>
  startWorker(): Promise<Worker>
  stop(): Promise<void>
}

const TOUCH_MS = 5_000
const FOLLOW_MS = 1_000

export function openProgram({ settings, database_url, encryption_key, log, clock: given, resolve }: ProgramOptions): Program {
  const metrics = openMetrics()
  const pool = openPool({
    url: database_url,
    max: settings.pool_size,
    max_waiting: settings.pool_waiting,
    statement_timeout_ms: settings.statement_timeout_ms,
    on_error: (error) => log.warn({ err: error }, 'database connection'),
  })
  metrics.watchPool(pool)
  const processor = openProcessor(settings, () => database)
  const documents = { storage: openStorage(settings), scanner: openScanner(settings), inbox: { domain: settings.inbox_domain, secret: settings.inbox_secret } }
  const outgoing = { outbound: openOutbound({ allow_private: settings.webhook_private, resolve }), webhook_timeout_ms: settings.webhook_timeout_ms, webhook_concurrency: settings.webhook_concurrency }
  const surroundings = { ...documents, ...outgoing, encryption_key, public_url: settings.public_url ?? '', sandbox_mail: settings.smtp_url === null, bank: openSandboxBank(), processor, model: openModel(settings), reading_wait_ms: settings.reading_wait_ms }
  const moving = settings.stripe_key === null && settings.smtp_url === null ? openMovingClock(() => database, carrySessions) : null
  const clock = given ?? moving?.clock ?? systemClock
  const following = given || !moving ? null : setInterval(() => moving.follow().catch((error: unknown) => log.warn({ err: error }, 'clock not read')), FOLLOW_MS).unref()
  const database: Database = { pool, clock, surroundings: Object.assign(surroundings, { move_clock: moving?.moveTo ?? null }) }
  const touches = openTouches()
  const touching = setInterval(() => touches.flush(database).catch((error: unknown) => log.warn({ err: error }, 'last use not written')), TOUCH_MS)
  touching.unref()
  const limit = rateLimit(settings.rate_limit, clock)
  const server = buildServer({
    database,
    gate: openGate(touches),
    rate_limit: limit,
    routes,
    log,
    metrics,
    max_body_bytes: settings.max_body_bytes,
    max_file_bytes: settings.max_file_bytes,
    trust_proxy: settings.trust_proxy,
    pages: [healthPages(database, metrics), descriptionPages(routes.map(({ endpoint }) => endpoint)), publicPages(pages, database, limit, settings.max_file_bytes)],
    otherwise: openConsole(settings.data, log),
  })
  const workers: Worker[] = []
  return {
    database,
    server,
    async listen() {
      if (following) await moving?.follow()
      const port = await listenSomewhere(server, settings)
      surroundings.public_url ||= `http://${settings.host === '0.0.0.0' ? '127.0.0.1' : settings.host}:${port}`
      return surroundings.public_url
    },
    async startWorker() {
      if (following) await moving?.follow()
      const worker = await startWorker({
        owner_url: database_url, database, jobs, subscribers, loops, lookup: findBusiness,
        mailer: openMailer(settings.smtp_url, settings.mail_from), concurrency: settings.job_concurrency, log,
      })
      workers.push(worker)
      return worker
    },
    async stop() {
      clearInterval(touching)
      if (following) clearInterval(following)
      await server.close()
      await Promise.all(workers.map((worker) => worker.stop()))
      await touches.flush(database).catch(() => {})
      await pool.end()
    },
  }
}
