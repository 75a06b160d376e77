// What each kind of business sells and what that costs it, a month at a time, with its seasons.
import { addDays, weekday } from '../../foundation/calendar.ts'
import { applyRate } from '../../foundation/money.ts'
import { isWorkday, type Month, type Posting } from './journal.ts'
import { SITES } from './offers.ts'
import { pay, type Desk } from './upkeep.ts'

export type Trade = (desk: Desk, month: Month) => void

type Names = readonly [string, ...string[]]

/** From January on; the average is about 1. */
function season(month: Month, factors: readonly number[], growth: number): number {
  return (factors[month.of_year - 1] ?? 1) * growth ** (month.index / 12)
}

/** So many numbers, from the first on. */
function upTo(count: number, first = 0): number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

/** A bank account in another currency. */
type Purse = { currency: 'CAD' | 'EUR'; ledger: string }

const CANADIAN: Purse = { currency: 'CAD', ledger: '1020' }
const EURO: Purse = { currency: 'EUR', ledger: '1030' }

/** Card sales of a day or a week: what is left after the processor's fee. */
function cardSales({ journal }: Desk, date: string, memo: string, sales: readonly Posting[], fee_share = 0.029, abroad?: Purse): void {
  const gross = sales.reduce((sum, [, amount]) => sum + amount, 0)
  const fee = Math.round(gross * fee_share) + 30
  const income = sales.map(([ledger, amount, rest]): Posting => [ledger, -amount, rest])
  journal.post(date, memo, [[abroad?.ledger ?? '1000', gross - fee], ['6510', fee], ...income], abroad ? { currency: abroad.currency } : {})
}

/** Coffee: a café, a web shop and other cafés as customers; green beans become cost as they are sold. */
export const roaster: Trade = (desk, month) => {
  const { random, journal, selling, scale } = desk
  const busy = season(month, [0.9, 0.92, 0.97, 0.98, 0.97, 0.94, 0.9, 0.92, 1.02, 1.07, 1.14, 1.27], 1.09)
  for (const day of month.days.filter((date) => weekday(date) !== 0)) {
    cardSales(desk, day, `Café sales of ${day}`, [['4006', random.money(1_180 * scale * busy * (weekday(day) >= 5 ? 1.35 : 1), 0.18)]], 0.026)
  }
  for (const day of month.days.filter((date) => weekday(date) === 0)) {
    cardSales(desk, day, `Web shop, week to ${day}`, [['4000', random.money(2_150 * scale * busy, 0.2)], ['4008', random.money(188 * scale, 0.2)]])
  }
  for (const day of [11, 25]) journal.post(month.day(day), 'Parcels', pay('6210', random.money(565 * scale * busy, 0.2), '2100'))
  for (const _order of upTo(random.between(6, 8))) {
    const beans = selling.line(random.pick(['ESP-KG', 'ESP-KG', 'FLT-KG', 'DEC-KG']), random.money(3_940 * scale * busy, 0.4))
    selling.sell(selling.anyBuyer(), month.day(random.between(1, 28)), [beans, selling.line('DELIVERY', 3_700)], [14, 43])
  }
  const sold = -journal.moved((number) => number >= '4000' && number < '4010', month.first, month.last)
  for (const day of [4, 18]) {
    const grower = random.pick(['Finca La Esperanza, green beans', 'Kawa Imports, green beans', 'Yirgacheffe Union, green beans'])
    journal.post(month.day(day), grower, pay('1220', Math.round((sold * 0.265 * random.around(0.12)) / 2), '1000'))
  }
  for (const day of [8, 15, 22, 31]) {
    journal.post(month.day(day), `Beans roasted and sold, to ${month.day(day)}`, pay('5000', Math.round((sold * 0.262 * random.around(0.03)) / 4), '1220'))
  }
  journal.post(month.day(6), 'Bags and boxes, Packwell', pay('5270', random.money(1_580 * scale * busy), '2100'))
}

