// The matcher: which invoices a deposit probably pays. Pure, and the same for the same facts in whatever order they come.
import { money } from '../invoices/rules.ts'
import type { DepositFacts, InvoiceFacts, Reason } from '../deposit-candidates/contract.ts'
import {
  balanceOf, confidenceOf, customerEvidence, dateEvidence, nameWords, numberEvidence, numberKeys, readDeposit, type Reading,
} from '../deposit-candidates/rules.ts'

export type Allocation = { invoice_id: string; amount: number; invoice_paid: number }

export type Proposal = {
  transaction_id: string
  currency: string
  /** In order. */
  invoice_ids: string[]
  allocations: Allocation[]
  total: number
  confidence: number
  reasons: Reason[]
  transaction_amount: number
  transaction_claimed: number
}

export const LEAST_CONFIDENCE = 40
export const MOST_PER_DEPOSIT = 5
export const MOST_SUMMED = 6
const MOST_NAMED = 20
const RIVAL_DISTANCE = 10

/** A deposit and a set of invoices, as one key. */
export const keyOf = ({ transaction_id, invoice_ids }: { transaction_id: string; invoice_ids: readonly string[] }): string => `${transaction_id} ${invoice_ids.join(' ')}`

/** What to propose for each deposit, the surest first. `isRejected` is asked with a key. */
export function proposalsFor(deposits: readonly DepositFacts[], invoices: readonly InvoiceFacts[], isRejected: (key: string) => boolean = () => false): Proposal[] {
  const byCurrency = Map.groupBy([...invoices].sort(byAge), ({ currency }) => currency)
  return [...Map.groupBy([...deposits].sort(byDay), ({ currency }) => currency)].sort(([a], [b]) => compare(a, b)).flatMap(([currency, own]) => {
    const readings = own.map(readDeposit)
    const market = openMarket(byCurrency.get(currency) ?? [], new Set(readings.map(({ remaining }) => remaining)))
    return readings.flatMap((reading) => proposalsOf(reading, market, isRejected))
  })
}

/** The sure ones that nothing comes close to, so that a person need not look: none of them shares a deposit or an invoice with another of them. */
export function unrivalled<P extends Pick<Proposal, 'transaction_id' | 'invoice_ids' | 'confidence'>>(proposals: readonly P[], threshold: number): P[] {
  const claimants = new Map<string, P[]>()
  for (const proposal of proposals) {
    for (const id of [proposal.transaction_id, ...proposal.invoice_ids]) claimants.set(id, [...(claimants.get(id) ?? []), proposal])
  }
  return proposals.filter((proposal) => proposal.confidence >= threshold && [proposal.transaction_id, ...proposal.invoice_ids].every((id) =>
    claimants.get(id)?.every((other) => other === proposal || other.confidence < proposal.confidence - RIVAL_DISTANCE)))
}

type Kept = Pick<Proposal, 'transaction_id' | 'invoice_ids' | 'total' | 'confidence' | 'reasons' | 'transaction_amount' | 'transaction_claimed'> & { standing: boolean }

/** What a run does to the suggestions that wait, and what it adds. One that stands is left alone unless the run has looked at all of it. */
export function reconciled<K extends Kept>(
  pending: readonly K[], proposals: readonly Proposal[], scanned: ReadonlySet<string>, considered: ReadonlySet<string>,
) {
  const proposed = new Map(proposals.map((proposal) => [keyOf(proposal), proposal]))
  const same = (kept: K): Proposal | null => {
    const found = proposed.get(keyOf(kept))
    const unchanged = found?.total === kept.total && found.transaction_amount === kept.transaction_amount && found.transaction_claimed === kept.transaction_claimed
    return kept.standing && unchanged ? found : null
  }
  const looked = (kept: K) => scanned.has(kept.transaction_id) && kept.invoice_ids.every((id) => considered.has(id))
  const superseded = pending.filter((kept) => !kept.standing || (!same(kept) && looked(kept)))
  const continued = pending.flatMap((kept) => {
    const proposal = same(kept)
    return proposal ? [{ kept, proposal }] : []
  })
  const updated = continued.filter(({ kept, proposal }) => kept.confidence !== proposal.confidence || kept.reasons.join() !== proposal.reasons.join())
  const touched = new Set([...superseded, ...updated.map(({ kept }) => kept)])
  const known = new Set(continued.map(({ proposal }) => proposal))
  return { superseded, updated, unchanged: pending.filter((kept) => !touched.has(kept)), created: proposals.filter((proposal) => !known.has(proposal)) }
}

export type Changes = { kind: 'transaction' | 'invoice'; name: string | null; status: string; dismissed: boolean; uncollectible: boolean; was: number; now: number }

