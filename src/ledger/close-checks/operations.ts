// What the books themselves find in the way of closing a period; rooms above add their own.
import { formatCents, type Currency } from '../../foundation/money.ts'
import type { PeriodCheck } from '../accounting-periods/contract.ts'
import { tieOutsAt, type CloseCheck } from '../accounting-periods/operations.ts'
import * as store from './store.ts'

/** Every receivable and payable is made up of its items. */
export const controlAccountsCheck: CloseCheck = async (tx, { end_date }, books) => {
  const off = (await tieOutsAt(tx, books, end_date)).tie_outs.filter(({ difference }) => difference !== 0)
  const detail = off.length === 0 ? 'Receivables and payables equal their open items.' : `${off.map(({ role }) => role.replaceAll('_', ' ')).join(' and ')} differ from their open items.`
  return [{ key: 'control_accounts', severity: 'blocker', ok: off.length === 0, count: off.length, detail, href: `/reports/control-accounts?as_of=${end_date}` }]
}

const PARKED = ['uncategorized_income', 'uncategorized_expense', 'undeposited_funds']

/** Nothing is parked where it should not stay. */
export const parkedBalancesCheck: CloseCheck = async (tx, { end_date }) => {
  const balances = await tx.many(store.roleBalances, { roles: PARKED, end_date })
  return balances.map(({ role, name, balance, ledger_id }): PeriodCheck => {
    const amount = formatCents(balance, tx.business.base_currency as Currency)
    return {
      key: role ?? '',
      severity: 'warning',
      ok: balance === 0,
      count: balance === 0 ? 0 : 1,
      detail: balance === 0 ? `${name} is empty.` : `${name} holds ${amount} ${tx.business.base_currency}.`,
      href: `/ledgers/${ledger_id}/lines`,
    }
  })
}
