import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths, lastDayOfMonth } from '../../foundation/calendar.ts'
import { applyRate } from '../../foundation/money.ts'
import { templateOf, type Industry } from '../../ledger/charts/rules.ts'
import { KINDS, MOST_CLIENTS } from './clients.ts'
import type { Client, Entry, Line } from './plan.ts'
import { planPractice } from './practice.ts'
import { postingsOf, totalOf } from './selling.ts'

const days = fc.integer({ min: 0, max: 4_000 }).map((offset) => addDays('2022-01-01', offset))

/** A practice takes a moment to work out, so only a few are looked at, others in every run; their names tell how to see them again. */
const samples = fc.sample(fc.record({ seed: fc.nat(), businesses: fc.constant(6), date: days }), 2)

const now = { seed: 1, businesses: 6, date: '2026-11-15' }
const usual = planPractice(now)

function baseOf({ rates }: Client, { date, currency: own }: Entry, { amount, base_amount, currency = own ?? 'USD' }: Line): number {
  const rate = rates.findLast((one) => one.from_currency === currency && one.date <= date)?.rate
  return base_amount ?? (currency === 'USD' ? amount : applyRate(amount, rate ?? '0'))
}

/** All that stands in the books in the end: what was written by hand, and what invoices and payments make. */
function booksOf(client: Client): Entry[] {
  const rateOn = (currency: string, date: string) => client.rates.findLast((one) => one.from_currency === currency && one.date <= date)?.rate ?? '0'
  return [...client.entries, ...client.sales.flatMap((sale) => postingsOf(sale, rateOn))]
}

describe('the demo', () => {
  it('the same seed and month give the same practice, another seed another one, and more clients change nothing', () => {
    expect(planPractice({ ...now, date: '2026-11-30' })).toEqual(usual)
    expect(planPractice({ ...now, businesses: 2 }).clients).toEqual(usual.clients.slice(0, 2))
    const other = planPractice({ ...now, seed: 2, businesses: 2 }).clients
    for (const [index, { name, entries }] of other.entries()) {
      expect(name).toBe(usual.clients[index]?.name)
      expect(entries).not.toEqual(usual.clients[index]?.entries)
    }
  })

  it('stands on ledgers that the business has and that take lines by hand', () => {
    const documents = new Set([
      'inventory', 'goods_received_not_invoiced', 'undeposited_funds', 'sales_tax_payable', 'sales_tax_recoverable', 'accumulated_depreciation',
      'accounts_receivable', 'accounts_payable',
    ])
    for (const { business, ledgers, entries, drafts, managerial_keys, departments, tax } of usual.clients) {
      const chart = templateOf(business.industry as Industry).ledgers
      const usable = new Set([...chart.filter(({ role }) => !documents.has(role ?? '')), ...ledgers].map(({ number }) => number))
      const used = new Set([...entries, ...drafts].flatMap(({ lines }) => lines.map(({ ledger }) => ledger)))
      expect([...used, ...managerial_keys.map(({ ledger }) => ledger)].filter((number) => !usable.has(number))).toEqual([])
      expect(ledgers.filter(({ number }) => chart.some((ledger) => ledger.number === number))).toEqual([])
      const lines = entries.flatMap((entry) => entry.lines)
      const known = new Set(departments?.values.map(({ code }) => code) ?? [])
      expect(lines.filter(({ department }) => department !== undefined && !known.has(department))).toEqual([])
      if (departments) expect(lines.filter(({ ledger, department }) => ledger.startsWith('4') && department === undefined)).toEqual([])
      expect(lines.some(({ tax_code }) => tax_code === tax?.code.code)).toBe(tax !== null || !lines.some(({ tax_code }) => tax_code !== undefined))
    }
  })

  it('the default is some ten thousand entries over six kinds of business; four of each kind have their own names', () => {
    const { clients } = usual
    const count = clients.flatMap(booksOf).length
    expect(count).toBeGreaterThan(8_000)
    expect(count).toBeLessThan(12_000)
    expect(new Set(clients.map(({ business }) => business.industry)).size).toBe(6)
    expect(clients.filter(({ business }) => business.fiscal_year_start_month === 7)).toHaveLength(1)
    for (const special of ['tax', 'departments'] as const) expect(clients.filter((client) => client[special] !== null)).toHaveLength(1)
    for (const special of ['rates', 'managerial_keys'] as const) expect(clients.filter((client) => client[special].length > 0)).toHaveLength(1)
    const all = KINDS.flatMap(({ identities }) => identities)
    for (const distinct of [all.map(({ name }) => name), all.map(({ owner }) => owner)]) expect(new Set(distinct).size).toBe(MOST_CLIENTS)
    const [seventh] = planPractice({ ...now, businesses: 7 }).clients.slice(6)
    expect([seventh?.business.industry, seventh?.name]).toEqual([clients[0]?.business.industry, KINDS[0].identities[1].name])
  })
})

