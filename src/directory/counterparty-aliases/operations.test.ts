import { beforeAll, describe, expect, it } from 'vitest'
import { inside } from '../../../test/support/books.ts'
import { client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newBusiness, newMember, newToken, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { cleanNames } from './operations.ts'

let team: Team
let other: Team
const at = { bank: '', rent: '', software: '' }

beforeAll(async () => {
  team = await newBusiness()
  other = await newBusiness()
  const ledgers = (await team.client.get('/ledgers', { limit: 200 })).data.items
  const expenses = ledgers.filter((one: any) => one.type === 'expense' && one.posting && one.role === null)
  Object.assign(at, { bank: ledgers.find((one: any) => one.is_bank).id, rent: expenses[0].id, software: expenses[1].id })
})

/** A word of letters that no other test uses. */
const word = () => newId().replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] as string).replaceAll('-', '').slice(-14)
const create = (body: object) => team.client.post('/counterparty-aliases', { pattern: word(), match_type: 'contains', counterparty: 'Acme', ...body })

/** A bank row with this text, as an import writes it. */
async function bankRow(text: string): Promise<string> {
  const row = await team.client.post('/transactions', { ledger_id: at.bank, amount: -1200, datetime: '2026-02-03', counterparty: text.slice(0, 100) })
  await sql('update transactions set counterparty_raw = $2 where id = $1', [row.data.id, text])
  return row.data.id
}

