// The practice and the two years of its clients, worked out from a seed and a date: the same both times, to the cent.
import { addDays, addMonths, firstDayOfMonth, lastDayOfMonth } from '../../foundation/calendar.ts'
import { KINDS, type Identity, type Kind } from './clients.ts'
import { monthsFrom, openJournal } from './journal.ts'
import { correctionsIn, draftsFor, notesOn, tagsFor, tasksFor, unclearIn } from './paperwork.ts'
import type { Client, Entry, Practice, Rate, Recurring } from './plan.ts'
import { randomFrom, type Random } from '../../foundation/random.ts'
import { draftSales, itemOf, openReceivables, openSelling } from './selling.ts'
import { RETAINED } from './trades.ts'
import { postOpening, postUpkeep, type Desk } from './upkeep.ts'

export const MONTHS = 24

export const ADVISOR = { name: 'Dana Whitfield', email: 'demo@example.com' }

/** Only the month of the date counts. */
export function planPractice({ seed, businesses, date }: { seed: number; businesses: number; date: string }): Practice {
  const this_month = firstDayOfMonth(date)
  const first_day = addMonths(this_month, -MONTHS)
  return {
    advisor: ADVISOR,
    first_day,
    last_day: addDays(this_month, -1),
    closed_through: lastDayOfMonth(addMonths(this_month, -3)),
    soft_closed_through: lastDayOfMonth(addMonths(this_month, -2)),
    clients: Array.from({ length: businesses }, (_, index) => planClient(seed, index, first_day, this_month)),
  }
}

function planClient(seed: number, index: number, first_day: string, this_month: string): Client {
  const kind = KINDS[index % KINDS.length] ?? KINDS[0]
  const identity = kind.identities[Math.floor(index / KINDS.length) % kind.identities.length] ?? kind.identities[0]
  const random = randomFrom(seed, identity.name)
  const last_day = addDays(this_month, -1)
  // The first six are of the size that their figures were made for; those after them are smaller or larger.
  const scale = index < KINDS.length ? 1 : 0.6 + random.between(0, 80) / 100
  const rates = kind.foreign ? ratesOf(random, first_day) : []
  const journal = openJournal(first_day, last_day, rates)
  const selling = openSelling(random, journal, kind.offer, last_day)
  const months = monthsFrom(first_day, MONTHS)
  const desk: Desk = { random, journal, selling, upkeep: kind.upkeep, scale, first_day, tax_from: months.findLastIndex(({ of_year }) => of_year % 3 === 1) }
  postOpening(desk, kind.opening.map(([ledger, dollars]) => [ledger, Math.round(dollars * scale * 100)]))
  openReceivables(selling, random, Math.round(kind.receivable * scale * 100), first_day)
  for (const month of months) {
    kind.trade(desk, month)
    postUpkeep(desk, month)
  }
  unclearIn(desk, last_day)
  const written = journal.entries.filter(({ mark, document }) => mark !== 'rent' && !document)
  const { overhead } = kind.departments ?? {}
  const { entries, corrections } = correctionsIn(random, inOrder(kind, written), first_day)
  const owner = { name: identity.owner, email: `${identity.owner.toLowerCase().replaceAll(/[^a-z]+/g, '.')}@example.com` }
  return {
    name: identity.name,
    // The first was here before there were plans; it has its migration before it.
    plan_tier: index === 0 ? 'grandfathered' : index % 3 === 1 ? 'managed' : 'self_directed',
    business: profileOf(kind, identity, random, first_day),
    owner,
    ledgers: [...kind.ledgers],
    tax: kind.tax,
    departments: kind.departments,
    managerial_keys: kind.keys.flatMap(([ledger, ...values]) => KEYS.map((key, position) => ({ ledger, key, value: values[position] ?? '' }))),
    rates,
    entries,
    buyers: kind.offer.buyers,
    items: kind.offer.items,
    sales: [...selling.sales.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)), ...draftSales(selling, random, this_month, overhead)],
    standing: kind.offer.standing.map(([place, code, dollars]) => {
      const unit_price = Math.round(dollars * scale * 100)
      const department = kind.departments === null ? undefined : RETAINED[place] ?? overhead
      const { name } = selling.buyer(place)
      return {
        name: `${name}, ${itemOf(kind.offer, code).name}`, buyer: name, start_date: addMonths(this_month, 1),
        line: selling.line(code, unit_price, { quantity: 1, unit_price, ...(department === undefined ? {} : { department }) }),
      }
    }),
    rent: recurringOf(journal.entries.filter(({ mark }) => mark === 'rent'), this_month),
    drafts: draftsFor(random, this_month),
    corrections,
    revaluations: kind.foreign ? months.map(({ last }) => last) : [],
    tasks: tasksFor(identity.owner, this_month),
    notes: notesOn(entries, identity.owner),
    tags: tagsFor(entries),
  }
}

const KEYS = ['function', 'cost_behavior', 'ebitda', 'board_line']

/** By date, the opening first; income of a business with departments that nobody assigned belongs to all of it. */
function inOrder(kind: Kind, entries: readonly Entry[]): Entry[] {
  const { departments } = kind
  const assigned = departments === null ? entries : entries.map((entry) => ({
    ...entry,
    lines: entry.lines.map((line) => (line.ledger.startsWith('4') && !line.department ? { ...line, department: departments.overhead } : line)),
  }))
  return assigned.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
}

/** One template for entries that differ in nothing but their date; the one of this month is due as well. */
function recurringOf(entries: readonly Entry[], this_month: string): Recurring {
  const [first] = entries
  if (!first) throw new Error('Nothing recurs')
  return { name: 'Rent', memo: first.memo, lines: first.lines, dates: [...entries.map(({ date }) => date), this_month] }
}

/** At the end of every month, beginning with the one before the books, each a step from the one before. */
function ratesOf(random: Random, first_day: string): Rate[] {
  const worth = { CAD: 0.7312, EUR: 1.0874 }
  return Array.from({ length: MONTHS + 1 }, (_, index) => addDays(addMonths(first_day, index), -1)).flatMap((date) =>
    (['CAD', 'EUR'] as const).map((from_currency): Rate => {
      worth[from_currency] *= random.around(0.018)
      return { from_currency, to_currency: 'USD', date, rate: worth[from_currency].toFixed(4) }
    }))
}

function profileOf(kind: Kind, { name, street, city, region, postal_code, timezone }: Identity, random: Random, books_start_date: string): Client['business'] {
  const word = name.toLowerCase().replaceAll(/[^a-z]+/g, '-')
  return {
    name,
    legal_name: `${name}${kind.entity_type === 'llc' ? ' LLC' : ', Inc.'}`,
    entity_type: kind.entity_type,
    industry: kind.industry,
    timezone,
    fiscal_year_start_month: kind.fiscal_year_start_month,
    books_start_date,
    tax_id: `${random.between(20, 88)}-${random.between(1_000_000, 9_999_999)}`,
    phone: `+1 555 01${random.between(10, 99)} ${random.between(100, 999)}`,
    email: `hello@${word}.example`,
    website: `https://${word}.example`,
    address: { line1: street, city, region, postal_code, country: 'US' },
  }
}
