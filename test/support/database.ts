// One PostgreSQL for the whole run, on a memory file system where there is one; a fresh database with every migration.
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/foundation/database/migrate.ts'
import { startEmbedded } from '../../src/foundation/postgres/embedded.ts'

declare module 'vitest' {
  interface ProvidedContext {
    database_url: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // An empty database of one's own, to try another version of PostgreSQL.
  const own = process.env['TEST_DATABASE_URL']
  if (own) {
    await migrate({ url: own })
    project.provide('database_url', own)
    return async () => {}
  }
  const memory = await access('/dev/shm').then(() => '/dev/shm', () => tmpdir())
  const folder = await mkdtemp(join(memory, 'daybook-test-'))
  const postgres = await startEmbedded({ data_dir: folder, log: () => {} })
  await migrate({ url: postgres.url })
  project.provide('database_url', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
