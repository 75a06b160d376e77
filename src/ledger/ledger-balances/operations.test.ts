// Tests of balances and of the tree: at dates, per currency, on both bases, with merged and archived ledgers.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { newBusiness, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import type { LedgerBalance, LedgerNode } from './contract.ts'

let team: Team
let client: Client
let chart: Awaited<ReturnType<typeof chartOf>>
beforeAll(async () => {
  (await service()).clock.set('2026-06-15T12:00:00Z')
  team = await newBusiness()
  client = team.client
  chart = await chartOf(team.business_id)
})
afterAll(async () => (await service()).clock.set(null))

const balances = async (query: Record<string, string> = {}): Promise<LedgerBalance[]> => (await client.get('/ledgers/balances', query)).data.ledgers
const balanceOf = async (ledger_id: string, query: Record<string, string> = {}) => (await balances(query)).find((each) => each.ledger_id === ledger_id)
const base = async (ledger_id: string, query: Record<string, string> = {}) => (await balanceOf(ledger_id, query))?.base_balance
const newLedger = async (body: object): Promise<{ id: string }> => (await client.post('/ledgers', body)).data

it('are of any day: whole months, then days, future ones too', async () => {
  const [rent, checking] = [chart.named('Rent'), chart.named('Checking')]
  await post(team.business_id, ...['2026-01-31', '2026-02-01', '2026-02-15', '2026-03-01', '2026-12-31'].map(
    (date, index) => ({ date, lines: [[rent, 10 ** index], [checking, -(10 ** index)]] as const }),
  ))
  const at = async (as_of: string) => [await base(rent, { as_of }), await base(checking, { as_of })]
  expect(await at('2026-01-30')).toEqual([0, 0])
  expect(await at('2026-01-31')).toEqual([1, -1])
  expect(await at('2026-02-01')).toEqual([11, -11])
  expect(await at('2026-02-28')).toEqual([111, -111])
  expect(await at('2026-12-30')).toEqual([1111, -1111])
  expect(await base(rent)).toBe(11111)
  expect((await client.get('/ledgers/balances', { as_of: '2026-02-01' })).data).toMatchObject({ as_of: '2026-02-01', basis: 'accrual', base_currency: 'USD' })
  expect((await client.get('/ledgers/balances')).data.as_of).toBeNull()
  expect((await client.get('/ledgers/balances', { as_of: '2026-02-30' })).status).toBe(422)
})

it('are per currency and in natural signs', async () => {
  const loan = await newLedger({ name: 'Loan', type: 'liability', subtype: 'long_term_loan', currency: 'EUR' })
  await post(team.business_id,
    { date: '2026-03-01', lines: [{ ledger_id: loan.id, amount: -1000, currency: 'EUR', base_amount: -1100 }, [chart.named('Equipment'), 1100]] },
    { date: '2026-03-02', lines: [[loan.id, -50], [chart.named('Equipment'), 50]] })
  expect(await balanceOf(loan.id)).toMatchObject({
    currency: 'EUR', balance: 1000, base_balance: 1150,
    currencies: [{ currency: 'EUR', balance: 1000, base_balance: 1100 }, { currency: 'USD', balance: 50, base_balance: 50 }],
  })
  expect(await balanceOf(chart.named('Vehicles'))).toMatchObject({ balance: 0, base_balance: 0, currencies: [] })
})

it('on the cash basis count a document when it is paid', async () => {
  const [receivable, sales, checking] = [chart.role('accounts_receivable'), chart.role('sales'), chart.named('Checking')]
  const customer_id = newId()
  const [invoice] = await post(
    team.business_id, { date: '2026-04-10', source_type: 'invoice', lines: [{ ledger_id: receivable, amount: 1000, customer_id }, [sales, -1000]] },
  )
  const item = invoice?.lines[0]?.id ?? ''
  await post(
    team.business_id,
    { date: '2026-05-15', source_type: 'invoice', lines: [[checking, 400], { ledger_id: receivable, amount: -400, customer_id, settles_line_id: item }] },
  )
  const both = async (as_of: string, basis: string) => [await base(sales, { as_of, basis }), await base(receivable, { as_of, basis })]
  expect(await both('2026-04-30', 'accrual')).toEqual([1000, 1000])
  expect(await both('2026-04-30', 'cash')).toEqual([0, 0])
  expect(await both('2026-05-31', 'accrual')).toEqual([1000, 600])
  expect(await both('2026-05-31', 'cash')).toEqual([400, 0])
})

it('the tree adds up to the types, with merged ledgers under their target and archived ones while something stands on them', async () => {
  const heading = await newLedger({ name: 'Marketing', type: 'expense', subtype: 'operating', posting: false })
  const [ads, old, gone] = await Promise.all(
    ['Ads', 'Old ads', 'Gone'].map((name) => newLedger({ name, type: 'expense', subtype: 'operating', parent_id: heading.id })),
  )
  await post(team.business_id, { date: '2026-03-01', lines: [[ads!.id, 30], [old!.id, 12], [chart.named('Checking'), -42]] })
  await client.put(`/ledgers/${old!.id}/merge`, { into_id: ads!.id })
  await client.put(`/ledgers/${gone!.id}/archive`)
  const { data } = await client.get('/ledgers/tree')
  const expenses = data.types.find(({ type }: { type: string }) => type === 'expense')
  const node = expenses.ledgers.find(({ id }: LedgerNode) => id === heading.id)
  expect(node).toMatchObject({ base_balance: 0, total: 42, posting: false, children: [{ name: 'Ads', base_balance: 42, total: 42, children: [] }] })
  expect(node.children).toHaveLength(1)
  const sign = (type: string) => (type === 'asset' || type === 'expense' ? 1 : -1)
  expect(data.types.reduce((sum: number, { type, total }: { type: string; total: number }) => sum + sign(type) * total, 0)).toBe(0)
  expect((await balances()).reduce((sum, { type, base_balance }) => sum + sign(type) * base_balance, 0)).toBe(0)
  expect((await balances()).filter(({ ledger_id }) => [old!.id, gone!.id, heading.id].includes(ledger_id))).toEqual([])
  expect((await client.get('/ledgers/tree', { as_of: '2026-02-28' })).data.types.find(({ type }: { type: string }) => type === 'expense').total).toBe(111)
})
