// Putting balances together: by ledger and currency, and up the tree.
import { addCents, type Currency } from '../../foundation/money.ts'
import { LEDGER_TYPES, type LedgerRow } from '../ledgers/contract.ts'
import { normalSide, signOf, type Ledgers } from '../ledgers/rules.ts'
import type { LedgerBalance, LedgerNode, LedgerTree } from './contract.ts'

/** What stands on a ledger in one currency, debit positive. `amount` is null where only the base currency is known. */
export type Standing = { ledger_id: string; currency: Currency; amount: number | null; base_amount: number }

/** What counts for each ledger, merged ones included, in natural signs; currencies in which nothing stands are left out. */
export function balancesByLedger(ledgers: Ledgers, standings: readonly Standing[]): Map<string, LedgerBalance['currencies']> {
  const byLedger = new Map<string, Map<Currency, Standing[]>>()
  for (const standing of standings) {
    const ledger = ledgers.get(standing.ledger_id)
    const shown_id = ledger?.merged_into_id ?? standing.ledger_id
    const currencies = byLedger.get(shown_id) ?? new Map<Currency, Standing[]>()
    byLedger.set(shown_id, currencies.set(standing.currency, [...(currencies.get(standing.currency) ?? []), standing]))
  }
  return new Map([...byLedger].map(([ledger_id, currencies]) => {
    const sign = signOf(ledgers.get(ledger_id)?.type ?? 'asset')
    const summed = [...currencies].map(([currency, parts]) => ({
      currency,
      balance: parts.some(({ amount }) => amount === null) ? null : signed(sign, parts.map(({ amount }) => amount ?? 0)),
      base_balance: signed(sign, parts.map(({ base_amount }) => base_amount)),
    }))
    return [ledger_id, summed.filter((each) => each.balance || each.base_balance).toSorted((a, b) => (a.currency < b.currency ? -1 : 1))]
  }))
}

/** Adding zero turns the -0 that a sign leaves into 0. */
function signed(sign: 1 | -1, amounts: number[]): number {
  return sign * addCents(...amounts) + 0
}

export function baseBalance(currencies: LedgerBalance['currencies'] = []): number {
  return addCents(...currencies.map(({ base_balance }) => base_balance))
}

/** The balance in the ledger's own currency. Where nothing stands in it, that is zero in any currency. */
export function ownBalance(currency: Currency, currencies: LedgerBalance['currencies'] = []): number | null {
  const own = currencies.find((each) => each.currency === currency)
  return own ? own.balance : 0
}

/** The chart in the order given, nested; a ledger without a balance is left out if it is archived and so is all below it. */
export function treeOf(ledgers: Ledgers, balances: ReadonlyMap<string, LedgerBalance['currencies']>): LedgerTree['types'] {
  // A merged ledger is not shown: what is left below it moves up to its place.
  const placeOf = ({ parent_id }: LedgerRow): string | null => {
    const parent = parent_id === null ? undefined : ledgers.get(parent_id)
    return parent?.merged_into_id ? placeOf(parent) : parent_id
  }
  const children = Map.groupBy([...ledgers.values()].filter(({ merged_into_id }) => merged_into_id === null), placeOf)
  const nodesBelow = (parent_id: string | null): LedgerNode[] => (children.get(parent_id) ?? []).map(nodeOf).filter(isShown)
  const nodeOf = (ledger: LedgerRow): LedgerNode => {
    const below = nodesBelow(ledger.id)
    const base_balance = baseBalance(balances.get(ledger.id))
    return {
      id: ledger.id, number: ledger.number, name: ledger.name, type: ledger.type, subtype: ledger.subtype, currency: ledger.currency,
      posting: ledger.posting, is_bank: ledger.is_bank, role: ledger.role, archived: ledger.archived, normal_side: normalSide(ledger),
      base_balance, total: addCents(base_balance, ...below.map(({ total }) => total)), children: below,
    }
  }
  const roots = nodesBelow(null)
  return LEDGER_TYPES.map((type) => {
    const own = roots.filter((root) => root.type === type)
    return { type, total: addCents(...own.map(({ total }) => total)), ledgers: own }
  })
}

function isShown({ archived, base_balance, children }: LedgerNode): boolean {
  return !archived || base_balance !== 0 || children.length > 0
}
