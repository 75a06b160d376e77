import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBusiness } from '../../access/lookup.ts'
import { newId } from '../../foundation/ids.ts'
import { plainRequest, system, transact } from '../../foundation/database/transact.ts'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newLedger } from '../../../test/support/example-books.ts'
import { newBusiness, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import type { ReportRow } from '../report-shape/contract.ts'
import { reportReader } from '../report-reading/operations.ts'
import type { MetricPoint, MetricQuery, MetricSeries } from './contract.ts'
import { metricSeries } from './operations.ts'
import { METRICS, rowOf } from './rules.ts'

let team: Team
let customers: string[]
const vendors = [newId(), newId(), newId()]
let ledgers: Record<'bank' | 'receivable' | 'payable' | 'sales' | 'discount' | 'goods' | 'rent' | 'wages' | 'interest' | 'stock' | 'deferred', string>

beforeAll(async () => {
  ;(await service()).clock.set('2026-06-10T12:00:00Z')
  team = await newBusiness()
  const { role } = await chartOf(team.business_id)
  const add = (name: string, type: string, subtype: string) => newLedger(team.business_id, { name, type, subtype })
  ledgers = {
    bank: await newLedger(team.business_id, { name: 'Test bank', type: 'asset', subtype: 'bank', is_bank: true }),
    receivable: role('accounts_receivable'), payable: role('accounts_payable'), sales: role('sales'), discount: await add('Test discount', 'income', 'discount'),
    goods: role('cost_of_goods_sold'), rent: await add('Test rent', 'expense', 'operating'), wages: await add('Test wages', 'expense', 'payroll'),
    interest: await add('Test interest', 'expense', 'interest_expense'), stock: role('inventory'), deferred: role('deferred_revenue'),
  }
  customers = await Promise.all([1, 2, 3].map(() => newCustomer(team.client)))
  await team.client.post('/accounting-periods/generate', { fiscal_year: 2025 })
  const kinds = ['invoice', 'payment', 'payment', 'bill', 'rent', 'rent', 'wages'] as const
  await post(team.business_id, ...kinds.map((kind, index) => posting({ day: 10 * index, cents: 1_000 + index, kind, customer: index % 2 ? null : index % 3, vendor: index % 2 ? index % 3 : null })))
})
afterAll(async () => (await service()).clock.set(null))

const known_at = '2026-06-10T12:00:00.000Z'
const series = (query: MetricQuery): Promise<MetricSeries> => inside(team.business_id, (tx) => metricSeries(tx, query))
const total = async (query: MetricQuery): Promise<MetricPoint> => (await series(query)).points[0] as MetricPoint

async function as<T>(permissions: readonly string[], work: (tx: Parameters<Parameters<typeof inside>[1]>[0]) => Promise<T>): Promise<T> {
  const { program: { database } } = await service()
  const business = await findBusiness(database, team.business_id)
  if (!business) throw new Error('No business.')
  const actor = { ...system, permissions: new Set(permissions) }
  return transact(database, { business_id: business.id, read_only: true, request: plainRequest }, ({ asBusiness }) => work(asBusiness(actor as never, business)))
}

const amount = ({ rows }: { rows: ReportRow[] }, key: string): number => rowOf(rows, key)?.cells[0]?.amount ?? 0
const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0)

type Get = (report: string, query: Record<string, string>) => Promise<any>
type Dates = { start_date: string; end_date: string }

