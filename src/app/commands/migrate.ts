// daybook migrate: brings the schema up to date and ends.
import { migrate as applyMigrations } from '../../foundation/database/migrate.ts'
import { readSettings } from '../../foundation/settings.ts'
import type { Command } from '../command.ts'
import { openDatabase } from '../open-database.ts'

export const migrate: Command = {
  name: 'migrate',
  summary: 'bring the database schema up to date',
  help: 'Applies the migrations that are missing, in order. `daybook serve` does this by itself at start.',
  options: {},
  async run() {
    const database = await openDatabase(readSettings(process.env))
    try {
      const applied = await applyMigrations({ url: database.url, log: console.log })
      console.log(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.length} migration${applied.length === 1 ? '' : 's'}.`)
    } finally {
      await database.stop()
    }
  },
}
