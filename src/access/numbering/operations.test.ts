import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { asSystem } from '../../foundation/database/transact.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { NumberingKind } from './contract.ts'
import { nextNumber, nextNumbers } from './operations.ts'

let team: Team
beforeAll(async () => {
  ;(await service()).clock.set('2026-03-15T12:00:00Z')
  team = await newBusiness()
})
afterAll(async () => (await service()).clock.set(null))

async function within<T>(work: (tx: BusinessTx) => Promise<T>, business_id = team.business_id): Promise<T> {
  const { program } = await service()
  return asSystem(program.database, { id: business_id, timezone: 'America/New_York', base_currency: 'USD', read_only: null }, 'test', work)
}

const drawOne = (kind: NumberingKind, date: string) => within((tx) => nextNumber(tx, kind, date))
const pathTo = (kind: string) => `/businesses/${team.business_id}/numbering/${kind}`
const put = (kind: string, body: object) => team.client.put(pathTo(kind), body)
const shown = async (kind: string) =>
  (await team.client.get(`/businesses/${team.business_id}/numbering`)).data.find((row: { kind: string }) => row.kind === kind)

describe('the numbering of a new business', () => {
  it('has a sequence for every kind, from 1', async () => {
    const { status, data } = await team.client.get(`/businesses/${team.business_id}/numbering`)
    expect(status).toBe(200)
    expect(data).toHaveLength(17)
    expect(await shown('invoice')).toMatchObject({
      kind: 'invoice', prefix: 'INV-', suffix: '', padding: 4, reset: 'never', next_number: 1, preview: 'INV-0001', last_assigned: null, version: 1,
    })
  })
})

describe('drawing numbers', () => {
  it('gives each number once and no gap to 50 at once', async () => {
    const numbers = await Promise.all(Array.from({ length: 50 }, () => drawOne('bill', '2026-03-15')))
    expect(numbers.toSorted()).toEqual(Array.from({ length: 50 }, (_, index) => `BILL-${String(index + 1).padStart(4, '0')}`))
    expect(await shown('bill')).toMatchObject({ next_number: 51, preview: 'BILL-0051', last_assigned: 'BILL-0050', version: 1 })
  })

  it('burns none when the transaction is undone', async () => {
    expect(await drawOne('estimate', '2026-03-15')).toBe('EST-0001')
    await expect(within(async (tx) => {
      expect(await nextNumber(tx, 'estimate', '2026-03-15')).toBe('EST-0002')
      throw invalid('Not today.')
    })).rejects.toThrow('Not today.')
    expect(await shown('estimate')).toMatchObject({ next_number: 2, last_assigned: 'EST-0001' })
    expect(await drawOne('estimate', '2026-03-15')).toBe('EST-0002')
  })

  it('draws many at once, and again in the same transaction', async () => {
    const drawn = await within(async (tx) => [
      ...(await nextNumbers(tx, 'transfer', ['2026-03-15', '2025-01-01'])),
      await nextNumber(tx, 'transfer', '2026-03-15'),
      ...(await nextNumbers(tx, 'transfer', [])),
    ])
    expect(drawn).toEqual(['TR-0001', 'TR-0002', 'TR-0003'])
    expect((await shown('transfer')).last_assigned).toBe('TR-0003')
  })

  it('starts again with every window of the document\'s date', async () => {
    await put('order', { prefix: 'SO-{YYYY}-', reset: 'yearly', padding: 3 })
    const yearly = []
    for (const date of ['2026-03-15', '2026-12-31', '2027-01-01', '2026-01-01', '2027-06-01']) yearly.push(await drawOne('order', date))
    expect(yearly).toEqual(['SO-2026-001', 'SO-2026-002', 'SO-2027-001', 'SO-2026-003', 'SO-2027-002'])
    await put('count', { prefix: '', suffix: '/{MM}{YY}', reset: 'monthly', padding: 1 })
    const monthly = []
    for (const date of ['2026-03-15', '2026-03-31', '2026-04-01', '2027-03-01']) monthly.push(await drawOne('count', date))
    expect(monthly).toEqual(['1/0326', '2/0326', '1/0426', '1/0327'])
  })

  it('keeps the businesses apart', async () => {
    const other = await newBusiness()
    await drawOne('project', '2026-03-15')
    expect(await within((tx) => nextNumber(tx, 'project', '2026-03-15'), other.business_id)).toBe('PRJ-0001')
  })
})

