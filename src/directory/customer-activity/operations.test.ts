// Tests of what customers owe by the books.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newBusiness, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { redateEntry } from '../../ledger/posting/operations.ts'
import type { CustomerLine } from './contract.ts'

let team: Team
let role: (role: string) => string
beforeAll(async () => {
  team = await newBusiness()
  role = (await chartOf(team.business_id)).role
})

type More = { currency?: 'CAD'; rate?: string; ledger?: string }
async function charge(customer_id: string, date: string, amount: number, { ledger = 'accounts_receivable', ...more }: More = {}) {
  const [entry] = await post(team.business_id, {
    date, memo: `Of ${date}`, source_type: 'invoice', source_id: newId(), ...more, lines: [{ ledger_id: role(ledger), amount, customer_id }, [role('sales'), -amount]],
  })
  return entry as NonNullable<typeof entry>
}
const balance = async (id: string, query: Record<string, string> = {}) => (await team.client.get(`/customers/${id}/balance`, query)).data
const activity = async (id: string, query: Record<string, string | number | boolean> = {}) => (await team.client.get(`/customers/${id}/activity`, { descending: false, ...query })).data

describe('the balance', () => {
  it('is by currency, as of a day and as it was known', async () => {
    const id = await newCustomer(team.client)
    await charge(id, '2026-02-10', 1_000)
    await charge(id, '2026-03-10', 800, { currency: 'CAD', rate: '0.75' })
    await charge(id, '2026-03-11', -300, { ledger: 'customer_deposits' })
    const before = new Date().toISOString()
    ;(await service()).clock.set(new Date(Date.now() + 60_000).toISOString())
    await charge(id, '2026-02-11', 50)
    ;(await service()).clock.set(null)
    expect(await balance(id, { as_of: '2026-03-31' })).toEqual({
      customer_id: id, as_of: '2026-03-31', known_at: null, base_currency: 'USD', receivable: 1_650, deposits: 300, credit: null,
      currencies: [{ currency: 'CAD', balance: 800, base_balance: 600 }, { currency: 'USD', balance: 1_050, base_balance: 1_050 }],
    })
    expect(await balance(id, { as_of: '2026-02-28' })).toMatchObject({ receivable: 1_050, deposits: 0, currencies: [{ currency: 'USD', balance: 1_050 }] })
    expect(await balance(id, { as_of: '2026-02-28', known_at: before })).toMatchObject({ receivable: 1_000, known_at: before })
    expect(await balance(id, { known_at: '2020-01-01T00:00:00Z' })).toMatchObject({ receivable: 0, currencies: [] })
    expect((await team.client.get(`/customers/${id}`)).data.open_balance).toBe(1_650)
  })

  it('leaves what the limit leaves, that of the one above with all below', async () => {
    const top = await newCustomer(team.client, { credit_limit: 2_000 })
    const [left, right] = [await newCustomer(team.client, { parent_id: top }), await newCustomer(team.client, { parent_id: top })]
    await charge(top, '2026-02-10', 100)
    await charge(left, '2026-02-10', 1_500)
    await charge(right, '2026-02-10', 700)
    const credit = { customer_id: top, limit: 2_000, used: 2_300, left: -300 }
    for (const id of [top, left, right]) expect((await balance(id)).credit).toEqual(credit)
    await team.client.put(`/customers/${left}`, { credit_limit: 1_600 })
    expect((await balance(left)).credit).toEqual({ customer_id: left, limit: 1_600, used: 1_500, left: 100 })
  })

  it('is of a customer that is there', async () => {
    expect((await team.client.get(`/customers/${newId()}/balance`)).status).toBe(404)
    expect((await team.client.get(`/customers/${newId()}/activity`)).status).toBe(404)
  })
})

describe('the activity', () => {
  it('runs along the receivable, page by page and both ways', async () => {
    const id = await newCustomer(team.client)
    const amounts = [500, -200, 700, 40, -1_000, 60, 11]
    for (const [index, amount] of amounts.entries()) await charge(id, `2026-0${1 + Math.trunc(index / 2)}-1${index}`, amount)
    await charge(await newCustomer(team.client), '2026-02-01', 9_999)
    const balances = amounts.map((_, index) => amounts.slice(0, index + 1).reduce((sum, each) => sum + each, 0))
    const whole = await activity(id)
    expect(whole.items.map(({ balance: after }: CustomerLine) => after)).toEqual(balances)
    expect(whole).toMatchObject({ opening_balance: 0, has_next: false })
    expect(whole.items[0]).toMatchObject({ date: '2026-01-10', amount: 500, base_amount: 500, currency: 'USD', memo: 'Of 2026-01-10', source_type: 'invoice', customer_id: id, superseded: false })
    for (const descending of [false, true]) {
      const found: number[] = []
      let cursor: string | null = null
      do {
        const page = await activity(id, { limit: 2, descending, ...(cursor ? { cursor } : {}) })
        found.push(...page.items.map(({ balance: after }: CustomerLine) => after))
        cursor = page.next_cursor
      } while (cursor)
      expect(found).toEqual(descending ? balances.toReversed() : balances)
    }
    const part = await activity(id, { start_date: '2026-02-01', end_date: '2026-02-28' })
    expect([part.opening_balance, part.items.map(({ balance: after }: CustomerLine) => after)]).toEqual([300, balances.slice(2, 4)])
    expect(await activity(id, { start_date: '2026-12-01' })).toMatchObject({ opening_balance: balances.at(-1), items: [] })
  })

  it('shows an entry that was put on another date once, unless asked', async () => {
    const id = await newCustomer(team.client)
    const entry = await charge(id, '2026-02-10', 100)
    await charge(id, '2026-02-10', 30)
    await inside(team.business_id, (tx) => redateEntry(tx, entry.id, '2026-03-15'))
    expect((await activity(id)).items.map(({ date, balance: after }: CustomerLine) => [date, after])).toEqual([['2026-02-10', 30], ['2026-03-15', 130]])
    const all = await activity(id, { include_superseded: true })
    expect(all.items).toHaveLength(4)
    expect(all.items.at(-1).balance).toBe(130)
  })
})
