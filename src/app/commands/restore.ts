// daybook restore: a backup into an empty database.
import { migrate } from '../../foundation/database/migrate.ts'
import { restoreDatabase } from '../../foundation/postgres/backup.ts'
import { readSettings } from '../../foundation/settings.ts'
import type { Command } from '../command.ts'
import { openDatabase } from '../open-database.ts'
import { showProgress } from '../progress.ts'

export const restore: Command = {
  name: 'restore',
  summary: 'read a backup into an empty database',
  help: `Checks the file, then fills an empty database with it: a new data folder (DAYBOOK_DATA) or an empty database of your own (DATABASE_URL).
A file that is cut short or altered is refused before anything is changed. Put the old encryption key in place as well, and the folder of documents.`,
  operand: { name: 'file', meaning: 'the backup to read', required: true },
  options: {},
  async run({ operand }) {
    const database = await openDatabase(readSettings(process.env))
    try {
      const manifest = await restoreDatabase({
        url: database.url,
        file: operand ?? '',
        migrate: async (url, up_to) => void (await migrate({ url, up_to })),
        on_progress: ({ done, total, table }) => showProgress(done, total, table),
      })
      await migrate({ url: database.url, log: console.log })
      console.log(`Restored ${manifest.tables.reduce((sum, table) => sum + table.rows, 0)} rows of ${manifest.tables.length} tables, as of ${manifest.created_at}.`)
    } finally {
      await database.stop()
    }
  },
}
