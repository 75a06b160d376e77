import { describe, expect, it } from 'vitest'
import { addDays } from '../../foundation/calendar.ts'
import { newBusiness, newMember, sql } from '../../../test/support/people.ts'

const rate = (from_currency: string, to_currency: string, date: string, value: string) => ({ from_currency, to_currency, date, rate: value })

describe('setting rates', () => {
  it('makes one, replaces it, and says so once', async () => {
    const { client, business_id } = await newBusiness()
    const made = await client.post('/fx/rates', rate('CAD', 'USD', '2026-03-31', '0.7200'))
    expect(made.status).toBe(201)
    expect(made.data).toMatchObject({ created: 1, updated: 0, unchanged: 0, rates: [{ business_id, rate: '0.72', version: 1 }] })
    const same = await client.post('/fx/rates', rate('CAD', 'USD', '2026-03-31', '0.720'))
    expect(same.data).toMatchObject({ created: 0, updated: 0, unchanged: 1, rates: made.data.rates })
    const replaced = await client.post('/fx/rates', rate('CAD', 'USD', '2026-03-31', '0.73'))
    expect(replaced.data).toMatchObject({ created: 0, updated: 1, unchanged: 0, rates: [{ id: made.data.rates[0].id, rate: '0.73', version: 2 }] })
    expect((await client.get('/fx/rates')).data.items).toEqual(replaced.data.rates)
    expect((await client.get('/events', { type: 'fx_rate.set' })).data.items).toHaveLength(2)
  })

  it('takes a thousand at once, or none', async () => {
    const { client } = await newBusiness()
    await client.post('/fx/rates', rate('EUR', 'USD', '2026-01-01', '1.5'))
    const rates = Array.from({ length: 1_000 }, (_, index) => rate('EUR', 'USD', addDays('2026-01-01', index), `1.1${index}`))
    const wrong = await client.post('/fx/rates', { rates: [...rates.slice(0, 999), rate('EUR', 'EUR', '2026-01-01', '1')] })
    expect([wrong.status, wrong.detail]).toEqual([400, 'rates[999]: A rate needs two currencies, and both are EUR.'])
    expect((await client.get('/fx/rates')).data.items).toHaveLength(1)
    const done = await client.post('/fx/rates', { rates })
    expect([done.status, done.data.created, done.data.updated]).toEqual([201, 999, 1])
    expect(done.data.rates.map((each: { date: string }) => each.date)).toEqual(rates.map(({ date }) => date))
    expect((await client.get('/fx/rates', { include_total_count: true })).data.total).toBe(1_000)
    expect((await client.post('/fx/rates', { rates: [...rates, rates[0]] })).status).toBe(422)
  })

  it('refuses what is no rate', async () => {
    const { client } = await newBusiness()
    for (const value of ['0', '0.0', '-1', '1.12345678901', '1e3', '', '1.', '.5', '1234567890']) {
      const refused = await client.post('/fx/rates', rate('CAD', 'USD', '2026-03-31', value))
      expect([refused.status, refused.detail[0]?.loc], value).toEqual([422, ['body', 'rate']])
    }
    expect((await client.post('/fx/rates', rate('CAD', 'CHF', '2026-03-31', '1'))).status).toBe(422)
    expect((await client.post('/fx/rates', rate('CAD', 'USD', '2026-02-30', '1'))).status).toBe(422)
    const half = await client.post('/fx/rates', { from_currency: 'CAD' })
    expect(half.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['to_currency', 'date', 'rate'])
    expect((await client.post('/fx/rates', { rates: [] })).status).toBe(422)
    expect((await client.post('/fx/rates')).status).toBe(422)
    expect((await client.post('/fx/rates', { ...rate('CAD', 'USD', '2026-03-31', '1'), rates: [rate('CAD', 'USD', '2026-03-31', '1')] })).status).toBe(400)
  })

  it('by two at once leaves one rate, that of the second', async () => {
    const { client, business_id } = await newBusiness()
    const values = ['0.71', '0.72', '0.73', '0.74', '0.75', '0.76']
    const answers = await Promise.all(values.map((value) => client.post('/fx/rates', rate('CAD', 'USD', '2026-03-31', value))))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
    expect(answers.map(({ data }) => data.created).filter((created) => created === 1)).toHaveLength(1)
    const rows = await sql('select version, rate from fx_rates where business_id = $1', [business_id])
    const last = answers.find(({ data }) => data.rates[0].version === 6)
    expect(rows).toEqual([{ version: 6, rate: last?.data.rates[0].rate }])
  })

  it('is for accountants; everyone reads, and nobody another business', async () => {
    const { client, business_id } = await newBusiness()
    await client.post('/fx/rates', rate('CAD', 'USD', '2026-03-31', '0.72'))
    const viewer = await newMember(business_id, 'viewer')
    const bookkeeper = await newMember(business_id, 'bookkeeper')
    const accountant = await newMember(business_id, 'accountant')
    expect((await viewer.client.get('/fx/rates')).data.items).toHaveLength(1)
    expect((await bookkeeper.client.post('/fx/rates', rate('CAD', 'USD', '2026-03-31', '0.9'))).status).toBe(403)
    expect((await accountant.client.post('/fx/rates', rate('CAD', 'USD', '2026-04-30', '0.9'))).status).toBe(201)
    const other = await newBusiness()
    const seen = await other.client.get('/fx/rates', { effective_on: '2026-03-31', from_currency: 'CAD' })
    expect(seen.data).toMatchObject({ items: [], effective: [{ rate: null, date: null, via: null }] })
  })
})

