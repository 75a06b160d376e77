// Reading what a customer owes.
import { firstDayOfMonth } from '../../foundation/calendar.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addCents, type Currency } from '../../foundation/money.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import type { CustomerRow } from '../customers/contract.ts'
import { customersByIds, readTree, requireCustomer, withAliases } from '../customers/operations.ts'
import { ancestorsOf, descendantsOf } from '../customers/rules.ts'
import type { CustomerActivity, CustomerBalance, CustomerCredit } from './contract.ts'
import { creditOf, earliestOf, ledgersOfRole, limitHolder, withBalances } from './rules.ts'
import * as store from './store.ts'

type BalanceQuery = { as_of?: string; known_at?: string }

export async function getBalance(tx: BusinessTx, customer_id: string, { as_of = tx.today, known_at }: BalanceQuery): Promise<CustomerBalance> {
  const { customer, customer_ids } = await meant(tx, customer_id)
  const [{ head, books }, credit, known] = await Promise.all([
    readBooks(tx), readCredit(tx, customer), known_at === undefined ? null : tx.find(store.lastNumberAt, { known_at }),
  ])
  const receivable_ids = ledgersOfRole(books.ledgers, 'accounts_receivable')
  const deposit_ids = ledgersOfRole(books.ledgers, 'customer_deposits')
  const last_number = known_at === undefined ? head.number : known?.number ?? 0
  const rows = await tx.many(store.balances, { customer_ids, receivable_ids, deposit_ids, as_of, last_number })
  const owed = rows.filter(({ receivable }) => receivable)
  return {
    customer_id: customer.id,
    as_of,
    known_at: known_at ?? null,
    base_currency: tx.business.base_currency as Currency,
    receivable: addCents(...owed.map(({ base_balance }) => base_balance)),
    deposits: -addCents(...rows.filter(({ receivable }) => !receivable).map(({ base_balance }) => base_balance)) + 0,
    currencies: owed.map(({ currency, balance, base_balance }) => ({ currency, balance, base_balance })),
    credit,
  }
}

type ActivityQuery = PageQuery & { start_date?: string; end_date?: string; include_superseded?: boolean }

export async function getActivity(tx: BusinessTx, customer_id: string, { include_superseded = false, ...query }: ActivityQuery): Promise<CustomerActivity> {
  const [{ customer, customer_ids }, { books }] = await Promise.all([meant(tx, customer_id), readBooks(tx)])
  const ledger_ids = ledgersOfRole(books.ledgers, 'accounts_receivable')
  const whose = customer_ids.length > 1 ? { customer_ids } : { customer_id: customer.id }
  const asked = { ...query, ...whose, ledger_ids, ...(include_superseded ? {} : { superseded: false }) }
  const page = await tx.page(store.lines, asked)
  // A page without lines opens with what stood before the time that was asked for.
  const from = earliestOf(page.items) ?? (query.start_date ? { date: query.start_date, id: FIRST_ID } : null)
  const opening = from ? (await tx.get(store.balanceBefore, {
    customer_ids, ledger_ids, month: firstDayOfMonth(from.date), date: from.date, id: from.id, with_superseded: include_superseded,
  }, 'Balance')).base_amount : 0
  return { ...page, items: withBalances(page.items, opening), opening_balance: opening }
}

/** No line has an id before this one. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** The customer that counts, and all whose lines are counted with it. */
async function meant(tx: BusinessTx, customer_id: string): Promise<{ customer: CustomerRow; customer_ids: string[] }> {
  const asked = await requireCustomer(tx, customer_id)
  const customer = asked.merged_into === null ? asked : await requireCustomer(tx, asked.merged_into)
  return { customer, customer_ids: await withAliases(tx, customer.id) }
}

async function readCredit(tx: BusinessTx, customer: CustomerRow): Promise<CustomerCredit | null> {
  if (customer.credit_limit === null && customer.parent_id === null) return null
  const tree = await readTree(tx, false)
  const holder = limitHolder(tree, customer, await customersByIds(tx, ancestorsOf(tree, customer.id)))
  if (!holder) return null
  const { used } = await tx.get(store.exposure, { ids: [holder.id, ...descendantsOf(tree, holder.id)] }, 'Balance')
  return creditOf(holder, used)
}
