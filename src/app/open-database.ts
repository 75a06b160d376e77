// The database of a command: the one that DATABASE_URL names, the embedded one of a running Daybook, or the embedded one started for it.
import type { Logger } from '../foundation/log.ts'
import { findEmbedded, startEmbedded, type Embedded } from '../foundation/postgres/embedded.ts'
import type { Settings } from '../foundation/settings.ts'

export type OpenDatabase = { url: string; stop(): Promise<void> }

/** For commands that may run beside a running server. */
export async function openDatabase(settings: Settings): Promise<OpenDatabase> {
  if (settings.database_url !== null) return { url: settings.database_url, stop: async () => {} }
  const running = await findEmbedded(settings.data)
  if (running) return { url: running.url, stop: async () => {} }
  return startEmbedded({ data_dir: settings.data, log: (message) => console.error(message) })
}

const RESTARTS = 5

/** For the server itself: an embedded database that dies is started again, and what was answered is in it. */
export async function keepDatabase(settings: Settings, log: Logger, give_up: (error: Error) => void): Promise<OpenDatabase> {
  if (settings.database_url !== null) return { url: settings.database_url, stop: async () => {} }
  let stopped = false
  let restarts = 0
  const start = (port?: number): Promise<Embedded> =>
    startEmbedded({ data_dir: settings.data, ...(port ? { port } : {}), log: (message) => log.info(message), on_exit: (reason) => void restart(reason) })
  let running = await start()
  const restart = async (reason: string): Promise<void> => {
    if (stopped) return
    log.error({ reason }, 'the embedded database ended; starting it again')
    try {
      if (++restarts > RESTARTS) throw new Error('The embedded database keeps ending.')
      const { port } = running
      await running.stop()
      running = await start(port)
    } catch (error) {
      give_up(error as Error)
    }
  }
  return {
    url: running.url,
    async stop() {
      stopped = true
      await running.stop()
    },
  }
}
