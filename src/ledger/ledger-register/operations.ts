// Reading the register of a ledger.
import { firstDayOfMonth } from '../../foundation/calendar.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { notFound } from '../../foundation/refusal.ts'
import { signOf } from '../ledgers/rules.ts'
import type { RegisterPage } from './contract.ts'
import { earliestOf, withBalances, type Opening } from './rules.ts'
import * as store from './store.ts'

type RegisterQuery = PageQuery & { start_date?: string; end_date?: string; include_superseded?: boolean }

export async function listLines(tx: BusinessTx, ledger_id: string, { include_superseded = false, ...query }: RegisterQuery): Promise<RegisterPage> {
  const ledgers = await tx.many(store.ledgerWithMerged, { ledger_id })
  const ledger = ledgers.find(({ id }) => id === ledger_id)
  if (!ledger) throw notFound('Ledger')
  const ledger_ids = ledgers.map(({ id }) => id)
  const asked = { ...query, ...(ledger_ids.length > 1 ? { ledger_ids } : { ledger_id }), ...(include_superseded ? {} : { superseded: false }) }
  const page = await tx.page(store.lines, asked)
  const earliest = earliestOf(page.items)
  // A page without lines opens with what stood before the time that was asked for.
  const from = earliest ?? (query.start_date ? { date: query.start_date, id: FIRST_ID } : null)
  const opening: Opening = from
    ? await tx.get(store.balanceBefore, {
      ledger_ids, currency: ledger.currency, month: firstDayOfMonth(from.date), date: from.date, id: from.id, with_superseded: include_superseded,
    }, 'Balance')
    : { amount: 0, base_amount: 0 }
  const sign = signOf(ledger.type)
  return {
    ...page,
    items: withBalances(page.items, opening, ledger),
    opening_balance: sign * opening.amount + 0,
    opening_base_balance: sign * opening.base_amount + 0,
  }
}

/** No line has an id before this one. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
