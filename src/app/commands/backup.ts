// daybook backup: all data in one file.
import { access } from 'node:fs/promises'
import { backupDatabase } from '../../foundation/postgres/backup.ts'
import { readSettings } from '../../foundation/settings.ts'
import { documentsFolder } from '../../foundation/storage/open.ts'
import type { Command } from '../command.ts'
import { keyFile } from '../encryption-key.ts'
import { openDatabase } from '../open-database.ts'
import { showProgress } from '../progress.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'write all data into one file',
  help: `Writes one consistent moment of the whole database into a file, also while the server runs.
Works for the embedded database and for DATABASE_URL, and restores into any PostgreSQL 15 to 18.
Queued jobs are not part of it. Keep the encryption key beside it: without the key, sealed values (tax ids, two-factor) stay closed.
The bytes of documents are not part of it either: copy their folder after it, or leave them in their bucket.`,
  operand: { name: 'file', meaning: 'the file to write; must not exist (default: daybook-<time>.backup)', required: false },
  options: {},
  async run({ operand }) {
    const settings = readSettings(process.env)
    const file = operand ?? `daybook-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.backup`
    if (await access(file).then(() => true, () => false)) throw new Error(`${file} exists already. Name another file.`)
    const database = await openDatabase(settings)
    try {
      const manifest = await backupDatabase({ url: database.url, file, on_progress: ({ done, total, table }) => showProgress(done, total, table) })
      console.log(`${file}: ${manifest.tables.length} tables, ${manifest.tables.reduce((sum, table) => sum + table.rows, 0)} rows.`)
      if (settings.storage_bucket === null) console.log(`Copy ${documentsFolder(settings)} now: the documents lie there.`)
      console.log(settings.encryption_key === null ? `Keep ${keyFile(settings)} with it.` : 'Keep DAYBOOK_ENCRYPTION_KEY with it.')
    } finally {
      await database.stop()
    }
  },
}