/** Software by subscription: cards every week, yearly contracts that are earned month by month, and projects. */
export const software: Trade = (desk, month) => {
  const { random, journal, selling, scale } = desk
  const busy = season(month, [1.02, 1, 1.02, 1, 0.98, 1, 0.95, 0.94, 1.02, 1.03, 1.02, 1.02], 1.24)
  for (const day of month.days.filter((date) => weekday(date) === 1)) {
    cardSales(desk, day, `Monthly plans, charged ${day}`, [['4000', random.money(19_850 * scale * busy, 0.1)]])
  }
  let contracts = 0
  for (const _contract of upTo(random.between(3, 6))) {
    const line = selling.line('YEAR', random.money(8_900 * scale * busy, 0.45))
    contracts += line.unit_price
    selling.sell(selling.anyBuyer(), month.day(random.between(1, 27)), [line], [20, 45])
  }
  for (const _project of upTo(random.between(2, 4))) {
    selling.sell(selling.anyBuyer(), month.day(random.between(3, 26)), [selling.line('SETUP', random.money(4_350 * scale, 0.4))], [15, 40])
  }
  journal.post(month.last, 'Contracts of the month, deferred', pay('4000', contracts, '2450'), { is_adjusting: true })
  // A twelfth of what each of the last twelve months brought in, the opening contracts in equal parts until they are used up.
  const invoiced = Array.from({ length: 12 }, (_, back) => monthBefore(month, back)).reduce((sum, [from, to]) => sum + contractsOf(desk, from, to), 0)
  const opening = month.index < 12 ? Math.round(OPENING_CONTRACTS * scale * 100 / 12) : 0
  journal.post(month.last, 'Contracts: the share of the month', pay('2450', Math.round(invoiced / 12) + opening, '4000'), { is_adjusting: true })
  journal.post(month.last, 'Usage above the plans', pay('1000', random.money(2_480 * scale * busy, 0.25), '4040'))
  for (const [vendor, ledger, dollars, day] of [
    ['Cloud servers', '5210', 7_840, 3], ['Backups and logs', '5210', 870, 9], ['Text messages and mail', '5230', 1_430, 11],
    ['Support desk, outsourced', '5220', 3_300, 27],
  ] as const) journal.post(month.day(day), vendor, pay(ledger, random.money(dollars * scale * busy, 0.08), '2100'))
  for (const person of ['A. Novak, design', 'R. Iyer, testing', 'Lumen Writing']) {
    if (random.chance(0.7)) journal.post(month.day(random.between(24, 28)), person, pay('6050', random.money(2_900 * scale, 0.3), '1000'))
  }
  journal.post(month.day(random.between(2, 27)), random.pick(['Domain renewals', 'Certificates']), pay('6260', random.money(148, 0.6), '2100'))
  journal.post(month.last, 'Sales commissions', pay('6032', Math.round(contractsOf(desk, month.first, month.last) * 0.08), '2400'))
  journal.post(month.day(14), 'Commissions of last month paid', pay('2400', commissionsBefore(desk, month), '1000'))
}

export const OPENING_CONTRACTS = 196_000

function monthBefore(month: Month, back: number): [string, string] {
  const year = Number(month.first.slice(0, 4)) * 12 + month.of_year - 1 - back
  const first = `${Math.floor(year / 12)}-${String((year % 12) + 1).padStart(2, '0')}-01`
  return [first, `${first.slice(0, 8)}31`]
}

/** What was invoiced for contracts, without what was earned of them. */
function contractsOf({ journal, first_day }: Desk, from: string, to: string): number {
  let sum = 0
  for (const entry of journal.entries) {
    if (entry.date < from || entry.date > to || (entry.date === first_day && entry.memo.startsWith('Opening'))) continue
    for (const { ledger, amount } of entry.lines) if (ledger === '2450' && amount < 0) sum -= amount
  }
  return sum
}

