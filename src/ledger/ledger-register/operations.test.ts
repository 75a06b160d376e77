// Tests of the register: running balances page by page, both ways, against what the lines add up to.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { newBusiness, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { redateEntry } from '../posting/operations.ts'
import type { RegisterLine, RegisterPage } from './contract.ts'

let team: Team
let client: Client
let checking: string
let rent: string
let owed: string
beforeAll(async () => {
  (await service()).clock.set('2026-06-15T12:00:00Z')
  team = await newBusiness()
  client = team.client
  const chart = await chartOf(team.business_id)
  checking = chart.named('Checking')
  rent = chart.named('Rent')
  owed = chart.named('Accrued Expenses')
  // Many lines on few days, so that pages begin in the middle of a day.
  await post(team.business_id, ...Array.from({ length: 23 }, (_, index) => ({
    date: ['2026-01-31', '2026-02-01', '2026-02-01', '2026-03-05'][index % 4] as string,
    memo: `Entry ${index}`,
    lines: [[rent, index + 1], [checking, -index - 1]] as const,
  })))
})
afterAll(async () => (await service()).clock.set(null))

type Query = Record<string, string | number | boolean>
const register = async (ledger_id: string, query: Query = {}): Promise<RegisterPage> => (await client.get(`/ledgers/${ledger_id}/lines`, query)).data

/** All pages, first to last, each checked in itself. */
async function walk(ledger_id: string, query: Query, direction: 'next' | 'prev' = 'next'): Promise<RegisterLine[]> {
  const lines: RegisterLine[] = []
  for (let cursor: string | null = null, more = true; more;) {
    const page = await register(ledger_id, { ...query, direction, ...(cursor ? { cursor } : {}) })
    const upward = query['descending'] === false ? page.items : page.items.toReversed()
    let balance = page.opening_balance
    for (const line of upward) expect(line.balance).toBe((balance += line.amount))
    if (direction === 'next') lines.push(...page.items)
    else lines.unshift(...page.items)
    cursor = direction === 'next' ? page.next_cursor : page.prev_cursor
    more = direction === 'next' ? page.has_next : page.has_prev
  }
  return lines
}

describe('the register', () => {
  it('runs through all lines by date and order of posting; every page knows where it starts', async () => {
    const whole = await register(rent, { limit: 1000, descending: false })
    expect(whole.items).toHaveLength(23)
    expect(whole.opening_balance).toBe(0)
    expect(whole.items.at(-1)?.balance).toBe((23 * 24) / 2)
    const order = whole.items.map(({ date, id }) => `${date} ${id}`)
    expect(order).toEqual(order.toSorted())
    expect(await walk(rent, { limit: 5, descending: false })).toEqual(whole.items)
    expect(await walk(rent, { limit: 5, descending: false }, 'prev')).toEqual(whole.items)
    expect(await walk(rent, { limit: 4 })).toEqual(whole.items.toReversed())
    expect(await walk(rent, { limit: 4 }, 'prev')).toEqual(whole.items.toReversed())
  })

  it('begins a time with what stood before it, also where nothing is in it', async () => {
    const before = await register(rent, { end_date: '2026-01-31', limit: 100 })
    const january = before.items.reduce((sum, { amount }) => sum + amount, 0)
    expect(before.items.map(({ date }) => date)).toEqual(Array(6).fill('2026-01-31'))
    expect(before.opening_balance).toBe(0)
    const february = await register(rent, { start_date: '2026-02-01', end_date: '2026-02-28', limit: 100 })
    expect(february.opening_balance).toBe(january)
    expect(february.items[0]?.balance).toBe(january + february.items.reduce((sum, { amount }) => sum + amount, 0))
    const empty = await register(rent, { start_date: '2026-02-02', end_date: '2026-02-28' })
    expect(empty).toMatchObject({ items: [], opening_balance: february.items[0]?.balance, has_next: false })
    expect(await register(owed)).toMatchObject({ items: [], opening_balance: 0, opening_base_balance: 0 })
    expect((await client.get(`/ledgers/${rent}/lines`, { start_date: 'soon' })).status).toBe(422)
  })

  it('says of each line what it is', async () => {
    const [line] = (await register(checking, { limit: 1 })).items
    expect(line).toMatchObject({
      date: '2026-03-05', memo: 'Entry 19', source_type: 'manual', debit: 0, credit: 20, amount: -20, base_amount: -20, currency: 'USD', ledger_id: checking,
      superseded: false,
    })
  })

  it('has natural signs, and a balance for its own currency beside that of all', async () => {
    await post(
      team.business_id, { date: '2026-04-01', lines: [[owed, -500], [rent, 500]] },
      { date: '2026-04-02', lines: [{ ledger_id: owed, amount: -100, currency: 'EUR', base_amount: -110 }, [rent, 110]] },
    )
    const page = await register(owed, { descending: false })
    expect(page.items.map(({ amount, balance, base_balance }) => [amount, balance, base_balance])).toEqual([[-500, 500, 500], [-100, 500, 610]])
  })

  it('leaves out entries that were put on another date, and their reversals, unless asked', async () => {
    const ledger = (await client.post('/ledgers', { name: 'Dated', type: 'expense', subtype: 'operating' })).data.id
    const pay = async (amount: number) => (await post(team.business_id, { date: '2026-05-05', lines: [[ledger, amount], [checking, -amount]] }))[0]!
    const [first] = [await pay(100), await pay(10)]
    await inside(team.business_id, (tx) => redateEntry(tx, first.id, '2026-05-07'))
    await pay(1)
    const shown = async (query: Record<string, boolean | number> = {}) => (await register(ledger, { descending: false, ...query })).items.map(
      ({ date, amount, balance }) => `${date.slice(8)} ${amount} ${balance}`,
    )
    expect(await shown()).toEqual(['05 10 10', '05 1 11', '07 100 111'])
    expect(await shown({ include_superseded: true })).toEqual(['05 100 100', '05 10 110', '05 -100 10', '05 1 11', '07 100 111'])
    expect(await walk(ledger, { limit: 1 })).toHaveLength(3)
    expect(await walk(ledger, { limit: 1, include_superseded: true })).toHaveLength(5)
  })

  it('of a target shows the lines of what is merged into it; the merged one shows its own', async () => {
    const [target, old] = await Promise.all(
      ['Target', 'Old'].map(async (name): Promise<string> => (await client.post('/ledgers', { name, type: 'expense', subtype: 'operating' })).data.id),
    )
    await post(team.business_id, ...[[target!, 1], [old!, 20], [target!, 300]].map(
      ([ledger, amount]) => ({ date: '2026-05-01', lines: [[ledger as string, amount as number], [checking, -(amount as number)]] as const }),
    ))
    await client.put(`/ledgers/${old}/merge`, { into_id: target })
    expect((await register(target!, { descending: false })).items.map(({ balance }) => balance)).toEqual([1, 21, 321])
    expect((await register(target!, { limit: 1 })).opening_balance).toBe(21)
    expect((await walk(target!, { limit: 1 })).map(({ amount }) => amount)).toEqual([300, 20, 1])
    expect((await register(old!)).items.map(({ balance }) => balance)).toEqual([20])
    expect((await client.get(`/ledgers/${target}`)).data.balance).toBe(321)
  })
})
