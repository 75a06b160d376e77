// What may be done with a location.
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { nameOf } from '../../ledger/posting/rules.ts'
import type { LedgerType } from '../../ledger/ledgers/contract.ts'

type Use = { moved: boolean; filled: boolean; drafted: boolean }
type Named = { name: string; is_default: boolean }

/** A ledger that somebody chose must be there, of that type, and take lines. */
export function requireLedger(books: Books, ledger_id: string | null | undefined, type: LedgerType, field: string): void {
  if (!ledger_id) return
  const ledger = books.ledgers.get(ledger_id)
  if (!ledger) throw notFound(`Ledger ${ledger_id} of ${field}`)
  if (ledger.type !== type) throw invalid(`${nameOf(ledger)} is of type ${ledger.type}: ${field} needs a ledger of type ${type}.`)
  if (ledger.archived || !ledger.posting || ledger.merged_into_id) throw invalid(`${nameOf(ledger)} takes no lines: ${field} needs a ledger that is in use.`)
}

export function requireNotDefault({ name, is_default }: Named): void {
  if (is_default) throw invalid(`${name} is the default location: make another one the default first.`)
}

export function requireArchivable(location: Named, { filled, drafted }: Use): void {
  requireNotDefault(location)
  if (filled) throw invalid(`Stock is at ${location.name}: move it elsewhere first.`)
  if (drafted) throw invalid(`A draft of an adjustment names ${location.name}: post or delete it first.`)
}

export function requireDeletable(location: Named, { moved, drafted }: Use): void {
  requireNotDefault(location)
  if (moved || drafted) throw invalid(`${location.name} is used: archive it instead.`)
}

/** What stands on the old ledger would be left there. */
export function requireEmptyForLedger({ name }: { name: string }, filled: boolean): void {
  if (filled) throw invalid(`Stock of ${name} stands on its ledger: change the ledger once there is none.`)
}