function commissionsBefore({ journal }: Desk, month: Month): number {
  const [from, to] = monthBefore(month, 1)
  return journal.moved((number) => number === '6032', from, to)
}

/** Building: few jobs at a time, billed by progress with a tenth held back until the job is done. */
export const contractor: Trade = (desk, month) => {
  const { random, journal, selling, scale } = desk
  const busy = season(month, [0.72, 0.76, 0.92, 1.05, 1.14, 1.2, 1.18, 1.2, 1.14, 1.06, 0.9, 0.73], 1.07)
  let [billed, held] = [0, 0]
  const released = addDays(month.day(28), 135 + random.between(0, 25))
  for (const place of upTo(random.between(5, 7))) {
    const job = place + Math.floor(month.index / 5)
    const [buyer, site] = [selling.buyer(job), SITES[job % SITES.length] ?? SITES[0]]
    const amount = random.money(54_500 * scale * busy, 0.4)
    const kept = Math.round(amount / 10)
    billed += amount
    held += kept
    selling.sell(buyer, month.day(random.between(20, 28)), [selling.line('PROGRESS', amount - kept, { description: `Progress billing, ${site}` })], [18, 42])
    selling.sell(buyer, released, [selling.line('RETAINAGE', kept, { description: `Retainage, ${site}` })], [8, 24])
  }
  journal.post(month.day(28), 'Held back of the billings of the month', pay('1120', held, '4000'))
  journal.post(released, `Retainage of ${month.first.slice(0, 7)}, billed now`, pay('4000', held, '1120'))
  if (random.chance(0.6)) selling.sell(selling.anyBuyer(), month.day(17), [selling.line('CHANGE', random.money(9_800 * scale, 0.5))], [20, 45])
  const yards: Names = ['Harlow Lumber', 'Stone & Block Supply', 'Tri-County Concrete', 'Voltage Electrical Supply', 'Fastener Depot', 'Glazing Works']
  const deliveries = random.between(8, 10)
  for (let delivery = 0; delivery < deliveries; delivery++) {
    const cost = Math.round((billed * 0.282 * random.around(0.35)) / deliveries)
    journal.post(month.day(random.between(1, 28)), random.pick(yards), pay('5000', cost, random.chance(0.3) ? '2100' : '1000'))
  }
  const trades: Names = ['Kowalski Plumbing', 'Bright Electric', 'Summit Roofing', 'Delgado Drywall', 'Ironside Steel']
  const crews = random.between(4, 5)
  for (let crew = 0; crew < crews; crew++) {
    const cost = Math.round((billed * 0.262 * random.around(0.3)) / crews)
    journal.post(month.day(random.between(3, 27)), `${random.pick(trades)}, subcontract`, pay('5180', cost, '1000'))
  }
  for (const day of month.days.filter((date) => weekday(date) === 3)) {
    const hours = Math.round(random.money(9_650 * scale * busy, 0.12))
    const withheld = Math.round(hours * 0.215)
    journal.post(day, `Crews, week to ${day}`, [['5170', hours], ['2300', -withheld], ['1000', -(hours - withheld)]])
    journal.post(addDays(day, 5), 'Payroll taxes of the crews', pay('2300', withheld, '1000'))
  }
  for (const what of ['Excavator rental', 'Scaffold rental', 'Crane, by the day']) {
    if (random.chance(0.75)) journal.post(month.day(random.between(2, 26)), what, pay('5190', random.money(2_750 * scale * busy, 0.4), '1000'))
  }
  for (const _stop of upTo(random.between(3, 5))) {
    journal.post(month.day(random.between(1, 30)), 'Diesel, county fuel', pay('6340', random.money(690 * scale * busy, 0.4), '2100'))
  }
  if (random.chance(0.5)) journal.post(month.day(random.between(5, 25)), 'Building permit', pay('5200', random.money(1_140, 0.5), '1000'))
}

