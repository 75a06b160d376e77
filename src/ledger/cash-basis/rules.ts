// The cash basis, line by line. An entry that opens a receivable or payable takes its income and expenses out again; an entry that
// settles it brings them back in, in the share that was paid. Both sides stand on the receivable, so every entry still balances.
import { addCents, divideRounded, splitCents } from '../../foundation/money.ts'
import type { BookLedger } from '../books/contract.ts'
import type { CashLine, OpenItem, Part } from './contract.ts'

/** A line as it is about to be written, with its ledger. */
export type WrittenLine = {
  id: string
  ledger: BookLedger
  currency: CashLine['currency']
  amount: number
  base_amount: number
  customer_id: string | null
  vendor_id: string | null
  project_id: string | null
  dimension_value_ids: string[]
  settles_line_id: string | null
}

export function isReceivableOrPayable(ledger: { role: string | null }): boolean {
  return ledger.role === 'accounts_receivable' || ledger.role === 'accounts_payable'
}

function isResult({ type }: BookLedger): boolean {
  return type === 'income' || type === 'expense'
}

/** Opens an item, which something may settle later. */
export function isItem(line: WrittenLine): boolean {
  return isReceivableOrPayable(line.ledger) && line.settles_line_id === null && line.amount !== 0
}

/** Takes the income and expenses of a document out until its items are paid; what is paid in the entry itself stays in. */
export function openingLines(lines: readonly WrittenLine[]): CashLine[] {
  const items = lines.filter(isItem)
  const counted = lines.filter(({ ledger }) => isResult(ledger))
  const owed = sumOfSizes(items)
  if (owed === 0n || counted.length === 0) return []
  const net = addCents(...items.map((line) => line.base_amount))
  const paid = lines.filter(isPaid).reduce((sum, line) => (Math.sign(line.base_amount) === Math.sign(net) ? sum + BigInt(Math.abs(line.base_amount)) : sum), 0n)
  // Line by line and item by item the shares add up: what is paid comes first, then one item after another.
  const amounts = counted.map(({ base_amount }) => base_amount)
  let reached = paid
  let before = proportional(amounts, reached, owed + paid)
  return items.flatMap((item) => {
    reached += BigInt(Math.abs(item.base_amount))
    const now = proportional(amounts, reached, owed + paid)
    const parts = counted.map((line, position) => cashLine(item.id, line.id, line, (before[position] ?? 0) - (now[position] ?? 0)))
    before = now
    return balanced(item.id, item, parts)
  })
}

/**
 * Brings in what the entry pays of each item. `parts` and `items` are changed along: an entry may settle one item twice. What is settled
 * without payment counts on neither side: items that meet each other, as a credit and an invoice do, and what a write-off or discount takes.
 */
export function settlementLines(lines: readonly WrittenLine[], items: Map<string, OpenItem>, parts: Map<string, Part[]>): CashLine[] {
  const releases = lines.flatMap((line) => releaseOf(line, items, parts))
  const [first] = releases
  if (!first) return []
  const [debits, credits] = [sideOf(releases, 1), sideOf(releases, -1)]
  const met = minimum(debits.size, credits.size)
  const common = commonOf(shareOf(debits, met), shareOf(credits, met))
  const unpaid = lines.filter(isForgiving)
  return [debits, credits].flatMap((side) => {
    const meeting = proportional(side.amounts, common, absolute(side.whole))
    const forgiven = proportional(side.amounts, minimum(forgivenOf(unpaid, side.sign), side.size - met), side.size)
    const takers = unpaid.filter((line) => Math.sign(line.base_amount) === -side.sign)
    const weights = weightsOf(takers, sumOf(forgiven))
    let place = 0
    let taken = 0
    let before = takers.map(() => 0)
    return side.releases.flatMap(({ line, item, waiting, amounts }) => balanced(item.id, line, waiting.flatMap((part, index) => {
      const [amount = 0, met_amount = 0, lost = 0] = [amounts[index], meeting[place], forgiven[place]]
      place += 1
      taken += lost
      const now = lost === 0 ? before : splitCents(taken, weights)
      const spread = takers.map((taker, at) => cashLine(item.id, part.document_line_id, taker, (now[at] ?? 0) - (before[at] ?? 0)))
      before = now
      return [
        cashLine(item.id, part.document_line_id, { ...part, currency: line.currency }, amount - met_amount - lost),
        // Both sides of what meets stand on one ledger, where they cancel out.
        cashLine(item.id, part.document_line_id, first.line, met_amount),
        ...spread,
      ]
    })))
  })
}

/** What a line that settles an item sets free of each line that waits for it. */
type Release = { line: WrittenLine; item: OpenItem; waiting: readonly Part[]; amounts: number[] }

function releaseOf(line: WrittenLine, items: Map<string, OpenItem>, parts: Map<string, Part[]>): Release[] {
  const item = items.get(line.settles_line_id ?? '')
  if (!item) return []
  const waiting = parts.get(item.id) ?? []
  item.settled += line.amount
  item.settled_base += line.base_amount
  const amounts = targets(waiting, item).map((target, index) => target - ((waiting[index]?.deferred ?? 0) - (waiting[index]?.remaining ?? 0)))
  for (const [index, part] of waiting.entries()) part.remaining -= amounts[index] ?? 0
  return [{ line, item, waiting, amounts }]
}

/** The settling debits or credits of an entry: how much they settle, and what they set free. */
type Side = { sign: 1 | -1; releases: Release[]; size: bigint; amounts: number[]; whole: bigint }

