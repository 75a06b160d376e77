// Tests of customers over HTTP and through the doors of the group.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { readSheet } from '../../foundation/sheets.ts'
import { insertTemplate } from '../recurring-templates/operations.ts'
import type { Customer, CustomerBulkResult, SavedCustomer } from './contract.ts'
import { customersByIds, customersByKeys, figuresOf, linkProcessorCustomer, recipientsOf } from './operations.ts'

let team: Team
let client: Client
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
})

async function create(body: object = {}): Promise<SavedCustomer> {
  const answer = await client.post('/customers', { name: `Made ${newId()}`, ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}
const get = async (id: string): Promise<Customer> => (await client.get(`/customers/${id}`)).data
const newTag = async (more: object = {}): Promise<string> => (await client.post('/tags', { name: newId(), ...more })).data.id

/** What was charged to a customer, on the receivable. */
async function charge(customer_id: string, amount: number, more: object = {}) {
  const { role } = await chartOf(team.business_id)
  return post(team.business_id, { date: '2026-03-10', source_type: 'invoice', lines: [{ ledger_id: role('accounts_receivable'), amount, customer_id }, [role('sales'), -amount]], ...more })
}

describe('a customer', () => {
  it('is created with what is said, and defaults', async () => {
    const tags = [await newTag(), await newTag()].toSorted()
    const plain = await create({ name: ' Plain   Co ' })
    expect(plain).toMatchObject({
      name: 'Plain Co', email: null, currency: 'USD', language: 'en', status: 'active', merged_into: null, tag_ids: [], tax_exempt: false, reminders_paused: false,
      open_balance: 0, overdue_balance: 0, unapplied_credit: 0, deposit_balance: 0, last_payment_on: null, warnings: [], version: 1,
    })
    const whole = await create({
      name: 'Whole', email: 'Whole@Example.com', phone: '1', website: 'whole.example', tax_number: 'DE 1', billing_address: { line1: '1 Road', country: 'DE' },
      shipping_address: { city: 'Rome' }, currency: 'EUR', credit_limit: 5_000, language: 'de-DE', parent_id: plain.id, external_id: 'W-1', notes: 'Note', tag_ids: tags,
      reminders_paused: true,
    })
    const { warnings, ...shown } = whole
    expect(warnings).toEqual([])
    expect(await get(whole.id)).toEqual(shown)
    expect(shown).toMatchObject({ parent_id: plain.id, tag_ids: tags, billing_address: { line1: '1 Road', line2: null, country: 'DE' }, language: 'de-DE', credit_limit: 5_000 })
    const [event] = await sql('select data from events where resource_id = $1', [whole.id])
    expect(event.data).toMatchObject({ name: 'Whole', tag_ids: tags })
    expect(await client.get('/tags/' + tags[0])).toMatchObject({ data: { usage_count: 1 } })
  })

  it('warns of others with the same name or e-mail address', async () => {
    const first = await create({ name: 'Twice Ltd', email: 'twice@example.com' })
    const second = await create({ name: 'TWICE LTD', email: 'Twice@Example.com' })
    expect(second.warnings.map(({ kind, customer_ids }) => [kind, customer_ids])).toEqual([['same_email', [first.id]], ['same_name', [first.id]]])
    expect((await client.put(`/customers/${second.id}`, { email: null, name: 'Once' })).data.warnings).toEqual([])
  })

  it('is changed in what is given only; tags are replaced', async () => {
    const [a, b] = [await newTag(), await newTag()]
    const { id } = await create({ phone: '1', notes: 'n', tag_ids: [a], billing_address: { city: 'Rome' } })
    expect((await client.put(`/customers/${id}`, { phone: null, tag_ids: [b], billing_address: { region: 'FL' } })).data)
      .toMatchObject({ phone: null, notes: 'n', tag_ids: [b], billing_address: { city: null, region: 'FL' }, version: 2 })
    expect((await client.put(`/customers/${id}`, { notes: 'n', tag_ids: [b] })).data.version).toBe(2)
    expect((await client.put(`/customers/${id}`, { tag_ids: [] })).data).toMatchObject({ tag_ids: [], version: 3 })
    expect((await client.get(`/tags/${a}`)).data.usage_count).toBe(0)
    const [red, blue] = [await newTag({ group_name: 'colour' }), await newTag({ group_name: 'colour' })]
    for (const tag of [red, blue]) expect((await client.put(`/customers/${id}`, { tag_ids: [tag] })).data.tag_ids).toEqual([tag])
    expect(await client.put(`/customers/${id}`, { tag_ids: [red, blue] })).toMatchObject({ status: 400, detail: expect.stringMatching(/one tag of the group “colour”/) })
    expect(await eventsOf(id)).toEqual(['customer.created', ...Array(4).fill('customer.updated')])
    const [audited] = await sql(`select before, after from audit_trail where resource_id = $1 and action = 'customer.updated' order by seq limit 1`, [id])
    expect(audited).toMatchObject({ before: { tag_ids: [a], phone: '1' }, after: { tag_ids: [b], phone: null } })
  })

  it('refuses what is not there, archived or taken', async () => {
    const unknown = newId()
    const term = (await client.post('/payment-terms', { name: 'Past', kind: 'net_days', days: 1 })).data
    await client.put(`/payment-terms/${term.id}/archive`)
    const code = (await client.get('/tax/codes', { q: 'OUT' })).data.items[0]
    const archived = await create({ name: 'Put away' })
    await client.put(`/customers/${archived.id}/archive`)
    const stranger = await newCustomer((await newBusiness()).client)
    await create({ external_id: 'taken' })
    const target = await create()
    await client.put(`/tax/codes/${code.id}`, { archived: true })
    const cases: [object, number, unknown][] = [
      [{ payment_terms_id: unknown }, 404, `Payment terms ${unknown} of payment_terms_id not found.`],
      [{ payment_terms_id: term.id }, 400, 'The payment terms “Past” are archived: restore them, or choose others.'],
      [{ default_tax_code_id: unknown }, 404, `Tax code ${unknown} of default_tax_code_id not found.`],
      [{ default_tax_code_id: code.id }, 400, 'The tax code OUT is archived: restore it, or choose another.'],
      [{ parent_id: stranger }, 404, `Customer ${stranger} of parent_id not found.`],
      [{ parent_id: archived.id }, 400, 'The customer “Put away” is archived: restore it first.'],
      [{ external_id: 'taken' }, 400, 'Another customer has this external_id: update that one, or choose another.'],
      [{ tag_ids: [unknown] }, 404, `Tag ${unknown} of tag_ids not found.`],
      [{ billing_address: { country: 'XX' } }, 422, [expect.objectContaining({ loc: ['body', 'billing_address', 'country'] })]],
      [{ currency: 'JPY' }, 422, [expect.objectContaining({ loc: ['body', 'currency'] })]],
      [{ email: 'nobody' }, 422, [expect.objectContaining({ loc: ['body', 'email'] })]],
      [{ credit_limit: -1 }, 422, [expect.objectContaining({ loc: ['body', 'credit_limit'] })]],
      [{ name: '  ' }, 422, [expect.objectContaining({ loc: ['body', 'name'] })]],
    ]
    for (const [body, status, detail] of cases) {
      expect(await client.post('/customers', { name: 'Refused', ...body }), JSON.stringify(body)).toMatchObject({ status, detail })
      expect(await client.put(`/customers/${target.id}`, body), JSON.stringify(body)).toMatchObject({ status, detail })
    }
    expect((await get(target.id)).version).toBe(1)
    await client.put(`/tax/codes/${code.id}`, { archived: false })
  })

  it('with a default tax code keeps that code from being deleted', async () => {
    const { data: code } = await client.post('/tax/codes', { code: 'HELD', name: 'Held', treatment: 'exempt' })
    expect((await create({ default_tax_code_id: code.id })).default_tax_code_id).toBe(code.id)
    expect(await client.delete(`/tax/codes/${code.id}`)).toMatchObject({ status: 400, detail: expect.stringMatching(/^A customer has this tax code by default/) })
  })

  it('keeps its currency once something is posted', async () => {
    const { id } = await create()
    expect((await client.put(`/customers/${id}`, { currency: 'CAD' })).data.currency).toBe('CAD')
    await client.put(`/customers/${id}`, { currency: 'USD' })
    await charge(id, 100)
    expect(await client.put(`/customers/${id}`, { currency: 'CAD' })).toMatchObject({ status: 400, detail: expect.stringMatching(/so its currency stays/) })
    expect((await client.put(`/customers/${id}`, { currency: 'USD', phone: '2' })).status).toBe(200)
  })

  it('stands below another, at most five deep, never in a circle', async () => {
    const chain = [await create()]
    for (let level = 2; level <= 5; level++) chain.push(await create({ parent_id: chain.at(-1)?.id }))
    expect(await client.post('/customers', { name: 'Too deep', parent_id: chain[4]?.id })).toMatchObject({ status: 400, detail: expect.stringMatching(/at most 5 levels/) })
    expect(await client.put(`/customers/${chain[0]?.id}`, { parent_id: chain[3]?.id })).toMatchObject({ status: 400, detail: expect.stringMatching(/cannot belong to itself/) })
    expect(await client.put(`/customers/${chain[0]?.id}`, { parent_id: chain[0]?.id })).toMatchObject({ status: 400 })
    const above = await create()
    expect((await client.put(`/customers/${chain[0]?.id}`, { parent_id: above.id })).status).toBe(400)
    expect((await client.put(`/customers/${chain[4]?.id}`, { parent_id: null })).data.parent_id).toBeNull()
    expect((await client.put(`/customers/${chain[0]?.id}`, { parent_id: above.id })).status).toBe(200)
  })

  it('of two that go below each other at once, one may', async () => {
    const [a, b] = [await create(), await create()]
    const answers = await Promise.all([client.put(`/customers/${a.id}`, { parent_id: b.id }), client.put(`/customers/${b.id}`, { parent_id: a.id })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  it('is tax exempt while an exemption is valid', async () => {
    const { id } = await create()
    const { data } = await client.post('/tax/exemptions', { customer_id: id, valid_from: '2026-01-01' })
    expect((await get(id)).tax_exempt).toBe(true)
    await client.put(`/tax/exemptions/${data.id}`, { valid_to: '2026-01-02' })
    expect((await get(id)).tax_exempt).toBe(false)
  })
})

describe('putting away', () => {
  it('is archived and restored; a balance may stay', async () => {
    const { id } = await create()
    await charge(id, 700)
    expect((await client.put(`/customers/${id}/archive`)).data).toMatchObject({ status: 'archived', open_balance: 700, version: 2 })
    expect((await client.put(`/customers/${id}/archive`)).data.version).toBe(2)
    expect((await client.put(`/customers/${id}/restore`)).data).toMatchObject({ status: 'active', version: 3 })
    expect((await client.put(`/customers/${id}/restore`)).data.version).toBe(3)
    expect(await eventsOf(id)).toEqual(['customer.created', 'customer.archived', 'customer.restored'])
  })

  it('is not archived while a template bills it', async () => {
    const { id, name } = await create()
    const template = await inside(team.business_id, async (tx) => insertTemplate(tx, {
      config: { frequency: 'monthly', start_date: '2999-07-31', name: 'Rent' },
      kind: 'invoice', template: { customer_id: id, line_items: [] }, prices: [], currency: 'USD', amount: 12_000, described: null,
    }))
    expect(await client.put(`/customers/${id}/archive`)).toMatchObject({ status: 400, detail: `The recurring template “Rent” bills “${name}”: end it first.` })
    expect((await client.post(`/customers/${(await create()).id}/merge`, { source_ids: [id] })).status).toBe(400)
    expect((await client.delete(`/customers/${id}`)).status).toBe(400)
    await client.put(`/recurring/${template.id}/end`)
    expect((await client.put(`/customers/${id}/archive`)).status).toBe(200)
  })

  it('is deleted only where nothing ever named it', async () => {
    const tag = await newTag()
    const free = await create({ tag_ids: [tag] })
    await client.post(`/customers/${free.id}/contacts`, { name: 'Ada' })
    expect(await client.delete(`/customers/${free.id}`)).toMatchObject({ status: 200, data: { id: free.id, tag_ids: [tag] } })
    expect((await client.get(`/customers/${free.id}`)).status).toBe(404)
    expect((await client.get(`/tags/${tag}`)).data.usage_count).toBe(0)
    expect(await eventsOf(free.id)).toEqual(['customer.created', 'customer.deleted'])

    const { named } = await chartOf(team.business_id)
    const uses: ((id: string) => Promise<unknown>)[] = [
      (id) => charge(id, 100),
      (id) => client.post('/tax/exemptions', { customer_id: id, valid_from: '2026-01-01' }),
      (id) => create({ parent_id: id }),
      (id) => client.post(`/customers/${id}/collection-activities`, { kind: 'call' }),
      (id) => client.post('/journal-entries', { date: '2026-03-10', lines: [{ ledger_id: named('Rent'), debit: 5, customer_id: id }, { ledger_id: named('Checking'), credit: 5 }] }),
    ]
    for (const use of uses) {
      const { id, name } = await create()
      await use(id)
      expect(await client.delete(`/customers/${id}`)).toMatchObject({ status: 400, detail: `The customer “${name}” is named by a document, an entry or another customer: archive it instead.` })
    }
  })
})

describe('the list', () => {
  let own: Team
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    own = await newBusiness()
    const make = async (name: string, more: object = {}) => {
      ids[name] = await newCustomer(own.client, { name, ...more })
    }
    await make('Bolt & Sons, Inc.', { email: 'office@bolt.example', external_id: 'B-77' })
    await make('acme', { currency: 'CAD', tax_number: 'GB 12-34' })
    await make('Crane', { parent_id: ids['acme'] })
    await make('Dusk')
    await own.client.put(`/customers/${ids['Dusk']}/archive`)
    const { role } = await chartOf(own.business_id)
    const owes = (name: string, amount: number, ledger = 'accounts_receivable') =>
      ({ date: '2026-03-10', source_type: 'invoice', lines: [{ ledger_id: role(ledger), amount, customer_id: ids[name] ?? '' }, [role('sales'), -amount]] as never })
    await post(own.business_id, owes('Crane', 500), owes('acme', 900), owes('acme', -100, 'customer_deposits'))
  })
  const listed = async (query: Record<string, string | boolean> = {}): Promise<string[]> =>
    (await own.client.get('/customers', { descending: false, ...query })).data.items.map(({ name }: Customer) => name)

  it('is sorted by name, time and balance, archived ones left out', async () => {
    expect(await listed()).toEqual(['acme', 'Bolt & Sons, Inc.', 'Crane'])
    expect(await listed({ sort_by: 'created_at' })).toEqual(['Bolt & Sons, Inc.', 'acme', 'Crane'])
    expect(await listed({ sort_by: 'open_balance' })).toEqual(['Bolt & Sons, Inc.', 'Crane', 'acme'])
    expect(await listed({ sort_by: 'last_payment_on' })).toHaveLength(3)
    expect(await listed({ status: 'archived' })).toEqual(['Dusk'])
    expect(await listed({ status: 'all' })).toHaveLength(4)
  })

  it('walks by balance page by page', async () => {
    const found: string[] = []
    let cursor: string | null = null
    do {
      const { data } = await own.client.get('/customers', { sort_by: 'open_balance', limit: 1, status: 'all', ...(cursor ? { cursor } : {}) })
      found.push(...data.items.map(({ name }: Customer) => name))
      cursor = data.next_cursor
    } while (cursor)
    expect(found.slice(0, 2)).toEqual(['acme', 'Crane'])
    expect(found).toHaveLength(4)
  })

  it('is filtered', async () => {
    const tag = (await own.client.post('/tags', { name: 'Key' })).data.id
    await own.client.put(`/customers/${ids['Crane']}`, { tag_ids: [tag] })
    const cases: [Record<string, string | boolean>, string[]][] = [
      [{ has_balance: true }, ['acme', 'Crane']], [{ has_balance: false }, ['Bolt & Sons, Inc.']], [{ currency: 'CAD' }, ['acme']], [{ parent_id: ids['acme'] ?? '' }, ['Crane']],
      [{ external_id: 'B-77' }, ['Bolt & Sons, Inc.']], [{ email: 'OFFICE@bolt.example' }, ['Bolt & Sons, Inc.']], [{ tag_id: tag }, ['Crane']],
      [{ search: 'sons bol' }, ['Bolt & Sons, Inc.']], [{ search: 'bolt.example' }, ['Bolt & Sons, Inc.']], [{ search: 'b-7' }, ['Bolt & Sons, Inc.']],
      [{ search: 'gb 12' }, ['acme']], [{ search: 'olt' }, []], [{ search: "' | !x:* &" }, []], [{ search: '--' }, []], [{ updated_since: '2999-01-01T00:00:00Z' }, []],
      [{ updated_since: '2020-01-01T00:00:00Z', has_balance: true, search: 'cra' }, ['Crane']],
    ]
    for (const [query, names] of cases) expect(await listed(query), JSON.stringify(query)).toEqual(names)
    expect(await listed({ overdue: true }).then((names) => names.every((name) => name !== 'Bolt & Sons, Inc.'))).toBe(true)
  })

  it('shows what they owe', async () => {
    expect((await own.client.get(`/customers/${ids['acme']}`)).data).toMatchObject({ open_balance: 900, deposit_balance: 100 })
    const figures = await inside(own.business_id, (tx) => figuresOf(tx, [ids['acme'] ?? '', ids['Dusk'] ?? '']))
    expect([figures.get(ids['acme'] ?? '')?.open_balance, figures.get(ids['Dusk'] ?? '')?.open_balance]).toEqual([900, 0])
  })

  it('is a file', async () => {
    const answer = await own.client.get('/customers/export', { status: 'all' })
    expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual(['text/csv; charset=utf-8', 'attachment; filename="customers.csv"'])
    const rows = answer.body.trimEnd().split('\r\n')
    expect(rows).toHaveLength(5)
    expect(rows[0]).toMatch(/^Name,Email,Phone,Website,Tax number,Currency,Credit limit,Language,External id,Billing line1/)
    expect(rows[1]).toMatch(/^acme,,,,GB 12-34,CAD,,en,.*,active,9\.00,0\.00,0\.00,1\.00,/)
    expect((await own.client.get('/customers/export', { search: 'crane' })).body.trimEnd().split('\r\n')).toHaveLength(2)
    const response = await fetch(`${(await service()).url}/api/v1/customers/export?format=xlsx`, { headers: { authorization: `Bearer ${own.owner.token}`, 'x-business-id': own.business_id } })
    const sheet = await readSheet({ file_name: 'it.xlsx', content_base64: Buffer.from(await response.arrayBuffer()).toString('base64') })
    expect(sheet.rows.map(({ cells }) => cells['name'])).toEqual(['acme', 'Bolt & Sons, Inc.', 'Crane'])
  })
})

describe('many at once', () => {
  const bulk = async (customers: object[], more: object = {}): Promise<CustomerBulkResult> => {
    const answer = await client.post('/customers/bulk', { customers, ...more })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.data
  }

  it('are created, updated by their external id, and left where nothing is new', async () => {
    const tag = await newTag()
    const first = await bulk([{ external_id: 'u-1', name: 'One', phone: '1' }, { external_id: 'u-2', name: 'Two', tag_ids: [tag] }, { name: 'No id' }])
    expect(first).toMatchObject({ created: 3, updated: 0, skipped: 0, failed: 0 })
    const second = await bulk([{ external_id: 'u-1', name: 'One!' }, { external_id: 'u-2', name: 'Two', tag_ids: [tag] }, { external_id: 'u-3', name: 'Three' }])
    expect(second.rows.map(({ status, id }) => [status, id])).toEqual([['updated', first.rows[0]?.id], ['skipped', first.rows[1]?.id], ['created', expect.any(String)]])
    expect(await get(first.rows[0]?.id ?? '')).toMatchObject({ name: 'One!', phone: '1', external_id: 'u-1', version: 2 })
    expect(await eventsOf(first.rows[1]?.id ?? '')).toEqual(['customer.created'])
  })

  it('all or nothing, unless asked otherwise: then each has its result', async () => {
    const unknown = newId()
    const customers = [
      { external_id: 'n-1', name: 'Fine' }, { external_id: 'n-2', name: 'Wrong', payment_terms_id: unknown }, { external_id: 'n-1', name: 'Again' },
      { name: 'Tagged', tag_ids: [unknown] }, { external_id: 'n-3', name: 'Also fine' },
    ]
    expect(await client.post('/customers/bulk', { customers })).toMatchObject({ status: 400, detail: `Item 1: Payment terms ${unknown} of payment_terms_id not found.` })
    expect((await client.get('/customers', { external_id: 'n-1' })).data.items).toEqual([])
    const result = await bulk(customers, { atomic: false })
    expect(result).toMatchObject({ created: 2, updated: 0, skipped: 0, failed: 3 })
    expect(result.rows.map(({ status, detail }) => [status, detail])).toEqual([
      ['created', null], ['error', `Payment terms ${unknown} of payment_terms_id not found.`], ['error', 'Item 0 is about the same customer: send it once.'],
      ['error', `Tag ${unknown} of tag_ids not found.`], ['created', null],
    ])
  })

  it('close no circle among themselves', async () => {
    const made = await bulk([{ external_id: 'c-1', name: 'C1' }, { external_id: 'c-2', name: 'C2' }])
    const [a, b] = made.rows.map(({ id }) => id)
    const { rows } = await bulk([{ external_id: 'c-1', name: 'C1', parent_id: b }, { external_id: 'c-2', name: 'C2', parent_id: a }], { atomic: false })
    expect(rows.map(({ status }) => status)).toEqual(['updated', 'error'])
  })

  it('brought twice at once are there once', async () => {
    const customers = Array.from({ length: 50 }, (_, index) => ({ external_id: `r-${index}`, name: `Race ${index}` }))
    const results = await Promise.all([bulk(customers), bulk(customers), bulk(customers.toReversed())])
    expect(results.map(({ created }) => created).toSorted()).toEqual([0, 0, 50])
    expect(results.map(({ skipped }) => skipped).toSorted()).toEqual([0, 50, 50])
  })

  it('are at least one and at most a thousand', async () => {
    expect((await client.post('/customers/bulk', { customers: [] })).status).toBe(422)
    expect((await client.post('/customers/bulk', { customers: Array.from({ length: 1001 }, () => ({ name: 'x' })) })).status).toBe(422)
    const own = (await newBusiness()).client
    const { data } = await own.post('/customers/bulk', { customers: Array.from({ length: 1000 }, (_, index) => ({ name: `Many ${index}` })) })
    expect(data).toMatchObject({ created: 1000, failed: 0 })
  })
})

describe('the doors of the group', () => {
  it('find customers by id, external id and name', async () => {
    const [a, b, c] = [await create({ name: 'Key One', external_id: 'k-1' }), await create({ name: 'key one' }), await create()]
    const { by_ids, keys } = await inside(team.business_id, async (tx) => ({
      by_ids: await customersByIds(tx, [a.id, c.id, newId()]), keys: await customersByKeys(tx, { external_ids: ['k-1', 'nobody'], names: ['KEY ONE', 'Nobody'] }),
    }))
    expect([...by_ids.keys()].toSorted()).toEqual([a.id, c.id].toSorted())
    expect([...keys.external_ids].map(([key, { id }]) => [key, id])).toEqual([['k-1', a.id]])
    expect([...keys.names].map(([key, found]) => [key, found.map(({ id }) => id).toSorted()])).toEqual([['KEY ONE', [a.id, b.id].toSorted()]])
  })

  it('tell whom to write to', async () => {
    const { id } = await create({ email: 'all@example.com' })
    await client.post(`/customers/${id}/contacts`, { name: 'B', email: 'b@example.com', receives: ['invoices'] })
    await client.post(`/customers/${id}/contacts`, { name: 'A', email: 'a@example.com', receives: ['invoices', 'statements'] })
    await client.post(`/customers/${id}/contacts`, { name: 'C', email: 'c@example.com' })
    const nobody = await create()
    const [invoices, reminders, none] = await inside(team.business_id, (tx) => Promise.all([recipientsOf(tx, id, 'invoices'), recipientsOf(tx, id, 'reminders'), recipientsOf(tx, nobody.id, 'invoices')]))
    expect([invoices, reminders, none]).toEqual([['a@example.com', 'b@example.com'], ['all@example.com'], []])
  })

  it('keep what the processor calls it', async () => {
    const { id } = await create()
    await inside(team.business_id, (tx) => linkProcessorCustomer(tx, id, 'cus_1'))
    await inside(team.business_id, (tx) => linkProcessorCustomer(tx, id, 'cus_1'))
    expect(await get(id)).toMatchObject({ processor_customer_id: 'cus_1', version: 2 })
  })

  it('are open to bookkeepers, and to viewers for reading', async () => {
    const [bookkeeper, viewer] = [await newMember(team.business_id, 'bookkeeper'), await newMember(team.business_id, 'viewer')]
    expect((await bookkeeper.client.post('/customers', { name: 'Theirs' })).status).toBe(201)
    expect((await viewer.client.post('/customers', { name: 'Theirs' })).status).toBe(403)
    expect((await viewer.client.get('/customers')).status).toBe(200)
  })
})
