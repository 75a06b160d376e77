import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chartOf } from '../../../test/support/books.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { balance, deliver, mainLocation, newItem, receive } from '../../../test/support/stock.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let location_id: string
beforeAll(async () => {
  (await service()).clock.set('2026-03-20T12:00:00Z')
  team = await newBusiness()
  location_id = await mainLocation(team.business_id)
})
afterAll(async () => (await service()).clock.set(null))

const PATH = '/inventory/adjustments'
const make = (lines: object[], more: object = {}) =>
  team.client.post(PATH, { kind: 'quantity', reason: 'found', adjusted_on: '2026-03-10', lines: lines.map((line) => ({ location_id, ...line })), ...more })

describe('adjustments of quantities', () => {
  it('are drafted, posted once, numbered, and reversed', async () => {
    const { variant_id } = await newItem(team.client)
    const before = await balance(team.business_id, 'inventory')
    const draft = await make([{ variant_id, quantity: 4, unit_cost: 1000, cost_per: 3 }])
    expect(draft.data).toMatchObject({ status: 'draft', number: null, total_value: 0, entry_id: null, lines: [{ quantity: 4, value: 0, unit_cost: 1000, cost_per: 3 }] })
    const posted = await team.client.put(`${PATH}/${draft.data.id}/post`)
    expect(posted.data).toMatchObject({ status: 'posted', number: expect.stringMatching(/^ADJ-\d{4}$/), total_value: 1333, lines: [{ value: 1333 }], version: 2 })
    expect((await balance(team.business_id, 'inventory')) - before).toBe(1333)
    expect(await team.client.put(`${PATH}/${draft.data.id}/post`)).toMatchObject({ status: 200, data: posted.data })
    const { data: entry } = await team.client.get(`/journal-entries/${posted.data.entry_id}`)
    expect(entry).toMatchObject({ source_type: 'adjustment', source_id: draft.data.id, date: '2026-03-10', total: 1333 })
    expect((await team.client.put(`${PATH}/${draft.data.id}`, { note: 'Seen again' })).data).toMatchObject({ note: 'Seen again', status: 'posted' })
    expect((await team.client.put(`${PATH}/${draft.data.id}`, { reason: 'other' })).detail).toMatch(/is posted: only its note can be changed/)
    expect((await team.client.delete(`${PATH}/${draft.data.id}`)).detail).toMatch(/reverse it instead/)
    const reversed = await team.client.put(`${PATH}/${draft.data.id}/reverse`, { reversal_date: '2026-03-12' })
    expect(reversed.data).toMatchObject({ status: 'reversed', total_value: 1333 })
    expect(await team.client.put(`${PATH}/${draft.data.id}/reverse`, {})).toMatchObject({ status: 200, data: reversed.data })
    expect((await team.client.put(`${PATH}/${draft.data.id}/post`)).detail).toMatch(/is reversed: make another one/)
    expect(await balance(team.business_id, 'inventory')).toBe(before)
    expect(await sql(`select type from events where business_id = $1 and resource_id = $2 order by seq`, [team.business_id, draft.data.id]))
      .toEqual(['created', 'posted', 'updated', 'reversed'].map((verb) => ({ type: `adjustment.${verb}` })))
  })

  it('take the cost that is given, else that of the pool, else the standard cost, else none', async () => {
    const [known, standard, unknown] = [await newItem(team.client), await newItem(team.client, {}, { standard_cost: 250, cost_per: 2 }), await newItem(team.client)]
    await receive(team.business_id, known.variant_id, 3, 1000, '2026-03-01')
    const { data } = await make([{ variant_id: known.variant_id, quantity: 2 }, { variant_id: standard.variant_id, quantity: 3 }], { post: true })
    expect(data.lines.map((line: any) => line.value)).toEqual([667, 375])
    expect((await make([{ variant_id: unknown.variant_id, quantity: 1 }], { post: true })).detail).toMatch(/give unit_cost, or set standard_cost/)
    expect((await make([{ variant_id: known.variant_id, quantity: -4 }], { post: true, reason: 'damage' })).data).toMatchObject({ total_value: -1334 })
  })

  it('go to another ledger where one is named', async () => {
    const { variant_id } = await newItem(team.client)
    const { named, role } = await chartOf(team.business_id)
    const { data } = await make([{ variant_id, quantity: 1, unit_cost: 500 }], { post: true, ledger_id: named('Rent') })
    const { data: entry } = await team.client.get(`/journal-entries/${data.entry_id}`)
    expect(entry.lines.map((line: any) => [line.ledger_id, line.amount])).toEqual([[named('Rent'), -500], [role('inventory'), 500]])
    expect((await make([{ variant_id, quantity: 1 }], { ledger_id: role('accounts_payable') })).detail).toMatch(/choose another ledger/)
    expect((await make([{ variant_id, quantity: 1 }], { ledger_id: newId() })).status).toBe(404)
  })

  it('say no with a reason', async () => {
    const [{ variant_id }, service_] = [await newItem(team.client), await newItem(team.client, { type: 'service' })]
    const rows: [object[], object, number, RegExp][] = [
      [[{ variant_id }], {}, 400, /Line 1 needs a quantity other than 0/],
      [[{ variant_id, quantity: 1, value: 5 }], {}, 400, /and no value/],
      [[{ variant_id, value: 5, quantity: 1 }], { kind: 'value' }, 400, /and no quantity/],
      [[{ variant_id, quantity: -1, unit_cost: 5 }], {}, 400, /takes no unit_cost/],
      [[{ variant_id: newId(), quantity: 1 }], {}, 404, /Variant/],
      [[{ variant_id, quantity: 1, location_id: newId() }], {}, 404, /Location/],
      [[{ variant_id: service_.variant_id, quantity: 1 }], {}, 400, /only stocked products have stock/],
      [[{ variant_id, quantity: -1 }], { post: true }, 400, /is short 1 on 2026-03-10/],
      [[{ variant_id, quantity: 1, unit_cost: 5 }], { post: true, adjusted_on: '2026-03-21' }, 400, /yet to come/],
      [[{ variant_id, quantity: 1 }], { project_id: newId() }, 404, /roject/],
      [[{ variant_id, quantity: 1 }], { dimension_value_ids: [newId()] }, 404, /imension value/],
    ]
    for (const [lines, more, status, detail] of rows) {
      const answer = await make(lines, more)
      expect([answer.status, answer.detail]).toEqual([status, expect.stringMatching(detail)])
    }
  })

  it('cannot be undone once their units are used', async () => {
    const { variant_id } = await newItem(team.client)
    const { data } = await make([{ variant_id, quantity: 4, unit_cost: 100 }], { post: true })
    await deliver(team.business_id, variant_id, 1, '2026-03-11')
    expect((await team.client.put(`${PATH}/${data.id}/reverse`, {})).detail).toMatch(/Only 3 of the 4 units that came in are still there/)
    const clerk = await newMember(team.business_id, 'bookkeeper')
    expect((await clerk.client.put(`${PATH}/${data.id}/reverse`, {})).status).toBe(403)
  })
})

