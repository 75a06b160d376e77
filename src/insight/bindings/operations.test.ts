import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBusiness } from '../../access/lookup.ts'
import { plainRequest, system, transact } from '../../foundation/database/transact.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { inside, chartOf, post } from '../../../test/support/books.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { sql } from '../../../test/support/people.ts'
import { newSeller, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { METRICS } from '../metrics/rules.ts'
import { READABLE } from '../report-reading/operations.ts'
import type { ReportRow } from '../report-shape/contract.ts'
import type { Binding, Bound, Figure, FigureSetting } from './contract.ts'
import { checkBindings, resolveBindings } from './operations.ts'

let seller: Seller
let named: (name: string) => string
let role: (role: string) => string
const vendor = newId()
const known_at = '2026-04-02T12:00:00.000Z'
const setting: FigureSetting = { known_at, start_date: '2026-03-01', end_date: '2026-03-31', basis: 'accrual', comparison: 'none', filters: {} }

beforeAll(async () => {
  const { clock } = await service()
  clock.set('2026-04-02T12:00:00Z')
  seller = await newSeller()
  ;({ named, role } = await chartOf(seller.business_id))
  const bank = named('Checking')
  const other = await newCustomer(seller.client, { name: 'Beta Buyers' })
  await post(
    seller.business_id,
    { date: '2026-01-02', lines: [[bank, 1_000_000], [named("Owner's Capital"), -1_000_000]] },
    { date: '2026-02-10', lines: [[bank, 100_000], { ledger_id: role('sales'), amount: -100_000, customer_id: other }] },
    { date: '2026-02-11', lines: [[named('Rent'), 50_000], [bank, -50_000]] },
    { date: '2026-03-05', lines: [{ ledger_id: named('Rent'), amount: 60_000, vendor_id: vendor }, [bank, -60_000]] },
    { date: '2026-03-06', lines: [[role('cost_of_goods_sold'), 20_000], { ledger_id: role('accounts_payable'), amount: -20_000, vendor_id: vendor }] },
  )
  const line_items = (unit_price: number) => [{ description: 'Work', unit_price }]
  await seller.open({ line_items: line_items(150_000), invoice_date: '2026-03-03', due_date: '2026-03-10' })
  await seller.open({ line_items: line_items(50_000), invoice_date: '2026-03-20', due_date: '2026-04-20', customer_id: other })
})
afterAll(async () => (await service()).clock.set(null))

const resolve = (bindings: Binding[], more: Partial<FigureSetting> = {}): Promise<Bound[]> =>
  inside(seller.business_id, (tx) => resolveBindings(tx, bindings, { ...setting, ...more }))
const one = async (binding: Binding, more: Partial<FigureSetting> = {}): Promise<Figure[]> => {
  const [bound] = await resolve([binding], more)
  expect(bound?.problem, JSON.stringify(binding)).toBeNull()
  return bound?.figures ?? []
}
const cents = (figures: readonly Figure[], key: string) => figures.find((figure) => figure.key === key)?.value_cents

async function as<T>(permissions: readonly string[], work: (tx: BusinessTx) => Promise<T>): Promise<T> {
  const { program: { database } } = await service()
  const business = await findBusiness(database, seller.business_id)
  if (!business) throw new Error('No business.')
  const actor = { ...system, permissions: new Set(permissions) }
  return transact(database, { business_id: business.id, read_only: true, request: plainRequest }, ({ asBusiness }) => work(asBusiness(actor as never, business)))
}

/** What a report cannot do without. */
const needed = (): Record<string, object> => ({ managerial: { key: 'function' }, explain: { ledger_id: [role('sales')] } })
const everything = (): Binding[] => [
  ...READABLE.map(({ report }): Binding => ({ report, params: { ...needed()[report] } })), ...METRICS.map(({ metric }): Binding => ({ metric })),
]

describe('bindings', () => {
  it('every report and metric can be bound, with figures that have keys of their own and lead to what they were then', async () => {
    const bindings = everything()
    await inside(seller.business_id, (tx) => checkBindings(tx, bindings))
    const bound = await resolve(bindings)
    expect(bound).toHaveLength(bindings.length)
    for (const [index, { figures, problem }] of bound.entries()) {
      const name = bindings[index]?.report ?? bindings[index]?.metric ?? ''
      expect(problem, name).toBeNull()
      expect(figures.length, name).toBeGreaterThan(0)
      expect(new Set(figures.map(({ key }) => key)).size, name).toBe(figures.length)
      for (const { href, value_cents, decimal, reason, formatted, key, row, column } of figures) {
        expect(key).toBe(`${row}@${column}`)
        if (name !== 'journal') expect(href, name).toContain(`known_at=${encodeURIComponent(known_at)}`)
        expect(reason === null, `${name} ${key}`).toBe(value_cents !== null || decimal !== null)
        expect(formatted === 'n/m', `${name} ${key}`).toBe(reason !== null)
      }
    }
    const hrefs = [...new Set(bound.flatMap(({ figures }) => figures.slice(0, 1).map(({ href }) => new URL(href ?? '', 'http://daybook').pathname)))]
    expect(hrefs.length).toBeGreaterThan(8)
    for (const { figures } of bound) {
      const { pathname, searchParams } = new URL(figures[0]?.href ?? '', 'http://daybook')
      expect((await seller.client.get(pathname, Object.fromEntries(searchParams))).status, pathname).toBe(200)
    }
  })

  it('figures are those of the report in its order, with a comparison, its variance and percentage', async () => {
    const figures = await one({ report: 'profit-and-loss' }, { comparison: 'prior_period' })
    const { data } = await seller.client.get('/reports/profit-and-loss', { start_date: '2026-03-01', end_date: '2026-03-31', compare: 'previous_period', known_at })
    const flat = (rows: ReportRow[]): ReportRow[] => rows.flatMap((row) => [row, ...flat(row.rows)])
    expect(figures.map(({ row, column, value_cents, decimal, label, depth, kind }) => [row, column, value_cents, decimal, label, depth, kind])).toEqual(
      flat(data.rows).flatMap(({ key, label, depth, kind, cells: [now, before] }) => [
        [key, 'total', now?.amount, null, label, depth, kind], [key, 'total:previous_period', before?.amount, null, label, depth, kind],
        [key, 'total:previous_period:variance', before?.variance, null, label, depth, kind],
        [key, 'total:previous_period:variance_percent', null, (before?.amount ?? 0) > 0 ? before?.variance_percent : null, label, depth, kind],
      ]))
    const shown = new Map(figures.map(({ key, formatted }) => [key, formatted]))
    expect(shown.get('revenue@total')).toBe('USD\u00a02,000.00')
    expect(shown.get('revenue@total:previous_period:variance_percent')).toBe('100.0%')
    expect(shown.get('cost_of_goods_sold@total:previous_period:variance_percent')).toBe('n/m')
    expect(figures.find(({ key }) => key === 'revenue@total')?.href).toMatch(/^\/reports\/explain\?ledger_id=/)

    const lost = await one({ report: 'profit-and-loss', params: { start_date: '2026-02-11', end_date: '2026-02-11' }, rows: ['net_income'] })
    expect(lost.map(({ formatted }) => formatted)).toEqual(['USD\u00a0-500.00'])
    const up = await one({ report: 'profit-and-loss', params: { start_date: '2026-02-12', end_date: '2026-02-12' }, rows: ['net_income'] }, { comparison: 'prior_period' })
    expect(up.at(-1)).toMatchObject({ formatted: 'n/m', decimal: null, reason: 'It is compared with a negative amount.' })
  })

  it('a balance sheet is compared with the end of the period before, as its metrics are', async () => {
    const quarter = { start_date: '2026-02-01', end_date: '2026-03-31', comparison: 'prior_period' } as const
    const sheet = await one({ report: 'balance-sheet', rows: ['bank', 'accounts_receivable', 'inventory', 'total_assets'] }, quarter)
    expect([cents(sheet, 'bank@total'), cents(sheet, 'bank@total:previous_period'), cents(sheet, 'bank@total:previous_period:variance')]).toEqual([990_000, 1_000_000, -10_000])
    expect(cents(sheet, 'inventory@total')).toBe(0)
    expect([...new Set(sheet.map(({ row }) => row))]).toEqual(['bank', 'accounts_receivable', 'inventory', 'total_assets'])
    const metric = await one({ metric: 'cash_balance' }, quarter)
    expect(metric.map(({ column, value_cents, decimal }) => [column, value_cents ?? decimal])).toEqual([
      ['total', 990_000], ['total:previous_period', 1_000_000], ['total:previous_period:variance', -10_000], ['total:previous_period:variance_percent', '-1.0'],
    ])
    expect(cents(await one({ metric: 'receivable' }, quarter), 'receivable@total')).toBe(cents(sheet, 'accounts_receivable@total'))
    // Its own day comes before the first day of the setting.
    expect(cents(await one({ report: 'balance-sheet', params: { as_of: '2026-01-31' } }, quarter), 'bank@total')).toBe(1_000_000)
  })

  it('key figures, ages, axes and months become rows and columns', async () => {
    const [key_figures, aging, by_vendor, months, control] = await resolve([
      { report: 'key-figures', rows: ['gross_margin', 'cash', 'dso'] },
      { report: 'receivable-aging', params: { top: 1 } },
      { report: 'by-dimension', params: { rows: 'customer', columns: 'month', type: ['income'], top: 1 } },
      { metric: 'revenue', params: { group_by: 'month', start_date: '2026-02-01' } },
      { report: 'control-accounts', rows: [role('accounts_payable')] },
    ])
    expect(key_figures?.figures.map(({ row, formatted, unit }) => [row, formatted, unit])).toEqual([
      ['gross_margin', '90.0%', 'percent'], ['cash', 'USD\u00a09,900.00', 'currency'], ['dso', '31.0 days', 'days'],
    ])
    const ages = aging?.figures.filter(({ column }) => column === 'd1_30' || column === 'total').map(({ label, column, value_cents }) => [label, column, value_cents])
    expect(ages).toEqual([
      ['Acme Widgets', 'd1_30', 150_000], ['Acme Widgets', 'total', 150_000], ['Others', 'd1_30', 0], ['Others', 'total', 50_000],
      ['Total', 'd1_30', 150_000], ['Total', 'total', 200_000],
    ])
    expect(by_vendor?.figures.map(({ label, column, value_cents, kind }) => [label, column, value_cents, kind])).toEqual([
      ['Acme Widgets', '2026-03', 150_000, 'ledger'], ['Acme Widgets', 'total', 150_000, 'ledger'], ['Others', '2026-03', 50_000, 'ledger'],
      ['Others', 'total', 50_000, 'ledger'], ['Unassigned', '2026-03', 0, 'ledger'], ['Unassigned', 'total', 0, 'ledger'], ['Total', '2026-03', 200_000, 'total'],
      ['Total', 'total', 200_000, 'total'],
    ])
    expect(months?.figures.map(({ key, column_label, value_cents }) => [key, column_label, value_cents])).toEqual([
      ['revenue@2026-02', 'Feb 2026', 100_000], ['revenue@2026-03', 'Mar 2026', 200_000],
    ])
    expect(control?.figures.map(({ column, value_cents }) => [column, value_cents])).toEqual([['balance', 20_000], ['sub_ledger', 20_000], ['difference', 0]])
  })

  it('the setting fills in what is left out; a filter that does not fit shows nothing instead of everything', async () => {
    const customer_id = seller.customer_id
    const filtered = await resolve([{ metric: 'revenue' }, { report: 'profit-and-loss', rows: ['revenue'] }, { report: 'cash-flow' }, { metric: 'cash_balance' }, { report: 'receivable-aging', rows: ['total'] }],
      { filters: { customer_id, vendor_id: null, dimension_value_id: [] } })
    expect(filtered.map(({ figures, problem }) => problem ?? figures.at(-1)?.value_cents)).toEqual([
      150_000, 150_000, 'Cash flow cannot be filtered by customer.', 'Cash cannot be filtered by customer.', 150_000,
    ])
    const cash = await resolve([{ metric: 'revenue' }, { metric: 'revenue', params: { basis: 'accrual' } }, { report: 'profit-and-loss', rows: ['revenue'] }], { basis: 'cash' })
    expect(cash.map(({ figures }) => figures[0]?.value_cents)).toEqual([0, 200_000, 0])
    const budget = await resolve([{ metric: 'revenue' }, { report: 'profit-and-loss' }, { report: 'balance-sheet', rows: ['bank'] }, { metric: 'revenue', params: { compare: 'none' } }], { comparison: 'budget' })
    expect(budget.map(({ figures, problem }) => problem ?? figures[0]?.value_cents)).toEqual([
      'There are no budgets yet that it could be compared with.', 'There are no budgets yet that it could be compared with.', 990_000, 200_000,
    ])
  })

  it('what is gone is a problem of its binding alone; what is only empty is zero', async () => {
    const gone = newId()
    const unused = await newCustomer(seller.client, { name: 'Never Bought' })
    const bound = await resolve([
      { report: 'by-dimension', params: { ledger_id: [gone] } },
      { metric: 'revenue', params: { customer_id: gone } },
      { report: 'profit-and-loss', params: { dimension_value_id: [gone] } },
      { report: 'profit-and-loss', params: { columns: 'dimension:nowhere' } },
      { report: 'profit-and-loss', rows: [gone] },
      { report: 'profit-and-loss', rows: ['happiness'] },
      { report: 'balance-sheet', params: { start_date: '2026-05-01', end_date: '2026-03-01' } },
      { report: 'nothing' },
      { metric: 'revenue' },
      { report: 'profit-and-loss', rows: [named('Utilities'), 'payroll'] },
      { metric: 'top_customers', rows: [unused] },
    ])
    expect(bound.map(({ figures, problem }) => problem ?? figures.map(({ label, value_cents }) => [label, value_cents]))).toEqual([
      `Ledger ${gone} does not exist any more.`, `Customer ${gone} does not exist any more.`, `Dimension value ${gone} does not exist any more.`,
      'Dimension nowhere does not exist any more.', `Row ${gone} does not exist any more.`, 'There is no row happiness in it.',
      'start_date 2026-05-01 lies after 2026-03-01, the last day.', expect.stringContaining('There is no report nothing'),
      [['Revenue', 200_000]], [[expect.stringContaining('Utilities'), 0], ['Payroll', 0]], [['Never Bought', 0]],
    ])
    expect(bound.slice(0, 8).every(({ figures }) => figures.length === 0)).toBe(true)
  })

  it('resolved again at the same moment they are the same, whatever was posted since', async () => {
    const bindings = everything().filter(({ report }) => report !== 'journal' && report !== 'general-ledger')
    const before = await resolve(bindings, { comparison: 'prior_period' })
    const { clock } = await service()
    clock.set('2026-06-20T12:00:00Z')
    await post(
      seller.business_id,
      { date: '2026-03-15', lines: [[named('Checking'), 12_345], [role('sales'), -12_345]] },
      { date: '2026-02-15', lines: [{ ledger_id: named('Rent'), amount: 99, vendor_id: vendor }, [named('Checking'), -99]] },
      { date: '2026-03-15', lines: [{ ledger_id: role('accounts_receivable'), amount: 500, customer_id: seller.customer_id }, [role('sales'), -500]] },
    )
    expect(await resolve(bindings, { comparison: 'prior_period' })).toEqual(before)
    const now = await one({ metric: 'revenue' }, { known_at: '2026-06-20T12:00:00.000Z' })
    expect(now[0]?.value_cents).toBe(212_845)
    // A period is told from that moment too.
    const [period] = await resolve([{ report: 'profit-and-loss', params: { period: 'last_month' }, rows: ['revenue'] }])
    expect(period?.figures[0]?.value_cents).toBe(200_000)
    clock.set('2026-04-02T12:00:00Z')
  })

  it('each report is read once for all that need it', async () => {
    const profit: Binding[] = ['revenue', 'gross_profit', 'gross_margin', 'operating_expense', 'net_income', 'expense_by_ledger'].map((metric) => ({ metric }))
    const counted = await inside(seller.business_id, async (tx) => {
      const many = tx.many.bind(tx)
      const run = async (bindings: Binding[]) => {
        let statements = 0
        Object.assign(tx, { many: (...given: Parameters<typeof many>) => (statements += given[0].text.includes('ledger_months') ? 1 : 0, many(...given)) })
        await resolveBindings(tx, bindings, { ...setting, comparison: 'prior_year' })
        return statements
      }
      return [await run(profit.slice(0, 1)), await run([...profit, { report: 'profit-and-loss' }, { report: 'profit-and-loss', rows: ['net_income'] }])]
    })
    expect(counted[1]).toBe(counted[0])
    expect(counted[0]).toBeGreaterThan(0)
  })

  it('what the caller may not read is not shown', async () => {
    const bound = await as(['invoices:read'], (tx) => resolveBindings(tx, [{ metric: 'revenue' }, { report: 'trial-balance' }, { metric: 'receivable_overdue' }], setting))
    expect(bound.map(({ figures, problem }) => problem ?? figures[0]?.value_cents)).toEqual([
      'Revenue may not be read here: it takes the permission reports:read.', 'Trial balance may not be read here: it takes the permission reports:read.', expect.any(Number),
    ])
  })

  it('nothing of another business is in them', async () => {
    const stranger = await newSeller()
    const bound = await inside(stranger.business_id, (tx) => resolveBindings(tx, [
      { metric: 'revenue' }, { metric: 'top_customers' }, { metric: 'revenue', params: { customer_id: seller.customer_id } }, { report: 'by-dimension', params: { ledger_id: [role('sales')] } },
    ], setting))
    expect(bound.map(({ figures, problem }) => problem ?? figures.map(({ value_cents }) => value_cents))).toEqual([
      [0], [], expect.stringContaining('does not exist'), expect.stringContaining('does not exist'),
    ])
    expect(await sql('select count(*)::int as count from journal_entries where business_id = $1', [stranger.business_id])).toEqual([{ count: 0 }])
  })
})

describe('a check of bindings', () => {
  const problems = async (...bindings: Binding[]) => {
    const refused = await inside(seller.business_id, (tx) => checkBindings(tx, bindings)).then(() => null, (error: unknown) => error as Refusal)
    return refused === null ? null : [refused.status, refused.problems?.map(({ loc, type }) => [loc.slice(2).join('.'), type])]
  }

  it.each<[string, Binding, string, string]>([
    ['neither a report nor a metric', {}, '0', 'value_error'],
    ['both', { report: 'journal', metric: 'revenue' }, '0', 'value_error'],
    ['an unknown report', { report: 'horoscope' }, '0.report', 'enum'],
    ['an unknown metric', { metric: 'happiness' }, '0.metric', 'enum'],
    ['an unknown parameter', { report: 'profit-and-loss', params: { colour: 'red' } }, '0.params.colour', 'value_error'],
    ['a moment of its own', { report: 'profit-and-loss', params: { known_at } }, '0.params.known_at', 'value_error'],
    ['a parameter of another report', { report: 'profit-and-loss', params: { mode: 'worksheet' } }, '0.params.mode', 'value_error'],
    ['a date that is none', { report: 'profit-and-loss', params: { start_date: '2026-02-30' } }, '0.params.start_date', 'date_parsing'],
    ['what a report needs', { report: 'managerial' }, '0.params.key', 'missing'],
    ['a number out of range', { report: 'by-dimension', params: { top: 0 } }, '0.params.top', 'value_error'],
    ['a grouping that does not fit', { metric: 'cash_balance', params: { group_by: 'customer' } }, '0.params.group_by', 'enum'],
    ['a filter that does not fit', { metric: 'cash_balance', params: { customer_id: vendor } }, '0.params.customer_id', 'value_error'],
    ['a comparison that is none', { metric: 'revenue', params: { compare: 'yesterday' } }, '0.params.compare', 'enum'],
    ['an id that is none', { metric: 'revenue', params: { customer_id: 'me' } }, '0.params.customer_id', 'uuid_parsing'],
  ])('refuses %s', async (_what, binding, place, type) => {
    expect(await problems(binding)).toEqual([422, [[place, type]]])
  })

  it('tells the problems of all, each in its place', async () => {
    expect(await problems({ metric: 'revenue' }, {}, { report: 'horoscope' })).toEqual([422, [['1', 'value_error'], ['2.report', 'enum']]])
    expect(await problems({ metric: 'revenue', report: null, params: { customer_id: null } as never })).toBeNull()
    await expect(inside(seller.business_id, (tx) => checkBindings(tx, [{}], () => ['body', 'blocks', 3, 'binding']))).rejects.toMatchObject({ problems: [{ loc: ['body', 'blocks', 3, 'binding'] }] })
  })
})
