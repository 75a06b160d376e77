// daybook export: the books of a business as a plain-text journal, for programs that are not ours.
import { createWriteStream } from 'node:fs'
import { access, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { findBusiness } from '../../access/lookup.ts'
import { isDate } from '../../foundation/calendar.ts'
import type { Business } from '../../foundation/database/context.ts'
import { requireSchema } from '../../foundation/database/migrate.ts'
import { plainRequest, system, transact, type Database } from '../../foundation/database/transact.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { isUuid } from '../../foundation/ids.ts'
import { openLog } from '../../foundation/log.ts'
import { readSettings } from '../../foundation/settings.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../../ledger/book-export/contract.ts'
import { openExport } from '../../ledger/book-export/operations.ts'
import { UsageError, type Arguments, type Command } from '../command.ts'
import { readEncryptionKey } from '../encryption-key.ts'
import { openDatabase } from '../open-database.ts'
import { openProgram } from '../program.ts'

export const exportBooks: Command = {
  name: 'export',
  summary: 'write the books of a business for hledger or beancount',
  help: `Writes every entry of a business as a plain-text journal whose balances equal those of Daybook to the cent: a second opinion.
The hledger file is read by ledger too. Compare with hledger bal --cost, ledger bal --basis, or bean-query and sum(cost(position)).`,
  options: {
    business: { value: 'id', meaning: 'whose books' },
    format: { value: 'name', meaning: EXPORT_FORMATS.join(' or ') },
    out: { value: 'file', meaning: 'write to this file, which must not exist, instead of printing' },
    'as-of': { value: 'date', meaning: 'only entries up to this date' },
  },
  async run({ options }) {
    const wanted = readWanted(options)
    if (wanted.out !== null && await access(wanted.out).then(() => true, () => false)) throw new Error(`${wanted.out} exists already. Name another file.`)
    const settings = readSettings(process.env)
    const opened = await openDatabase(settings)
    const program = openProgram({ settings, database_url: opened.url, encryption_key: await readEncryptionKey(settings), log: openLog('error') })
    try {
      await requireSchema(opened.url)
      const business = await findBusiness(program.database, wanted.business)
      if (!business) throw new Error(`There is no business ${wanted.business}.`)
      await write(program.database, business, wanted)
    } finally {
      await program.stop()
      await opened.stop()
    }
  },
}

type Wanted = { business: string; format: ExportFormat; out: string | null; as_of: string | undefined }

function readWanted({ business, format, out, 'as-of': as_of }: Arguments['options']): Wanted {
  const more = 'daybook export --help shows how it is used.'
  if (typeof business !== 'string' || !isUuid(business)) throw new UsageError(`--business is missing or is no id. ${more}`)
  const known = EXPORT_FORMATS.find((name) => name === format)
  if (!known) throw new UsageError(`--format must be ${EXPORT_FORMATS.join(' or ')}. ${more}`)
  if (typeof as_of === 'string' && !isDate(as_of)) throw new UsageError(`--as-of must be an existing date as YYYY-MM-DD. ${more}`)
  return { business: business.toLowerCase(), format: known, out: typeof out === 'string' ? out : null, as_of: typeof as_of === 'string' ? as_of : undefined }
}

async function write(database: Database, business: Business, { format, out, as_of }: Wanted): Promise<void> {
  const read = <T>(work: (tx: BusinessTx) => Promise<T>): Promise<T> =>
    transact(database, { business_id: business.id, read_only: true, request: plainRequest }, ({ asBusiness }) => work(asBusiness(system, business)))
  const { parts } = await read((tx) => openExport(tx, { format, as_of }))
  if (out === null) return print(parts(read))
  try {
    await pipeline(parts(read), createWriteStream(out, { flags: 'wx' }))
  } catch (error) {
    // Half a journal looks like a whole one.
    if ((error as { code?: string }).code !== 'EEXIST') await rm(out, { force: true })
    throw error
  }
}

/** Whoever reads may have enough before the end: `daybook export … | head`. */
async function print(parts: AsyncIterable<string>): Promise<void> {
  await pipeline(parts, process.stdout, { end: false }).catch((error: { code?: string }) => {
    if (error.code !== 'EPIPE') throw error
  })
}