/** A restaurant: every day has its till, with sales tax and tips that belong to others. */
export const restaurant: Trade = (desk, month) => {
  const { random, journal, selling, scale } = desk
  const busy = season(month, [0.88, 0.95, 1.06, 1.05, 1.07, 0.99, 0.93, 0.91, 0.98, 1.05, 1.0, 1.13], 1.05)
  for (const day of month.days.filter((date) => weekday(date) !== 0)) {
    const share = [0, 0.78, 0.86, 0.97, 1.32, 1.45, 0.98][weekday(day)] ?? 1
    const food = random.money(2_780 * scale * busy * share, 0.14)
    const drinks = random.money(1_120 * scale * busy * share, 0.2)
    const tax = Math.round((food + drinks) * 0.0825)
    const tips = Math.round((food + drinks) * 0.142 * random.around(0.15))
    const total = food + drinks + tax + tips
    const cash = Math.round(total * 0.11 * random.around(0.3))
    const fee = Math.round((total - cash) * 0.0245)
    journal.post(day, `Till of ${day}`, [
      ['1000', total - cash - fee], ['1061', cash], ['6510', fee],
      ['4000', -food, { tax_code: 'AUSTIN' }], ['4010', -drinks, { tax_code: 'AUSTIN' }], ['2210', -tax], ['2310', -tips],
    ])
    if (![1, 4].includes(weekday(day))) continue
    journal.post(day, random.pick(['Prairie Produce', 'Gulf Fish Market', 'Hill Country Meats']), pay('5000', random.money(3_070 * scale * busy, 0.18), '1000'))
  }
  for (const day of month.days.filter((date) => weekday(date) === 0)) {
    const orders = random.money(2_240 * scale * busy, 0.2)
    const kept = Math.round(orders * 0.23)
    journal.post(day, `Delivery platform, week to ${day}`, [['1000', orders - kept], ['6350', kept], ['4000', -orders, { tax_code: 'OUT' }]])
    journal.post(day, 'Till cash to the bank', pay('1000', Math.max(0, journal.balance('1061', addDays(day, -1)) - 40_000), '1061'))
    journal.post(day, 'Tips paid to the staff', pay('2310', Math.max(0, -journal.balance('2310', addDays(day, -1))), '1000'))
    journal.post(day, 'Wine and beer, Lone Star Beverage', pay('5010', random.money(1_640 * scale * busy, 0.2), '1000'))
  }
  journal.post(month.day(4), 'Linen service', pay('6150', random.money(640 * scale, 0.1), '2100'))
  journal.post(month.day(16), 'Paper goods', pay('5120', random.money(918 * scale * busy, 0.25), '2100'))
  for (const _event of upTo(random.between(2, 5))) {
    const buyer = selling.anyBuyer()
    const taxed = buyer.exempt !== true
    const line = selling.line(random.pick(['BUFFET', 'BUFFET', 'LUNCHBOX']), random.money(1_980 * scale * busy, 0.4))
    const date = month.day(random.between(2, 27))
    // What is owed on older ones was paid with the quarter's tax; the till alone had any then.
    if (taxed && month.index < desk.tax_from) continue
    const [tax_code, tax] = taxed ? ['AUSTIN', taxOn(line.quantity * line.unit_price)] : ['EXEMPT', 0]
    selling.sell(buyer, date, [{ ...line, tax_code, tax }], [5, 25])
  }
  // The quarter's tax goes out on the 20th; paying in time keeps half a per cent.
  if ([1, 4, 7, 10].includes(month.of_year)) {
    const due = -journal.balance('2210', addDays(month.first, -1))
    const kept = Math.round(due * 0.005)
    if (due > 0) journal.post(month.day(20), 'Sales tax of the quarter', [['2210', due], ['4900', -kept], ['1000', -(due - kept)]])
  }
}

/** As the service reckons it: each rate by itself. */
function taxOn(cents: number): number {
  return [625, 100, 100].reduce((sum, rate) => sum + Math.round((cents * rate) / 10_000), 0)
}