/** Why a suggestion no longer holds. */
export function whatChanged(changes: readonly Changes[], currency: string): string {
  const said = changes.flatMap(({ kind, name, status, dismissed, uncollectible, was, now }) => {
    const subject = kind === 'transaction' ? 'its deposit' : `invoice ${name}`
    if (dismissed) return [`${subject} was dismissed`]
    if (status === 'excluded') return [`${subject} was excluded`]
    if (status === 'void') return [`${subject} was voided`]
    if (uncollectible) return [`${subject} was written off`]
    return was === now ? [] : [`${subject} has ${money(now, currency)} left instead of ${money(was, currency)}`]
  })
  return `This suggestion no longer holds: ${said.length > 0 ? said.join(', ') : 'the matcher has found something else since'}. Run the matcher again.`
}

type Customer = { id: string; words: readonly string[]; invoices: InvoiceFacts[]; shortfalls: ReadonlySet<number> }

/** The open invoices of one currency, by everything that a deposit can lead to. */
type Market = {
  customers: ReadonlyMap<string, Customer>
  byNumber: ReadonlyMap<string, InvoiceFacts[]>
  byDigits: ReadonlyMap<string, InvoiceFacts[]>
  byBalance: ReadonlyMap<number, InvoiceFacts[]>
  byBeginning: ReadonlyMap<string, Customer[]>
  byName: ReadonlyMap<string, Customer[]>
  /** For each amount that some deposit has: sets that add up to it, of customers with few invoices. */
  sums: ReadonlyMap<number, InvoiceFacts[][]>
  /** The same for one customer with many, worked out when asked for. */
  sumsOf(customer: Customer, target: number): InvoiceFacts[][]
}

function openMarket(invoices: readonly InvoiceFacts[], targets: ReadonlySet<number>): Market {
  const customers = new Map([...Map.groupBy(invoices, ({ customer_id }) => customer_id)].sort(([a], [b]) => compare(a, b)).map(([id, own]): [string, Customer] =>
    [id, { id, words: nameWords(own[0]?.customer_name ?? ''), invoices: own, shortfalls: shortfallsOf(own) }]))
  const all = [...customers.values()]
  const combined = new Map<string, Combinations>()
  return {
    customers,
    byNumber: indexed(invoices, ({ number }) => [numberKeys(number).whole]),
    byDigits: indexed(invoices, ({ number }) => [numberKeys(number).digits]),
    byBalance: indexed(invoices, (invoice) => [balanceOf(invoice)]),
    byBeginning: indexed(all, ({ words }) => [...new Set(words.flatMap((word) => beginningOf(word) ?? []))]),
    byName: indexed(all, ({ words }) => [words.join(' ')]),
    sums: sumsWithin(all, targets),
    sumsOf(customer, target) {
      const known = combined.get(customer.id) ?? combinationsOf(customer.invoices.slice(0, MOST_COMBINED))
      combined.set(customer.id, known)
      return setsSumming(known, target)
    },
  }
}

/** What a customer left open of invoices that were nearly paid: a fee of their bank, say, that may be missing again. */
function shortfallsOf(invoices: readonly InvoiceFacts[]): Set<number> {
  return new Set(invoices.filter((invoice) => invoice.total_paid > 0 && balanceOf(invoice) * 20 <= invoice.total).map(balanceOf))
}

function indexed<Item, Key>(items: readonly Item[], keysOf: (item: Item) => readonly (Key | null)[]): Map<Key, Item[]> {
  const index = new Map<Key, Item[]>()
  for (const item of items) {
    for (const key of keysOf(item)) {
      if (key === null) continue
      const place = index.get(key)
      if (place) place.push(item)
      else index.set(key, [item])
    }
  }
  return index
}

const BEGINNING = 4
/** A word that more customers share than this tells nothing about any of them. */
const MOST_WITH_ONE_WORD = 300

const beginningOf = (word: string): string | null => (word.length >= 3 ? word.slice(0, BEGINNING) : null)

