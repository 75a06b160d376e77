// Selling on account: invoices, what became of them, and what that does to the books.
import { addDays } from '../../foundation/calendar.ts'
import { applyRate, splitCents, type Currency } from '../../foundation/money.ts'
import type { Journal, Posting } from './journal.ts'
import type { Offer } from './offers.ts'
import type { Buyer, Entry, Item, Sale, SaleLine } from './plan.ts'
import type { Random } from '../../foundation/random.ts'

export type Selling = {
  offer: Offer
  sales: Sale[]
  buyer(place: number): Buyer
  anyBuyer(): Buyer
  /** So many of an item as come to about this much. */
  line(code: string, cents: number, more?: Partial<SaleLine>): SaleLine
  /** An invoice, and its payment so many days later as a rule. */
  sell(buyer: Buyer, date: string, lines: readonly SaleLine[], pays_within: readonly [number, number], more?: Partial<Sale>): void
}

/** How many invoices lie between two that go wrong in the same way; no two of them meet often. */
const LATE_EVERY = 13
const IN_PARTS_EVERY = 19
const NEVER_EVERY = 61

export function openSelling(random: Random, journal: Journal, offer: Offer, last_day: string): Selling {
  const sales: Sale[] = []
  const selling: Selling = {
    offer,
    sales,
    buyer: (place) => offer.buyers[place % offer.buyers.length] ?? offer.buyers[0],
    anyBuyer: () => random.pick(offer.buyers),
    line(code, cents, more = {}) {
      const item = itemOf(offer, code)
      const quantity = item.price === null ? 1 : Math.max(1, Math.round(cents / item.price))
      return { item: code, ledger: item.ledger, quantity, unit_price: item.price ?? cents, ...more }
    },
    sell(buyer, date, lines, pays_within, more = {}) {
      const total = totalOf(lines)
      const days = random.between(...pays_within)
      const count = sales.length + 1
      if (date > last_day || total === 0) return
      const sale: Sale = {
        external_id: `demo-${count}`, date, buyer: buyer.name, currency: buyer.currency ?? 'USD', lines: [...lines],
        written_off_on: null, opening: false, draft: false, ...more,
        payments: count % NEVER_EVERY === 0 ? [] : paymentsOf(date, total, days + (count % LATE_EVERY === 0 ? 45 : 0), count % IN_PARTS_EVERY === 0),
      }
      const given_up = addDays(date, 130)
      sale.payments = sale.payments.filter((payment) => payment.date <= last_day)
      if (sale.payments.length === 0 && given_up <= last_day) sale.written_off_on = given_up
      sales.push(sale)
      for (const entry of postingsOf(sale, (currency, day) => journal.rateOn(currency, day))) {
        const { lines: posted, date: day, memo, ...rest } = entry
        journal.post(day, memo, posted.map(({ ledger, amount, ...line }): Posting => [ledger, amount, line]), { ...rest, document: true })
      }
    },
  }
  return selling
}

function paymentsOf(date: string, total: number, days: number, in_parts: boolean): Sale['payments'] {
  const [first = total, second = 0] = in_parts ? splitCents(total, [3, 2]) : [total]
  return [{ date: addDays(date, days), amount: first }, ...(second > 0 ? [{ date: addDays(date, days + 38), amount: second }] : [])]
}

export function itemOf({ items }: Pick<Offer, 'items'>, code: string): Item {
  const found = items.find((item) => item.code === code)
  if (!found) throw new Error(`Nobody sells ${code}`)
  return found
}

/** With the tax on it. */
export const totalOf = (lines: readonly SaleLine[]): number =>
  lines.reduce((sum, { quantity, unit_price, tax }) => sum + quantity * unit_price + (tax ?? 0), 0)

/** The entries that an invoice and what became of it make: what its client can reckon with. */
export function postingsOf(sale: Sale, rateOn: (currency: Currency, date: string) => string): Entry[] {
  const { currency, lines, opening } = sale
  if (sale.draft) return []
  const total = totalOf(lines)
  const worth = (amount: number, date: string) => (currency === 'USD' ? amount : applyRate(amount, rateOn(currency, date)))
  const income = opening
    ? [{ ledger: '3800', amount: -total }]
    : lines.map(({ ledger, quantity, unit_price, department, tax_code }) =>
        ({ ledger, amount: -quantity * unit_price, ...(department !== undefined && { department }), ...(tax_code !== undefined && { tax_code }) }))
  const tax = lines.reduce((sum, line) => sum + (line.tax ?? 0), 0)
  const issued: Entry = {
    date: sale.date, memo: `Invoice to ${sale.buyer}`, ...(currency !== 'USD' && { currency }),
    lines: [{ ledger: '1100', amount: total }, ...income, ...(tax > 0 ? [{ ledger: '2200', amount: -tax }] : [])],
  }
  const carried = worth(total, sale.date)
  const shares = splitCents(carried, [...sale.payments.map(({ amount }) => amount), total - sale.payments.reduce((sum, { amount }) => sum + amount, 0)])
  const settled = sale.payments.map(({ date, amount }, index): Entry => {
    const [received, share] = [worth(amount, date), shares[index] ?? 0]
    const moved = [{ ledger: '1000', amount: received }, { ledger: '1100', amount: -share }, { ledger: '4950', amount: share - received }]
    return { date, memo: `Paid by ${sale.buyer}`, lines: moved.filter((line) => line.amount !== 0) }
  })
  const lost: Entry[] = sale.written_off_on === null ? [] : [{
    date: sale.written_off_on, memo: `Given up, ${sale.buyer}`, lines: [{ ledger: '6600', amount: carried }, { ledger: '1100', amount: -carried }],
  }]
  return [issued, ...settled, ...lost]
}

/** What was owed on the first day, by the buyers in turn: the greater part comes in soon. */
export function openReceivables({ buyer, sell }: Selling, random: Random, owed: number, first_day: string): void {
  if (owed === 0) return
  for (const [place, amount] of splitCents(owed, [31, 27, 24, 18].map((weight) => weight + random.between(0, 9))).entries()) {
    const line: SaleLine = { item: null, description: 'Open from before', ledger: '3800', quantity: 1, unit_price: amount }
    sell(buyer(place), first_day, [line], place < 2 ? [7, 12] : [24, 33], { opening: true })
  }
}

/** Written and not sent yet, in the month that runs. */
export function draftSales({ buyer, line, offer, sales }: Selling, random: Random, this_month: string, department: string | undefined): Sale[] {
  const [item] = offer.items
  if (!item) return []
  return [0, 1].map((place): Sale => {
    const { name, currency = 'USD' } = buyer(place + 3)
    const lines = [line(item.code, random.money(2_650, 0.4), department === undefined ? {} : { department })]
    const external_id = `demo-${sales.length + place + 1}`
    return { external_id, date: this_month, buyer: name, currency, lines, payments: [], written_off_on: null, opening: false, draft: true }
  })
}
