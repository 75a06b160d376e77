// Which ledger an agency can be owed on, and what the records of the tax set-up have in common.
import { canonicalJson } from '../../foundation/canonical.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { BookLedger, Books } from '../books/contract.ts'
import type { TaxAgency } from './contract.ts'

/** What is owed after filing stands apart from what documents collect, so it cannot be a ledger that the service uses for something else. */
export function requirePayableLedger(books: Books, ledger_id: string): BookLedger {
  const ledger = books.ledgers.get(ledger_id)
  if (!ledger) throw notFound(`Payable ledger ${ledger_id}`)
  if (ledger.type !== 'liability') throw invalid(`${ledger.name} is of the type ${ledger.type}: the payable ledger of an agency must be a liability.`)
  if (ledger.archived || ledger.merged_into_id) throw invalid(`${ledger.name} is archived: restore it, or choose another ledger.`)
  if (!ledger.posting) throw invalid(`${ledger.name} is a heading: choose a ledger that takes lines.`)
  if (ledger.is_bank) throw invalid(`${ledger.name} is a card or a line of credit: choose a liability that no bank keeps.`)
  if (ledger.role) throw invalid(`${ledger.name} has the role ${ledger.role}: choose a ledger without one.`)
  return ledger
}

/** A name for the ledger of a new agency that no other ledger at the top of the chart has. */
export function payableName(books: Books, agency_name: string): string {
  const taken = new Set([...books.ledgers.values()].filter(({ parent_id }) => parent_id === null).map(({ name }) => name.toLowerCase()))
  const wanted = `${agency_name} payable`
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted} ${number}`
    if (!taken.has(name.toLowerCase())) return name
  }
}

export function requireUsable(agency: TaxAgency): void {
  if (agency.archived) throw invalid(`The tax agency “${agency.name}” is archived: restore it first.`)
}

/** Whether an update says anything new. */
export function differs<Row extends object>(row: Row, changes: Partial<Row>): boolean {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return given.some(([key, value]) => canonicalJson(value) !== canonicalJson(row[key as keyof Row]))
}

/** Putting away and taking out again have events of their own. */
export function kindOfChange(before: { archived: boolean }, after: { archived: boolean }): 'updated' | 'archived' | 'restored' {
  if (before.archived === after.archived) return 'updated'
  return after.archived ? 'archived' : 'restored'
}

/** The records in the order of these ids; 404 naming the first that is not there. */
export function inOrder<Row extends { id: string }>(what: string, ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    if (!row) throw notFound(`${what} ${id}`)
    return row
  })
}