/** A web shop that also sells to Canada and Europe and buys there. */
export const shop: Trade = (desk, month) => {
  const { random, journal, selling, scale } = desk
  const busy = season(month, [0.82, 0.84, 0.9, 0.92, 0.95, 0.93, 0.88, 0.92, 0.97, 1.05, 1.38, 1.62], 1.14)
  let sold = 0
  for (const day of month.days.filter(isWorkday)) {
    // Friday's orders go to the bank with those of the weekend.
    const goods = random.money(1_960 * scale * busy * (weekday(day) === 4 ? 3.3 : 1), 0.25)
    const postage = Math.round(goods * 0.061 * random.around(0.2))
    sold += goods
    cardSales(desk, day, `Orders paid out ${day}`, [['4000', goods], ['4030', postage]])
  }
  for (const day of month.days.filter((date) => weekday(date) === 2)) {
    const canada = random.money(3_050 * scale * busy, 0.22)
    const europe = random.money(2_660 * scale * busy, 0.25)
    sold += applyRate(canada, journal.rateOn('CAD', day)) + applyRate(europe, journal.rateOn('EUR', day))
    cardSales(desk, day, `Canadian shop, week to ${day}`, [['4000', canada]], 0.031, CANADIAN)
    cardSales(desk, day, `European marketplace, week to ${day}`, [['4000', europe]], 0.034, EURO)
    journal.post(addDays(day, 1), 'Refunds of the week', pay('4811', Math.round((sold / 30) * 0.24 * random.around(0.3)), '1000'))
    journal.post(addDays(day, 3), random.pick(['Search ads', 'Social ads', 'Video ads']), pay('6250', random.money(1_640 * scale * busy, 0.25), '2100'))
  }
  for (const buyer of upTo(random.between(2, 3)).map(() => selling.anyBuyer())) {
    const { currency = 'USD' } = buyer
    const goods = selling.line(random.pick(['PACK-22', 'BLANKET', 'BOTTLE']), random.money(1_420 * scale * busy, 0.4))
    const line = currency === 'USD' ? goods : { ...goods, unit_price: Math.round(goods.unit_price * (currency === 'CAD' ? 1.36 : 0.93)) }
    const date = month.day(random.between(2, 26))
    const worth = line.quantity * line.unit_price
    sold += currency === 'USD' ? worth : applyRate(worth, journal.rateOn(currency, date))
    selling.sell(buyer, date, [line], [18, 46])
  }
  for (const day of [9, 24]) journal.post(month.day(day), 'Parcels', pay('5130', random.money(2_760 * scale * busy, 0.15), '2100'))
  for (const day of [1, 16]) journal.post(month.day(day), 'Fulfillment center', pay('5140', random.money(2_390 * scale * busy, 0.1), '1000'))
  journal.post(month.day(26), 'Marketplace seat and listing fees', pay('6360', random.money(486 * scale * busy, 0.15), '2100'))
  if (random.chance(0.6)) journal.post(month.day(random.between(6, 22)), 'Product photographs', pay('6370', random.money(720, 0.4), '2100'))
  for (const day of [7, 21]) journal.post(month.day(day), 'Goods, Halyard Wholesale', pay('1210', Math.round((sold * 0.272 * random.around(0.12)) / 2), '1000'))
  const euros = Math.round((journal.balance('1030', month.day(18), 'EUR') - 400_000) * 0.62)
  spend(desk, month.day(18), 'Goods, Atelier Lorrain', EURO, euros, (worth) => [['1210', worth]])
  journal.post(month.last, 'Goods sold', pay('5000', Math.round(sold * 0.374 * random.around(0.02)), '1210'))
  convert(desk, month.day(27), CANADIAN, 0.8)
  if (month.index % 3 === 2) convert(desk, month.day(28), EURO, 0.5)
}