describe('changing the numbering', () => {
  it('goes on at the number given, and where it stands without one', async () => {
    await drawOne('contract', '2026-03-15')
    expect((await put('contract', { next_number: 100 })).data).toMatchObject({ next_number: 100, preview: 'CON-0100', version: 2 })
    expect(await drawOne('contract', '2026-03-15')).toBe('CON-0100')
    const { data } = await put('contract', { prefix: 'K{YY}-', suffix: '-X', padding: 6 })
    expect(data).toMatchObject({ next_number: 101, preview: 'K26-000101-X', last_assigned: 'CON-0100' })
    const events = await sql(
      `select data, resource_type from events where business_id = $1 and type = 'numbering.updated' and data ->> 'kind' = 'contract' order by seq`,
      [team.business_id])
    expect(events.map((event) => [event.resource_type, event.data.next_number])).toEqual([['numbering', 100], ['numbering', 101]])
    expect((await put('contract', {})).data.version).toBe(3)
  })

  it('refuses a number used with that pattern, and takes it with another', async () => {
    for (let drawn = 0; drawn < 3; drawn++) await drawOne('credit_memo', '2026-03-15')
    const used = await put('credit_memo', { next_number: 3 })
    expect(used.status).toBe(400)
    expect(used.detail).toBe('CM-0003 is used already: next_number must be above 3, or choose another prefix or suffix.')
    expect((await put('credit_memo', { next_number: 900 })).status).toBe(200)
    expect((await put('credit_memo', { next_number: 4 })).data.next_number).toBe(4)
    expect((await put('credit_memo', { prefix: 'C/', next_number: 1 })).data.preview).toBe('C/0001')
    expect((await put('credit_memo', { prefix: 'CM-', next_number: 2 })).status).toBe(400)
    expect((await put('credit_memo', { prefix: 'CM-' })).data.next_number).toBe(4)
  })

  it('counts only what was used in the running window', async () => {
    await put('expense_report', { prefix: 'E{YYYY}-' })
    for (const date of ['2025-05-01', '2025-06-01', '2026-01-01']) await drawOne('expense_report', date)
    expect((await put('expense_report', { reset: 'yearly', next_number: 3 })).status).toBe(400)
    await put('expense_report', { reset: 'yearly', next_number: 4 })
    expect(await drawOne('expense_report', '2026-03-15')).toBe('E2026-0004')
    expect(await drawOne('expense_report', '2025-07-01')).toBe('E2025-0003')
  })

  it.each([
    ['invoice', { reset: 'yearly' }, 400],
    ['invoice', { reset: 'monthly', prefix: 'I{YYYY}' }, 400],
    ['invoice', { prefix: '{DD}' }, 422],
    ['invoice', { prefix: 'x'.repeat(21) }, 422],
    ['invoice', { padding: 0 }, 422],
    ['invoice', { padding: 11 }, 422],
    ['invoice', { next_number: 0 }, 422],
    ['invoice', { reset: 'weekly' }, 422],
    ['ticket', { padding: 3 }, 422],
  ])('%s %j is a %i', async (kind, body, status) => {
    expect((await put(kind, body)).status).toBe(status)
  })

  it('is for accountants and above, of this business, with the version in hand', async () => {
    const [bookkeeper, accountant] = await Promise.all([newMember(team.business_id, 'bookkeeper'), newMember(team.business_id, 'accountant')])
    const stranger = await newBusiness()
    expect((await bookkeeper.client.put(pathTo('invoice'), { padding: 5 })).status).toBe(403)
    expect((await bookkeeper.client.get(`/businesses/${team.business_id}/numbering`)).status).toBe(200)
    expect((await stranger.owner.client.put(pathTo('invoice'), { padding: 5 })).status).toBe(403)
    expect((await accountant.client.put(pathTo('invoice'), { padding: 5 }, { headers: { 'if-match': '"7"' } })).status).toBe(412)
    expect((await accountant.client.put(pathTo('invoice'), { padding: 5 }, { headers: { 'if-match': '"1"' } })).data.preview).toBe('INV-00001')
    await team.client.put(`/businesses/${team.business_id}/archive`)
    expect((await accountant.client.put(pathTo('invoice'), { padding: 6 })).status).toBe(403)
  })
})
