// What every business pays whatever it sells: wages, rent, power, subscriptions, the bank, the tax office and its owner.
import { addDays, addMonths, daysBetween, weekday } from '../../foundation/calendar.ts'
import { splitCents } from '../../foundation/money.ts'
import { isWorkday, type Journal, type Month, type Posting } from './journal.ts'
import type { Line } from './plan.ts'
import type { Random } from '../../foundation/random.ts'
import type { Selling } from './selling.ts'

export type Wages = { ledger: string; annual: number; department?: string }

/** Amounts in dollars. */
export type Upkeep = {
  cash: number
  savings: number
  capital: number
  assets: readonly { ledger: string; cost: number; years: number; used: number }[]
  /** Bought along the way: the number of the month, what and for how much. */
  purchases: readonly { month: number; ledger: string; what: string; cost: number; years: number }[]
  loan: { lender: string; balance: number; rate: number; payment: number } | null
  landlord: string
  rent: number
  utilities: number
  internet: number
  insurance: number
  pay: 'two_weeks' | 'half_month'
  wages: readonly Wages[]
  benefits: number
  subscriptions: readonly (readonly [string, number])[]
  marketing: { ledger: string; vendors: readonly [string, ...string[]]; monthly: number; charges: number }
  /** Bought with the card: ledger, where, how often a month, for how much. */
  card: readonly { ledger: string; vendors: readonly [string, ...string[]]; times: number; about: number }[]
  advisor_fee: number
  income_tax: boolean
}

export type Desk = {
  random: Random
  journal: Journal
  selling: Selling
  upkeep: Upkeep
  /** The size of this client against the one that the figures were made for. */
  scale: number
  first_day: string
  /** The month with the last payment of sales tax, by its number. */
  tax_from: number
}

/** Ledgers that every client has besides the chart of its industry, because lines by hand do not go to those that documents make up. */
export const OWN_LEDGERS = [
  { number: '1591', name: 'Accumulated Depreciation on Equipment', type: 'asset', subtype: 'accumulated_depreciation' },
] as const

const cents = (dollars: number): number => Math.round(dollars * 100)

/** The balances that the books begin with. */
export function postOpening({ random, journal, upkeep, scale, first_day }: Desk, more: readonly (readonly [string, number])[]): void {
  const depreciated = upkeep.assets.reduce((sum, { cost, years, used }) => sum + cents((cost * scale * Math.min(used, years)) / years), 0)
  const balances: (readonly [string, number])[] = [
    ['1000', random.money(upkeep.cash * scale, 0.08)],
    ['1010', random.money(upkeep.savings * scale, 0.08)],
    ...upkeep.assets.map(({ ledger, cost }) => [ledger, cents(cost * scale)] as const),
    ['1591', -depreciated],
    ['2100', -random.money(upkeep.rent * 0.9, 0.3)],
    ...(upkeep.loan ? [['2700', -random.money(upkeep.loan.balance * scale, 0.02)] as const] : []),
    ['3000', -cents(upkeep.capital * scale)],
    ...more,
  ]
  journal.post(first_day, 'Opening balances', [...balances, ['3800', -balances.reduce((sum, [, amount]) => sum + amount, 0)]])
  // What was owed on the first day comes in and goes out during the first months.
  const opened = new Map(more)
  const [retained, accrued] = [opened.get('1120') ?? 0, -(opened.get('2400') ?? 0)]
  journal.post(addDays(first_day, 73), 'Retainage from before', pay('1000', retained, '1120'))
  journal.post(addDays(first_day, 13), 'Accrued before, paid', pay('2400', accrued, '1000'))
}

export function postUpkeep(desk: Desk, month: Month): void {
  postPremises(desk, month)
  postPayroll(desk, month)
  postSubscriptions(desk, month)
  postCard(desk, month)
  postAssets(desk, month)
  postFinancing(desk, month)
  postOwner(desk, month)
}

