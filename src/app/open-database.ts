// The database of a command: the one that DATABASE_URL names, the embedded one of a running Daybook, or the embedded one started for it.
import { setTimeout as pause } from 'node:timers/promises'
import { connectAsOwner } from '../foundation/database/pool.ts'
import type { Logger } from '../foundation/log.ts'
import { findEmbedded, startEmbedded, type Embedded } from '../foundation/postgres/embedded.ts'
import type { Settings } from '../foundation/settings.ts'

export type OpenDatabase = { url: string; stop(): Promise<void> }

/** For commands that may run beside a running server. */
export async function openDatabase(settings: Settings): Promise<OpenDatabase> {
  if (settings.database_url !== null) return reach(settings.database_url)
  const running = await findEmbedded(settings.data)
  if (running) return { url: running.url, stop: async () => {} }
  return startEmbedded({ data_dir: settings.data, log: (message) => console.error(message) })
}

/** Connects once, so that an address that does not work is told in one sentence, before anything else begins. */
async function reach(url: string): Promise<OpenDatabase> {
  const connection = await connectAsOwner(url).catch((error: Error) => {
    const { hostname, port } = new URL(url)
    // A name with several addresses fails with an error for each of them and no words of its own.
    const [reason = error] = (error as { errors?: Error[] }).errors ?? []
    throw new Error(`The database that DATABASE_URL names, at ${hostname}:${port || 5432}, cannot be used: ${reason.message}.`, { cause: error })
  })
  await connection.end()
  return { url, stop: async () => {} }
}

/** So many within an hour: a server that keeps dying is not kept alive for ever. */
const RESTARTS = 5
const FORGOTTEN_MS = 3_600_000

/** For the server itself: an embedded database that dies is started again, and what was answered is in it. */
export async function keepDatabase(settings: Settings, log: Logger, give_up: (error: Error) => void): Promise<OpenDatabase> {
  if (settings.database_url !== null) return reach(settings.database_url)
  let stopped = false
  let restarts: number[] = []
  let ended: string | null = null
  let restarting: Promise<void> | null = null
  let running: Embedded | null = null
  const startAgain = () => (restarting ??= restart().finally(() => (restarting = null)))
  const start = (port?: number): Promise<Embedded> => startEmbedded({
    data_dir: settings.data, ...(port ? { port } : {}), log: (message) => log.info(message),
    on_exit(reason) {
      ended = reason
      if (running) void startAgain()
    },
  })
  // A loop, because it may end again, or fail to start, while it is being started.
  const restart = async (): Promise<void> => {
    for (let failures = 0; ended !== null && !stopped; ) {
      const reason: string = ended
      ended = null
      restarts = [...restarts.filter((at) => Date.now() - at < FORGOTTEN_MS), Date.now()]
      if (restarts.length > RESTARTS) return give_up(new Error(`The embedded database keeps ending: ${reason}`))
      log.error({ reason }, 'the embedded database ended; starting it again')
      try {
        await pause(failures * 1_000)
        await running?.stop()
        running = await start(running?.port)
      } catch (error) {
        failures += 1
        ended = (error as Error).message
      }
    }
  }
  const { url } = (running = await start())
  if (ended !== null) void startAgain()
  return {
    url,
    async stop() {
      stopped = true
      await restarting
      await running?.stop()
    },
  }
}
