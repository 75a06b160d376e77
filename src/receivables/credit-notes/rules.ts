// How much of an invoice's lines a credit note takes back: in proportion, to the cent, and all of it once the last part is taken.
import { addCents, divideRounded, splitCents, toCents } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { LineTax, SalesLine, TaxMode } from '../sales-lines/contract.ts'
import { netOf } from '../sales-lines/rules.ts'

type Sold = Pick<SalesLine, 'id' | 'position' | 'quantity' | 'unit_price' | 'amount' | 'tax_amount' | 'tax_components'>
type CreditedPart = { invoice_line_id: string | null; quantity: number; amount: number; tax_components: readonly LineTax[] }

/** What of a line no credit note has taken back yet. `net` is income, `whole` what the customer was charged. */
export type Rest = { quantity: number; net: number; tax: number[]; whole: number; amount: number }

/** What a credit note takes back of a line. */
export type Share = Pick<SalesLine, 'quantity' | 'unit_price' | 'gross' | 'discount' | 'amount' | 'tax_amount' | 'tax_components'> & { quantity_credited: number }

/** Shares of the lines of one invoice: each that is taken leaves less for the next. */
export type Shares = {
  rest(line_id: string): Rest
  byQuantity(line_id: string, units: number): Share
  byAmount(line_id: string, amount: number): Share
  /** The rest of a line; null where nothing of it is left. */
  byRest(line_id: string): Share | null
  /** So much of the total, over all lines in proportion to what is left of them. */
  byTotal(total: number): { line_id: string; share: Share }[]
  left(): number
}

type Money = (cents: number) => string

export function openShares(lines: readonly Sold[], tax_mode: TaxMode, credited: readonly CreditedPart[], money: Money, document: string): Shares {
  const sold = new Map(lines.map((line) => [line.id, line]))
  const rests = new Map(lines.map((line) => [line.id, restOf(line, tax_mode, credited.filter((part) => part.invoice_line_id === line.id))]))
  const restOfLine = (id: string) => rests.get(id) as Rest
  const lineOf = (id: string) => sold.get(id) as Sold

  function take(line_id: string, units: number, { net, tax }: { net: number; tax: number[] }): Share {
    const line = lineOf(line_id)
    const rest = restOfLine(line_id)
    const tax_amount = addCents(...tax)
    const amount = tax_mode === 'inclusive' ? net + tax_amount : net
    const left = { quantity: rest.quantity - units, net: rest.net - net, tax: rest.tax.map((part, index) => part - (tax[index] ?? 0)) }
    rests.set(line_id, complete(left, tax_mode))
    // Units at their price, less what they were sold below it; an amount stands as one thing at that amount. Where notes before took units
    // and left their amount, the last units come to more than their price: then none is told.
    const priced = units * (line.unit_price ?? 0)
    const gross = units > 0 ? Math.max(amount, priced) : amount
    return {
      quantity: units > 0 ? units : 1,
      quantity_credited: units,
      unit_price: units > 0 ? (amount > priced ? null : line.unit_price) : amount,
      gross,
      discount: gross - amount,
      amount,
      tax_amount,
      tax_components: line.tax_components.map((component, index) => ({ ...component, amount: tax[index] ?? 0 })),
    }
  }

  const name = (line_id: string) => `Line ${lineOf(line_id).position} of ${document}`

  function amountOf(line_id: string, units: number, amount: number): Share {
    const line = lineOf(line_id)
    const rest = restOfLine(line_id)
    if (amount > rest.amount) throw invalid(`${name(line_id)} has ${money(rest.amount)} left to credit, less than ${money(amount)}.`)
    return take(line_id, units, tax_mode === 'inclusive' ? partOfWhole(line, rest, tax_mode, amount) : partOfNet(line, rest, amount))
  }

  return {
    rest: restOfLine,
    byAmount: (line_id, amount) => amountOf(line_id, 0, amount),
    byQuantity(line_id, units) {
      const line = lineOf(line_id)
      const rest = restOfLine(line_id)
      if (units > rest.quantity) throw invalid(`${name(line_id)} has ${rest.quantity} of ${line.quantity} units left to credit, not ${units}.`)
      const before = line.quantity - rest.quantity
      const upTo = (count: number) => toCents(divideRounded(BigInt(line.amount) * BigInt(count), BigInt(line.quantity)))
      return amountOf(line_id, units, units === rest.quantity ? rest.amount : upTo(before + units) - upTo(before))
    },
    byRest(line_id) {
      const { quantity, net, tax, whole } = restOfLine(line_id)
      return quantity === 0 && whole === 0 ? null : take(line_id, quantity, { net, tax })
    },
    byTotal(total) {
      const open = lines.filter(({ id }) => restOfLine(id).whole > 0)
      const left = addCents(...open.map(({ id }) => restOfLine(id).whole))
      if (total > left) throw invalid(`${document} has ${money(left)} left to credit, less than ${money(total)}.`)
      const parts = splitCents(total, open.map(({ id }) => restOfLine(id).whole))
      return open.flatMap((line, index) => {
        const part = parts[index] ?? 0
        return part === 0 ? [] : [{ line_id: line.id, share: take(line.id, 0, partOfWhole(line, restOfLine(line.id), tax_mode, part)) }]
      })
    },
    left: () => addCents(...[...rests.values()].map(({ whole }) => whole)),
  }
}