function proposalsOf(reading: Reading, market: Market, isRejected: (key: string) => boolean): Proposal[] {
  const evidence = customersOf(reading, market)
  const certain = [...evidence].some(([, reason]) => reason !== 'similar_name')
  const named = leadingTo(reading.number_keys, market.byNumber)
  const hinted = leadingTo(reading.digit_keys, market.byDigits)
  const isNamed = new Set([...named, ...hinted])
  const pointed = new Set([...evidence.keys(), ...Array.from(isNamed, ({ customer_id }) => customer_id)])
  const likely = [...pointed].sort(compare).flatMap((id) => market.customers.get(id) ?? [])
  const sets = [
    ...Array.from(Map.groupBy(named, ({ customer_id }) => customer_id).values(), (own) => own.slice(0, MOST_NAMED)),
    ...[...hinted, ...(market.byBalance.get(reading.remaining) ?? [])].map((invoice) => [invoice]),
    ...(market.sums.get(reading.remaining) ?? []),
    ...likely.filter(({ invoices }) => invoices.length > MOST_ENUMERATED).flatMap((customer) => market.sumsOf(customer, reading.remaining)),
    ...likely.flatMap((customer) => shortPaid(customer, reading.remaining)),
  ]
  // Where the deposit says whose it is, invoices of others need more than the same amount.
  const possible = sets.filter((set) => !certain || set.some((invoice) => isNamed.has(invoice) || evidence.has(invoice.customer_id)))
  const proposals = new Map(possible.map((set) => {
    const proposal = proposalOf(reading, set, evidence.get(set[0]?.customer_id ?? '') ?? null, market)
    return [keyOf(proposal), proposal]
  }))
  return [...proposals].filter(([key, { confidence }]) => confidence >= LEAST_CONFIDENCE && !isRejected(key)).map(([, proposal]) => proposal)
    .sort((a, b) => b.confidence - a.confidence || a.invoice_ids.length - b.invoice_ids.length || compare(keyOf(a), keyOf(b)))
    .slice(0, MOST_PER_DEPOSIT)
}

/** The invoices behind what the text of a deposit has, each once. */
function leadingTo(keys: ReadonlySet<string>, index: ReadonlyMap<string, InvoiceFacts[]>): InvoiceFacts[] {
  return [...new Set([...keys].flatMap((key) => index.get(key) ?? []))].sort(byAge)
}

/** The customers that the deposit points at, and how. */
function customersOf(reading: Reading, market: Market): Map<string, 'customer' | 'customer_name' | 'similar_name'> {
  const { deposit, counterparty, lines } = reading
  const beginnings = new Set(lines.flatMap((line) => line.trim().split(' ')).flatMap((word) => beginningOf(word) ?? []))
  const looked = deposit.customer_id !== null
    ? [market.customers.get(deposit.customer_id)].filter((customer) => customer !== undefined)
    : [...(market.byName.get(counterparty.join(' ')) ?? []), ...[...beginnings].flatMap((beginning) => telling(market.byBeginning.get(beginning)))]
  return new Map([...new Set(looked)].sort((a, b) => compare(a.id, b.id)).flatMap((customer) => {
    const reason = customerEvidence(reading, customer)
    return reason ? [[customer.id, reason]] : []
  }))
}

const telling = (customers: Customer[] = []): Customer[] => (customers.length <= MOST_WITH_ONE_WORD ? customers : [])

/** Untouched invoices of which the deposit is short by what this customer has left open before. */
function shortPaid({ invoices, shortfalls }: Customer, remaining: number): InvoiceFacts[][] {
  return invoices.filter((invoice) => invoice.total_paid === 0 && shortfalls.has(invoice.total - remaining)).map((invoice) => [invoice])
}

/** Invoices of one customer, the oldest first: each is paid in full before the next, no more than is left of the deposit. */
function proposalOf(reading: Reading, invoices: readonly InvoiceFacts[], customer: Reason | null, market: Market): Proposal {
  const { deposit, remaining } = reading
  let left = remaining
  const allocations = [...invoices].sort(byAge).flatMap((invoice): Allocation[] => {
    const amount = Math.min(left, balanceOf(invoice))
    left -= amount
    return amount > 0 ? [{ invoice_id: invoice.id, amount, invoice_paid: invoice.total_paid }] : []
  })
  const paid = new Set(allocations.map(({ invoice_id }) => invoice_id))
  const own = invoices.filter(({ id }) => paid.has(id))
  const owed = own.reduce((sum, invoice) => sum + balanceOf(invoice), 0)
  const reasons = [numbersOf(reading, own), amountOf(remaining, owed, own, market), customer, dayOf(deposit.datetime, own)].filter((reason) => reason !== null)
  return {
    transaction_id: deposit.id,
    currency: deposit.currency,
    invoice_ids: [...paid].sort(compare),
    allocations,
    total: remaining - left,
    confidence: confidenceOf(reasons),
    reasons,
    transaction_amount: deposit.amount,
    transaction_claimed: deposit.claimed,
  }
}

function numbersOf(reading: Reading, invoices: readonly InvoiceFacts[]): Reason | null {
  const found = invoices.map(({ number }) => numberEvidence(reading, number))
  if (found.every((each) => each === 'invoice_number')) return 'invoice_number'
  return found.some((each) => each !== null) ? 'number_part' : null
}

