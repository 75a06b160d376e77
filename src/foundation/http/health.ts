// Whether the process lives, whether it can serve, and its numbers.
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { latestVersion } from '../database/migrate.ts'
import { statement } from '../database/statement.ts'
import { plainRequest, transact, type Database } from '../database/transact.ts'
import type { Metrics } from './metrics.ts'

const State = Type.Object({ version: Type.Integer(), bypasses: Type.Boolean() })

const state = statement(State,
  `select (select coalesce(max(version), 0) from schema_migrations) as version, (rolsuper or rolbypassrls) as bypasses
   from pg_roles where rolname = current_user`)

export function healthPages(database: Database, metrics: Metrics) {
  const expected = latestVersion()
  return (server: FastifyInstance): void => {
    server.get('/healthz', () => ({ status: 'ok' }))
    server.get('/readyz', async (_request, reply) => {
      const problem = await readiness(database, await expected).catch(() => 'The database does not answer.')
      return problem === null ? { status: 'ready' } : reply.code(503).header('retry-after', '2').send({ detail: problem })
    })
    server.get('/metrics', async (_request, reply) => reply.type(metrics.content_type).send(await metrics.text()))
  }
}

/** null when ready, else a sentence. */
async function readiness(database: Database, expected: number): Promise<string | null> {
  const found = await transact(database, { business_id: null, read_only: true, request: plainRequest }, ({ tx }) => tx.get(state, {}, 'State'))
  if (found.bypasses) return 'The role of the connection can bypass row-level security.'
  return found.version === expected ? null : `The database is at migration ${found.version}, this program needs ${expected}. Run daybook migrate.`
}