function restOf(line: Sold, tax_mode: TaxMode, credited: readonly CreditedPart[]): Rest {
  const amount = addCents(...credited.map((part) => part.amount))
  const taken = (rate_id: string) => addCents(...credited.flatMap((part) => part.tax_components.filter((component) => component.rate_id === rate_id).map((component) => component.amount)))
  const tax = line.tax_components.map((component) => component.amount - taken(component.rate_id))
  const taxed = addCents(...line.tax_components.map((component) => taken(component.rate_id)))
  const net = netOf(line, tax_mode) - (tax_mode === 'inclusive' ? amount - taxed : amount)
  return complete({ quantity: line.quantity - addCents(...credited.map(({ quantity }) => quantity)), net, tax }, tax_mode)
}

function complete({ quantity, net, tax }: Pick<Rest, 'quantity' | 'net' | 'tax'>, tax_mode: TaxMode): Rest {
  const whole = net + addCents(...tax)
  return { quantity, net, tax, whole, amount: tax_mode === 'inclusive' ? whole : net }
}

/** So much income of a line, with the tax that belongs to it. */
function partOfNet(line: Sold, rest: Rest, net: number): { net: number; tax: number[] } {
  if (net === rest.net) return { net, tax: rest.tax }
  return { net, tax: taxUpTo(line, rest, line.amount - rest.net + net, line.amount) }
}

/** So much of what the customer was charged for a line, split into income and tax. */
function partOfWhole(line: Sold, rest: Rest, tax_mode: TaxMode, whole: number): { net: number; tax: number[] } {
  if (whole === rest.whole) return { net: rest.net, tax: rest.tax }
  const all = netOf(line, tax_mode) + line.tax_amount
  const wanted = taxUpTo(line, rest, all - rest.whole + whole, all)
  const tax = fitted(wanted, rest.tax, Math.max(0, whole - rest.net), whole)
  return { net: whole - addCents(...tax), tax }
}

/** Of each component what is due once so much of the whole is credited, less what was credited before. */
function taxUpTo({ tax_components }: Sold, rest: Rest, reached: number, whole: number): number[] {
  return tax_components.map(({ amount }, index) => {
    const left = rest.tax[index] ?? 0
    const due = toCents(divideRounded(BigInt(amount) * BigInt(reached), BigInt(whole || 1))) - (amount - left)
    return Math.min(Math.max(0, due), left)
  })
}

/** The parts, changed as little as it takes for their sum to lie between two bounds, none above what is left of it. */
function fitted(parts: readonly number[], left: readonly number[], least: number, most: number): number[] {
  const sum = addCents(...parts)
  let change = sum < least ? least - sum : sum > most ? most - sum : 0
  return parts.map((part, index) => {
    const step = change > 0 ? Math.min(change, (left[index] ?? 0) - part) : Math.max(change, -part)
    change -= step
    return part + step
  })
}
