// daybook serve: everything that runs, in one process.
import { migrate } from '../../foundation/database/migrate.ts'
import { openLog } from '../../foundation/log.ts'
import { readSettings } from '../../foundation/settings.ts'
import type { Command } from '../command.ts'
import { readEncryptionKey } from '../encryption-key.ts'
import { keepDatabase } from '../open-database.ts'
import { openProgram } from '../program.ts'
import { onStopSignal } from '../stop-signal.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'start the database, the API and the worker',
  help: `Starts the embedded PostgreSQL (or uses DATABASE_URL), brings the schema up to date, serves the API and runs jobs.
Ctrl-C stops it cleanly: open requests are answered first.`,
  options: {},
  async run() {
    const settings = readSettings(process.env)
    const log = openLog(settings.log_level)
    const database = await keepDatabase(settings, log, (error) => {
      log.fatal({ err: error }, 'the database cannot be started again')
      process.exit(1)
    })
    try {
      await migrate({ url: database.url, log: (line) => log.info(line) })
      const program = openProgram({ settings, database_url: database.url, encryption_key: await readEncryptionKey(settings), log })
      const url = await program.listen()
      if (settings.worker) await program.startWorker()
      onStopSignal(log, async () => {
        await program.stop()
        await database.stop()
      })
      console.log(welcome(url, settings.database_url === null ? `embedded, in ${settings.data}` : 'DATABASE_URL', settings.worker))
    } catch (error) {
      await database.stop()
      throw error
    }
  },
}

function welcome(url: string, database: string, worker: boolean): string {
  return `
  Daybook is ready.

    API          ${url}/api/v1
    Reference    ${url}/docs
    Description  ${url}/openapi.json
    Database     ${database}
    Worker       ${worker ? 'in this process' : 'run daybook worker'}

  A first token, in another terminal:

    npm run daybook -- token --email you@example.com --business "My Company"

  Ctrl-C stops it.
`
}