/** Foreign money spent: it leaves at what it is carried at on average, and what the rate has made of it since is realised. */
function spend({ journal }: Desk, date: string, memo: string, { currency, ledger }: Purse, amount: number, uses: (worth: number) => readonly Posting[]): void {
  const balance = journal.balance(ledger, date, currency)
  if (amount <= 0 || amount > balance) return
  const worth = applyRate(amount, journal.rateOn(currency, date))
  const carried = Math.round((journal.balance(ledger, date) * amount) / balance)
  journal.post(date, memo, [...uses(worth), [ledger, -amount, { currency, base_amount: -carried }], ['4950', carried - worth]])
}

/** Foreign money brought home; the bank keeps a little. */
function convert(desk: Desk, date: string, purse: Purse, share: number): void {
  const amount = Math.round(desk.journal.balance(purse.ledger, date, purse.currency) * share)
  spend(desk, date, `${purse.currency} changed into USD`, purse, amount, (worth) => {
    const received = Math.round(worth * 0.9935)
    return [['1000', received], ['6500', worth - received]]
  })
}

type Project = readonly [department: string, dollars: number]

/** The departments that work on retainer, by the place of the buyer. */
export const RETAINED = ['DIGITAL', 'BRAND', 'DIGITAL', 'MOTION', 'DIGITAL'] as const

/** Design by the project and by retainer; every line of income has its department. */
export const agency: Trade = (desk, month) => {
  const { random, journal, selling, scale } = desk
  const busy = season(month, [0.95, 0.98, 1.05, 1.04, 1.02, 1, 0.88, 0.85, 1.06, 1.08, 1.06, 1.02], 1.1)
  // Every second project is a website.
  const work: readonly [Project, ...Project[]] = [
    ['DIGITAL', 11_400], ['DIGITAL', 11_400], ['DIGITAL', 10_900], ['BRAND', 9_150], ['BRAND', 8_850], ['MOTION', 7_350],
  ]
  for (const _project of upTo(random.between(7, 9))) {
    const [department, dollars] = random.pick(work)
    const line = selling.line('DESIGN', random.money(dollars * scale * busy, 0.5), { department })
    selling.sell(selling.anyBuyer(), month.day(random.between(3, 28)), [line], [18, 48])
  }
  for (const place of upTo(5)) {
    const department = RETAINED[place] ?? 'BRAND'
    const unit_price = random.money(2_450 * scale * busy, 0.03)
    selling.sell(selling.buyer(place), month.first, [selling.line('RETAINER', unit_price, { department, quantity: 1, unit_price })], [8, 22])
  }
  for (const _expense of upTo(random.between(1, 3))) {
    const spent = random.money(640 * scale, 0.6)
    const day = month.day(random.between(4, 24))
    journal.post(day, random.pick(['Printing, Pressworks', 'Photo licence', 'Studio hire']), pay('5160', spent, '2100', { department: 'BRAND' }))
    selling.sell(selling.anyBuyer(), addDays(day, 3), [selling.line('EXPENSES', spent, { department: 'BRAND' })], [20, 40])
  }
  const people: Names = ['M. Okafor, illustration', 'Studio Nord, motion', 'L. Brandt, copy', 'J. Sato, development', 'Frame & Co., video']
  for (const _person of upTo(random.between(4, 6))) {
    const department = random.pick(['BRAND', 'DIGITAL', 'MOTION'])
    journal.post(month.day(random.between(6, 28)), random.pick(people), pay('5150', random.money(2_480 * scale * busy, 0.4), '1000', { department }))
  }
  for (const day of month.days.filter((date) => isWorkday(date) && random.chance(0.12))) {
    const department = random.pick(['BRAND', 'DIGITAL', 'MOTION'])
    const what = random.pick(['Fonts and images', 'Printer supplies', 'Courier', 'Paper samples'])
    journal.post(day, what, pay('6200', random.money(118, 0.6), '2100', { department }))
  }
}
