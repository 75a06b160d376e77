import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newCustomer } from '../../../test/support/customers.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let seller: Seller
beforeAll(async () => {
  ;(await service()).clock.set('2026-03-15T15:00:00Z')
})
afterAll(async () => (await service()).clock.set(null))
beforeEach(async () => {
  seller = await newSeller()
})

const lines = (unit_price = 10_000) => [{ description: 'Work', unit_price }]
const count = async () => ok(await seller.client.get('/invoices', { include_total_count: true, limit: 1 })).total

describe('one', () => {
  it('is a draft, or finalized at once; the terms of the customer give the due date', async () => {
    const terms = ok(await seller.client.get('/payment-terms', { limit: 50 })).items.find(({ name }: { name: string }) => name === 'Net 15')
    const customer_id = await newCustomer(seller.client, { payment_terms_id: terms.id, billing_address: { line1: 'High Street 1', city: 'Springfield' } })
    const open = ok(await seller.client.post('/invoices', { customer_id, line_items: lines(), finalize: true }))
    expect(open).toMatchObject({ status: 'open', number: 'INV-0001', invoice_date: '2026-03-15', due_date: '2026-03-30', payment_terms_id: terms.id, billing_address: { line1: 'High Street 1' }, origin: 'manual' })
    expect(open.hosted_invoice_url).toMatch(/\/pay\/[\w-]{43}$/)
  })

  it('is mailed where that is asked for, or not made at all', async () => {
    const sent = ok(await seller.client.post('/invoices', { customer_id: seller.customer_id, line_items: lines(), send: true }))
    expect(sent.status).toBe('open')
    await runJobs(seller.business_id)
    expect(ok(await seller.client.get('/sandbox/mail', { to: 'acme@example.com' })).items).toMatchObject([{ subject: expect.stringContaining('INV-0001') }])
    expect(ok(await seller.client.get(`/invoices/${sent.id}`)).sent_at).toEqual(expect.any(String))
    const silent = await newCustomer(seller.client)
    expect((await seller.client.post('/invoices', { customer_id: silent, line_items: lines(), send: true })).status).toBe(400)
    expect(await count()).toBe(1)
  })

  it('of nothing is paid as soon as it is finalized, and posts nothing', async () => {
    const free = ok(await seller.client.post('/invoices', { customer_id: seller.customer_id, line_items: lines(0), finalize: true }))
    expect(free).toMatchObject({ status: 'manual_paid', total: 0, paid_on: '2026-03-15T15:00:00.000Z', journal_entries: [], number: 'INV-0001' })
    expect(ok(await seller.client.put(`/invoices/${free.id}/void`, {})).status).toBe('void')
  })

  it.each([
    ['an unknown customer', async () => ({ customer_id: newId() }), 404, /customer_id/],
    ['no lines to finalize', async () => ({ line_items: [], finalize: true }), 400, /without lines/],
    ['a due date before its date', async () => ({ invoice_date: '2026-03-10', due_date: '2026-03-09' }), 400, /before invoice_date/],
    ['a used number', async () => ({ invoice_number: (await seller.open()).number }), 400, /used already/],
    ['a used external_id', async () => ({ external_id: (await seller.invoice({ external_id: 'A-1' })).external_id }), 400, /belongs to invoice/],
    ['a ledger that is no income', async () => ({ line_items: [{ ...lines()[0], ledger_id: await seller.ledger('Checking') }] }), 400, /no income ledger/],
    ['a discount above the line', async () => ({ line_items: [{ ...lines()[0], discount_amount: 10_001 }] }), 400, /discount/],
    ['no rate for a foreign currency', async () => ({ currency: 'EUR', finalize: true }), 400, /rate/],
    ['a date before the books', async () => ({ invoice_date: '2019-01-01', finalize: true }), 400, /first period/],
    ['an attachment that is not there', async () => ({ attachment_ids: [newId()] }), 404, /^Document .* not found/],
  ] as const)('refuses %s, and leaves nothing', async (_name, body, status, detail) => {
    const given = await body()
    const before = await count()
    const answer = await seller.client.post('/invoices', { customer_id: seller.customer_id, line_items: lines(), ...given })
    expect([answer.status, answer.detail]).toEqual([status, expect.stringMatching(detail)])
    expect(await count()).toBe(before)
  })

  it('both kinds of discount at once are a fault of the body', async () => {
    const { status, detail } = await seller.client.post('/invoices', { customer_id: seller.customer_id, line_items: [{ ...lines()[0], discount_amount: 1, discount_percent: '1' }] })
    expect([status, detail[0].loc]).toEqual([422, ['body', 'line_items', 0, 'discount_amount']])
  })

  it('above the credit limit is refused where the settings say so, unless an admin overrides', async () => {
    ok(await seller.client.patch(`/businesses/${seller.business_id}/settings`, { sales: { credit_policy: 'block' } }))
    const customer_id = await newCustomer(seller.client, { credit_limit: 15_000 })
    await seller.open({ customer_id })
    const draft = await seller.invoice({ customer_id })
    expect((await seller.client.put(`/invoices/${draft.id}/finalize`, {})).detail).toMatch(/above the credit limit/)
    expect(ok(await seller.client.put(`/invoices/${draft.id}/finalize`, { override_credit_limit: true })).status).toBe('open')
  })
})

