// The plan of a sample: three months of a small business, the same for the same seed, day and industry. Pure: who carries it out asks for nothing more.
import { addDays, addMonths, firstDayOfMonth, lastDayOfMonth, weekday } from '../../foundation/calendar.ts'
import { randomFrom, type Random } from '../../foundation/random.ts'
import type { Industry } from '../../ledger/charts/rules.ts'

export const SAMPLE_MONTHS = 3

/** Ledgers are named by their numbers, which mean the same in every default chart. */
export type SampleLine = { ledger: string; amount: number; vendor?: string }
export type SampleEntry = { date: string; memo: string; lines: SampleLine[] }
export type SampleBill = { vendor: string; date: string; memo: string; ledger: string; amount: number; paid_on: string | null }
export type SampleInvoice = {
  external_id: string
  customer: string
  date: string
  lines: { description: string; quantity: number; unit_price: number }[]
  payments: { amount: number; paid_on: string }[]
  draft: boolean
}
export type SamplePlan = {
  name: string
  start_date: string
  customers: { external_id: string; name: string }[]
  entries: SampleEntry[]
  bills: SampleBill[]
  invoices: SampleInvoice[]
}

const NAMES: Record<Industry, readonly [string, ...string[]]> = {
  general: ['Maple & Main'], retail: ['Corner House Goods'], professional_services: ['Northlight Studio'], construction: ['Redwood Builders'],
  restaurant: ['The Copper Spoon'], ecommerce: ['Parcel & Pine'], nonprofit: ['Riverside Trust'], software: ['Brightloop Software'],
  manufacturing: ['Ironbridge Works'], real_estate: ['Harborview Properties'],
}

/** What is sold, and for about how many dollars. */
const OFFERS: Partial<Record<Industry, readonly [[string, number], ...[string, number][]]>> = {
  retail: [['Wholesale order', 640], ['Gift baskets', 320], ['Store fittings', 1_150]],
  professional_services: [['Consulting', 1_450], ['Workshop', 2_100], ['Monthly retainer', 1_800]],
  construction: [['Site work', 4_200], ['Materials and labor', 2_650], ['Design hours', 980]],
  restaurant: [['Catering', 860], ['Private dinner', 1_240], ['Lunch boxes', 410]],
  software: [['Subscription', 990], ['Onboarding', 1_500], ['Support hours', 640]],
  manufacturing: [['Machined parts', 2_300], ['Tooling', 1_650], ['Assembly', 1_120]],
  real_estate: [['Monthly rent', 1_900], ['Parking', 180], ['Service charge', 260]],
}
const ANY_OFFER = [['Services', 1_200], ['Products', 780], ['Delivery', 240]] as const

const CUSTOMERS = ['Alder Clinic', 'Bluebird Books', 'City Gardens', 'Dockside Hotel', 'Elm Street School', 'Fairway Motors', 'Glenfield Farm', 'Hillcrest Dental'] as const
const VENDORS = [['Summit Supply', '5000', 1_350], ['Keystone Materials', '5000', 980], ['Paper & Ink', '6200', 210], ['Metro Repairs', '6130', 420]] as const

export function planSample(seed: number, today: string, industry: Industry): SamplePlan {
  const start_date = addMonths(firstDayOfMonth(today), -SAMPLE_MONTHS, 1)
  const chance = (purpose: string) => randomFrom(seed, `${industry} ${purpose}`)
  const months = Array.from({ length: SAMPLE_MONTHS + 1 }, (_, index) => addMonths(start_date, index, 1))
  const until = <Dated extends { date: string }>(things: Dated[]) => things.filter(({ date }) => date <= today).toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  return {
    name: `${chance('name').pick(NAMES[industry])} (sample)`,
    start_date,
    customers: CUSTOMERS.map((name, index) => ({ external_id: `sample-${index + 1}`, name })),
    entries: until([
      { date: start_date, memo: 'Capital paid in', lines: [{ ledger: '1000', amount: 4_500_000 }, { ledger: '3000', amount: -4_500_000 }] },
      ...months.flatMap((month) => monthlyCosts(chance(`costs of ${month}`), month)),
    ]),
    bills: until(months.flatMap((month) => billsOf(chance(`bills of ${month}`), month, today))),
    invoices: invoicesOf(chance, months, today, industry),
  }
}

