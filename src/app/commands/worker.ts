// daybook worker: jobs and event delivery without the API.
import { requireSchema } from '../../foundation/database/migrate.ts'
import { openLog } from '../../foundation/log.ts'
import { readSettings } from '../../foundation/settings.ts'
import type { Command } from '../command.ts'
import { readEncryptionKey } from '../encryption-key.ts'
import { openDatabase } from '../open-database.ts'
import { openProgram } from '../program.ts'
import { onStopSignal } from '../stop-signal.ts'

export const worker: Command = {
  name: 'worker',
  summary: 'run jobs beside a server',
  help: `Runs jobs and delivers events: mail, timed work, subscribers. Any number may run against one database.
Start the servers with DAYBOOK_WORKER=false when workers run apart.`,
  options: {},
  async run() {
    const settings = readSettings(process.env)
    const log = openLog(settings.log_level)
    const database = await openDatabase(settings)
    try {
      await requireSchema(database.url)
      const program = openProgram({ settings, database_url: database.url, encryption_key: await readEncryptionKey(settings), log })
      await program.startWorker()
      onStopSignal(log, async () => {
        await program.stop()
        await database.stop()
      })
      console.log('The worker is ready. Ctrl-C stops it.')
    } catch (error) {
      await database.stop()
      throw error
    }
  },
}
