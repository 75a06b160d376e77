// Writing the books out, as they stand when it begins, a batch of entries at a time.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { Download, type Channel } from '../../foundation/endpoint.ts'
import type { ExportEntry, ExportFormat } from './contract.ts'
import { accountNames, entryText, prologue } from './rules.ts'
import * as store from './store.ts'

type Wanted = { format?: ExportFormat | undefined; as_of?: string | undefined }

const EXTENSIONS: Record<ExportFormat, string> = { hledger: 'journal', beancount: 'beancount' }

/** Reads in a transaction of its own. */
type Read = Channel<BusinessTx>['read']

type Opened = { file_name: string; parts: (read: Read) => AsyncIterable<string> }

export async function exportBooks(tx: BusinessTx, wanted: Wanted): Promise<Download> {
  const { file_name, parts } = await openExport(tx, wanted)
  return new Download('text/plain; charset=utf-8', file_name, parts)
}

/**
 * What comes after this transaction is read in ones of their own, up to the number that the journal has in it: entries never change
 * and their numbers have no gap, so it is one state of the books all the same.
 */
export async function openExport(tx: BusinessTx, { format = 'hledger', as_of }: Wanted): Promise<Opened> {
  const [{ journal_number, first_date, business_name }, ledgers] = await Promise.all([tx.get(store.extent, {}, 'Journal'), tx.many(store.ledgers)])
  const { base_currency } = tx.business
  const names = accountNames(format, ledgers)
  const begin = prologue(format, { business_name, base_currency, journal_number, as_of: as_of ?? null, first_date: first_date ?? tx.today }, ledgers, names)
  const write = (entries: readonly ExportEntry[]) => entries.map((entry) => entryText(format, entry, names, base_currency)).join('')
  return { file_name: `books-${as_of ?? tx.today}.${EXTENSIONS[format]}`, parts: (read) => partsOf(read, begin, write, journal_number, as_of ?? LAST_DATE) }
}

/** The last date that there can be. */
const LAST_DATE = '9999-12-31'

async function* partsOf(read: Read, begin: string, write: (entries: readonly ExportEntry[]) => string, upto: number, as_of: string): AsyncGenerator<string> {
  yield begin
  for (let after = 0; after < upto; ) {
    const from = after
    const entries = await read((tx) => nextEntries(tx, from, upto, as_of))
    if (entries.length > 0) yield write(entries)
    after = entries.at(-1)?.number ?? upto
  }
}

async function nextEntries(tx: BusinessTx, after: number, upto: number, as_of: string): Promise<ExportEntry[]> {
  const entries = await tx.many(store.entriesAfter, { after, upto, as_of })
  const lines = await tx.many(store.linesOf, { numbers: entries.map(({ number }) => number) })
  const own = Map.groupBy(lines, ({ entry_number }) => entry_number)
  return entries.map((entry) => ({ ...entry, lines: own.get(entry.number) ?? [] }))
}
