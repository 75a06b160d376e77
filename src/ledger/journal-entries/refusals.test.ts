// Tests of every reason for which an entry is not posted.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chartOf } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import type { Entry } from '../journal-drafts/contract.ts'

let team: Team
let client: Client
let chart: Awaited<ReturnType<typeof chartOf>>
let rent: string
let checking: string

beforeAll(async () => {
  (await service()).clock.set('2026-06-15T12:00:00Z')
  team = await newBusiness()
  client = team.client
  chart = await chartOf(team.business_id)
  rent = chart.named('Rent')
  checking = chart.named('Checking')
})
afterAll(async () => (await service()).clock.set(null))

const body = (more: object = {}, amount = 15_000) => (
  { date: '2026-03-10', memo: 'March rent', lines: [{ ledger_id: rent, debit: amount }, { ledger_id: checking, credit: amount }], ...more })
const on = (debited: string, credited = checking, more: object = {}) =>
  body({ lines: [{ ledger_id: debited, amount: 500, ...more }, { ledger_id: credited, amount: -500 }] })

const balanceOf = async (ledger_id: string): Promise<number> =>
  Number((await sql('select coalesce(sum(debit - credit), 0) as balance from ledger_months where ledger_id = $1', [ledger_id]))[0].balance)

async function setPeriod(name: string, action: string, given: object = {}): Promise<void> {
  const { data } = await client.get('/accounting-periods', { limit: 100 })
  const { status, detail } = await client.put(`/accounting-periods/${data.items.find((each: { name: string }) => each.name === name).id}/${action}`, given)
  expect(status, JSON.stringify(detail)).toBe(200)
}