describe('adjustments of values', () => {
  it('write down, and up again no further than that within the year', async () => {
    const { variant_id } = await newItem(team.client)
    await receive(team.business_id, variant_id, 4, 1000, '2026-03-01')
    const value = (amount: number, more: object = {}) => make([{ variant_id, value: amount }], { kind: 'value', reason: 'write_down', post: true, ...more })
    expect((await value(100)).detail).toMatch(/more than was written down this fiscal year \(0 cents\)/)
    expect((await value(-300)).data).toMatchObject({ total_value: -300, status: 'posted' })
    expect((await value(301)).status).toBe(400)
    expect((await value(200)).status).toBe(201)
    expect((await value(500, { reason: 'correction' })).status).toBe(201)
    expect((await value(-1401)).detail).toMatch(/cannot be written down by more/)
    const sold = await deliver(team.business_id, variant_id, 4, '2026-03-15')
    expect(sold.cost).toBe(1400)
    expect((await value(-1, { adjusted_on: '2026-03-16' })).detail).toMatch(/no stock to revalue/)
  })
})

describe('lists', () => {
  it('filter by what they are about', async () => {
    const { variant_id } = await newItem(team.client)
    const { data } = await make([{ variant_id, quantity: 1, unit_cost: 9 }], { reason: 'sample', adjusted_on: '2026-02-01' })
    const ids = async (query: Record<string, string>) => (await team.client.get(PATH, query)).data.items.map((item: any) => item.id)
    for (const query of [{ variant_id }, { reason: 'sample' }, { to: '2026-02-02' }, { variant_id, status: 'draft', kind: 'quantity', location_id, from: '2026-02-01' }]) expect(await ids(query as never)).toEqual([data.id])
    expect(await ids({ variant_id, status: 'posted' })).toEqual([])
    const other = await newItem(team.client)
    const changed = await team.client.put(`${PATH}/${data.id}`, { lines: [{ variant_id: other.variant_id, location_id, quantity: 2 }], adjusted_on: '2026-02-03' })
    expect(changed.data).toMatchObject({ adjusted_on: '2026-02-03', lines: [{ variant_id: other.variant_id, quantity: 2 }] })
    expect((await team.client.put(`${PATH}/${data.id}`, { kind: 'value' })).status).toBe(400)
    expect((await team.client.delete(`${PATH}/${data.id}`)).status).toBe(200)
    expect((await team.client.get(`${PATH}/${data.id}`)).status).toBe(404)
  })
})