/** The same metric, put together by hand from what the reports say. */
async function byHand(get: Get, metric: string, dates: Dates, common: Record<string, string>): Promise<number | string | null> {
  const earned = async (key: string) => amount(await get('profit-and-loss', { ...dates, ...common }), key)
  const standing = async (key: string) => amount(await get('balance-sheet', { as_of: dates.end_date, ...common }), key)
  const figure = async (key: string, within = dates) => (await get('key-figures', { ...within, ...common })).figures.find((each: any) => each.key === key)
  const cents = (value: string) => Math.round(Number(value) * 100)
  const flow = async (side: string) => {
    const report = await get('cash-flow', { ...dates, ...common, method: 'direct' })
    return sum(['operating', 'investing', 'financing'].map((part) => amount(report, `${part}_${side}`)))
  }
  switch (metric) {
    case 'gross_margin': case 'current_ratio': case 'dso': case 'dpo': return (await figure(metric)).value
    case 'cash_balance': return cents((await figure('cash')).value)
    case 'burn': return cents((await figure('burn')).value)
    case 'cash_in': return flow('receipts')
    case 'cash_out': return 0 - await flow('payments')
    case 'receivable': return standing('accounts_receivable')
    case 'payable': return standing('accounts_payable')
    case 'inventory_value': return standing('inventory')
    case 'deferred_revenue': return standing('deferred_revenue')
    case 'working_capital': return (await standing('current_assets')) - (await standing('current_liabilities'))
    case 'receivable_overdue': {
      const { totals } = await get('receivable-aging', { as_of: dates.end_date, known_at: common['known_at'] ?? '' })
      return totals.d1_30 + totals.d31_60 + totals.d61_90 + totals.over_90
    }
    case 'runway_months': {
      const month = (back: number) => new Date(Date.UTC(Number(dates.end_date.slice(0, 4)), Number(dates.end_date.slice(5, 7)) - back, 1))
      const next = new Date(Date.parse(dates.end_date) + 86_400_000).getUTCDate() === 1 ? 0 : 1
      const day = (date: Date) => date.toISOString().slice(0, 10)
      const months = { start_date: day(month(3 + next)), end_date: day(new Date(month(next).valueOf() - 86_400_000)) }
      const { inputs } = await figure('burn', months)
      const of = (name: string) => inputs.find((each: any) => each.name === name).amount
      const decrease = of('cash before the period') - of('cash')
      const cash = Math.max(0, cents((await figure('cash')).value))
      return decrease <= 0 ? null : (Math.floor((cash * of('days') * 20 / (decrease * 30) + 1) / 2) / 10).toFixed(1)
    }
    default: return earned(metric)
  }
}

const day = (from: string, days: number) => new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10)

const entry = fc.record({
  day: fc.nat(200),
  cents: fc.integer({ min: 1, max: 900_000 }),
  kind: fc.constantFrom('invoice', 'payment', 'discount', 'bill', 'rent', 'wages', 'stock', 'deferred', 'interest'),
  customer: fc.option(fc.nat(2), { nil: null }),
  vendor: fc.option(fc.nat(2), { nil: null }),
})

type Entry = typeof entry extends fc.Arbitrary<infer E> ? E : never

function posting({ day: after, cents, kind, customer, vendor }: Entry) {
  const { bank, receivable, payable, sales, discount, goods, rent, wages, interest, stock, deferred } = ledgers
  const customer_id = customer === null ? null : customers[customer] ?? null
  const vendor_id = vendor === null ? null : vendors[vendor] ?? null
  const somebody = { customer_id: customer_id ?? customers[0] ?? null }
  const lines: Record<Entry['kind'], [string, number, object?][]> = {
    invoice: [[receivable, cents, somebody], [sales, -cents, somebody]],
    payment: [[bank, cents], [sales, -cents, { customer_id }]],
    discount: [[discount, cents, { customer_id }], [bank, -cents]],
    bill: [[goods, cents, { vendor_id }], [payable, -cents, { vendor_id: vendor_id ?? vendors[0] }]],
    rent: [[rent, cents, { vendor_id }], [bank, -cents]],
    wages: [[wages, cents], [bank, -cents]],
    stock: [[stock, cents], [bank, -cents]],
    deferred: [[bank, cents], [deferred, -cents]],
    interest: [[interest, cents, { vendor_id }], [bank, -cents]],
  }
  return { date: day('2025-11-20', after), lines: lines[kind].map(([ledger_id, amount_cents, tags]) => ({ ledger_id, amount: amount_cents, ...tags })) }
}

const asked = fc.record({
  start: fc.integer({ min: 30, max: 130 }),
  length: fc.integer({ min: 0, max: 75 }),
  whole: fc.boolean(),
  group_by: fc.constantFrom('none' as const, 'month' as const, 'quarter' as const),
  compare: fc.constantFrom('none' as const, 'prior_period' as const, 'prior_year' as const),
  basis: fc.constantFrom('accrual' as const, 'cash' as const),
})

