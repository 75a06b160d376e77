// Open items on their way to being settled.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { formatCents } from '../../foundation/money.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { CashLine, OpenItem, Part } from './contract.ts'
import * as store from './store.ts'

/** The items that some lines settle, and what waits for each. */
export type Settling = { items: Map<string, OpenItem>; parts: Map<string, Part[]> }

type Line = { ledger_id: string; amount: number; currency?: string | undefined; customer_id?: string | null | undefined; vendor_id?: string | null | undefined; settles_line_id?: string | null | undefined }

/** Reads the items under the lock of the journal; refuses to settle what is not open, or more than is. */
export async function itemsSettledBy(tx: BusinessTx, postings: readonly { currency?: string | undefined; lines: readonly Line[] }[]): Promise<Settling> {
  const ids = [...new Set(postings.flatMap(({ lines }) => lines.flatMap((line) => line.settles_line_id ?? [])))]
  if (ids.length === 0) return { items: new Map(), parts: new Map() }
  const [found, parts] = await Promise.all([tx.many(store.itemsByIds, { ids }), tx.many(store.partsOf, { ids })])
  const items = new Map(found.map((item) => [item.id, item]))
  const open = new Map(found.map((item) => [item.id, item.amount + item.settled]))
  for (const { currency, lines } of postings) {
    for (const [index, line] of lines.entries()) {
      if (line.settles_line_id) requireSettles(items, open, { ...line, currency: line.currency ?? currency ?? tx.business.base_currency }, index + 1)
    }
  }
  return { items, parts: Map.groupBy(parts, ({ item_line_id }) => item_line_id) }
}

/** What the cash basis made of these entries, by entry. */
export async function cashLinesOfEntries(tx: BusinessTx, numbers: readonly number[]): Promise<Map<string, CashLine[]>> {
  const lines = await tx.many(store.cashLinesOf, { numbers })
  return new Map([...Map.groupBy(lines, ({ entry_id }) => entry_id)].map(([id, own]) => [id, own.map(({ entry_id: _entry, ...line }) => line)]))
}

/** What the cash basis makes of entries, and its balances, with the commit. */
export function writeCashLines(tx: BusinessTx, lines: readonly CashLine[]): void {
  if (lines.length > 0) tx.queue(store.insertCashLines, { lines: JSON.stringify(lines) })
}

function requireSettles(items: Map<string, OpenItem>, open: Map<string, number>, line: Line, position: number): void {
  const item = items.get(line.settles_line_id ?? '')
  if (!item) throw notFound(`Line ${line.settles_line_id}, which line ${position} settles,`)
  const left = open.get(item.id) ?? 0
  if (item.settles_line_id !== null) throw invalid(`Line ${position} settles a line that itself settles another: name the first one.`)
  if (item.ledger_id !== line.ledger_id) throw invalid(`Line ${position} must stand on the ledger of the line that it settles.`)
  if (item.currency !== line.currency) throw invalid(`Line ${position} must be in ${item.currency}, as the line that it settles.`)
  if ((item.customer_id ?? null) !== (line.customer_id ?? null) || (item.vendor_id ?? null) !== (line.vendor_id ?? null)) {
    throw invalid(`Line ${position} must have the same customer or vendor as the line that it settles.`)
  }
  if (Math.sign(line.amount) !== -Math.sign(left) || Math.abs(line.amount) > Math.abs(left)) {
    throw invalid(`Line ${position} settles ${formatCents(-line.amount, item.currency)} where ${formatCents(left, item.currency)} ${item.currency} is open.`)
  }
  open.set(item.id, left + line.amount)
}