function postPremises({ random, journal, upkeep, scale }: Desk, month: Month): void {
  const raise = 1.03 ** Math.floor(month.index / 12)
  const rent = pay('6100', cents(upkeep.rent * scale * raise + 0.75), '1000')
  journal.post(month.first, `Rent, ${upkeep.landlord}`, rent, month.index < 12 ? {} : { mark: 'rent' })
  // More in winter for the heating, and some in summer for the cooling.
  const season = [1.35, 1.3, 1.1, 0.9, 0.85, 1, 1.15, 1.15, 0.95, 0.85, 1, 1.25][month.of_year - 1] ?? 1
  journal.post(month.day(random.between(8, 12)), 'Electricity, gas and water', pay('6110', random.money(upkeep.utilities * scale * season, 0.08), '1000'))
  journal.post(month.last, 'Utilities not billed yet', pay('6110', random.money(upkeep.utilities * scale * 0.6 * season, 0.05), '2400'), {
    is_adjusting: true, auto_reverse_on: month.next,
  })
  journal.post(month.day(5), 'Internet and telephone', pay('6120', random.money(upkeep.internet, 0.02), '2100'))
  const premium = cents(upkeep.insurance * scale * raise)
  if (month.index % 12 === 0) journal.post(month.day(3), 'Business insurance, the year ahead', pay('1300', premium, '1000'), { mark: 'large' })
  const parts = splitCents(premium, Array.from({ length: 12 }, () => 1))
  journal.post(month.last, 'Insurance of the month', pay('6140', parts[month.index % 12] ?? 0, '1300'), { is_adjusting: true })
}

/** Wages, the employer's taxes on them, and what is withheld and paid on a few days later. */
function postPayroll(desk: Desk, month: Month): void {
  const { random, journal, upkeep, scale } = desk
  const paydays = paydaysOf(desk, month)
  const raise = 1.035 ** Math.floor(month.index / 12)
  const runs = upkeep.pay === 'two_weeks' ? 26 : 24
  for (const payday of paydays) {
    const wages = upkeep.wages.map((wage) => ({ ...wage, gross: random.money((wage.annual * scale * raise) / runs, 0.04) }))
    const gross = wages.reduce((sum, wage) => sum + wage.gross, 0)
    const taxes = wages.map(({ gross: own, department }) => ['6010', Math.round(own * 0.0815), tagged(department)] as const)
    const employer = taxes.reduce((sum, [, amount]) => sum + amount, 0)
    const withheld = Math.round(gross * 0.2265)
    journal.post(payday, `Payroll of ${payday}`, [
      ...wages.map(({ ledger, gross: own, department }) => [ledger, own, tagged(department)] as const),
      ...taxes,
      ['2300', -(withheld + employer)],
      ['1000', -(gross - withheld)],
    ])
    journal.post(addDays(payday, 4), 'Payroll taxes paid', pay('2300', withheld + employer, '1000'))
  }
  journal.post(month.day(2), 'Health insurance of the staff', pay('6020', random.money(upkeep.benefits * scale * raise, 0.03), '1000'))
  const last = paydays.at(-1)
  const unpaid = upkeep.pay === 'two_weeks' && last ? month.days.filter((day) => day > last && isWorkday(day)).length : 0
  const accrued = upkeep.wages.map(({ ledger, annual, department }): Posting =>
    [ledger, Math.round((annual * scale * raise * 100 * unpaid) / 260), tagged(department)])
  journal.post(month.last, 'Wages earned and not paid yet', [...accrued, ['2400', -accrued.reduce((sum, [, amount]) => sum + amount, 0)]], {
    is_adjusting: true, auto_reverse_on: month.next,
  })
}

function paydaysOf({ upkeep, first_day }: Desk, month: Month): string[] {
  if (upkeep.pay === 'half_month') return [month.day(15), month.last]
  const firstFriday = addDays(first_day, (4 - weekday(first_day) + 7) % 7)
  return month.days.filter((day) => daysBetween(firstFriday, day) >= 0 && daysBetween(firstFriday, day) % 14 === 0)
}

function postSubscriptions({ random, journal, upkeep }: Desk, month: Month): void {
  for (const [index, [vendor, monthly]] of upkeep.subscriptions.entries()) {
    const price = cents(monthly * 1.06 ** Math.floor((month.index + index) / 12))
    journal.post(month.day(3 + ((index * 5) % 24)), vendor, pay('6220', price, '2100'))
  }
  const { ledger, vendors, monthly, charges } = upkeep.marketing
  for (let charge = 0; charge < charges; charge++) {
    journal.post(month.day(random.between(1, 28)), random.pick(vendors), pay(ledger, random.money(monthly / charges, 0.35), '2100'))
  }
  journal.post(month.day(random.between(15, 18)), 'Whitfield & Rowe Advisory, bookkeeping and advice', pay('6400', cents(upkeep.advisor_fee), '1000'))
}

