// Books as nobody would plan them: random entries of every kind through the door, in five currencies, settled, reversed and re-dated.
import { addDays } from '../../src/foundation/calendar.ts'
import { CURRENCIES, type Currency } from '../../src/foundation/money.ts'
import { Refusal } from '../../src/foundation/refusal.ts'
import { newId } from '../../src/foundation/ids.ts'
import type { PostedEntry } from '../../src/ledger/journal/contract.ts'
import type { PostingLine } from '../../src/ledger/posting/contract.ts'
import { chanceFrom } from '../../src/foundation/random.ts'
import { postEntries, redateEntry, reverseEntry } from '../../src/ledger/posting/operations.ts'
import { chartOf, inside } from './books.ts'
import { newLedger } from './example-books.ts'

/** A new seed with every run, unless the environment names one to play again. */
export function seedFrom(name: string): number {
  return Number(process.env[name] ?? Math.floor(Math.random() * 2 ** 31))
}

export type Random = (below: number) => number

/** The same numbers for the same seed. */
export function randomOf(seed: number): Random {
  const next = chanceFrom(seed)
  return (below) => Math.floor(next() * below)
}

const RATES: Record<Currency, string> = { USD: '1', EUR: '1.0837', GBP: '1.27', CAD: '0.731', AUD: '0.6549' }

/** Makes so many attempts; those that the door refuses leave nothing but their sentence here. */
export async function randomBooks(business_id: string, attempts: number, random: Random): Promise<{ refused: string[] }> {
  const { role } = await chartOf(business_id)
  const banks: Partial<Record<Currency, string>> = {}
  for (const currency of CURRENCIES) {
    banks[currency] = await newLedger(business_id, { name: `Random bank ${currency}`, type: 'asset', subtype: 'bank', currency, is_bank: true })
  }
  const costs = await newLedger(business_id, { name: 'Random costs', type: 'expense', subtype: 'operating' })
  const parties = Array.from({ length: 4 }, () => newId())
  const projects = [null, newId(), newId()]
  const entries: PostedEntry[] = []
  const refused: string[] = []

  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const amount = () => (random(4) === 0 ? 1 + random(9) : 1 + random(500_000))
  const day = () => addDays('2026-01-01', random(180))
  const money = (): { currency: Currency; rate: string | null } => {
    const currency = random(2) === 0 ? 'USD' : pick(CURRENCIES)
    return { currency, rate: currency === 'USD' ? null : `${RATES[currency]}${random(10)}` }
  }
  const parts = (whole: number, count: number): number[] => {
    const cuts = Array.from({ length: count - 1 }, () => random(whole + 1)).sort((a, b) => a - b)
    return [...cuts, whole].map((cut, index) => cut - (index === 0 ? 0 : (cuts[index - 1] ?? 0))).filter((part) => part !== 0)
  }
  const controls = [role('accounts_receivable'), role('accounts_payable')]
  const items = () => entries.flatMap(({ lines }) =>
    lines.filter((line) => controls.includes(line.ledger_id) && line.settles_line_id === null && line.amount !== 0))

  const sale = () => {
    const { currency, rate } = money()
    const whole = amount()
    const lines = parts(whole, 1 + random(3)).map((part): PostingLine => ({ ledger_id: role('sales'), amount: -part, project_id: pick(projects) }))
    return { date: day(), source_type: 'manual', currency, rate, memo: 'Sale', lines: [{ ledger_id: banks[currency] ?? '', amount: whole }, ...lines] }
  }
  const document = () => {
    const bill = random(3) === 0
    const { currency, rate } = money()
    const whole = amount()
    const sign = bill ? -1 : 1
    const party = bill ? { vendor_id: pick(parties) } : { customer_id: pick(parties) }
    const control = { ledger_id: role(bill ? 'accounts_payable' : 'accounts_receivable'), ...party }
    const owed = parts(whole, 1 + random(3)).map((part, index): PostingLine =>
      ({ ...(index === 2 ? { ledger_id: banks[currency] ?? '' } : control), amount: sign * part }))
    const counted = parts(whole, 1 + random(4)).map((part): PostingLine =>
      ({ ledger_id: bill ? costs : role('sales'), amount: -sign * part, ...party, project_id: pick(projects) }))
    return { date: day(), source_type: bill ? 'bill' : 'invoice', source_id: newId(), currency, rate, lines: [...owed, ...counted] }
  }
  const settlement = () => {
    const item = pick(items())
    if (!item) return sale()
    const paid = random(3) === 0 ? -item.amount : -Math.sign(item.amount) * (1 + random(Math.abs(item.amount)))
    const written = random(4) === 0 ? Math.trunc(paid / (2 + random(5))) : 0
    const { currency } = item
    const { ledger_id, customer_id, vendor_id } = item
    const lines: PostingLine[] = [{ ledger_id, customer_id, vendor_id, amount: paid, settles_line_id: item.id }]
    if (paid !== written) lines.push({ ledger_id: banks[currency] ?? '', amount: written - paid })
    if (written !== 0) lines.push({ ledger_id: role('bad_debt'), amount: -written })
    return { date: day(), source_type: 'payment', source_id: newId(), currency, rate: currency === 'USD' ? null : `${RATES[currency]}${random(10)}`, lines }
  }
  const revaluation = () => {
    const gain = (random(2) === 0 ? 1 : -1) * amount()
    const date = day()
    const lines: PostingLine[] = [
      { ledger_id: random(2) === 0 ? banks.EUR ?? '' : role('accounts_receivable'), currency: 'EUR', amount: 0, base_amount: gain },
      { ledger_id: role('unrealized_fx'), amount: -gain },
    ]
    return { date, source_type: 'manual', auto_reverse_on: addDays(date, 1 + random(40)), lines }
  }
  const mixed = () => {
    const base = amount()
    const lines: PostingLine[] = [
      { ledger_id: banks.GBP ?? '', currency: 'GBP', amount: amount(), base_amount: base },
      { ledger_id: banks.CAD ?? '', currency: 'CAD', amount: -amount(), base_amount: -base },
    ]
    return { date: day(), source_type: 'manual', lines }
  }
  const makers = [sale, sale, document, document, document, settlement, settlement, settlement, settlement, revaluation, mixed]

  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const chance = random(10)
      const later = random(2) === 0 ? {} : { reversal_date: addDays('2026-06-30', random(30)) }
      if (chance === 0 && entries.length > 0) await inside(business_id, (tx) => reverseEntry(tx, pick(entries).id, later))
      else if (chance === 1 && entries.length > 0) entries.push(await inside(business_id, (tx) => redateEntry(tx, pick(entries).id, day())))
      // Several at once, so that the same journal is made of small and of large transactions.
      else entries.push(...await inside(business_id, (tx) => postEntries(tx, Array.from({ length: 1 + random(3) }, () => pick(makers)()))))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push(error.message)
    }
  }
  return { refused }
}
