// PUT /invoices/{invoice_id} to the letter: each test is named after the field or the rule of the contract that it shows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newCustomer } from '../../../test/support/customers.ts'
import { newMember, sql } from '../../../test/support/people.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let seller: Seller
beforeAll(async () => {
  ;(await service()).clock.set('2026-03-15T15:00:00Z')
  seller = await newSeller()
})
afterAll(async () => (await service()).clock.set(null))

const put = (id: string, body: object) => seller.client.put(`/invoices/${id}`, { id, ...body })
const get = async (id: string) => ok(await seller.client.get(`/invoices/${id}`))
const item = async (more: object = {}) => ok(await seller.client.post('/catalog-items', { name: `Advice ${newId()}`, description: 'An hour of advice', prices: [{ currency: 'USD', unit_price: 15_000 }], ...more }))
const variant = async (price = 2_500) => {
  const product = ok(await seller.client.post('/inventory/products', { name: `Widget ${newId()}`, type: 'stocked', variants: [{ sku: newId(), price }] }))
  return product.variants[0]
}
const contract = async (more: object = {}) => ok(await seller.client.post('/contracts', { customer_id: seller.customer_id, title: 'Frame', original_value: 30_000, start_date: '2026-01-01', ...more }))
const billed = async (id: string) => ok(await seller.client.get(`/contracts/${id}`))
/** A refused update: its status and detail, after it was seen that nothing has changed. */
async function refused(id: string, body: object): Promise<[number, any]> {
  const before = await get(id)
  const { status, detail } = await put(id, body)
  expect(await get(id)).toEqual(before)
  return [status, detail]
}