function postCard({ random, journal, upkeep, scale }: Desk, month: Month): void {
  const owed = -journal.balance('2100', addDays(month.first, -1))
  journal.post(month.day(12), 'Credit card paid', pay('2100', Math.max(0, owed), '1000'))
  for (const { ledger, vendors, times, about } of upkeep.card) {
    for (let time = random.between(Math.ceil(times * 0.8), Math.ceil(times * 1.2)); time > 0; time--) {
      journal.post(month.day(random.between(1, 31)), random.pick(vendors), pay(ledger, random.money(about * Math.sqrt(scale), 0.45), '2100'))
    }
  }
  const fee = random.money(24.5, 0.4)
  journal.post(month.last, 'Account fees', pay('6500', fee, '1000'))
  if (random.chance(0.5)) journal.post(month.day(random.between(4, 26)), 'Wire transfer fee', pay('6500', random.pick([2_500, 3_000, 4_500]), '1000'))
}

function postAssets({ journal, upkeep, scale }: Desk, month: Month): void {
  for (const { month: when, ledger, what, cost } of upkeep.purchases) {
    if (when === month.index) journal.post(month.day(14), what, pay(ledger, cents(cost * scale) + 37, '1000'), { mark: 'one_off' })
  }
  const old = upkeep.assets.filter(({ years, used }) => used + month.index / 12 < years)
  const bought = upkeep.purchases.filter((purchase) => purchase.month <= month.index)
  const monthly = [...old, ...bought].reduce((sum, { cost, years }) => sum + cents((cost * scale) / (years * 12)), 0)
  journal.post(month.last, 'Depreciation', pay('6700', monthly, '1591'), { is_adjusting: true })
}

function postFinancing({ random, journal, upkeep, scale }: Desk, month: Month): void {
  const { loan } = upkeep
  if (loan) {
    const left = -journal.balance('2700', addDays(month.first, -1)) || -journal.balance('2700', month.first)
    const interest = Math.round((left * loan.rate) / 12)
    const principal = Math.max(0, Math.min(left, cents(loan.payment * scale) - interest))
    journal.post(month.day(20), `Loan payment, ${loan.lender}`, [['2700', principal], ['6800', interest], ['1000', -(principal + interest)]])
  }
  const drawn = -journal.balance('2150', addDays(month.first, -1))
  journal.post(month.day(21), 'Interest on the line of credit', pay('6800', Math.round((Math.max(0, drawn) * 0.0925) / 12), '1000'))
  journal.post(month.last, 'Interest on savings', pay('1010', random.money(upkeep.savings * scale * 0.0029, 0.05), '4910'))
  if (upkeep.income_tax && [1, 4, 6, 9].includes(month.of_year)) {
    const profit = -journal.moved((number) => number >= '4000', addMonths(month.first, -3), addDays(month.first, -1))
    if (month.index >= 3 && profit > 0) journal.post(month.day(15), 'Estimated income tax', pay('6900', Math.round(profit * 0.247), '1000'))
  }
}

/** The owner draws from what is more than two months of costs; the bank helps out where it is less than one. */
function postOwner({ random, journal, upkeep, scale }: Desk, month: Month): void {
  const floor = cents(upkeep.cash * scale * 0.7)
  const cash = journal.balance('1000', month.last)
  const drawn = -journal.balance('2150', month.last)
  if (cash < floor) {
    const needed = Math.ceil((floor * 1.1 - cash) / 25_000) * 25_000
    return journal.post(addDays(month.last, -2), 'Drawn on the line of credit', pay('1000', needed, '2150'))
  }
  const spare = cash - floor
  const repaid = Math.min(drawn, Math.round(spare * 0.6))
  journal.post(addDays(month.last, -2), 'Line of credit paid back', pay('2150', Math.max(0, repaid), '1000'))
  const draw = Math.round((spare - repaid) * 0.45 * random.around(0.1))
  if (drawn <= 0 && draw > 50_000) journal.post(addDays(month.last, -1), "Owner's draw", pay('3100', draw, '1000'))
}

/** One ledger up, another down. */
export function pay(to: string, amount: number, from: string, more: Partial<Line> = {}): Posting[] {
  return [[to, amount, more], [from, -amount]]
}

const tagged = (department: string | undefined): Partial<Line> => (department === undefined ? {} : { department })