describe('listing rates', () => {
  it('filters by pair and date, newest first', async () => {
    const { client } = await newBusiness()
    await client.post('/fx/rates', {
      rates: [
        rate('CAD', 'USD', '2026-01-31', '0.7'), rate('CAD', 'USD', '2026-02-28', '0.71'),
        rate('EUR', 'USD', '2026-02-28', '1.1'), rate('USD', 'GBP', '2026-03-31', '0.8'),
      ],
    })
    const dates = async (query: Record<string, string | boolean>) =>
      (await client.get('/fx/rates', query)).data.items.map((each: any) => `${each.from_currency} ${each.date}`)
    expect(await dates({ from_currency: 'CAD' })).toEqual(['CAD 2026-02-28', 'CAD 2026-01-31'])
    expect(await dates({ to_currency: 'GBP' })).toEqual(['USD 2026-03-31'])
    expect(await dates({ start_date: '2026-02-01', end_date: '2026-02-28', to_currency: 'USD', from_currency: 'EUR' })).toEqual(['EUR 2026-02-28'])
    expect((await dates({ descending: false }))[0]).toBe('CAD 2026-01-31')
    expect(await dates({ sort_by: 'created_at' })).toHaveLength(4)
    expect((await client.get('/fx/rates', { sort_by: 'rate' })).status).toBe(422)
  })

  it('says which rate would be used', async () => {
    const { client } = await newBusiness()
    await client.post('/fx/rates', {
      rates: [rate('CAD', 'USD', '2026-02-28', '0.75'), rate('USD', 'EUR', '2026-03-15', '0.8'), rate('GBP', 'USD', '2026-02-27', '1.3')],
    })
    const effective = async (query: Record<string, string>) =>
      (await client.get('/fx/rates', { effective_on: '2026-03-31', limit: 1, ...query })).data.effective
    expect(await effective({})).toEqual([
      { from_currency: 'CAD', to_currency: 'USD', rate: '0.75', date: '2026-02-28', via: 'direct' },
      { from_currency: 'AUD', to_currency: 'USD', rate: null, date: null, via: null },
      { from_currency: 'EUR', to_currency: 'USD', rate: '1.25', date: '2026-03-15', via: 'inverse' },
      { from_currency: 'GBP', to_currency: 'USD', rate: null, date: null, via: null },
    ])
    const pair = { from_currency: 'CAD', to_currency: 'EUR' }
    expect(await effective(pair)).toEqual([{ ...pair, rate: '0.6', date: '2026-02-28', via: 'cross' }])
    expect((await client.get('/fx/rates')).data.effective).toBeNull()
  })
})
