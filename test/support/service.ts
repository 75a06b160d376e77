// A running service for tests: the real program on a real port, one per worker, with a clock that tests can set.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openProgram, type Program } from '../../src/app/program.ts'
import { openLog } from '../../src/foundation/log.ts'
import type { Resolve } from '../../src/foundation/outbound.ts'
import { readSettings } from '../../src/foundation/settings.ts'

export type Service = { url: string; program: Program; clock: SettableClock }

/** The real time unless a test sets another; `set(null)` goes back. */
export type SettableClock = { now(): Date; set(now: string | null): void }

export function settableClock(): SettableClock {
  let fixed: number | null = null
  return {
    now: () => (fixed === null ? new Date() : new Date(fixed)),
    set(now) {
      fixed = now === null ? null : Date.parse(now)
    },
  }
}

let shared: Promise<Service> | null = null

/** The server that the tests of one worker share. */
export function service(): Promise<Service> {
  return (shared ??= startService())
}

/** A server of one's own, for tests that stop it or need other settings. */
export async function startService(environment: Record<string, string> = {}, database_url: string = inject('database_url'), resolve?: Resolve): Promise<Service> {
  const settings = readSettings({ DAYBOOK_DATA: dataFolder(), DAYBOOK_PORT: '0', DAYBOOK_LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent', DAYBOOK_RATE_LIMIT: '1000000', DAYBOOK_TRUST_PROXY: 'true', DAYBOOK_WEBHOOK_PRIVATE: 'true', ...environment })
  const clock = settableClock()
  const program = openProgram({ settings, database_url, encryption_key: Buffer.alloc(32, 7), log: openLog(settings.log_level), clock, ...(resolve ? { resolve } : {}) })
  return { url: await program.listen(), program, clock }
}

let folder: string | null = null

/** One folder for the documents of a worker; it goes with it. */
function dataFolder(): string {
  if (folder) return folder
  const made = mkdtempSync(join(tmpdir(), 'daybook-documents-'))
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  return (folder = made)
}