describe.each(samples)('the demo with seed $seed as of $date', (asked) => {
  const practice = planPractice(asked)

  it('every entry balances, in its currency and in the base currency, and no line is empty', () => {
    for (const client of practice.clients) {
      for (const entry of [...booksOf(client), ...client.drafts]) {
        expect(entry.lines.length).toBeGreaterThanOrEqual(2)
        for (const { amount } of entry.lines) expect(amount !== 0 && Number.isSafeInteger(amount)).toBe(true)
        const mixed = entry.lines.some(({ currency }) => currency !== undefined)
        expect(entry.lines.reduce((sum, line) => sum + (mixed ? baseOf(client, entry, line) : line.amount), 0)).toBe(0)
      }
    }
  })

  it('two years up to last month, in order, the opening first; what reverses itself does so the day after a month end', () => {
    const this_month = `${asked.date.slice(0, 8)}01`
    expect([practice.first_day, practice.last_day]).toEqual([addMonths(this_month, -24), addDays(this_month, -1)])
    for (const { entries, rent, corrections, revaluations, rates } of practice.clients) {
      expect(rent.dates).toEqual(Array.from({ length: 13 }, (_, month) => addMonths(practice.first_day, 12 + month)))
      expect(rent.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
      expect(entries[0]).toMatchObject({ date: practice.first_day, memo: 'Opening balances' })
      expect(entries.map((entry) => entry.date)).toEqual(entries.map((entry) => entry.date).toSorted())
      expect(entries.filter((entry) => entry.date < practice.first_day || entry.date > practice.last_day)).toEqual([])
      for (const { date: on, auto_reverse_on } of entries) if (auto_reverse_on) expect([on, auto_reverse_on]).toEqual([lastDayOfMonth(on), addDays(on, 1)])
      expect(new Set(entries.map((entry) => entry.date.slice(0, 7))).size).toBe(24)
      expect(corrections.map(({ kind }) => kind).toSorted()).toEqual(['redate', 'reverse', 'reverse'])
      for (const correction of corrections) expect(correction.date >= practice.first_day && correction.date <= practice.last_day).toBe(true)
      expect(revaluations.length).toBe(rates.length > 0 ? 24 : 0)
    }
  })

  it('invoices of two years, of buyers and items that are there: most are paid, some late, in part or never, a few are drafts', () => {
    let unpaid = 0
    for (const { buyers, items, sales, standing } of practice.clients) {
      expect(sales.length).toBeGreaterThan(40)
      const [names, codes] = [new Set(buyers.map(({ name }) => name)), new Set([null, ...items.map(({ code }) => code)])]
      expect([...sales, ...standing].filter(({ buyer }) => !names.has(buyer))).toEqual([])
      expect([...sales.flatMap(({ lines }) => lines), ...standing.map(({ line }) => line)].filter(({ item }) => !codes.has(item))).toEqual([])
      const issued = sales.filter(({ draft }) => !draft)
      expect(issued.map(({ date }) => date)).toEqual(issued.map(({ date }) => date).toSorted())
      expect(sales.length - issued.length).toBe(2)
      expect(new Set(sales.map(({ external_id }) => external_id)).size).toBe(sales.length)
      const paidOf = ({ payments }: { payments: { amount: number }[] }) => payments.reduce((sum, { amount }) => sum + amount, 0)
      const open = issued.filter((sale) => sale.written_off_on === null && paidOf(sale) < totalOf(sale.lines))
      unpaid += open.length
      expect(open.length).toBeLessThan(issued.length * 0.25)
      expect(issued.some(({ payments }) => payments.length === 2)).toBe(true)
      for (const { date, payments } of issued) for (const payment of payments) expect(payment.date > date && payment.date <= practice.last_day).toBe(true)
    }
    expect(unpaid).toBeGreaterThan(5)
    expect(practice.clients.flatMap(({ sales }) => sales).filter(({ written_off_on }) => written_off_on !== null).length).toBeGreaterThan(5)
  })

  it('looks real: money in the bank at every month end, few round sums, a profit over the two years', () => {
    for (const client of practice.clients) {
      const entries = booksOf(client)
      const lines = entries.flatMap((entry) => entry.lines)
      expect(lines.filter(({ amount }) => amount % 10_000 === 0).length).toBeLessThan(lines.length * 0.01)
      for (let month = 1; month <= 24; month++) {
        const end = addDays(addMonths(practice.first_day, month), -1)
        const moved = entries.filter(({ date }) => date <= end).flatMap((entry) => entry.lines)
        const cash = moved.reduce((sum, { ledger, amount }) => (ledger === '1000' ? sum + amount : sum), 0)
        expect(cash).toBeGreaterThan(0)
      }
      const last_accruals = (entry: Entry) => entry.auto_reverse_on === undefined || entry.date === practice.last_day
      const moved = (wanted: (ledger: string) => boolean) => entries.filter(last_accruals)
        .reduce((sum, entry) => entry.lines.reduce((part, line) => (wanted(line.ledger) ? part + baseOf(client, entry, line) : part), sum), 0)
      const [revenue, profit] = [-moved((ledger) => ledger >= '4000' && ledger < '4800'), -moved((ledger) => ledger >= '4000')]
      expect(profit / revenue).toBeGreaterThan(0)
      expect(profit / revenue).toBeLessThan(0.35)
    }
  })
})