describe('request', () => {
  it('id: required, a UUID, and that of the path (rule 4)', async () => {
    const { id } = await seller.invoice()
    const missing = await seller.client.put(`/invoices/${id}`, { description: 'x' })
    expect([missing.status, missing.detail]).toEqual([422, [expect.objectContaining({ loc: ['body', 'id'], type: 'missing' })]])
    expect((await seller.client.put(`/invoices/${id}`, { id: 'x' })).detail[0]).toMatchObject({ loc: ['body', 'id'], type: 'uuid_parsing' })
    expect(await refused(id, { id: newId(), description: 'x' })).toEqual([400, expect.stringContaining('is not that of the path')])
    const unknown = newId()
    expect((await put(unknown, {})).status).toBe(404)
    expect(ok(await put(id, { id: id.toUpperCase(), description: 'Same id' })).description).toBe('Same id')
  })

  it('additional properties are allowed and ignored, on the body and on lines', async () => {
    const { id } = await seller.invoice()
    expect(ok(await put(id, { status: 'void', total: 1, line_items: [{ description: 'Line', unit_price: 5, colour: 'red' }] }))).toMatchObject({ status: 'draft', total: 5 })
  })

  it('an absent field is left alone, null clears what can be empty and is ignored elsewhere', async () => {
    const invoice = await seller.invoice({ description: 'Kept', due_date: '2026-04-01', invoice_date: '2026-03-02', invoice_number: 'KEEP-1' })
    const after = ok(await put(invoice.id, { customer_id: null, line_items: null, invoice_date: null, invoice_number: null, recurring: null, due_date: null }))
    expect(after).toMatchObject({ customer_id: invoice.customer_id, invoice_date: '2026-03-02', number: 'KEEP-1', due_date: null, description: 'Kept', total: 10_000, recurring_template_id: null })
  })

  it('customer_id: changes the customer, on a finalized invoice by reversal and repost; not with payments', async () => {
    const other = await newCustomer(seller.client, { name: 'Other Ltd', email: 'other@example.com' })
    const draft = await seller.invoice()
    expect(ok(await put(draft.id, { customer_id: other }))).toMatchObject({ customer_id: other, customer_name: 'Other Ltd', customer_email: 'other@example.com' })
    const open = await seller.open()
    const moved = ok(await put(open.id, { customer_id: other }))
    expect(moved).toMatchObject({ customer_id: other, customer_name: 'Other Ltd', status: 'open', journal_entries: [{ role: 'finalization' }] })
    expect(moved.journal_entries[0].id).not.toBe(open.journal_entries[0].id)
    const [line] = await sql('select customer_id from journal_lines where business_id = $1 and id = (select receivable_line_id from invoices where id = $2)', [seller.business_id, open.id])
    expect(line.customer_id).toBe(other)
    ok(await seller.client.post(`/invoices/${open.id}/payments`, { amount: 1 }))
    expect(await refused(open.id, { customer_id: seller.customer_id })).toEqual([400, expect.stringContaining('payments or credits')])
    expect((await put(open.id, { customer_id: other })).status).toBe(200)
    expect(await refused(draft.id, { customer_id: newId() })).toEqual([404, expect.stringContaining('customer_id')])
    const archived = await newCustomer(seller.client)
    ok(await seller.client.put(`/customers/${archived}/archive`))
    expect((await refused(draft.id, { customer_id: archived }))[0]).toBe(400)
  })

  it('line_items: replaces all lines of a draft, and of a draft only (rule 1)', async () => {
    const { id, line_items: [first] } = await seller.invoice()
    const after = ok(await put(id, { line_items: [{ id: first.id, description: 'Kept identity', unit_price: 300, quantity: 2 }, { description: 'New', unit_price: 50 }] }))
    expect(after).toMatchObject({ total: 650, line_items: [{ id: first.id, amount: 600 }, { description: 'New', amount: 50, position: 2 }] })
    expect(ok(await put(id, { line_items: [] }))).toMatchObject({ total: 0, line_items: [] })
    const open = await seller.open()
    expect(await refused(open.id, { line_items: [{ description: 'x', unit_price: 1 }] })).toEqual([400, expect.stringContaining('only the lines of drafts')])
    expect((await refused(open.id, { line_items: [] }))[0]).toBe(400)
    ok(await seller.client.put(`/invoices/${open.id}/paid`, {}))
    expect((await refused(open.id, { line_items: [] }))[0]).toBe(400)
  })

  it('finalized invoices accept metadata (rule 1)', async () => {
    const open = await seller.open()
    const project = ok(await seller.client.post('/projects', { name: 'Annex', code: 'ANX' }))
    const after = ok(await put(open.id, { description: 'Later words', due_date: '2026-05-01', project_id: project.id, revenue_treatment: 'deferred', internal_note: 'Call first' }))
    expect(after).toMatchObject({ description: 'Later words', due_date: '2026-05-01', project_id: project.id, project_name: 'Annex', project_code: 'ANX', revenue_treatment: 'deferred' })
    expect(after.journal_entries).toEqual(open.journal_entries)
  })

  it('due_date: YYYY-MM-DD, a day that exists, not before the invoice date; null clears it', async () => {
    const open = await seller.open({ invoice_date: '2026-03-10' })
    expect((await put(open.id, { due_date: '2026-02-30' })).detail[0]).toMatchObject({ loc: ['body', 'due_date'], type: 'date_parsing' })
    expect(await refused(open.id, { due_date: '2026-03-09' })).toEqual([400, expect.stringContaining('before invoice_date')])
    expect(ok(await put(open.id, { due_date: null }))).toMatchObject({ due_date: null, is_overdue: true, days_overdue: 5 })
  })

  it('invoice_date: re-dates the entry of a finalized invoice; payments and deliveries keep their dates', async () => {
    const open = await seller.open({ invoice_date: '2026-03-10', due_date: '2026-04-10' })
    ok(await seller.client.post(`/invoices/${open.id}/payments`, { amount: 4_000, paid_on: '2026-03-12' }))
    const after = ok(await put(open.id, { invoice_date: '2026-02-03' }))
    expect(after.journal_entries.map(({ role, date }: { role: string; date: string }) => [role, date])).toEqual([['finalization', '2026-02-03'], ['payment', '2026-03-12']])
    expect(after).toMatchObject({ invoice_date: '2026-02-03', due_date: '2026-04-10', balance_due: 6_000, status: 'partially_paid' })
    expect(await get(open.id)).toEqual(after)
    const superseded = ok(await seller.client.get(`/invoices/${open.id}`, { include_superseded: true }))
    expect(superseded.journal_entries.length).toBeGreaterThan(after.journal_entries.length)
    // It still takes payments, and they can still be undone.
    ok(await seller.client.put(`/invoices/${open.id}/paid`, {}))
    expect(ok(await seller.client.put(`/invoices/${open.id}/unpaid`, {}))).toMatchObject({ status: 'open', balance_due: 10_000, base_balance: 10_000 })
    expect(await refused(open.id, { invoice_date: '2026-05-01' })).toEqual([400, expect.stringContaining('before invoice_date')])
  })

  it('invoice_number: unique in the business, in any case (rule 2); the sequence steps over it', async () => {
    const own = await newSeller()
    const [one, two] = [await own.open(), await own.invoice()]
    const change = (id: string, invoice_number: string) => own.client.put(`/invoices/${id}`, { id, invoice_number })
    expect((await change(two.id, ' inv-0001 ')).detail).toBe('The invoice number inv-0001 is used already in this business: choose another.')
    expect(ok(await change(one.id, 'inv-0001')).number).toBe('inv-0001')
    expect(ok(await change(two.id, 'INV-0002')).number).toBe('INV-0002')
    expect((await own.open()).number).toBe('INV-0003')
    expect((await change(two.id, 'x'.repeat(41))).detail[0]).toMatchObject({ loc: ['body', 'invoice_number'], type: 'string_too_long' })
    const racing = await Promise.all(Array.from({ length: 8 }, async () => own.invoice()))
    const answers = await Promise.all(racing.map(({ id }) => change(id, 'RACE-1')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
    await sql(`update invoices set issued_by = 'processor', processor_invoice_id = 'in_1' where id = $1`, [one.id])
    expect((await change(one.id, 'MINE-1')).detail).toMatch(/issued by the processor/)
  })

  it('description: set, and null clears it', async () => {
    const { id } = await seller.open({ description: 'First' })
    expect(ok(await put(id, { description: null })).description).toBeNull()
    expect((await put(id, { description: 'x'.repeat(2001) })).status).toBe(422)
  })

  it('fulfillment_location_id: the default warehouse, ignored once the invoice is delivered', async () => {
    const location = ok(await seller.client.post('/inventory/locations', { name: `Annex ${newId()}`, code: newId().slice(0, 8), type: 'warehouse' }))
    const open = await seller.open()
    expect(ok(await put(open.id, { fulfillment_location_id: location.id })).fulfillment_location_id).toBe(location.id)
    expect((await refused(open.id, { fulfillment_location_id: newId() }))[0]).toBe(404)
    ok(await seller.client.put(`/invoices/${open.id}/delivered`, {}))
    expect(ok(await put(open.id, { fulfillment_location_id: null })).fulfillment_location_id).toBe(location.id)
  })

  it('project_id: links and unlinks; posted entries keep their tags', async () => {
    const project = ok(await seller.client.post('/projects', { name: 'Bridge', code: newId().slice(-12) }))
    const open = await seller.open({ project_id: project.id })
    const tags = () => sql('select distinct project_id from journal_lines where business_id = $1 and entry_id = $2 and project_id is not null', [seller.business_id, open.journal_entries[0].id])
    expect(ok(await put(open.id, { project_id: null }))).toMatchObject({ project_id: null, project_name: null, project_code: null })
    expect(await tags()).toEqual([{ project_id: project.id }])
    expect((await refused(open.id, { project_id: newId() }))[0]).toBe(404)
  })

  it('contract_id: a finalized invoice adds its total and takes it away symmetrically; a draft moves nothing', async () => {
    const frame = await contract()
    const draft = await seller.invoice()
    ok(await put(draft.id, { contract_id: frame.id }))
    expect(await billed(frame.id)).toMatchObject({ billed_amount: 0, billing_status: 'not_started', status: 'draft' })
    ok(await seller.client.put(`/invoices/${draft.id}/finalize`, {}))
    expect(await billed(frame.id)).toMatchObject({ billed_amount: 10_000, billing_status: 'active', status: 'active', billing_started_on: '2026-03-15' })
    ok(await seller.client.put(`/invoices/${draft.id}/paid`, {}))
    const second = await contract()
    ok(await put(draft.id, { contract_id: second.id }))
    expect([await billed(frame.id), await billed(second.id)]).toMatchObject([{ billed_amount: 0, paid_amount: 0, billing_status: 'not_started' }, { billed_amount: 10_000, paid_amount: 10_000 }])
    ok(await put(draft.id, { contract_id: null }))
    expect(await billed(second.id)).toMatchObject({ billed_amount: 0, paid_amount: 0, billing_status: 'not_started' })
    expect(await refused(draft.id, { contract_id: newId() })).toEqual([400, expect.stringContaining('no contract')])
    const foreign = await contract({ customer_id: await newCustomer(seller.client) })
    expect((await refused(draft.id, { contract_id: foreign.id }))[0]).toBe(400)
    const small = await contract({ original_value: 9_999 })
    expect((await refused(draft.id, { contract_id: small.id }))[0]).toBe(400)
    const stranger = await newSeller()
    const theirs = ok(await stranger.client.post('/contracts', { customer_id: stranger.customer_id, title: 'Theirs', original_value: 30_000, start_date: '2026-01-01' }))
    expect((await refused(draft.id, { contract_id: theirs.id }))[0]).toBe(400)
    const voided = await seller.open({ contract_id: frame.id })
    ok(await seller.client.put(`/invoices/${voided.id}/void`, {}))
    expect(await billed(frame.id)).toMatchObject({ billed_amount: 0, billing_status: 'not_started' })
  })

  it('revenue_treatment: earned or deferred; empty or null clears; posts nothing; works on any invoice', async () => {
    const [draft, open] = [await seller.invoice(), await seller.open()]
    ok(await seller.client.put(`/invoices/${(await seller.open()).id}/void`, {}))
    const voided = await seller.open()
    ok(await seller.client.put(`/invoices/${voided.id}/void`, {}))
    for (const { id } of [draft, open, voided]) {
      const entries = await sql('select count(*)::int as n from journal_entries where business_id = $1', [seller.business_id])
      expect(ok(await put(id, { revenue_treatment: 'deferred' })).revenue_treatment).toBe('deferred')
      expect(ok(await put(id, { revenue_treatment: '' })).revenue_treatment).toBeNull()
      expect(ok(await put(id, { revenue_treatment: 'earned' })).revenue_treatment).toBe('earned')
      expect(ok(await put(id, { revenue_treatment: null })).revenue_treatment).toBeNull()
      expect(await sql('select count(*)::int as n from journal_entries where business_id = $1', [seller.business_id])).toEqual(entries)
    }
    expect((await put(draft.id, { revenue_treatment: 'later' })).detail[0]).toMatchObject({ loc: ['body', 'revenue_treatment'], type: 'enum' })
    expect(await refused(voided.id, { due_date: '2026-09-09' })).toEqual([400, expect.stringContaining('only description and revenue_treatment')])
    expect(ok(await put(voided.id, { description: 'Void words' })).description).toBe('Void words')
  })

  it('recurring: creates a template from the invoice, whose id the answer carries', async () => {
    const open = await seller.open({ description: 'Retainer' })
    const after = ok(await put(open.id, { recurring: { frequency: 'monthly', start_date: '2026-04-30' } }))
    expect(after.recurring_template_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(ok(await seller.client.get(`/recurring/${after.recurring_template_id}`))).toMatchObject({
      name: 'Retainer', frequency: 'monthly', next_date: '2026-04-30', days_until_due: 30, status: 'active', customer_id: seller.customer_id, source_invoice_id: open.id, amount: 10_000,
    })
    expect(await refused(open.id, { recurring: { frequency: 'daily', start_date: '2026-04-30' } })).toEqual([400, expect.stringContaining('already')])
    const draft = await seller.invoice()
    const problems: [object, (string | number)[], string][] = [
      [{ frequency: 'hourly', start_date: '2026-04-01' }, ['body', 'recurring', 'frequency'], 'enum'],
      [{ frequency: 'daily' }, ['body', 'recurring', 'start_date'], 'missing'],
      [{ frequency: 'monthly', start_date: '2026-04-01', day_of_month: 32 }, ['body', 'recurring', 'day_of_month'], 'less_than_equal'],
      [{ frequency: 'weekly', start_date: '2026-04-01', day_of_week: 7 }, ['body', 'recurring', 'day_of_week'], 'less_than_equal'],
      [{ frequency: 'daily', start_date: '2026-04-01', days_until_due: 366 }, ['body', 'recurring', 'days_until_due'], 'less_than_equal'],
      [{ frequency: 'daily', start_date: '2026-04-01', max_occurrences: 0 }, ['body', 'recurring', 'max_occurrences'], 'greater_than_equal'],
      [{ frequency: 'daily', start_date: '2026-04-01', end_date: '2026-03-31' }, ['body', 'recurring', 'end_date'], 'value_error'],
    ]
    for (const [recurring, loc, type] of problems) expect((await put(draft.id, { recurring })).detail[0]).toMatchObject({ loc, type })
    // A Monday in a week that ends before one comes.
    expect((await refused(draft.id, { recurring: { frequency: 'weekly', start_date: '2026-03-17', end_date: '2026-03-20', day_of_week: 0 } }))[0]).toBe(400)
  })
})

describe('line item', () => {
  it('variant_id: absent, null or `custom` is a line by hand; description and unit_price are then required', async () => {
    const { id } = await seller.invoice()
    for (const given of [{}, { variant_id: null }, { variant_id: 'custom' }]) {
      expect(ok(await put(id, { line_items: [{ ...given, description: 'By hand', unit_price: 70 }] })).line_items[0]).toMatchObject({ variant_id: 'custom', quantity: 1, unit_price: 70, amount: 70 })
      const { detail } = await put(id, { line_items: [{ ...given }] })
      expect(detail.map(({ loc, type }: { loc: unknown[]; type: string }) => [loc.at(-1), type])).toEqual([['description', 'missing'], ['unit_price', 'missing']])
    }
    expect((await put(id, { line_items: [{ variant_id: 'special', description: 'x', unit_price: 1 }] })).detail[0]).toMatchObject({ loc: ['body', 'line_items', 0, 'variant_id'], type: 'uuid_parsing' })
    expect((await put(id, { line_items: [{ variant_id: newId() }] })).status).toBe(404)
  })

  it('variant_id with unit_price: the current price, or an override that is kept on the line', async () => {
    const { id } = await seller.invoice()
    const { id: variant_id } = await variant()
    const line = async (more: object) => ok(await put(id, { line_items: [{ variant_id, quantity: 2, ...more }] })).line_items[0]
    expect(await line({})).toMatchObject({ variant_id, unit_price: 2_500, amount: 5_000, price_source: 'catalog', variant_name: expect.stringContaining('Widget'), description: expect.stringContaining('Widget') })
    expect(await line({ unit_price: 1_999 })).toMatchObject({ unit_price: 1_999, amount: 3_998, price_source: 'override' })
    expect(await line({ unit_price: 0 })).toMatchObject({ unit_price: 0, amount: 0, price_source: 'override' })
  })

  it('catalog_item_id: defaults from the item, unit_price overrides; not together with a variant', async () => {
    const { id } = await seller.invoice()
    const { id: catalog_item_id } = await item()
    const line = async (more: object) => ok(await put(id, { line_items: [{ catalog_item_id, ...more }] })).line_items[0]
    expect(await line({})).toMatchObject({ catalog_item_id, variant_id: null, description: 'An hour of advice', unit_price: 15_000, amount: 15_000, price_source: 'catalog' })
    expect(await line({ unit_price: 100, description: 'Own words' })).toMatchObject({ description: 'Own words', unit_price: 100, price_source: 'override' })
    const both = await put(id, { line_items: [{ catalog_item_id, variant_id: newId() }] })
    expect([both.status, both.detail[0]]).toEqual([422, expect.objectContaining({ loc: ['body', 'line_items', 0, 'catalog_item_id'], type: 'value_error' })])
    expect((await line({ variant_id: 'custom' })).catalog_item_id).toBe(catalog_item_id)
  })

  it('a catalog price is read again when the invoice is finalized, an override is not', async () => {
    const { id: catalog_item_id } = await item()
    const lines = [{ catalog_item_id }, { catalog_item_id, unit_price: 1 }]
    const draft = await seller.invoice({ line_items: lines })
    ok(await seller.client.put(`/catalog-items/${catalog_item_id}`, { prices: [{ currency: 'USD', unit_price: 20_000 }] }))
    expect((await get(draft.id)).total).toBe(15_001)
    expect(ok(await seller.client.put(`/invoices/${draft.id}/finalize`, {}))).toMatchObject({ total: 20_001, balance_due: 20_001 })
    const euros = await seller.invoice({ currency: 'EUR', line_items: [{ catalog_item_id }], fx_rate: '1.1' })
    expect(euros).toMatchObject({ total: 0, line_items: [{ unit_price: null, amount: 0 }] })
    expect((await seller.client.put(`/invoices/${euros.id}/finalize`, {})).detail).toMatch(/^Line 1 .* has no price/)
  })

  it('quantity: an integer from 0, by default 1', async () => {
    const { id } = await seller.invoice()
    const line = (quantity: unknown) => put(id, { line_items: [{ description: 'x', unit_price: 10, quantity }] })
    expect(ok(await line(0)).total).toBe(0)
    expect(ok(await line(null)).line_items[0].quantity).toBe(1)
    expect((await line(1.5)).detail[0]).toMatchObject({ loc: ['body', 'line_items', 0, 'quantity'], type: 'int_type' })
    expect((await line(-1)).detail[0]).toMatchObject({ type: 'greater_than_equal', ctx: expect.anything() })
    expect((await line(Number.MAX_SAFE_INTEGER)).detail[0]).toMatchObject({ type: 'less_than_equal' })
  })

  it('unit_price: integer cents from 0; amount stands in for it where it is absent, and is ignored beside it', async () => {
    const { id } = await seller.invoice()
    const line = (more: object) => put(id, { line_items: [{ description: 'x', quantity: 3, ...more }] })
    expect((await line({ unit_price: -1 })).detail[0]).toMatchObject({ loc: ['body', 'line_items', 0, 'unit_price'], type: 'greater_than_equal' })
    expect(ok(await line({ amount: 40 })).line_items[0]).toMatchObject({ unit_price: 40, amount: 120 })
    expect(ok(await line({ amount: 40, unit_price: 7 })).line_items[0]).toMatchObject({ unit_price: 7, amount: 21 })
    expect((await line({ amount: -40 })).detail[0]).toMatchObject({ loc: ['body', 'line_items', 0, 'amount'], type: 'greater_than_equal' })
    expect(ok(await line({ amount: -40, unit_price: 7 })).total).toBe(21)
  })

  it('location_id: of a line with a variant; ignored for lines by hand. note and deferred are kept', async () => {
    const { id } = await seller.invoice()
    const { data: { items: [main] } } = await seller.client.get('/inventory/locations')
    const { id: variant_id } = await variant()
    const after = ok(await put(id, { line_items: [{ variant_id, location_id: main.id, note: 'Blue ones', deferred: true }, { description: 'x', unit_price: 1, location_id: main.id }] }))
    expect(after.line_items).toMatchObject([{ location_id: main.id, note: 'Blue ones', deferred: true }, { location_id: null, note: null, deferred: false }])
    expect((await put(id, { line_items: [{ variant_id, location_id: newId() }] })).status).toBe(404)
  })
})

describe('answer and access', () => {
  it('carries the envelope, an ETag, and the invoice with its resolved names; a stale If-Match changes nothing', async () => {
    const { id } = await seller.open()
    const first = await seller.client.call('PUT', `/invoices/${id}`, { body: { id, description: 'One' } })
    expect(first.body).toMatchObject({ success: true, message: null, code: null, data: { customer_name: 'Acme Widgets', customer_email: 'acme@example.com' } })
    const tag = first.headers.get('etag') ?? ''
    expect((await seller.client.call('PUT', `/invoices/${id}`, { body: { id, description: 'Two' }, headers: { 'if-match': tag } })).status).toBe(200)
    expect((await seller.client.call('PUT', `/invoices/${id}`, { body: { id, description: 'Three' }, headers: { 'if-match': tag } })).status).toBe(412)
    expect((await get(id)).description).toBe('Two')
  })

  it('401, 403 and 404 as everywhere; another business does not exist', async () => {
    const { id } = await seller.open()
    expect((await seller.client.call('PUT', `/invoices/${id}`, { token: null, body: { id } })).status).toBe(401)
    const viewer = await newMember(seller.business_id, 'viewer')
    expect((await viewer.client.put(`/invoices/${id}`, { id })).status).toBe(403)
    const stranger = await newSeller()
    expect((await stranger.client.put(`/invoices/${id}`, { id })).status).toBe(404)
  })

  it('one transaction: a field that is refused takes the others with it', async () => {
    const open = await seller.open({ invoice_date: '2026-03-10' })
    const frame = await contract({ original_value: 1 })
    expect((await refused(open.id, { description: 'never', invoice_date: '2026-03-01', contract_id: frame.id }))[0]).toBe(400)
    expect(await billed(frame.id)).toMatchObject({ billed_amount: 0 })
  })
})
