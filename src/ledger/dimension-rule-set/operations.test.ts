// Tests of the rule set over HTTP, and of what it asks of postings.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let client: Client
let dimension_id: string
let value_id: string
let other_value_id: string
let rent: string
let sales: string
let checking: string
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  dimension_id = (await client.post('/accounting-dimensions', { key: 'department', name: 'Department' })).data.id
  value_id = (await client.post(`/accounting-dimensions/${dimension_id}/values`, { code: 'HQ', name: 'Head office' })).data.id
  other_value_id = (await client.post(`/accounting-dimensions/${dimension_id}/values`, { code: 'SHOP', name: 'Shop' })).data.id
  const chart = await chartOf(team.business_id)
  ;[rent, sales, checking] = [chart.named('Rent'), chart.role('sales'), chart.named('Checking')] as [string, string, string]
})

const rulesPath = '/accounting-dimensions/rules'
const replace = (...rules: object[]) => client.put(rulesPath, { rules: rules.map((rule) => ({ dimension_id, ...rule })) })
const pay = async (values: string[] = [], more: object = {}) => {
  const lines = [{ ledger_id: rent, amount: 100, dimension_value_ids: values }, [checking, -100] as const]
  const [entry] = await post(team.business_id, { date: '2026-03-10', lines, ...more })
  return entry!.lines.map((line) => line.dimension_value_ids)
}

describe('the rule set', () => {
  it('is replaced whole, and told once', async () => {
    const before = (await eventsOf(team.business_id)).filter((type) => type.startsWith('dimension_rule_set')).length
    const answer = await replace({ ledger_id: rent, mode: 'required' }, { mode: 'optional', default_value_id: value_id })
    expect(answer.status).toBe(200)
    expect(answer.data.rules).toContainEqual({ dimension_id, ledger_id: rent, ledger_type: null, mode: 'required', default_value_id: null })
    expect(answer.data.rules).toHaveLength(2)
    expect((await client.get(rulesPath)).data).toEqual(answer.data)
    expect((await client.put(rulesPath, { rules: answer.data.rules.toReversed() })).data).toEqual(answer.data)
    expect((await replace()).data).toEqual({ rules: [] })
    const events = (await eventsOf(team.business_id)).filter((type) => type.startsWith('dimension_rule_set'))
    expect(events.length - before).toBe(2)
  })

  it.each([
    ['an unknown dimension', () => [{ dimension_id: newId(), mode: 'optional' }], 404, /of rule 1 not found/],
    ['an unknown ledger', () => [{ ledger_id: newId(), mode: 'optional' }], 404, /of rule 1 not found/],
    ['two rules for the same ledgers', () => [{ mode: 'optional' }, { mode: 'required' }], 400, /both for all ledgers/],
    ['a default of what is forbidden', () => [{ mode: 'forbidden', default_value_id: value_id }], 400, /cannot have a default/],
    ['an unknown mode', () => [{ mode: 'perhaps' }], 422, null],
  ])('refuses %s and stays as it was', async (_, rules, status, detail) => {
    await replace({ mode: 'optional' })
    const answer = await replace(...rules())
    expect(answer.status).toBe(status)
    if (detail) expect(answer.detail).toMatch(detail)
    expect((await client.get(rulesPath)).data.rules).toHaveLength(1)
    await replace()
  })

  it('is the last of two that are sent at once', async () => {
    const first = { mode: 'required', default_value_id: value_id }
    const second = { mode: 'optional', default_value_id: other_value_id }
    const answers = await Promise.all([replace(first), replace(second)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(({ data }) => data)).toContainEqual((await client.get(rulesPath)).data)
    await replace()
  })

  it('is written by accountants', async () => {
    const bookkeeper = await newMember(team.business_id, 'bookkeeper')
    expect((await bookkeeper.client.get(rulesPath)).status).toBe(200)
    expect((await bookkeeper.client.put(rulesPath, { rules: [] })).status).toBe(403)
  })

  it('loses the rule of a ledger that is deleted', async () => {
    const ledger = (await client.post('/ledgers', { name: 'Short-lived', type: 'expense', subtype: 'operating' })).data
    await replace({ ledger_id: ledger.id, mode: 'required' })
    expect((await client.delete(`/ledgers/${ledger.id}`)).status).toBe(200)
    expect((await client.get(rulesPath)).data.rules).toEqual([])
  })
})

describe('postings', () => {
  it('are held against the most specific rule', async () => {
    await replace({ mode: 'required', default_value_id: value_id }, { ledger_type: 'asset', mode: 'forbidden' }, { ledger_id: rent, mode: 'required' })
    await expect(pay()).rejects.toThrow('Line 1 (6100 Rent) needs a value of the dimension Department.')
    expect(await pay([other_value_id])).toEqual([[other_value_id], []])
    expect(await pay([], { automatic: true })).toEqual([[], []])
    const [entry] = await post(team.business_id, { date: '2026-03-10', lines: [[checking, 100], [sales, -100]] })
    expect(entry!.lines.map((line) => line.dimension_value_ids)).toEqual([[], [value_id]])
    await replace()
  })

  it('of an archived dimension are free again, until it is restored', async () => {
    await replace({ ledger_id: rent, mode: 'required' })
    await client.put(`/accounting-dimensions/${dimension_id}/archive`)
    expect(await pay()).toEqual([[], []])
    await expect(pay([value_id])).rejects.toThrow('the dimension Department is archived; restore it, or leave its value out')
    await client.put(`/accounting-dimensions/${dimension_id}/restore`)
    await expect(pay()).rejects.toThrow('needs a value')
    await replace()
  })

  it('beside a change of the rules meet the old ones or the new ones', async () => {
    const answers = await Promise.allSettled([pay(), replace({ ledger_id: rent, mode: 'required', default_value_id: value_id }), pay(), pay()])
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
    expect(await pay()).toEqual([[value_id], []])
    await replace()
  })
})
