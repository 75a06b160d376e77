// Seeing and moving the roles of ledgers.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { Currency } from '../../foundation/money.ts'
import { notFound } from '../../foundation/refusal.ts'
import { readBooks } from '../books/operations.ts'
import { isReceivableOrPayable } from '../cash-basis/rules.ts'
import { ROLE_NAMES, ROLES, type LedgerRole, type LedgerRow } from '../ledgers/contract.ts'
import { balancesOf, lockChart, saveLedgers, type LedgerChange } from '../ledgers/operations.ts'
import { mergedInto, type Chart } from '../ledgers/rules.ts'
import type { LedgerRoleEntry } from './contract.ts'
import { NEEDED_BY, requireFit, requireNothingOpen, requireOwnCurrency } from './rules.ts'
import * as store from './store.ts'

export async function listRoles(tx: BusinessTx): Promise<LedgerRoleEntry[]> {
  const { books } = await readBooks(tx)
  const holders = new Map([...books.ledgers.values()].map((ledger) => [ledger.role, ledger]))
  return ROLE_NAMES.map((role) => entryOf(role, holders.get(role) ?? null))
}

export async function setRole(tx: BusinessTx, role: LedgerRole, ledger_id: string): Promise<LedgerRoleEntry> {
  const { chart } = await lockChart(tx)
  const ledger = chart.ledgers.get(ledger_id)
  if (!ledger) throw notFound(`Ledger ${ledger_id}`)
  if (ledger.role === role) return entryOf(role, ledger)
  const holder = [...chart.ledgers.values()].find((one) => one.role === role)
  requireFit(role, ledger, mergedInto(chart.ledgers, ledger_id).length > 0)
  requireOwnCurrency(role, ledger, (await tx.many(store.currenciesOf, { ledger_id })).map(({ currency }) => currency))
  for (const one of holder ? [holder, ledger] : [ledger]) await requireSettled(tx, chart, role, one)
  const lost: LedgerChange[] = holder ? [{ before: holder, after: changed(holder, { role: null }, tx.now) }] : []
  saveLedgers(tx, 'ledger.role_changed', [...lost, { before: ledger, after: changed(ledger, { role }, tx.now) }])
  return entryOf(role, ledger)
}

async function requireSettled(tx: BusinessTx, chart: Chart, role: LedgerRole, ledger: LedgerRow): Promise<void> {
  const open = isReceivableOrPayable({ role }) ? await tx.find(store.countOpenItems, { ledger_id: ledger.id }) : null
  requireNothingOpen(role, ledger, await balancesOf(tx, chart, ledger), open?.count ?? 0, tx.business.base_currency as Currency)
}

type Named = Pick<LedgerRow, 'id' | 'number' | 'name' | 'currency'>

function entryOf(role: LedgerRole, ledger: Named | null): LedgerRoleEntry {
  return {
    role,
    type: ROLES[role],
    ledger: ledger && { id: ledger.id, number: ledger.number, name: ledger.name, currency: ledger.currency },
    needed_by: [...NEEDED_BY[role]],
  }
}
