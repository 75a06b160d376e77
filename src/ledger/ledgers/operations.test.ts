// Tests of ledgers over HTTP: what they are, what is refused, and many callers at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import type { Ledger } from './contract.ts'

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

let made = 0
async function newLedger(more: object = {}): Promise<Ledger> {
  const answer = await client.post('/ledgers', { name: `Ledger ${++made}`, type: 'expense', subtype: 'operating', ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}
const asset = { type: 'asset', subtype: 'prepaid' }
const get = async ({ id }: { id: string }): Promise<Ledger> => (await client.get(`/ledgers/${id}`)).data
const act = (ledger: { id: string }, action: string, body?: object) => client.put(`/ledgers/${ledger.id}/${action}`, body)
/** A debit of the ledger against checking. */
const debit = (ledger: { id: string }, amount: number, date = '2026-03-10') =>
  post(team.business_id, { date, lines: [[ledger.id, amount], [chart.named('Checking'), -amount]] })

describe('a ledger', () => {
  it('is created with what follows from its subtype, read, changed and deleted', async () => {
    const ledger = await newLedger(
      { number: ' 9001 ', name: '  New   savings ', ...asset, subtype: 'bank', bank_name: 'First Bank', bank_account_last4: '1234' },
    )
    expect(ledger).toMatchObject({
      number: '9001', name: 'New savings', currency: 'USD', parent_id: null, is_bank: true, role: null, archived: false, posting: true,
      cash_flow_class: 'cash', normal_side: 'debit', balance: 0, base_balance: 0, merged_into_id: null, version: 1,
    })
    expect(await get(ledger)).toEqual(ledger)
    const { data } = await client.put(`/ledgers/${ledger.id}`, { number: null, subtype: 'cash', description: 'Till', name: null })
    expect(data).toMatchObject({ number: null, name: 'New savings', subtype: 'cash', description: 'Till', version: 2 })
    expect((await client.put(`/ledgers/${ledger.id}`, { description: 'Till' })).data.version).toBe(2)
    expect((await client.delete(`/ledgers/${ledger.id}`)).data.id).toBe(ledger.id)
    expect((await client.get(`/ledgers/${ledger.id}`)).status).toBe(404)
    expect(await eventsOf(ledger.id)).toEqual(['ledger.created', 'ledger.updated', 'ledger.deleted'])
  })

  it('shows its balance in natural signs the moment it is posted, in its own currency and in the base currency', async () => {
    const eur = await newLedger({ ...asset, currency: 'EUR' })
    const owed = await newLedger({ type: 'liability', subtype: 'other_current_liability' })
    await post(team.business_id, { date: '2026-03-01', lines: [{ ledger_id: eur.id, amount: 1000, currency: 'EUR', base_amount: 1100 }, [owed.id, -1100]] })
    await post(team.business_id, { date: '2026-03-02', lines: [[eur.id, 50], [owed.id, -50]] })
    expect(await get(eur)).toMatchObject({ balance: 1000, base_balance: 1150 })
    expect(await get(owed)).toMatchObject({ balance: 1150, base_balance: 1150, normal_side: 'credit' })
    expect((await client.put(`/ledgers/${owed.id}`, { description: 'x' })).data).toMatchObject({ balance: 1150, base_balance: 1150 })
  })

  it.each([
    [{}, 'missing'],
    [{ name: 'x', type: 'asset', subtype: 'bank', bank_account_last4: '12' }, 'string_too_short'],
    [{ name: 'x', type: 'money', subtype: 'bank' }, 'enum'],
    [{ name: ' ', type: 'asset', subtype: 'bank' }, 'value_error'], [{ name: 'x', type: 'asset', subtype: 'bank', number: ' ' }, 'value_error'],
  ])('%j is a 422', async (body, type) => {
    expect((await client.post('/ledgers', body)).detail[0]).toMatchObject({ type })
  })

  it('needs ids that exist: 404', async () => {
    expect(await client.post('/ledgers', { name: 'x', ...asset, parent_id: newId() })).toMatchObject(
      { status: 404, detail: expect.stringMatching(/^Parent ledger .* not found\.$/) },
    )
    expect((await client.post('/ledgers', { name: 'x', ...asset, default_tax_code_id: newId() })).status).toBe(404)
    expect((await client.put(`/ledgers/${newId()}/merge`, { into_id: newId() })).status).toBe(404)
    expect((await client.put(`/ledgers/${chart.named('Rent')}/merge`, { into_id: newId() })).status).toBe(404)
  })

  it('may be written by a bookkeeper and read by a viewer', async () => {
    const [bookkeeper, viewer] = [await newMember(team.business_id, 'bookkeeper'), await newMember(team.business_id, 'viewer')]
    expect((await bookkeeper.client.post('/ledgers', { name: 'By the bookkeeper', ...asset })).status).toBe(201)
    expect((await viewer.client.post('/ledgers', { name: 'By the viewer', ...asset })).status).toBe(403)
    expect((await viewer.client.get('/ledgers')).status).toBe(200)
  })
})

describe('what is refused with 400', () => {
  it('duplicates, wrong parents, wrong kinds', async () => {
    const parent = await newLedger({ number: '9100', name: 'Parent' })
    const child = await newLedger({ name: 'Child', parent_id: parent.id })
    const refused = async (body: object, detail: string) =>
      expect(await client.post('/ledgers', { name: 'x', type: 'expense', subtype: 'operating', ...body })).toMatchObject({ status: 400, detail })
    await refused({ number: '9100' }, 'The number 9100 is taken by Parent: choose another one.')
    await refused({ name: 'PARENT' }, 'A ledger named Parent exists at this place already: choose another name.')
    await refused({ ...asset, parent_id: parent.id }, 'x is of the type asset and cannot stand below 9100 Parent, which is of the type expense.')
    await refused({ currency: 'CAD' }, 'x: income and expense ledgers are kept in USD, the base currency.')
    await refused({ is_bank: true }, 'x: only ledgers of the subtypes bank, cash, credit_card, line_of_credit can be bank accounts; operating cannot.')
    await refused(
      { type: 'income' }, 'x: the subtype operating does not belong to the type income; choose one of revenue, discount, other_income, disposal_gain_loss.',
    )
    expect(await client.put(`/ledgers/${parent.id}`, { parent_id: child.id })).toMatchObject(
      { status: 400, detail: '9100 Parent cannot stand below Child, which stands below it.' },
    )
    expect((await client.post('/ledgers', { name: 'Parent', type: 'expense', subtype: 'operating', parent_id: child.id })).status).toBe(201)
  })

  it('a sixth level, also by moving what has levels below it', async () => {
    const levels: Ledger[] = []
    for (let level = 0; level < 5; level++) levels.push(await newLedger({ parent_id: levels.at(-1)?.id ?? null }))
    const refused = (parent: Ledger, name: string) => ({ status: 400, detail: `${name} cannot stand below ${parent.name}: the chart is at most 5 deep.` })
    expect(
      await client.post('/ledgers', { name: 'Sixth', type: 'expense', subtype: 'operating', parent_id: levels[4]!.id }),
    ).toMatchObject(refused(levels[4]!, 'Sixth'))
    const top = await newLedger()
    expect(await client.put(`/ledgers/${levels[0]!.id}`, { parent_id: top.id })).toMatchObject(refused(top, levels[0]!.name))
  })

  it('another type, currency, kind or no posting once it has lines; subtype and class may still change', async () => {
    const ledger = await newLedger({ ...asset })
    await debit(ledger, 100)
    const update = (body: object) => client.put(`/ledgers/${ledger.id}`, body)
    const frozen = (field: string) => ({ status: 400, detail: `${ledger.name} has lines: its ${field} cannot change any more. Create another ledger instead.` })
    expect(await update({ type: 'expense', subtype: 'operating' })).toMatchObject(frozen('type'))
    expect(await update({ currency: 'CAD' })).toMatchObject(frozen('currency'))
    expect(await update({ subtype: 'cash', is_bank: true })).toMatchObject(frozen('is_bank'))
    expect(await update({ posting: false })).toMatchObject(frozen('posting'))
    expect(
      (await update({ subtype: 'other_asset', cash_flow_class: 'operating' })).data,
    ).toMatchObject({ subtype: 'other_asset', cash_flow_class: 'operating' })
    expect(await client.delete(`/ledgers/${ledger.id}`)).toMatchObject({ status: 400, detail: `${ledger.name} has lines and cannot be deleted: archive it.` })
  })

  it('deleting what has a role, ledgers below it or is owed to', async () => {
    const parent = await newLedger()
    const child = await newLedger({ parent_id: parent.id })
    expect((await client.delete(`/ledgers/${chart.role('rounding')}`)).detail).toBe(
      '6980 Rounding Differences has the role rounding and cannot be deleted: give the role to another ledger first.',
    )
    expect((await client.delete(`/ledgers/${parent.id}`)).detail).toBe(`${child.name} stands below ${parent.name}: move or delete that one first.`)
    const { data: agency } = await client.post('/tax/agencies', { name: 'The State', country: 'US' })
    expect(await client.delete(`/ledgers/${agency.payable_ledger_id}`)).toMatchObject({ status: 400, detail: expect.stringMatching(/tax agency/) })
  })
})

describe('archiving', () => {
  it('takes a ledger out of lists and postings, until it is restored; again changes nothing', async () => {
    const ledger = await newLedger()
    expect((await act(ledger, 'archive')).data).toMatchObject({ archived: true, version: 2 })
    expect((await act(ledger, 'archive')).data).toMatchObject({ archived: true, version: 2 })
    expect((await client.get('/ledgers', { q: ledger.name })).data.items).toEqual([])
    expect((await client.get('/ledgers', { q: ledger.name, archived: 'all' })).data.items).toHaveLength(1)
    await expect(debit(ledger, 5)).rejects.toThrow('is archived')
    expect((await act(ledger, 'restore')).data).toMatchObject({ archived: false, version: 3 })
    expect((await act(ledger, 'restore')).data).toMatchObject({ archived: false, version: 3 })
    expect(await eventsOf(ledger.id)).toEqual(['ledger.created', 'ledger.archived', 'ledger.restored'])
  })

  it('is refused with a balance in any currency, a role, or an active ledger below; and restoring below an archived one', async () => {
    const eur = await newLedger({ ...asset })
    await post(team.business_id, { date: '2026-03-01', lines: [{ ledger_id: eur.id, amount: 1000, currency: 'EUR', base_amount: 1100 }, [eur.id, -1100]] })
    expect(await act(eur, 'archive')).toMatchObject({ status: 400, detail: `${eur.name} has a balance of 10.00 EUR: bring it to zero first.` })
    expect((await act({ id: chart.role('sales') }, 'archive')).detail).toBe('4000 Sales has the role sales: give the role to another ledger first.')
    const parent = await newLedger()
    const child = await newLedger({ parent_id: parent.id })
    expect((await act(parent, 'archive')).detail).toBe(`${child.name} stands below ${parent.name} and is active: archive or move that one first.`)
    await act(child, 'archive')
    await act(parent, 'archive')
    expect((await act(child, 'restore')).detail).toBe(`${child.name} cannot stand below ${parent.name}, which is archived: restore that one first.`)
    expect((await client.post('/ledgers', { name: 'x', type: 'expense', subtype: 'operating', parent_id: parent.id })).status).toBe(400)
  })

  it('of an expense looks at the running fiscal year only: earlier ones are in retained earnings', async () => {
    const { clock } = await service()
    clock.set('2027-02-01T12:00:00Z')
    const other = await newBusiness()
    const { named } = await chartOf(other.business_id)
    const pay = (name: string, date: string) => post(other.business_id, { date, lines: [[named(name), 100], [named('Checking'), -100]] })
    await pay('Rent', '2026-12-31')
    await pay('Meals', '2027-01-01')
    const answers = await Promise.all(['Rent', 'Meals', 'Checking'].map((name) => other.client.put(`/ledgers/${named(name)}/archive`)))
    clock.set('2026-06-15T12:00:00Z')
    expect(answers.map(({ status, detail }) => detail ?? status)).toEqual([
      200, '6310 Meals has a balance of 1.00 USD: bring it to zero first.', '1000 Checking has a balance of -2.00 USD: bring it to zero first.',
    ])
  })
})

describe('merging', () => {
  it('shows one ledger under another and rewrites no line; unmerging brings it back', async () => {
    const [old, target, last] = [await newLedger(), await newLedger(), await newLedger()]
    await debit(old, 300)
    await debit(target, 50)
    const lines = await sql('select id, ledger_id from journal_lines where business_id = $1 order by id', [team.business_id])
    expect((await act(old, 'merge', { into_id: target.id })).data).toMatchObject({ archived: true, merged_into_id: target.id, balance: 0, version: 2 })
    expect((await act(old, 'merge', { into_id: target.id })).data.version).toBe(2)
    expect((await act(old, 'merge', { into_id: last.id })).detail).toBe(`${old.name} is merged into another ledger already.`)
    expect(await get(target)).toMatchObject({ balance: 350, base_balance: 350 })
    expect(await get(old)).toMatchObject({ balance: 0 })
    expect((await act(old, 'restore')).detail).toBe(`${old.name} is merged into another ledger: unmerge it instead.`)
    expect((await client.put(`/ledgers/${last.id}`, { posting: false })).status).toBe(200)
    expect((await act(target, 'merge', { into_id: last.id })).detail).toBe(`${last.name} is a heading and cannot be part of a merge.`)
    await client.put(`/ledgers/${last.id}`, { posting: true })
    await act(target, 'merge', { into_id: last.id })
    expect(await get(old)).toMatchObject({ merged_into_id: last.id, version: 3 })
    expect(await get(last)).toMatchObject({ balance: 350 })
    expect((await client.put(`/ledgers/${last.id}`, { posting: false })).detail).toBe(`${last.name} is part of a merge: undo that before its posting changes.`)
    expect((await client.delete(`/ledgers/${last.id}`)).status).toBe(400)
    expect((await act(old, 'unmerge')).data).toMatchObject({ archived: false, merged_into_id: null, balance: 300 })
    expect((await act(old, 'unmerge')).data).toMatchObject({ version: 4 })
    expect(await get(last)).toMatchObject({ balance: 50 })
    expect(await sql('select id, ledger_id from journal_lines where business_id = $1 order by id', [team.business_id])).toEqual(lines)
    expect(await eventsOf(old.id)).toEqual(['ledger.created', 'ledger.merged', 'ledger.merged', 'ledger.unmerged'])
  })

  it('is refused between types, and for banks and roles', async () => {
    const ledger = await newLedger()
    const into = async (into_id: string) => (await act(ledger, 'merge', { into_id })).detail
    expect(await into(ledger.id)).toBe('A ledger cannot be merged into itself.')
    expect(await into(chart.named('Prepaid Expenses'))).toMatch(/only ledgers of one type can be merged/)
    expect(await into(chart.named('Checking'))).toBe('1000 Checking is a bank account and cannot be part of a merge.')
    expect(await into(chart.role('rounding'))).toBe('6980 Rounding Differences has the role rounding and cannot be part of a merge.')
  })
})

describe('the list', () => {
  it('filters and sorts; the default chart is in it', async () => {
    const other = await newBusiness()
    const { named } = await chartOf(other.business_id)
    const items = async (query: Record<string, string | boolean | number>): Promise<Ledger[]> =>
      (await other.client.get('/ledgers', { limit: 1000, descending: false, ...query })).data.items
    const all = await items({})
    expect(all.length).toBeGreaterThan(70)
    const sorted = (values: string[]) => values.toSorted((a, b) => (a < b ? -1 : 1))
    expect(all.map(({ number }) => number)).toEqual(sorted(all.map(({ number }) => number ?? '')))
    expect((await items({ type: 'equity' })).map(({ name }) => name)).toEqual(
      ["Owner's Capital", "Owner's Distributions", 'Other Equity', 'Opening Balance Equity', 'Retained Earnings'],
    )
    expect((await items({ is_bank: true })).map(({ name }) => name)).toEqual(['Checking', 'Savings', 'Petty Cash', 'Credit Card', 'Line of Credit'])
    expect((await items({ role: 'sales' })).map(({ name }) => name)).toEqual(['Sales'])
    expect((await items({ subtype: 'intercompany' })).map(({ type }) => type)).toEqual(['asset', 'liability'])
    expect((await items({ q: 'RENT' })).map(({ name }) => name)).toEqual(['Current Portion of Loans', 'Rent'])
    expect((await items({ q: '610' })).map(({ name }) => name)).toEqual(['Rent'])
    await other.client.post('/ledgers', { name: 'Unnumbered', type: 'expense', subtype: 'operating', parent_id: named('Rent') })
    expect((await items({ parent_id: named('Rent') })).map(({ name }) => name)).toEqual(['Unnumbered'])
    expect((await items({})).at(-1)?.name).toBe('Unnumbered')
    await post(other.business_id, { date: '2026-02-01', lines: [[named('Rent'), 900], [named('Checking'), -900]] })
    const balances = (await items({ sort_by: 'balance' })).map(({ base_balance }) => base_balance)
    expect([balances[0], balances.at(-1)]).toEqual([-900, 900])
    const types = (await items({ sort_by: 'type' })).map(({ type }) => type)
    expect(types).toEqual(types.toSorted())
  })

  it('pages by balance without missing or repeating one', async () => {
    const seen: string[] = []
    for (let cursor: string | null = null, more = true; more;) {
      const { data } = await client.get('/ledgers', { sort_by: 'balance', limit: 13, archived: 'all', ...(cursor ? { cursor } : {}) })
      seen.push(...data.items.map(({ id }: Ledger) => id))
      ;({ next_cursor: cursor, has_next: more } = data)
    }
    const [{ count }] = await sql('select count(*)::int as count from ledgers where business_id = $1', [team.business_id])
    expect([seen.length, new Set(seen).size]).toEqual([count, count])
  })
})

describe('bulk', () => {
  const plain = { type: 'expense', subtype: 'operating' }

  it('creates and updates; numbers may be swapped in one call', async () => {
    const [a, b] = [await newLedger({ number: '9301' }), await newLedger({ number: '9302' })]
    const { data, status } = await client.post(
      '/ledgers/bulk', { items: [{ id: a.id, number: '9302' }, { id: b.id, number: '9301' }, { name: 'New one', number: '9303', ...plain }] },
    )
    expect([status, data.succeeded, data.failed]).toEqual([201, 3, 0])
    expect([(await get(a)).number, (await get(b)).number, (await get({ id: data.results[2].id })).name]).toEqual(['9302', '9301', 'New one'])
    expect(await eventsOf(a.id)).toEqual(['ledger.created', 'ledger.updated'])
  })

  it('is all or nothing: one error changes nothing and is named', async () => {
    const ledger = await newLedger({ number: '9311' })
    const answer = await client.post(
      '/ledgers/bulk', { items: [{ id: ledger.id, number: '9312' }, { name: 'x', ...plain, number: '1000' }, { name: 'no type' }] },
    )
    expect(answer).toMatchObject({ status: 400, detail: 'Item 2: A new ledger needs name, type and subtype.' })
    expect((await get(ledger)).number).toBe('9311')
    expect((await client.post('/ledgers/bulk', { items: [] })).status).toBe(422)
  })

  it('with atomic false makes what can be made and says why not of the rest', async () => {
    const [a, b] = [await newLedger({ number: '9321' }), await newLedger({ number: '9322' })]
    const { data } = await client.post('/ledgers/bulk', {
      atomic: false,
      items: [
        { id: a.id, number: '9322' }, { id: b.id, number: '9321', currency: 'CAD' }, { name: 'Good', ...plain }, { id: newId(), name: 'x' },
        { id: a.id, name: 'Twice' }, { name: 'GOOD', ...plain },
      ],
    })
    expect([data.succeeded, data.failed]).toEqual([1, 5])
    expect(data.results.map(({ status, detail }: { status: string; detail: string }) => detail ?? status)).toEqual([
      `The number 9322 is taken by ${b.name}: choose another one.`, `9321 ${b.name}: income and expense ledgers are kept in USD, the base currency.`, 'ok',
      expect.stringMatching(/^Ledger .* not found\.$/), `9321 ${a.name} is in this call twice.`,
      'A ledger named Good exists at this place already: choose another name.',
    ])
    expect([(await get(a)).number, (await get(b)).number]).toEqual(['9321', '9322'])
  })

  it('takes a thousand at once', async () => {
    const other = await newBusiness()
    const items = Array.from({ length: 1000 }, (_, index) => ({ name: `Bulk ${index}`, number: `B${index}`, ...plain }))
    expect((await other.client.post('/ledgers/bulk', { items })).data.succeeded).toBe(1000)
    expect((await other.client.post('/ledgers/bulk', { items: [...items, items[0]] })).status).toBe(422)
  })
})

describe('two at once', () => {
  it('of two that want one number, name or place in a circle, one gets it', async () => {
    const numbered = await Promise.all(['One', 'Two'].map((name) => client.post('/ledgers', { name, number: '9400', type: 'expense', subtype: 'operating' })))
    expect(numbered.map(({ status }) => status).toSorted()).toEqual([201, 400])
    const named = await Promise.all(['Same', 'SAME'].map((name) => client.post('/ledgers', { name, type: 'expense', subtype: 'operating' })))
    expect(named.map(({ status }) => status).toSorted()).toEqual([201, 400])
    const [a, b] = [await newLedger(), await newLedger()]
    const moved = await Promise.all([client.put(`/ledgers/${a.id}`, { parent_id: b.id }), client.put(`/ledgers/${b.id}`, { parent_id: a.id })])
    expect(moved.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  it('of two changes with the same ETag, one wins and the other gets a 412', async () => {
    const ledger = await newLedger()
    const update = (description: string) => client.put(`/ledgers/${ledger.id}`, { description }, { headers: { 'if-match': '"1"' } })
    expect((await Promise.all([update('one'), update('two')])).map(({ status }) => status).toSorted()).toEqual([200, 412])
  })

  it('a posting and an archive never both succeed', async () => {
    const outcomes = await Promise.all(Array.from({ length: 6 }, async () => {
      const ledger = await newLedger({ ...asset })
      const [posted, archived] = await Promise.allSettled([debit(ledger, 100), act(ledger, 'archive')])
      const refused = archived.status === 'fulfilled' && archived.value.status === 400
      expect(posted.status === 'fulfilled' ? refused : !refused).toBe(true)
      return posted.status
    }))
    expect(outcomes).toHaveLength(6)
  })
})