/** Paid from the bank on the day. */
function monthlyCosts(random: Random, month: string): SampleEntry[] {
  const day = (number: number) => workday(addDays(month, number - 1))
  const paid = (date: string, memo: string, ledger: string, amount: number): SampleEntry => ({ date, memo, lines: [{ ledger, amount }, { ledger: '1000', amount: -amount }] })
  const wages = random.money(4_800, 0.05)
  return [
    paid(day(1), 'Rent', '6100', 240_000),
    paid(day(5), 'Software subscriptions', '6220', random.money(310)),
    paid(day(10), 'Electricity and water', '6110', random.money(285)),
    paid(day(14), 'Advertising', '6300', random.money(450, 0.4)),
    { date: workday(lastDayOfMonth(month)), memo: 'Payroll', lines: [{ ledger: '6000', amount: wages }, { ledger: '6010', amount: Math.round(wages * 0.09) }, { ledger: '1000', amount: -(wages + Math.round(wages * 0.09)) }] },
    paid(lastDayOfMonth(month), 'Bank fees', '6500', 2_500 + random.between(0, 900)),
  ]
}

function billsOf(random: Random, month: string, today: string): SampleBill[] {
  return VENDORS.map(([vendor, ledger, about]) => {
    const date = addDays(month, random.between(2, 24))
    const paid_on = workday(addDays(date, random.between(18, 32)))
    return { vendor, ledger, date, memo: `${vendor}, ${month.slice(0, 7)}`, amount: random.money(about, 0.3), paid_on: paid_on <= today ? paid_on : null }
  })
}

const INVOICES_A_MONTH = 8

function invoicesOf(chance: (purpose: string) => Random, months: readonly string[], today: string, industry: Industry): SampleInvoice[] {
  const offers = OFFERS[industry] ?? ANY_OFFER
  const all = months.flatMap((month) => {
    const random = chance(`invoices of ${month}`)
    return Array.from({ length: INVOICES_A_MONTH }, (_, index) => {
      const date = workday(addDays(month, Math.floor((index * 28) / INVOICES_A_MONTH) + random.between(0, 2)))
      const lines = Array.from({ length: random.between(1, 2) }, () => {
        const [description, about] = random.pick(offers as readonly [readonly [string, number], ...(readonly [string, number])[]])
        return { description, quantity: random.between(1, 3), unit_price: random.money(about, 0.2) }
      })
      return { customer: `sample-${random.between(1, CUSTOMERS.length)}`, date, lines, payments: paymentsOf(random, date, lines, today) }
    })
  }).filter(({ date }) => date <= today).toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  // The last one is still being written.
  return all.map((invoice, index) => {
    const draft = index === all.length - 1
    return { external_id: `sample-invoice-${index + 1}`, ...invoice, draft, payments: draft ? [] : invoice.payments }
  })
}

/** Most pay within some weeks, some a part of it, some not yet. */
function paymentsOf(random: Random, date: string, lines: SampleInvoice['lines'], today: string): SampleInvoice['payments'] {
  const total = lines.reduce((sum, { quantity, unit_price }) => sum + quantity * unit_price, 0)
  const paid_on = workday(addDays(date, random.between(6, 41)))
  const amount = random.chance(0.12) ? Math.floor(total / 2) : total
  return random.chance(0.85) && paid_on <= today ? [{ amount, paid_on }] : []
}

/** Weekends move to the Monday after, unless that is in the next month. */
function workday(date: string): string {
  const ahead = Math.max(0, 7 - weekday(date)) % 7
  const monday = weekday(date) > 4 ? addDays(date, ahead) : date
  return monday.slice(0, 7) === date.slice(0, 7) ? monday : date
}
