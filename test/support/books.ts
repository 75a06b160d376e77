// Books for tests: the ledgers of a new business by name, and postings straight through the door.
import { findBusiness } from '../../src/access/lookup.ts'
import { asSystem } from '../../src/foundation/database/transact.ts'
import type { BusinessTx } from '../../src/foundation/database/transaction.ts'
import type { PostedEntry } from '../../src/ledger/journal/contract.ts'
import type { Posting, PostingLine } from '../../src/ledger/posting/contract.ts'
import { postEntries } from '../../src/ledger/posting/operations.ts'
import { sql } from './people.ts'
import { service } from './service.ts'

/** Runs work of the service itself in a business. */
export async function inside<T>(business_id: string, work: (tx: BusinessTx) => Promise<T>): Promise<T> {
  const { program } = await service()
  const business = await findBusiness(program.database, business_id)
  if (!business) throw new Error(`There is no business ${business_id}.`)
  return asSystem(program.database, business, 'test', work)
}

/** The ids of the ledgers of the default chart, by name and by role. */
export async function chartOf(business_id: string): Promise<{ named: (name: string) => string; role: (role: string) => string }> {
  const rows = await sql('select id, name, role from ledgers where business_id = $1', [business_id])
  const find = (key: 'name' | 'role', value: string): string => {
    const found = rows.find((row) => row[key] === value)
    if (!found) throw new Error(`The chart has no ledger with the ${key} ${value}.`)
    return found.id
  }
  return { named: (name) => find('name', name), role: (role) => find('role', role) }
}

type Given = Omit<Posting, 'lines' | 'source_type'> & { source_type?: string; lines: readonly (PostingLine | readonly [ledger_id: string, amount: number])[] }

/** Posts entries; a line may be written as a pair of ledger and signed amount. */
export function post(business_id: string, ...entries: Given[]): Promise<PostedEntry[]> {
  const postings = entries.map((entry): Posting => ({
    source_type: 'manual',
    ...entry,
    lines: entry.lines.map((line) => ('ledger_id' in line ? line : { ledger_id: line[0], amount: line[1] })),
  }))
  return inside(business_id, (tx) => postEntries(tx, postings))
}
