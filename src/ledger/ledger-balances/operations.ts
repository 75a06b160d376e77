// Reading what stands on the ledgers at a date.
import { firstDayOfMonth } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Currency } from '../../foundation/money.ts'
import { readChart } from '../ledgers/operations.ts'
import type { Ledgers } from '../ledgers/rules.ts'
import type { BalancesQuery, LedgerBalance, LedgerBalances, LedgerTree } from './contract.ts'
import { balancesByLedger, baseBalance, ownBalance, treeOf, type Standing } from './rules.ts'
import * as store from './store.ts'

export async function listBalances(tx: BusinessTx, query: BalancesQuery): Promise<LedgerBalances> {
  const { ledgers, balances, asked } = await read(tx, query)
  const shown = [...ledgers.values()].filter((ledger) => ledger.posting && !ledger.merged_into_id && (!ledger.archived || balances.get(ledger.id)?.length))
  return {
    ...asked,
    ledgers: shown.map(({ id, number, name, type, subtype, currency }) => {
      const currencies = balances.get(id) ?? []
      return {
        ledger_id: id, number, name, type, subtype, currency, balance: ownBalance(currency, currencies), base_balance: baseBalance(currencies), currencies,
      }
    }),
  }
}

export async function getTree(tx: BusinessTx, query: BalancesQuery): Promise<LedgerTree> {
  const { ledgers, balances, asked } = await read(tx, query)
  return { ...asked, types: treeOf(ledgers, balances) }
}

type Read = { ledgers: Ledgers; balances: Map<string, LedgerBalance['currencies']>; asked: Pick<LedgerTree, 'as_of' | 'basis' | 'base_currency'> }

async function read(tx: BusinessTx, { as_of = null, basis = 'accrual' }: { as_of?: string | null; basis?: 'accrual' | 'cash' }): Promise<Read> {
  const base_currency = tx.business.base_currency as Currency
  const [{ ledgers }, rows] = await Promise.all([
    readChart(tx),
    as_of === null ? tx.many(store.balancesNow) : tx.many(store.balancesAt, { as_of, month: firstDayOfMonth(as_of) }),
  ])
  const standings = rows.map(({ ledger_id, currency, amount, base_amount, cash_amount }): Standing => {
    if (basis === 'accrual') return { ledger_id, currency, amount, base_amount }
    return { ledger_id, currency, amount: currency === base_currency ? cash_amount : null, base_amount: cash_amount }
  })
  return { ledgers, balances: balancesByLedger(ledgers, standings), asked: { as_of, basis, base_currency } }
}