describe('posting refuses', () => {
  let other: Team
  const made: Record<string, string> = {}
  beforeAll(async () => {
    other = await newBusiness()
    const ledger = async (more: object) => (await client.post('/ledgers', { name: `L ${newId()}`, type: 'expense', subtype: 'operating', ...more })).data.id
    made['archived'] = await ledger({ name: 'Gone' })
    await client.put(`/ledgers/${made['archived']}/archive`)
    made['heading'] = await ledger({ name: 'Heading', posting: false })
    made['euros'] = await ledger({ name: 'Euros', type: 'asset', subtype: 'bank', currency: 'EUR', is_bank: true })
    made['foreign'] = (await chartOf(other.business_id)).named('Rent')
    await setPeriod('2026-01', 'lock', { areas: ['journal'] })
    await setPeriod('2026-12', 'lock', { areas: ['journal'] })
  })

  const rows: [string, () => object, number, RegExp][] = [
    [
      'an entry that does not balance', () => body({ lines: [{ ledger_id: rent, debit: 100 }, { ledger_id: checking, credit: 90 }] }), 400,
      /its debits are 0.10 USD above its credits/,
    ],
    [
      'the same on the other side', () => body({ lines: [{ ledger_id: rent, debit: 90 }, { ledger_id: checking, credit: 100 }] }), 400,
      /its credits are 0.10 USD above its debits/,
    ],
    ['an archived ledger', () => on(made['archived']!), 400, /Gone is archived/],
    ['a heading', () => on(made['heading']!), 400, /Heading is a heading/],
    ['a ledger of another business', () => on(made['foreign']!), 404, /of line 1 not found/],
    ['a ledger that does not exist', () => on(rent, newId()), 404, /of line 2 not found/],
    ['a bank account in another currency', () => on(made['euros']!), 400, /Euros is kept in EUR: line 1 cannot be in USD/],
    ['inventory', () => on(chart.role('inventory')), 400, /takes no lines by hand: use inventory adjustments/],
    ['goods received', () => on(chart.role('goods_received_not_invoiced')), 400, /use purchase-orders and bills/],
    ['undeposited funds', () => on(chart.role('undeposited_funds')), 400, /use invoice payments and bank-deposits/],
    ['sales tax payable', () => on(chart.role('sales_tax_payable')), 400, /use tax/],
    ['sales tax recoverable', () => on(chart.role('sales_tax_recoverable')), 400, /use tax/],
    ['accumulated depreciation', () => on(chart.role('accumulated_depreciation')), 400, /use fixed-assets/],
    ['a receivable without a customer', () => on(chart.role('accounts_receivable')), 400, /needs a customer_id/],
    ['a payable without a vendor', () => on(chart.role('accounts_payable')), 400, /needs a vendor_id/],
    ['a customer that does not exist', () => on(chart.role('accounts_receivable'), checking, { customer_id: newId() }), 404, /Customer .* of line 1 not found/],
    ['a vendor that does not exist', () => on(rent, checking, { vendor_id: newId() }), 404, /Vendor .* of line 1 not found/],
    ['a project that does not exist', () => on(rent, checking, { project_id: newId() }), 404, /Project .* of line 1 not found/],
    ['a tax code that does not exist', () => on(rent, checking, { tax_code_id: newId() }), 404, /Tax code .* of line 1 not found/],
    ['a value of a dimension that does not exist', () => on(rent, checking, { dimension_value_ids: [newId()] }), 404, /Dimension value .* of line 1 not found/],
    ['to settle a line that does not exist', () => on(rent, checking, { settles_line_id: newId() }), 404, /which line 1 settles, not found/],
    [
      'a currency without a rate',
      () => body({ currency: 'GBP', lines: [{ ledger_id: rent, debit: 1 }, { ledger_id: chart.named('Utilities'), credit: 1 }] }), 400,
      /No GBP\/USD rate on or before 2026-03-10/,
    ],
    ['a rate of nothing', () => body({ currency: 'GBP', rate: '0.0' }), 400, /above 0/],
    ['another rate than 1 for the base currency', () => body({ rate: '2' }), 400, /USD is the base currency/],
    ['a date before the first period', () => body({ date: '2025-12-31' }), 400, /lies before the first period, which starts on 2026-01-01/],
    ['a date in a period that is locked', () => body({ date: '2026-01-31' }), 400, /2026-01 is locked for journal; use 2026-02-01 or later/],
    ['a date that is too far ahead', () => body({ date: '2099-01-01' }), 400, /more than 10 years after the last period/],
    ['a mirror that does not come after', () => body({ auto_reverse_on: '2026-03-10' }), 400, /must come after 2026-03-10/],
    ['a mirror whose date is not open', () => body({ auto_reverse_on: '2026-12-24' }), 400, /2026-12 is locked for journal/],
    [
      'two kinds of amount', () => body({ lines: [{ ledger_id: rent, debit: 1, credit: 1 }, { ledger_id: checking, credit: 1 }] }), 400,
      /Line 1 needs exactly one of amount, debit and credit/,
    ],
    ['no amount', () => body({ lines: [{ ledger_id: rent, debit: 1 }, { ledger_id: checking }] }), 400, /Line 2 needs exactly one/],
    ['a line of nothing', () => body({ lines: [{ ledger_id: rent, debit: 0 }, { ledger_id: checking, credit: 0 }] }), 400, /Line 1 has no amount/],
    ['two amounts in the base currency that differ', () => on(rent, checking, { base_amount: 400 }), 400, /leave base_amount out/],
    ['sums beyond any number', () => body({ lines: [1, 2].map(() => ({ ledger_id: rent, debit: Number.MAX_SAFE_INTEGER })) }), 400, /out of range/],
  ]
  it.each(rows)('%s', async (_, given, status, detail) => {
    const answer = await client.post('/journal-entries', { ...given(), post: true })
    expect([answer.status, answer.detail]).toEqual([status, expect.stringMatching(detail)])
  })

  it.each([
    ['one line', () => body({ lines: [{ ledger_id: rent, debit: 1 }] })],
    ['1,001 lines', () => body({ lines: Array.from({ length: 1001 }, () => ({ ledger_id: rent, debit: 1 })) })],
    ['an amount beyond safe integers', () => body({ lines: [{ ledger_id: rent, debit: 2 ** 53 }, { ledger_id: checking, credit: 2 ** 53 }] })],
    ['half a cent', () => body({ lines: [{ ledger_id: rent, debit: 0.5 }, { ledger_id: checking, credit: 0.5 }] })],
    ['a date that does not exist', () => body({ date: '2026-02-30' })],
  ])('%s, by its shape', async (_, given) => {
    expect((await client.post('/journal-entries', { ...given(), post: true })).status).toBe(422)
  })

  it('what would take a balance out of range, and leaves it as it was', async () => {
    const near = Number.MAX_SAFE_INTEGER - 1
    const own = await newBusiness()
    const { named } = await chartOf(own.business_id)
    const give = (amount: number) => own.client.post(
      '/journal-entries',
      { ...body(), post: true, lines: [{ ledger_id: named('Rent'), debit: amount }, { ledger_id: named('Checking'), credit: amount }] },
    )
    expect((await give(near)).status).toBe(201)
    expect(await give(near)).toMatchObject({ status: 400, detail: expect.stringMatching(/balance of a ledger out of the range/) })
    expect(await balanceOf(named('Rent'))).toBe(near)
    expect((await give(1)).data.number).toBe(2)
  })

  it('a line without the value that a dimension requires', async () => {
    const own = await newBusiness()
    const { named } = await chartOf(own.business_id)
    const { data: dimension } = await own.client.post('/accounting-dimensions', { key: 'department', name: 'Department' })
    const { data: value } = await own.client.post(`/accounting-dimensions/${dimension.id}/values`, { code: 'A', name: 'A' })
    await own.client.put('/accounting-dimensions/rules', { rules: [{ dimension_id: dimension.id, ledger_type: 'expense', mode: 'required' }] })
    const give = (dimension_value_ids: string[]) => own.client.post('/journal-entries', {
      ...body(), post: true, lines: [{ ledger_id: named('Rent'), debit: 1, dimension_value_ids }, { ledger_id: named('Checking'), credit: 1 }],
    })
    expect(await give([])).toMatchObject({ status: 400, detail: expect.stringMatching(/Line 1 \(.*Rent\) needs a value of the dimension Department/) })
    const made = await give([value.id])
    expect(made.status).toBe(201)
    const found = await own.client.get('/journal-entries', { dimension_value_id: value.id })
    expect(found.data.items.map(({ id }: Entry) => id)).toEqual([made.data.id])
  })

  it('a closed period; a softly closed one opens for who may and says why', async () => {
    await setPeriod('2026-01', 'unlock', { areas: ['journal'] })
    await setPeriod('2026-01', 'close', { accept_warnings: true })
    await setPeriod('2026-02', 'soft-close')
    const give = (date: string, headers = {}, by = client) => by.post('/journal-entries', body({ date, post: true }), { headers })
    expect(await give('2026-01-20')).toMatchObject({ status: 400, detail: '2026-01 is closed; use 2026-03-01 or later, or reopen the period.' })
    expect(await give('2026-02-20')).toMatchObject({ status: 400, detail: expect.stringMatching(/softly closed.*x-override-reason/) })
    const reason = { 'x-override-reason': 'Late bill' }
    expect(
      await give('2026-02-20', reason, (await newMember(team.business_id, 'bookkeeper')).client),
    ).toMatchObject({ status: 400, detail: expect.stringMatching(/ask someone who may/) })
    const posted = await give('2026-02-20', reason)
    expect(posted.status).toBe(201)
    const history = await client.get(`/journal-entries/${posted.data.id}/history`)
    expect(history.data.items).toMatchObject([{ action: 'journal_entry.posted', reason: 'Late bill' }])
  })
})
