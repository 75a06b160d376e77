// Tests of reclassification over HTTP: what moves, what does not move twice, and what is refused.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { dimensionVerifications } from '../accounting-dimensions/verifications.ts'
import { redateEntry, reverseEntry } from '../posting/operations.ts'

let team: Team
let client: Client
let dimension_id: string
let value: Record<'hq' | 'shop' | 'web', string>
let rent: string
let travel: string
let checking: string
async function openBooks(): Promise<void> {
  team = await newBusiness()
  client = team.client
  dimension_id = (await client.post('/accounting-dimensions', { key: 'department', name: 'Department' })).data.id
  value = { hq: await newValue('HQ'), shop: await newValue('SHOP'), web: await newValue('WEB') }
  const chart = await chartOf(team.business_id)
  ;[rent, travel, checking] = [chart.named('Rent'), chart.named('Travel'), chart.named('Checking')] as [string, string, string]
}

async function newValue(code: string, more: object = {}): Promise<string> {
  return (await client.post(`/accounting-dimensions/${dimension_id}/values`, { code, name: code, ...more })).data.id
}

async function spend(ledger_id: string, amount: number, values: string[] = [], date = '2026-01-15') {
  const [entry] = await post(team.business_id, { date, lines: [{ ledger_id, amount, dimension_value_ids: values }, [checking, -amount]] })
  return entry!
}

const reclassify = (filter: object, to_value_id: string, more: object = {}, by = client) =>
  by.post('/accounting-dimensions/reclassify', { filter, dimension_id, to_value_id, date: '2026-02-28', ...more })

/** What the balances say of a ledger under each value, and in all. */
async function balances(ledger_id: string): Promise<Record<string, number>> {
  const rows = await sql(`select value_id, sum(debit - credit)::int as balance from analysis_months
    where business_id = $1 and axis = 'dimension' and ledger_id = $2 group by value_id`, [team.business_id, ledger_id])
  const [all] = await sql(`select coalesce(sum(debit - credit), 0)::int as balance from ledger_months
    where business_id = $1 and ledger_id = $2`, [team.business_id, ledger_id])
  const nameOf = (id: string) => Object.entries(value).find(([, known]) => known === id)?.[0] ?? id
  return { ...Object.fromEntries(rows.filter(({ balance }) => balance !== 0).map(({ value_id, balance }) => [nameOf(value_id), balance])), all: all.balance }
}