describe('a batch', () => {
  it('is all or nothing; a fault names its place', async () => {
    const body = { customer_id: seller.customer_id, line_items: lines() }
    const made = ok(await seller.client.post('/invoices/batch', { invoices: [body, body], finalize: true }))
    expect([made.count, made.invoices.map(({ number, origin }: any) => [number, origin])]).toEqual([2, [['INV-0001', 'batch'], ['INV-0002', 'batch']]])
    const faulty = await seller.client.post('/invoices/batch', { invoices: [body, { ...body, line_items: [{}] }] })
    expect([faulty.status, faulty.detail[0].loc]).toEqual([422, ['body', 'invoices', 1, 'line_items', 0, 'description']])
    expect((await seller.client.post('/invoices/batch', { invoices: [body, { ...body, customer_id: newId() }] })).status).toBe(404)
    expect(await count()).toBe(2)
  })
})

describe('an import', () => {
  const row = (external_id: string, more: object = {}) => ({ external_id, customer_name: 'Acme Widgets', line_items: lines(), ...more })
  const send = (rows: object[], more: object = {}) => seller.client.post('/invoices/bulk', { rows, ...more })

  it('makes, finalizes and pays; once per external_id', async () => {
    const rows = [row('a', { finalize: true, payments: [{ amount: 4_000, paid_on: '2026-03-01' }, { amount: 6_000 }] }), row('b', { finalize: true, is_opening_balance: true }), row('c')]
    expect(ok(await send(rows))).toMatchObject({ created: 3, skipped: 0, failed: 0, succeeded: 3, results: [{ index: 0, status: 'ok' }, {}, {}] })
    const { items } = ok(await seller.client.get('/invoices', { sort_by: 'number', descending: false, include: ['payments'] }))
    expect(items.map(({ status, total_paid, external_id }: any) => [status, total_paid, external_id])).toEqual([['manual_paid', 10_000, 'a'], ['open', 0, 'b'], ['draft', 0, 'c']])
    expect(await seller.balances('accounts_receivable', 'sales', 'opening_balance', 'undeposited_funds')).toEqual([10_000, -10_000, -10_000, 10_000])
    expect(ok(await send(rows))).toMatchObject({ created: 0, skipped: 3, failed: 0 })
    expect((await send(rows, { on_duplicate: 'error' })).detail).toMatch(/^Row 0: external_id a belongs to invoice/)
  })

  it('gives each row its own result where that is asked for, and numbers have no gap', async () => {
    const twin = await newCustomer(seller.client, { name: 'Twin' })
    ok(await seller.client.post('/customers', { name: 'Twin' }))
    const euro = row('euro', { currency: 'EUR', finalize: true })
    const rows = [
      row('1', { finalize: true }), row('2', { customer_name: 'Nobody' }), row('3', { customer_name: 'Twin' }), euro, row('4', { customer_name: null, customer_id: twin, finalize: true }),
      row('5', { finalize: true, payments: [{ amount: 10_001 }] }), row('6', { line_items: [{ quantity: 1 }] }), row('7', { finalize: true, invoice_date: '1999-01-01' }), row('8', { finalize: true }),
    ]
    const result = ok(await send(rows, { atomic: false }))
    expect(result.results.map(({ status, detail }: any) => [status, detail])).toEqual([
      ['ok', null], ['error', expect.stringContaining('Nobody')], ['error', expect.stringContaining('2 customers')], ['error', expect.stringContaining('rate')], ['ok', null],
      ['error', expect.stringContaining('above the total')], ['error', expect.stringContaining('description')], ['error', expect.stringContaining('first period')], ['ok', null],
    ])
    expect(result).toMatchObject({ created: 3, failed: 6, succeeded: 3 })
    const { items } = ok(await seller.client.get('/invoices', { sort_by: 'number', descending: false }))
    expect(items.map(({ number }: any) => number)).toEqual(['INV-0001', 'INV-0002', 'INV-0003'])
    const whole = await send(rows.map((each, index) => ({ ...each, external_id: `x${index}` })))
    expect([whole.status, whole.detail]).toEqual([400, expect.stringMatching(/^Row 1: /)])
    expect(await count()).toBe(3)
  })

  it('rows with and without an entry move one contract together', async () => {
    const { id: contract_id } = ok(await seller.client.post('/contracts', { customer_id: seller.customer_id, title: 'Frame', original_value: 25_000, start_date: '2026-01-01' }))
    ok(await send([row('p', { finalize: true, contract_id }), row('q', { finalize: true, contract_id, post_entry: false })]))
    expect(ok(await seller.client.get(`/contracts/${contract_id}`)).billed_amount).toBe(20_000)
    expect((await send([row('r', { finalize: true, contract_id })])).detail).toMatch(/^Row 0: /)
  })

  it('a line keeps the tax code that it was taxed by, also where that is the default and its rate is 0', async () => {
    const code = ok(await seller.client.get('/tax/codes', { limit: 100 })).items.find(({ treatment }: { treatment: string }) => treatment === 'zero_rated')
    ok(await seller.client.patch(`/businesses/${seller.business_id}/settings`, { tax: { default_sales_code_id: code.id } }))
    expect((await seller.open()).line_items).toMatchObject([{ tax_code_id: code.id, tax_amount: 0 }])
    expect((await seller.open({ tax_mode: 'none' })).line_items).toMatchObject([{ tax_code_id: null }])
  })

  it('without an entry: it is generated or linked afterwards, and takes payments only then', async () => {
    const { results } = ok(await send([row('g', { finalize: true, post_entry: false }), row('l', { finalize: true, post_entry: false })]))
    const [one, two] = results.map(({ id }: { id: string }) => id)
    expect((await seller.client.put(`/invoices/${one}/paid`, {})).detail).toMatch(/no journal entry yet/)
    const made = ok(await seller.client.post(`/invoices/${one}/journal-entry`, { date: '2026-03-20' }))
    expect(made).toMatchObject({ journal_entry: { date: '2026-03-20', total: 10_000 }, invoice: { journal_entries: [{ role: 'finalization' }] } })
    expect((await seller.client.post(`/invoices/${one}/journal-entry`, {})).detail).toMatch(/has its entry already/)
    const [receivable, sales] = [await seller.ledger('accounts_receivable'), await seller.ledger('sales')]
    const entry = (amount: number) => seller.client.post('/journal-entries', { date: '2026-03-02', post: true, lines: [{ ledger_id: receivable, amount, customer_id: seller.customer_id }, { ledger_id: sales, amount: -amount }] })
    const [wrong, right] = [ok(await entry(9_999)), ok(await entry(10_000))]
    const link = (journal_entry_id: string, role = 'finalization', id = two) => seller.client.post(`/invoices/${id}/journal-entry/link`, { journal_entry_id, role })
    expect((await link(wrong.id)).detail).toMatch(/no receivable line of 100.00 USD/)
    expect((await link(newId())).status).toBe(404)
    expect((await link(made.journal_entry.id)).detail).toMatch(/stands for invoice/)
    expect(ok(await link(right.id)).invoice.journal_entries).toMatchObject([{ id: right.id, role: 'finalization' }])
    expect(ok(await link(right.id)).invoice.journal_entries).toHaveLength(1)
    expect(ok(await link(wrong.id, 'related')).invoice.journal_entries).toHaveLength(2)
    expect(ok(await seller.client.put(`/invoices/${two}/paid`, {})).status).toBe('manual_paid')
    expect(await seller.balances('accounts_receivable')).toEqual([19_999])
  })
})