function sideOf(all: readonly Release[], sign: 1 | -1): Side {
  const releases = all.filter(({ line }) => Math.sign(line.amount) === sign)
  const amounts = releases.flatMap((release) => release.amounts)
  return { sign, releases, size: sumOfSizes(releases.map(({ line }) => line)), amounts, whole: sumOf(amounts) }
}

const shareOf = ({ whole, size }: Side, met: bigint): bigint => (size === 0n ? 0n : divideRounded(whole * met, size))

/** What an invoice and a credit have in common; the one that has more beyond it counts that. */
function commonOf(one: bigint, other: bigint): bigint {
  return one * other < 0n ? minimum(absolute(one), absolute(other)) : 0n
}

/**
 * Gives up what is owed, with the tax on it. Whatever else stands against it pays for it, money or not: tax withheld, the owner, a thing
 * taken in payment. These lines count as they are, and so does what they settle.
 */
function isForgiving({ ledger }: WrittenLine): boolean {
  if (ledger.role === 'realized_fx') return false
  return isResult(ledger) || ledger.role === 'sales_tax_payable' || ledger.role === 'sales_tax_recoverable'
}

/** How much is given up. Money on top of what is settled, with a fee as its other side, gives up nothing. */
function forgivenOf(unpaid: readonly WrittenLine[], sign: 1 | -1): bigint {
  const net = unpaid.reduce((sum, line) => sum + BigInt(line.base_amount), 0n)
  return net * BigInt(sign) < 0n ? absolute(net) : 0n
}

/** Income and expenses give way first, as far as they go: what a write-off does to tax stays as it is. */
function weightsOf(takers: readonly WrittenLine[], loss: bigint): bigint[] {
  const sizes = takers.map((line) => BigInt(Math.abs(line.base_amount)))
  if (loss === 0n) return sizes
  const in_result = takers.map(({ ledger }) => isResult(ledger))
  const total = (wanted: boolean) => sizes.reduce((sum, size, index) => (in_result[index] === wanted ? sum + size : sum), 0n)
  const [results, others] = [total(true), total(false)]
  const first = minimum(absolute(loss), results)
  return sizes.map((size, index) => (in_result[index] ? size * first * (others || 1n) : size * (absolute(loss) - first) * (results || 1n)))
}

/** The revaluation of a receivable or payable does not count on the cash basis at all. */
export function revaluationLines(lines: readonly WrittenLine[]): CashLine[] {
  const gain = lines.find(({ ledger }) => ledger.role === 'unrealized_fx')
  if (!gain) return []
  return lines.filter(({ ledger }) => isReceivableOrPayable(ledger)).flatMap((line) => balanced(line.id, line, [cashLine(line.id, null, gain, line.base_amount)]))
}

/** What a reversal does: the opposite of what the entry did. */
export function oppositeLines(lines: readonly CashLine[]): CashLine[] {
  return lines.map((line) => ({ ...line, base_amount: -line.base_amount }))
}

/** How much of each part counts once the item is settled as far as it is. */
function targets(parts: readonly Part[], item: OpenItem): number[] {
  const whole = absolute(BigInt(item.amount))
  return proportional(parts.map(({ deferred }) => deferred), minimum(absolute(BigInt(item.settled)), whole), whole)
}

/** The share of each amount, by largest remainder: together they are the share of the sum. */
function proportional(amounts: readonly number[], share: bigint, whole: bigint): number[] {
  if (share === 0n || whole === 0n) return amounts.map(() => 0)
  const exact = amounts.map((amount) => BigInt(amount) * share)
  const floors = exact.map((value) => value / whole)
  const wanted = divideRounded(exact.reduce((sum, value) => sum + value, 0n), whole)
  let missing = Number(wanted - floors.reduce((sum, value) => sum + value, 0n))
  const step = missing < 0 ? -1 : 1
  const order = exact.map((value, index) => ({ index, rest: (value % whole) * BigInt(step) })).sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  const result = floors.map(Number)
  for (const { index } of order) {
    if (missing === 0) break
    result[index] = (result[index] ?? 0) + step
    missing -= step
  }
  return result
}

/** Money, or money that came earlier as a deposit. */
function isPaid({ ledger }: WrittenLine): boolean {
  return ledger.is_bank || ['undeposited_funds', 'processor_clearing', 'customer_deposits', 'vendor_prepayments'].includes(ledger.role ?? '')
}

type Place = { ledger_id?: string; ledger?: BookLedger; currency: CashLine['currency'] } & Pick<CashLine, 'customer_id' | 'vendor_id' | 'project_id' | 'dimension_value_ids'>

function cashLine(item_line_id: string, document_line_id: string | null, place: Place, base_amount: number): CashLine {
  const { customer_id, vendor_id, project_id, dimension_value_ids, currency } = place
  return { item_line_id, document_line_id, ledger_id: place.ledger?.id ?? place.ledger_id ?? '', currency, base_amount, customer_id, vendor_id, project_id, dimension_value_ids }
}

/** The lines with their other side on the receivable or payable; nothing where nothing moves. */
function balanced(item_line_id: string, control: WrittenLine, lines: CashLine[]): CashLine[] {
  const moving = lines.filter((line) => line.base_amount !== 0)
  const other = cashLine(item_line_id, null, control, -addCents(...moving.map((line) => line.base_amount)))
  return other.base_amount === 0 ? moving : [...moving, other]
}

const sumOf = (amounts: readonly number[]): bigint => amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)

function sumOfSizes(lines: readonly WrittenLine[]): bigint {
  return lines.reduce((sum, line) => sum + BigInt(Math.abs(line.base_amount)), 0n)
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)
const minimum = (a: bigint, b: bigint): bigint => (a < b ? a : b)
