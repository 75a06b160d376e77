// The running receivable of a customer, and whose credit limit counts.
import { addCents, subtractCents } from '../../foundation/money.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import type { CustomerRow } from '../customers/contract.ts'
import { ancestorsOf, type Tree } from '../customers/rules.ts'
import type { CustomerCredit, CustomerLine, LineRow } from './contract.ts'

/** The ledger of this role, and those that are merged into it. */
export function ledgersOfRole(ledgers: ReadonlyMap<string, BookLedger>, role: string): string[] {
  const all = [...ledgers.values()]
  const own = new Set(all.filter((ledger) => ledger.role === role).map(({ id }) => id))
  return all.filter(({ id, merged_into_id }) => own.has(id) || (merged_into_id !== null && own.has(merged_into_id))).map(({ id }) => id)
}

/** The lines of a page come in one order or the other. */
export function earliestOf(lines: readonly LineRow[]): LineRow | null {
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) return null
  return first.date < last.date || (first.date === last.date && first.id <= last.id) ? first : last
}

export function withBalances(lines: readonly LineRow[], opening: number): CustomerLine[] {
  const upward = lines[0] === earliestOf(lines)
  let balance = opening
  const running = (upward ? [...lines] : lines.toReversed()).map((line): CustomerLine => {
    balance = addCents(balance, line.base_amount)
    return { ...line, balance }
  })
  return upward ? running : running.reverse()
}

/** The customer itself where it has a limit, else the nearest one above that has; null where nobody has. */
export function limitHolder(tree: Tree, customer: CustomerRow, above: ReadonlyMap<string, CustomerRow>): CustomerRow | null {
  if (customer.credit_limit !== null) return customer
  return ancestorsOf(tree, customer.id).map((id) => above.get(id)).find((row) => row !== undefined && row.credit_limit !== null) ?? null
}

export function creditOf(holder: CustomerRow | null, used: number): CustomerCredit | null {
  if (holder === null || holder.credit_limit === null) return null
  return { customer_id: holder.id, limit: holder.credit_limit, used, left: subtractCents(holder.credit_limit, used) }
}