describe('the list', () => {
  it('is searched by the beginning of a number, whatever its case', async () => {
    for (const invoice_number of ['AB-1', 'ab-2', 'AC-1']) await seller.invoice({ invoice_number })
    expect(ok(await seller.client.get('/invoices', { search: 'Ab-', sort_by: 'number', descending: false })).items.map(({ number }: any) => number)).toEqual(['AB-1', 'ab-2'])
  })
})

describe('the feed', () => {
  it('has every invoice once, oldest change first, and deleted drafts as tombstones', async () => {
    const [one, two, three] = [await seller.open(), await seller.invoice(), await seller.invoice()]
    ok(await seller.client.delete(`/invoices/${two.id}`))
    ok(await seller.client.put(`/invoices/${one.id}`, { id: one.id, description: 'Changed' }))
    const page = ok(await seller.client.get('/invoices/bulk'))
    expect(page.limit).toBe(500)
    expect(new Set(page.items.map(({ id }: any) => id))).toEqual(new Set([one.id, two.id, three.id]))
    expect(page.items.find(({ id }: any) => id === two.id)).toMatchObject({ deleted_at: expect.any(String), status: null })
    expect(ok(await seller.client.get('/invoices/bulk', { ids: [one.id] })).items).toMatchObject([{ id: one.id, total: 10_000, customer_name: 'Acme Widgets' }])
    const file = await seller.client.get('/invoices/bulk', { format: 'csv' })
    expect(file.body.trim().split('\r\n')).toHaveLength(4)
    expect((await seller.client.delete(`/invoices/${one.id}`)).detail).toMatch(/void it/)
  })
})