describe('aliases', () => {
  it('are made, read, changed, listed and deleted', async () => {
    const pattern = word()
    const made = await create({ pattern: `SQ *${pattern} #12`, match_type: 'starts_with', counterparty: ' Blue ' })
    expect(made).toMatchObject({ status: 201, data: { counterparty: 'Blue', enabled: true, hit_count: 0, version: 1 } })
    const path = `/counterparty-aliases/${made.data.id}`
    expect((await team.client.get(path)).data).toEqual(made.data)
    expect((await team.client.put(path, { enabled: false })).data).toMatchObject({ enabled: false, version: 2 })
    expect((await team.client.put(path, { enabled: false })).data.version).toBe(2)
    expect((await team.client.put(path, { enabled: true }, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    const ids = async (query: object) => (await team.client.get('/counterparty-aliases', query as never)).data.items.map(({ id }: any) => id)
    expect(await ids({ counterparty: 'BLUE', enabled: false })).toEqual([made.data.id])
    expect(await ids({ q: pattern.slice(0, 9) })).toEqual([made.data.id])
    expect(await ids({ sort_by: 'hit_count' })).toContain(made.data.id)
    const file = await team.client.get('/counterparty-aliases/export')
    expect(file.headers.get('content-type')).toMatch('text/csv')
    expect(file.body).toContain('Blue')
    expect((await team.client.delete(path)).status).toBe(200)
    expect((await team.client.get(path)).status).toBe(404)
    const events = (await team.client.get('/events', { resource_id: made.data.id })).data.items
    expect(events.map(({ type }: any) => type)).toEqual(Array.from({ length: 3 }, () => 'counterparty_alias.changed'))
  })

  it.each([
    ['an expression that looks back', { match_type: 'regex', pattern: '(a)\\1' }, 400],
    ['an expression that looks ahead', { match_type: 'regex', pattern: 'a(?=b)' }, 400],
    ['a pattern of one letter and a store number', { pattern: 'a #12345' }, 400],
    ['a pattern of one letter', { pattern: 'a' }, 422],
    ['a match type of nobody', { match_type: 'sounds_like' }, 422],
    ['a customer of nobody', { customer_id: newId() }, 404],
    ['a vendor of nobody', { vendor_id: newId() }, 404],
  ])('refuse %s', async (_what, body, status) => expect((await create(body)).status).toBe(status))

  it('are one per pattern and match type, also of two callers at once', async () => {
    const pattern = word()
    const answers = await Promise.all([create({ pattern }), create({ pattern: `${pattern.toUpperCase()} #9` })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    expect((await create({ pattern })).detail).toMatch(/Another alias/)
    const elsewhere = await create({ pattern, match_type: 'exact' })
    expect(elsewhere.status).toBe(201)
    expect((await team.client.put(`/counterparty-aliases/${elsewhere.data.id}`, { match_type: 'contains' })).status).toBe(400)
  })

  it('are tied to a customer who is not archived and of this business', async () => {
    const customer_id = await newCustomer(team.client)
    expect((await create({ customer_id })).data.customer_id).toBe(customer_id)
    expect((await create({ customer_id, vendor_id: newId() })).status).toBe(404)
    expect((await create({ customer_id: await newCustomer(other.client) })).status).toBe(404)
    await team.client.put(`/customers/${customer_id}/archive`)
    expect((await create({ customer_id })).detail).toMatch(/archived/)
  })

  it('come many at once, all or each by itself', async () => {
    const [one, two] = [word(), word()]
    const standing = (await create({})).data
    const aliases = [
      { pattern: one, match_type: 'exact', counterparty: 'One' }, { id: standing.id, enabled: false }, { pattern: one, match_type: 'exact', counterparty: 'Again' },
      { id: newId(), enabled: false }, { pattern: two },
    ]
    expect((await team.client.post('/counterparty-aliases/bulk', { aliases })).detail).toMatch(/Item 2/)
    const each = await team.client.post('/counterparty-aliases/bulk', { aliases, atomic: false })
    expect(each.data).toMatchObject({ succeeded: 2, failed: 3 })
    expect(each.data.results.map(({ status }: any) => status)).toEqual(['ok', 'ok', 'error', 'error', 'error'])
    expect((await team.client.get(`/counterparty-aliases/${standing.id}`)).data.enabled).toBe(false)
  })
})

describe('texts', () => {
  it('are resolved without a trace, and counted where rows get their name', async () => {
    const [name, plain] = [word(), word()]
    const made = (await create({ pattern: name, match_type: 'exact', counterparty: 'Known' })).data
    const texts = [`SQ *${name.toUpperCase()} #44`, `PAYPAL *${plain.toUpperCase()}`]
    const resolved = (await team.client.post('/counterparty-aliases/resolve', { texts })).data
    expect(resolved).toMatchObject([{ counterparty: 'Known', alias_id: made.id }, { alias_id: null }])
    expect(resolved[1].counterparty.toLowerCase()).toBe(plain)
    const names = await inside(team.business_id, (tx) => cleanNames(tx, [...texts, texts[0] as string]))
    expect([...names.values()]).toEqual(resolved.map(({ counterparty }: any) => counterparty))
    expect((await team.client.get(`/counterparty-aliases/${made.id}`)).data).toMatchObject({ hit_count: 2, version: 1 })
  })

  it('past rows get the name, and only the name', async () => {
    const name = word()
    const [row, second] = [await bankRow(`${name} 1234`), await bankRow(`${name} 5678`)]
    const found = (await team.client.get('/counterparty-aliases/suggestions')).data.find(({ pattern }: any) => pattern === name)
    expect(found).toMatchObject({ count: 2, match_type: 'starts_with' })
    const made = (await create({ pattern: name, match_type: 'starts_with', counterparty: 'Renamed' })).data
    const preview = await team.client.post('/counterparty-aliases/apply', { alias_id: made.id, preview: true })
    expect(preview.data).toMatchObject({ matched: 2, renamed: 0 })
    const before = (await team.client.get(`/transactions/${row}`)).data
    const done = await team.client.post('/counterparty-aliases/apply', { alias_id: made.id })
    expect(done.data).toMatchObject({ matched: 2, renamed: 2 })
    const after = (await team.client.get(`/transactions/${row}`)).data
    expect(after).toEqual({ ...before, counterparty: 'Renamed', version: before.version + 1, updated_at: after.updated_at })
    expect((await team.client.get(`/transactions/${second}`)).data.counterparty).toBe('Renamed')
    expect((await team.client.post('/counterparty-aliases/apply', {})).data).toMatchObject({ matched: 0, renamed: 0, names: [] })
    expect((await team.client.post('/counterparty-aliases/apply', { alias_id: newId() })).status).toBe(404)
    expect((await team.client.get('/counterparty-aliases/suggestions')).data.filter(({ pattern }: any) => pattern === name)).toEqual([])
  })

  it('several counterparties become one name, with one default', async () => {
    const [old, into] = [word(), word()]
    const given = (await create({ counterparty: old })).data
    const one = (await team.client.post('/counterparty-defaults', { counterparty: old, ledger_id: at.rent })).data
    const two = (await team.client.post('/counterparty-defaults', { counterparty: into, ledger_id: at.software })).data
    const merge = (more: object = {}) => team.client.post('/counterparty-aliases/merge', { counterparties: [old], counterparty: into, ...more })
    expect((await merge()).detail).toMatch(/contradict/)
    expect((await merge({ keep_default_id: newId() })).status).toBe(404)
    const merged = await merge({ keep_default_id: one.id })
    expect(merged).toMatchObject({ status: 201, data: { counterparty: into, defaults_kept: 1, defaults_dropped: 1 } })
    expect(merged.data.aliases.map(({ match_type }: any) => match_type).toSorted()).toEqual(['contains', 'exact'])
    expect((await team.client.get(`/counterparty-aliases/${given.id}`)).data.counterparty).toBe(into)
    const left = (await team.client.get('/counterparty-defaults', { counterparty: into })).data.items
    expect(left).toMatchObject([{ id: one.id, counterparty: into, ledger_id: at.rent }])
    expect((await team.client.delete(`/counterparty-defaults/${two.id}`)).status).toBe(404)
    const [resolved] = (await team.client.post('/counterparty-aliases/resolve', { texts: [old] })).data
    expect(resolved.counterparty).toBe(into)
    expect((await merge()).data).toMatchObject({ defaults_kept: 1, defaults_dropped: 0 })
  })
})

describe('who may', () => {
  it('viewers read, bookkeepers write, others see nothing', async () => {
    const made = (await create({})).data
    const viewer = (await newMember(team.business_id, 'viewer')).client
    expect((await viewer.get('/counterparty-aliases')).status).toBe(200)
    expect((await viewer.post('/counterparty-aliases/resolve', { texts: ['x'] })).status).toBe(201)
    const merge = { counterparties: ['a'], counterparty: 'b' }
    for (const answer of [
      await viewer.post('/counterparty-aliases', { pattern: 'xx', match_type: 'exact', counterparty: 'x' }),
      await viewer.put(`/counterparty-aliases/${made.id}`, { enabled: false }),
      await viewer.delete(`/counterparty-aliases/${made.id}`),
      await viewer.post('/counterparty-aliases/bulk', { aliases: [{ id: made.id }] }),
      await viewer.post('/counterparty-aliases/apply', {}),
      await viewer.post('/counterparty-aliases/merge', merge),
    ]) expect(answer.status).toBe(403)
    for (const answer of [
      await other.client.get(`/counterparty-aliases/${made.id}`),
      await other.client.put(`/counterparty-aliases/${made.id}`, { enabled: false }),
      await other.client.delete(`/counterparty-aliases/${made.id}`),
      await other.client.post('/counterparty-aliases/apply', { alias_id: made.id }),
    ]) expect(answer.status).toBe(404)
    expect((await other.client.post('/counterparty-aliases/bulk', { aliases: [{ id: made.id, enabled: false }] })).status).toBe(400)
    expect((await other.client.get('/counterparty-aliases')).data.items).toEqual([])
    expect((await other.client.post('/counterparty-aliases/resolve', { texts: [made.pattern] })).data[0].alias_id).toBeNull()
    const token = await newToken(team.owner, ['counterparty-aliases:read'])
    expect((await client(token, team.business_id).get('/counterparty-aliases/export')).status).toBe(200)
    expect((await client(token, team.business_id).delete(`/counterparty-aliases/${made.id}`)).status).toBe(403)
  })
})