describe('reclassifying', () => {
  beforeEach(openBooks)

  it('posts one entry that moves the amounts and leaves each ledger as it was', async () => {
    await spend(rent, 1000, [value.hq])
    await spend(rent, 500, [value.hq])
    await spend(rent, 70)
    await spend(travel, 30, [value.shop])
    const preview = await reclassify({ start_date: '2026-01-01', end_date: '2026-01-31' }, value.web, { preview: true })
    expect(preview).toMatchObject({ status: 201, data: { line_count: 4, entry: null } })
    expect(await balances(rent)).toEqual({ hq: 1500, all: 1570 })
    const { status, data } = await reclassify({ start_date: '2026-01-01', end_date: '2026-01-31' }, value.web)
    expect(status).toBe(201)
    expect({ ...data, entry: null }).toEqual(preview.data)
    expect(data.moves).toEqual(expect.arrayContaining([
      { ledger_id: rent, currency: 'USD', from_value_id: value.hq, line_count: 2, amount: 1500, base_amount: 1500 },
      { ledger_id: rent, currency: 'USD', from_value_id: null, line_count: 1, amount: 70, base_amount: 70 },
      { ledger_id: travel, currency: 'USD', from_value_id: value.shop, line_count: 1, amount: 30, base_amount: 30 },
    ]))
    expect(data.entry)
      .toMatchObject({ source_type: 'reclassification', date: '2026-02-28', status: 'posted', total: 1600, memo: 'Moved to Department WEB WEB' })
    expect(data.entry.lines).toHaveLength(5)
    expect(await balances(rent)).toEqual({ web: 1570, all: 1570 })
    expect(await balances(travel)).toEqual({ web: 30, all: 30 })
    for (const { run } of dimensionVerifications) expect((await inside(team.business_id, run)).problems).toEqual([])
  })

  it('keeps to its filter', async () => {
    await spend(rent, 1, [value.hq])
    await spend(travel, 2, [value.hq])
    await spend(rent, 4, [value.shop])
    await spend(rent, 8)
    await spend(rent, 16, [value.hq], '2026-02-01')
    const counted = async (filter: object): Promise<number> => {
      const { data } = await reclassify(filter, value.web, { preview: true })
      return data.moves.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
    }
    expect(await counted({})).toBe(31)
    expect(await counted({ ledger_ids: [rent] })).toBe(29)
    expect(await counted({ from_value_id: value.hq })).toBe(19)
    expect(await counted({ from_value_id: null })).toBe(8)
    expect(await counted({ ledger_ids: [rent], from_value_id: value.hq, end_date: '2026-01-31' })).toBe(1)
    expect(await counted({ start_date: '2026-02-01' })).toBe(16)
    // What is there already is not moved, nor what is shown there.
    expect((await reclassify({ from_value_id: value.hq }, value.hq, { preview: true })).data.moves).toEqual([])
    await client.put(`/accounting-dimensions/${dimension_id}/values/${value.shop}/merge`, { into_id: value.web })
    expect(await counted({ from_value_id: value.shop })).toBe(0)
  })

  it('moves nothing twice, whatever the date of the entry, until it is reversed', async () => {
    await spend(rent, 1000, [value.hq])
    const january = { from_value_id: value.hq, end_date: '2026-01-31' }
    const first = await reclassify(january, value.web)
    expect(await reclassify(january, value.web))
      .toMatchObject({ status: 400, detail: 'No amount is found that is not counted under WEB WEB already: change the filter.' })
    expect((await reclassify({ from_value_id: value.hq }, value.shop)).status).toBe(400)
    expect(await balances(rent)).toEqual({ web: 1000, all: 1000 })
    const moved = await inside(team.business_id, (tx) => redateEntry(tx, first.data.entry.id, '2026-03-31'))
    expect((await reclassify({}, value.web)).status).toBe(400)
    expect((await reclassify({ end_date: '2026-02-28' }, value.web)).status).toBe(400)
    await inside(team.business_id, (tx) => reverseEntry(tx, moved.id))
    expect(await balances(rent)).toEqual({ hq: 1000, all: 1000 })
    expect((await reclassify(january, value.shop)).status).toBe(201)
    expect(await balances(rent)).toEqual({ shop: 1000, all: 1000 })
  })

  it('moves on from where it has moved to', async () => {
    await spend(rent, 1000, [value.hq])
    await reclassify({ from_value_id: value.hq }, value.web)
    expect((await reclassify({ from_value_id: value.web }, value.shop)).status).toBe(201)
    expect(await balances(rent)).toEqual({ shop: 1000, all: 1000 })
    await reclassify({}, value.hq)
    expect(await balances(rent)).toEqual({ hq: 1000, all: 1000 })
  })

  it('of two at once moves once', async () => {
    await spend(rent, 1000, [value.hq])
    const answers = await Promise.all([reclassify({}, value.web), reclassify({}, value.web)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    expect(await balances(rent)).toEqual({ web: 1000, all: 1000 })
  })

  it('takes out what the lines carry, whatever rules and archives say by now', async () => {
    await spend(rent, 1000, [value.hq])
    await spend(rent, 10)
    await client.put(`/accounting-dimensions/${dimension_id}/values/${value.hq}/archive`)
    await client.put('/accounting-dimensions/rules', { rules: [{ dimension_id, mode: 'required', default_value_id: value.shop }] })
    expect((await reclassify({}, value.web)).status).toBe(201)
    expect(await balances(rent)).toEqual({ web: 1010, all: 1010 })
  })

  it('leaves other tags and other dimensions alone', async () => {
    const other = (await client.post('/accounting-dimensions', { key: 'place', name: 'Place' })).data.id
    const east = (await client.post(`/accounting-dimensions/${other}/values`, { code: 'E', name: 'East' })).data.id
    const [project_id, vendor_id] = [newId(), newId()]
    const tagged = { ledger_id: rent, amount: 100, dimension_value_ids: [value.hq, east], project_id, vendor_id }
    await post(team.business_id, { date: '2026-01-15', lines: [tagged, [checking, -100]] })
    const { data } = await reclassify({}, value.web)
    expect(data.entry.lines).toMatchObject([
      { amount: -100, project_id, vendor_id, dimension_value_ids: [value.hq, east].toSorted() },
      { amount: 100, project_id, vendor_id, dimension_value_ids: [value.web, east].toSorted() },
    ])
    expect(await balances(rent)).toMatchObject({ web: 100, [east]: 100, all: 100 })
  })

  it('moves amounts of other currencies with their value in the books', async () => {
    const abroad = (await client.post('/ledgers', { name: 'Deposits abroad', type: 'asset', subtype: 'other_asset' })).data.id
    await post(team.business_id, { date: '2026-01-15', lines: [
      { ledger_id: abroad, currency: 'EUR', amount: 100, base_amount: 110, dimension_value_ids: [value.hq] }, { ledger_id: checking, amount: -110 },
    ] })
    const { data } = await reclassify({ ledger_ids: [abroad] }, value.web)
    expect(data.moves).toEqual([{ ledger_id: abroad, currency: 'EUR', from_value_id: value.hq, line_count: 1, amount: 100, base_amount: 110 }])
    expect(await balances(abroad)).toEqual({ web: 110, all: 110 })
  })
})

describe('a reclassification is refused', () => {
  beforeAll(async () => {
    await openBooks()
    await spend(rent, 1000, [value.hq])
  })

  it.each([
    ['to a value that does not exist', async () => reclassify({}, newId()), 404, /of to_value_id not found/],
    ['of a dimension that does not exist', async () => reclassify({}, value.web, { dimension_id: newId() }), 404, /Dimension .* not found/],
    ['from a value that does not exist', async () => reclassify({ from_value_id: newId() }, value.web), 404, /of from_value_id not found/],
    ['of a ledger that does not exist', async () => reclassify({ ledger_ids: [newId()] }, value.web), 404, /of the filter not found/],
    ['of a customer that does not exist', async () => reclassify({ customer_id: newId() }, value.web), 404, /customer.* not found/i],
    ['of a bank ledger', async () => reclassify({ ledger_ids: [checking] }, value.web), 400, /come from banks or documents/],
    ['where nothing is found', async () => reclassify({ start_date: '2026-12-01' }, value.web), 400, /No amount is found/],
    ['to an archived value', async () => {
      const old = await newValue('OLD')
      await client.put(`/accounting-dimensions/${dimension_id}/values/${old}/archive`)
      return reclassify({}, old)
    }, 400, /to_value_id: Department OLD OLD is archived/],
    ['to a value before its time', async () => reclassify({}, await newValue('NEW', { valid_from: '2026-03-01' })), 400, /is valid from 2026-03-01 only/],
    ['in an archived dimension', async () => {
      await client.put(`/accounting-dimensions/${dimension_id}/archive`)
      const answer = await reclassify({}, value.web)
      await client.put(`/accounting-dimensions/${dimension_id}/restore`)
      return answer
    }, 400, /the dimension Department is archived/],
    ['on a ledger that takes none', async () => {
      await client.put('/accounting-dimensions/rules', { rules: [{ dimension_id, ledger_id: rent, mode: 'forbidden' }] })
      const answer = await reclassify({}, value.web)
      await client.put('/accounting-dimensions/rules', { rules: [] })
      return answer
    }, 400, /6100 Rent takes no value of the dimension Department/],
    ['before the first period', async () => reclassify({}, value.web, { date: '2020-01-01' }), 400, /lies before the first period/],
    ['as a preview before the first period', async () => reclassify({}, value.web, { date: '2020-01-01', preview: true }), 400, /before the first period/],
    ['by a bookkeeper', async () => reclassify({}, value.web, {}, (await newMember(team.business_id, 'bookkeeper')).client), 403, /dimensions:write/],
  ])('%s', async (_, attempt, status, detail) => {
    expect(await attempt()).toMatchObject({ status, detail: expect.stringMatching(detail) })
    expect(await balances(rent)).toEqual({ hq: 1000, all: 1000 })
  })
})

describe('many lines', () => {
  beforeAll(openBooks)

  it('are moved in one small entry, up to ten thousand', async () => {
    const entries = (count: number) => Array.from({ length: count }, () => ({
      date: '2026-01-15',
      lines: [...Array.from({ length: 999 }, () => ({ ledger_id: rent, amount: 1, dimension_value_ids: [value.hq] })), [checking, -999] as const],
    }))
    const last = { date: '2026-01-16', lines: [...Array.from({ length: 11 }, () => ({ ledger_id: rent, amount: 1 })), [checking, -11] as const] }
    await post(team.business_id, ...entries(10), last)
    expect(await reclassify({}, value.web))
      .toMatchObject({ status: 400, detail: 'More than 10000 lines are found, and one call moves no more: narrow the filter, by dates for one.' })
    const { data } = await reclassify({ end_date: '2026-01-15' }, value.web)
    expect(data).toMatchObject({ line_count: 9990, entry: { lines: [{ amount: -9990 }, { amount: 9990 }] } })
    expect(await balances(rent)).toEqual({ web: 9990, all: 10_001 })
  })
})