function amountOf(remaining: number, owed: number, invoices: readonly InvoiceFacts[], { customers }: Market): Reason {
  if (owed === remaining) return invoices.length === 1 ? 'exact_balance' : 'exact_sum'
  if (owed < remaining) return 'surplus'
  const [only] = invoices
  const short = invoices.length === 1 && only?.total_paid === 0 && customers.get(only.customer_id)?.shortfalls.has(owed - remaining)
  return short ? 'known_short_pay' : 'part'
}

/** As near as the one that is farthest from it. */
function dayOf(datetime: string, invoices: readonly InvoiceFacts[]): Reason | null {
  const found = invoices.map((invoice) => dateEvidence(datetime, invoice))
  if (found.includes(null)) return null
  return found.includes('date') ? 'date' : 'due_date'
}

const MOST_ENUMERATED = 10
/** Sets of one customer with one sum that are worth showing: beyond, only a person knows. */
const MOST_ALIKE = 3

/** Every set of 2 to 6 invoices of a customer who has few, where some deposit has its sum; small sets and old invoices first. */
function sumsWithin(customers: readonly Customer[], targets: ReadonlySet<number>): Map<number, InvoiceFacts[][]> {
  const sums = new Map<number, InvoiceFacts[][]>()
  const most = Math.max(0, ...targets)
  for (const { invoices } of customers.filter((customer) => customer.invoices.length > 1 && customer.invoices.length <= MOST_ENUMERATED)) {
    const balances = invoices.map(balanceOf)
    const alike = new Map<number, number>()
    const places: number[] = []
    const take = (sum: number): void => {
      const count = alike.get(sum) ?? 0
      if (count === MOST_ALIKE) return
      alike.set(sum, count + 1)
      sums.set(sum, [...(sums.get(sum) ?? []), places.flatMap((place) => invoices[place] ?? [])])
    }
    const extend = (from: number, sum: number, missing: number): void => {
      for (let place = from; place <= balances.length - missing; place++) {
        const more = sum + (balances[place] ?? 0)
        if (more > most) continue
        places.push(place)
        if (missing > 1) extend(place + 1, more, missing - 1)
        else if (targets.has(more)) take(more)
        places.pop()
      }
    }
    for (let size = 2; size <= Math.min(MOST_SUMMED, invoices.length); size++) extend(0, 0, size)
  }
  return sums
}

const MOST_COMBINED = 40
const MOST_COMPARED = 200_000

/** Places of 1 to 3 invoices in order, by their sum: two of these make any set of up to 6. */
type Combinations = { invoices: readonly InvoiceFacts[]; bySize: Map<number, number[][]>[] }

function combinationsOf(invoices: readonly InvoiceFacts[]): Combinations {
  const bySize: Combinations['bySize'] = [new Map(), new Map(), new Map()]
  const extend = (chosen: number[], from: number, sum: number): void => {
    for (const [offset, invoice] of invoices.slice(from).entries()) {
      const places = [...chosen, from + offset]
      const total = sum + balanceOf(invoice)
      const sets = bySize[places.length - 1] as Map<number, number[][]>
      const alike = sets.get(total)
      if (alike) alike.push(places)
      else sets.set(total, [places])
      if (places.length < bySize.length) extend(places, from + offset + 1, total)
    }
  }
  extend([], 0, 0)
  return { invoices, bySize }
}

/** Sets of 2 to 6 with this sum, met in the middle: the earlier half of a set from one list, the later half from the other. */
function setsSumming({ invoices, bySize }: Combinations, target: number): InvoiceFacts[][] {
  const found: InvoiceFacts[][] = []
  let compared = 0
  for (let size = 2; size <= MOST_SUMMED; size++) {
    const [first, second] = [bySize[Math.floor(size / 2) - 1], bySize[Math.ceil(size / 2) - 1]]
    for (const [sum, halves] of first ?? []) {
      if (sum >= target) continue
      const others = second?.get(target - sum) ?? []
      for (const half of halves) {
        for (const other of others) {
          if (++compared > MOST_COMPARED) return found
          if ((half.at(-1) ?? 0) >= (other[0] ?? 0)) continue
          found.push([...half, ...other].flatMap((place) => invoices[place] ?? []))
          if (found.length === MOST_ALIKE) return found
        }
      }
    }
  }
  return found
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byAge = (a: InvoiceFacts, b: InvoiceFacts): number => compare(a.due_on, b.due_on) || compare(a.id, b.id)
const byDay = (a: DepositFacts, b: DepositFacts): number => compare(a.datetime, b.datetime) || compare(a.id, b.id)