describe('metrics', () => {
  it('equal their reports over any books, dates, basis and comparison', async () => {
    await fc.assert(fc.asyncProperty(fc.array(entry, { minLength: 6, maxLength: 10 }), asked, async (entries, { start, length, whole, ...how }) => {
      await post(team.business_id, ...entries.map(posting))
      const first = day('2025-11-20', start)
      const last = day(first, length)
      const monthEnd = new Date(Date.UTC(Number(last.slice(0, 4)), Number(last.slice(5, 7)), 0)).toISOString().slice(0, 10)
      const range = whole ? { start_date: `${first.slice(0, 7)}-01`, end_date: monthEnd } : { start_date: first, end_date: last }
      const common = { basis: how.basis, known_at }
      await inside(team.business_id, async (tx) => {
        // Two readings: what one remembers cannot make the other right.
        const [read, get] = [reportReader(tx), reportReader(tx) as Get]
        for (const { metric, source, unit, position } of METRICS.filter(({ group_by }) => group_by.includes('none'))) {
          const { points, ...about } = await metricSeries(tx, { metric, ...range, ...how, known_at }, read)
          expect(about).toMatchObject({ metric, ...range, known_at, restricted: false, basis: source.kind === 'overdue' ? null : how.basis })
          const starts = how.group_by === 'none' ? [range.start_date] : points.map(({ end_date }, index) => (index === 0 ? range.start_date : day(points[index - 1]?.end_date ?? end_date, 1)))
          for (const [index, point] of points.entries()) {
            const dates = { start_date: starts[index] ?? '', end_date: point.end_date }
            expect(point.start_date).toBe(position ? null : dates.start_date)
            const expected = await byHand(get, metric, dates, common)
            const label = `${metric} ${JSON.stringify(dates)} ${how.basis}`
            expect(unit === 'currency' ? point.value_cents : point.decimal, label).toBe(expected)
            expect(point.reason === null, label).toBe(expected !== null)
            expect(point.href, label).toContain(`known_at=${encodeURIComponent(known_at)}`)
            if (!point.compared) continue
            const { start_date, end_date } = point.compared
            const before = await byHand(get, metric, { start_date: start_date ?? end_date, end_date }, common)
            expect(unit === 'currency' ? point.compared.value_cents : point.compared.decimal, `${label} compared`).toBe(before)
            if (unit === 'currency') expect(point.compared.change_cents).toBe(Number(expected) - Number(before))
            if (Number(before) <= 0) expect(point.compared.change_percent).toBeNull()
          }
          expect(points.at(-1)?.end_date).toBe(range.end_date)
        }
      })
    }), { numRuns: 3 })
  }, 60_000)

  it('by customer and vendor show the largest, the others and what names nobody, as the reports split them', async () => {
    const dates = { start_date: '2025-11-20', end_date: '2026-06-30' }
    const year = { start_date: '2025-11-20', end_date: '2026-06-30', known_at }
    const split = await team.client.get('/reports/profit-and-loss', { ...year, columns: 'customer' })
    const cells = rowOf(split.data.rows, 'revenue')?.cells ?? []
    const expected = new Map(split.data.columns.map(({ key }: any, place: number) => [key, cells[place]?.amount]))
    const all = await series({ metric: 'top_customers', ...year, basis: 'accrual' })
    expect(new Map(all.points.map(({ key, value_cents }) => [key, value_cents]))).toEqual(new Map([...expected].filter(([, value]) => value !== 0)))
    expect(all.points.at(-1)).toMatchObject({ key: 'unassigned', label: 'Unassigned', href: null })
    const named = all.points.filter(({ key }) => key !== 'unassigned')
    expect(named.map(({ value_cents }) => value_cents)).toEqual(named.map(({ value_cents }) => value_cents ?? 0).toSorted((a, b) => b - a))
    expect(named[0]?.label).toMatch(/^Customer \d+$/)
    const explained = await team.client.get(named[0]?.href ?? '')
    expect(explained.data.amount).toBe(0 - (named[0]?.value_cents ?? 0))

    const two = await series({ metric: 'top_customers', ...year, basis: 'accrual', top: 1, compare: 'prior_year' })
    expect(two.points.map(({ key }) => key)).toEqual([named[0]?.key, 'others', 'unassigned'])
    const one = await series({ metric: 'top_customers', ...year, basis: 'accrual', top: 1, named_only: true })
    expect(one.points.map(({ key }) => key)).toEqual([named[0]?.key, 'others'])
    expect(sum(two.points.map(({ value_cents }) => value_cents ?? 0))).toBe((await total({ metric: 'revenue', ...year, basis: 'accrual' })).value_cents)
    expect(two.points[0]?.compared).toMatchObject({ value_cents: 0, change_percent: null, change_cents: two.points[0]?.value_cents })

    for (const basis of ['accrual', 'cash'] as const) {
      const vendor = await team.client.get('/reports/by-dimension', { ...year, rows: 'vendor', columns: 'month', type: 'expense', basis })
      const top = await series({ metric: 'top_vendors', ...year, basis })
      expect(new Map(top.points.map(({ key, value_cents }) => [key, value_cents]))).toEqual(
        new Map(vendor.data.rows.filter(({ key, cells: own }: any) => key !== 'total' && own.at(-1).amount !== 0).map(({ key, cells: own }: any) => [key, own.at(-1).amount])))
    }
    const owed = await series({ metric: 'payable', ...year, group_by: 'vendor', basis: 'accrual' })
    expect(sum(owed.points.map(({ value_cents }) => value_cents ?? 0))).toBe((await total({ metric: 'payable', ...year, basis: 'accrual' })).value_cents)
    expect(owed.points[0]).toMatchObject({ start_date: null, end_date: dates.end_date })
  })

  it('by ledger add up to their sections', async () => {
    const dates = { start_date: '2025-12-01', end_date: '2026-03-31', known_at, basis: 'accrual' as const }
    const { points } = await series({ metric: 'expense_by_ledger', ...dates, compare: 'prior_period' })
    const { data } = await team.client.get('/reports/profit-and-loss', { start_date: dates.start_date, end_date: dates.end_date, compare: 'previous_period' })
    for (const { key, label, value_cents, compared } of points) {
      expect(rowOf(data.rows, key)).toMatchObject({ label, cells: [{ amount: value_cents }, { amount: compared?.value_cents, variance: compared?.change_cents }] })
    }
    const sections = ['cost_of_goods_sold', 'operating_expense', 'other_expense', 'interest', 'income_tax']
    expect(sum(points.map(({ value_cents }) => value_cents ?? 0))).toBe(sum(sections.map((key) => amount(data, key))))
    const some = await series({ metric: 'operating_expense', ...dates, group_by: 'ledger', top: 1 })
    expect(some.points.at(-1)?.key).toBe('others')
    expect(sum(some.points.map(({ value_cents }) => value_cents ?? 0))).toBe((await total({ metric: 'operating_expense', ...dates })).value_cents)
  })

  it('have no value where they would be divided by zero, and say why', async () => {
    const long_ago = { start_date: '2020-01-01', end_date: '2020-03-31' }
    const reasons = {
      gross_margin: 'There is no revenue to divide by.', dso: 'There is no revenue to divide by.', dpo: 'There is no cost of goods sold to divide by.',
      current_ratio: 'There are no current liabilities to divide by.', runway_months: 'Cash did not become less in the three full months up to 2020-03-31.',
    }
    for (const [metric, reason] of Object.entries(reasons)) {
      expect(await total({ metric, ...long_ago, compare: 'prior_year' })).toMatchObject({
        value_cents: null, decimal: null, reason, compared: { decimal: null, change_decimal: null, change_percent: null },
      })
    }
    for (const { metric } of METRICS.filter(({ unit, group_by }) => unit === 'currency' && group_by.includes('none'))) {
      expect(await total({ metric, ...long_ago, compare: 'prior_period' })).toMatchObject({ value_cents: 0, reason: null, compared: { value_cents: 0, change_cents: 0, change_percent: null } })
    }
  })

  it('reach over more columns than a report has, up to 400 points', async () => {
    const years = { start_date: '2020-01-01', end_date: '2026-05-31', basis: 'accrual' as const }
    const months = await series({ metric: 'revenue', ...years, group_by: 'month', compare: 'prior_year' })
    expect(months.points).toHaveLength(77)
    expect(sum(months.points.map(({ value_cents }) => value_cents ?? 0))).toBe((await total({ metric: 'revenue', ...years })).value_cents)
    expect(new Set(months.points.map(({ key }) => key)).size).toBe(77)
    const standing = await series({ metric: 'receivable', ...years, group_by: 'quarter', compare: 'prior_year' })
    const at = new Map(standing.points.map(({ end_date, value_cents }) => [end_date, value_cents]))
    for (const { compared } of standing.points) if (compared && at.has(compared.end_date)) expect(compared.value_cents).toBe(at.get(compared.end_date))
    await expect(series({ metric: 'revenue', start_date: '1990-01-01', end_date: '2026-05-31', group_by: 'month' })).rejects.toThrow('more than 400 points')
  })

  it('tell a period from the moment they are of, and stay what they were', async () => {
    const now = (await service()).clock
    const before = await series({ metric: 'revenue', period: 'this_month', known_at })
    expect(before).toMatchObject({ start_date: '2026-06-01', end_date: '2026-06-30' })
    now.set('2026-08-01T12:00:00Z')
    await post(team.business_id, { date: '2026-06-05', lines: [[ledgers.bank, 777], [ledgers.sales, -777]] })
    expect(await series({ metric: 'revenue', period: 'this_month', known_at })).toEqual(before)
    const later = await total({ metric: 'revenue', start_date: '2026-06-01', end_date: '2026-06-30' })
    expect(later.value_cents).toBe((before.points[0]?.value_cents ?? 0) + 777)
    now.set('2026-06-10T12:00:00Z')
  })

  it('filter as their reports do', async () => {
    const dates = { start_date: '2025-11-20', end_date: '2026-06-30', basis: 'accrual' as const, known_at }
    const [customer_id = ''] = customers
    const { data } = await team.client.get('/reports/profit-and-loss', { ...dates, customer_id })
    expect((await total({ metric: 'revenue', ...dates, customer_id })).value_cents).toBe(amount(data, 'revenue'))
    expect((await series({ metric: 'top_customers', ...dates, customer_id })).points.map(({ key, value_cents }) => [key, value_cents])).toEqual([[customer_id, amount(data, 'revenue')]])
  })

  it.each([
    ['no such metric', { metric: 'happiness' }, 'does not have the expected shape'],
    ['a grouping that does not fit', { metric: 'net_income', group_by: 'customer' }, 'Net income cannot be grouped by customer: choose none, month, quarter, year.'],
    ['a filter that does not fit', { metric: 'cash_balance', vendor_id: vendors[0] }, 'Cash cannot be filtered by vendor_id: it takes no filters.'],
    ['another', { metric: 'receivable_overdue', project_id: vendors[0] }, 'Overdue receivable cannot be filtered by project_id: it takes customer_id.'],
    ['a customer of nobody', { metric: 'revenue', customer_id: newId() }, 'not found'],
    ['dates the wrong way round', { metric: 'revenue', start_date: '2026-02-01', end_date: '2026-01-01' }, 'lies after'],
    ['direct cash flow over years', { metric: 'cash_in', start_date: '2024-01-01', end_date: '2026-01-01' }, 'at most 400 days'],
  ])('refuse %s', async (_what, query, reason) => {
    await expect(series(query as MetricQuery)).rejects.toThrow(reason)
  })

  it('are restricted where the caller may not read the report', async () => {
    const metrics = { revenue: 'reports:read', receivable_overdue: 'invoices:read' }
    for (const [metric, permission] of Object.entries(metrics)) {
      expect(await as(['customers:read'], (tx) => metricSeries(tx, { metric }))).toMatchObject({ metric, restricted: true, points: [] })
      expect(await as([permission], (tx) => metricSeries(tx, { metric }))).toMatchObject({ metric, restricted: false, points: [{}] })
    }
    const [point] = (await as(['reports:read'], (tx) => metricSeries(tx, { metric: 'top_customers' }))).points
    expect(point?.label).toBe(point?.key)
  })
})
