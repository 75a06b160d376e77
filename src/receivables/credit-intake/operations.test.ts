import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newCustomer } from '../../../test/support/customers.ts'
import { creditInvoice, expectSound, newNote, newTaxCode } from '../../../test/support/credits.ts'
import { newMember } from '../../../test/support/people.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { newItem, receive, stockAndCost } from '../../../test/support/stock.ts'
import { newId } from '../../foundation/ids.ts'

let seller: Seller
const at = async (time: string | null) => (await service()).clock.set(time)
beforeAll(() => at('2026-03-15T15:00:00Z'))
afterAll(() => at(null))
beforeEach(async () => {
  seller = await newSeller()
})

const invoiceOf = async (id: string) => ok(await seller.client.get(`/invoices/${id}`))
const post = (body: object) => seller.client.post('/credit-memos', { customer_id: seller.customer_id, ...body })
const credit = (invoice_id: string, body: object) => seller.client.post('/credit-memos/from-invoice', { invoice_id, finalize: true, ...body })
const said = ({ status, detail }: { status: number; detail: any }) => [status, typeof detail === 'string' ? detail : detail?.[0]?.loc.join('.')]

/** 3 × 125.00 and 83.33 with 8.25% tax. */
async function taxedInvoice() {
  const tax_code_id = await newTaxCode(seller, '8.25')
  return seller.open({ line_items: [{ description: 'Widgets', quantity: 3, unit_price: 12_500, tax_code_id }, { description: 'Freight', unit_price: 8_333, tax_code_id }] })
}

describe('a credit note by hand', () => {
  it('is drafted, changed, numbered and posted', async () => {
    const draft = ok(await post({ line_items: [{ description: 'Goodwill', unit_price: 5_000 }], reason: 'goodwill' }))
    expect(draft).toMatchObject({ kind: 'credit_note', status: 'draft', number: null, total: 5_000, remaining: 5_000, credit_date: '2026-03-15', currency: 'USD', journal_entries: [] })
    const path = `/credit-memos/${draft.id}`
    expect(ok(await seller.client.put(path, { line_items: [{ description: 'Goodwill', unit_price: 4_000 }], credit_date: '2026-03-10' }))).toMatchObject({ total: 4_000, credit_date: '2026-03-10', reason: 'goodwill' })
    const open = ok(await seller.client.put(`${path}/finalize`, {}))
    expect(open).toMatchObject({ status: 'open', number: 'CM-0001', remaining: 4_000, base_remaining: 4_000, journal_entries: [{ role: 'finalization', date: '2026-03-10', total: 4_000 }] })
    expect(ok(await seller.client.put(`${path}/finalize`, {}))).toEqual(open)
    expect(await seller.balances('accounts_receivable', 'sales')).toEqual([-4_000, 4_000])
    const dated = ok(await seller.client.put(path, { credit_date: '2026-02-20', description: 'Agreed' }))
    expect(dated).toMatchObject({ credit_date: '2026-02-20', description: 'Agreed', journal_entries: [{ date: '2026-02-20' }] })
    expect((await seller.client.put(path, { line_items: [] })).detail).toMatch(/line_items can change on a draft only/)
    expect(said(await seller.client.delete(path))).toEqual([400, 'Credit note CM-0001 is open: only drafts are deleted; void it instead.'])
    await expectSound(seller)
    const gone = ok(await seller.client.put(`${path}/void`, { reason: 'By mistake' }))
    expect(gone).toMatchObject({ status: 'void', number: 'CM-0001', journal_entries: [], base_remaining: 0 })
    expect(ok(await seller.client.put(`${path}/void`, {}))).toEqual(gone)
    expect(await seller.balances('accounts_receivable', 'sales')).toEqual([0, 0])
    expect((await newNote(seller, 100)).number).toBe('CM-0002')
    const another = ok(await post({ line_items: [{ description: 'Draft', unit_price: 1 }] }))
    expect((await seller.client.put(`/credit-memos/${another.id}/void`, {})).detail).toMatch(/draft: delete it instead/)
    expect(ok(await seller.client.delete(`/credit-memos/${another.id}`))).toEqual({ id: another.id, deleted: true })
    expect((await seller.client.get(`/credit-memos/${another.id}`)).status).toBe(404)
    await expectSound(seller)
  })

  it('is listed, filtered and exported', async () => {
    const notes = [await newNote(seller, 300), await newNote(seller, 100), await newNote(seller, 200)]
    ok(await seller.client.put(`/credit-memos/${notes[0].id}/void`, {}))
    const list = async (query: object) => ok(await seller.client.get('/credit-memos', query as never)).items.map(({ total }: { total: number }) => total)
    expect(await list({ sort_by: 'total', descending: false })).toEqual([100, 200, 300])
    expect(await list({ has_remaining: true, sort_by: 'number', descending: false })).toEqual([100, 200])
    expect([await list({ status: ['void'] }), await list({ kind: 'deposit' }), await list({ search: 'cm-0003' }), await list({ customer_id: newId() })]).toEqual([[300], [], [200], []])
    const file = await seller.client.get('/credit-memos/export', { format: 'csv', has_remaining: true } as never)
    expect(String(file.body)).toMatch(/CM-0002/)
  })

  it('refuses what cannot be', async () => {
    const invoice = await seller.open()
    const [line] = invoice.line_items
    const stranger = await newCustomer(seller.client)
    const archived = await newCustomer(seller.client)
    ok(await seller.client.put(`/customers/${archived}/archive`, {}))
    const lines = [{ description: 'x', unit_price: 1 }]
    for (const [body, answer] of [
      [{ line_items: [{ unit_price: 1 }] }, [422, 'body.line_items.0.description']],
      [{ line_items: lines, amount: 5 }, [422, 'body.amount']],
      [{ kind: 'deposit' }, [422, 'body.amount']],
      [{ kind: 'deposit', amount: 5, line_items: lines }, [422, 'body.line_items']],
      [{ line_items: lines, apply: [{ invoice_id: invoice.id, amount: 1 }] }, [422, 'body.apply']],
      [{ line_items: [{ invoice_line_id: line.id }] }, [422, 'body.line_items.0.invoice_line_id']],
      [{ customer_id: newId(), line_items: lines }, [404, expect.stringContaining('customer_id')]],
      [{ invoice_id: newId(), line_items: lines }, [404, expect.stringContaining('invoice_id')]],
      [{ order_id: newId(), line_items: lines }, [404, expect.anything()]],
      [{ kind: 'deposit', amount: 5, transaction_id: newId() }, [404, expect.stringContaining('transaction_id')]],
      [{ invoice_id: invoice.id, line_items: [{ invoice_line_id: newId() }] }, [404, expect.stringContaining('invoice_line_id')]],
      [{ customer_id: archived, line_items: lines }, [400, expect.stringContaining('archived')]],
      [{ customer_id: stranger, invoice_id: invoice.id, line_items: lines }, [400, 'Invoice INV-0001 is one of another customer.']],
      [{ invoice_id: invoice.id, currency: 'EUR', line_items: lines }, [400, expect.stringContaining('in USD')]],
      [{ invoice_id: invoice.id, line_items: [{ description: 'x', unit_price: 10_001 }] }, [400, 'Invoice INV-0001 has 100.00 USD left to credit, less than 100.01 USD.']],
      [{ invoice_id: invoice.id, line_items: [{ invoice_line_id: line.id, unit_price: 5, restock: true }] }, [400, expect.stringContaining('only units come back')]],
      [{ line_items: [], finalize: true }, [400, expect.stringContaining('comes to 0')]],
      [{ currency: 'EUR', line_items: lines, finalize: true }, [400, expect.stringContaining('rate')]],
    ] as const) expect(said(await post(body))).toEqual(answer)
    const draft = await seller.invoice()
    expect((await credit(draft.id, { mode: 'full' })).detail).toMatch(/is draft: only finalized invoices are credited/)
    expect(said(await credit(invoice.id, { mode: 'amount' }))).toEqual([422, 'body.amount'])
    expect(said(await credit(invoice.id, { mode: 'lines' }))).toEqual([422, 'body.lines'])
    expect(said(await credit(invoice.id, { mode: 'lines', lines: [{ invoice_line_id: line.id }] }))).toEqual([422, 'body.lines.0.quantity'])
    const note = await newNote(seller, 5)
    const bookkeeper = await newMember(seller.business_id, 'bookkeeper')
    expect((await bookkeeper.client.put(`/credit-memos/${note.id}/void`, {})).status).toBe(403)
  })
})

describe('crediting an invoice', () => {
  it('takes back all of it, tax and contract included, and settles it', async () => {
    const contract = ok(await seller.client.post('/contracts', { customer_id: seller.customer_id, title: 'Frame', original_value: 90_000, start_date: '2026-01-01' }))
    const invoice = await taxedInvoice()
    ok(await seller.client.put(`/invoices/${invoice.id}`, { id: invoice.id, contract_id: contract.id }))
    const note = await creditInvoice(seller, invoice.id, { mode: 'full', apply: true, reason: 'error' })
    expect(note).toMatchObject({ status: 'closed', total: 49_614, tax_total: 3_781, remaining: 0, invoice_number: 'INV-0001' })
    expect(note.line_items.map(({ quantity_credited }: { quantity_credited: number }) => quantity_credited)).toEqual([3, 1])
    const paid = await invoiceOf(invoice.id)
    expect(paid).toMatchObject({ status: 'manual_paid', balance_due: 0, total_credited: 49_614, total_paid: 49_614, credits_applied: [{ credit_memo_id: note.id, number: 'CM-0001', amount: 49_614 }] })
    expect(paid.line_items.map(({ quantity_credited }: { quantity_credited: number }) => quantity_credited)).toEqual([3, 1])
    expect(await seller.balances('accounts_receivable', 'sales', 'sales_tax_payable')).toEqual([0, 0, 0])
    expect(ok(await seller.client.get(`/contracts/${contract.id}`))).toMatchObject({ billed_amount: 49_614, credited_amount: 49_614 })
    expect((await credit(invoice.id, { mode: 'full' })).detail).toBe('Nothing of Invoice INV-0001 is left to credit.')
    expect((await seller.client.put(`/invoices/${invoice.id}/unpaid`, {})).status).toBe(400)
    expect((await seller.client.put(`/credit-memos/${note.id}/void`, {})).detail).toMatch(/496.14 USD of Credit note CM-0001 is applied/)
    await expectSound(seller)
    const { items: [application] } = ok(await seller.client.get(`/credit-memos/${note.id}/applications`))
    ok(await seller.client.delete(`/credit-memos/${note.id}/applications/${application.id}`))
    ok(await seller.client.put(`/credit-memos/${note.id}/void`, {}))
    expect(await invoiceOf(invoice.id)).toMatchObject({ status: 'open', balance_due: 49_614, line_items: [{ quantity_credited: 0 }, { quantity_credited: 0 }] })
    expect(ok(await seller.client.get(`/contracts/${contract.id}`)).credited_amount).toBe(0)
    await expectSound(seller)
  })

  it('goes line by line and by amount, and the last note takes what rounding left', async () => {
    const invoice = await taxedInvoice()
    const [widgets, freight] = invoice.line_items
    const notes = [
      await creditInvoice(seller, invoice.id, { mode: 'lines', lines: [{ invoice_line_id: widgets.id, quantity: 1 }] }),
      await creditInvoice(seller, invoice.id, { mode: 'lines', lines: [{ invoice_line_id: freight.id, amount: 4_000 }] }),
      await creditInvoice(seller, invoice.id, { mode: 'amount', amount: 10_001 }),
    ]
    expect(notes.map(({ total, tax_total }) => [total, tax_total])).toEqual([[13_531, 1_031], [4_330, 330], [10_001, 762]])
    expect((await credit(invoice.id, { mode: 'lines', lines: [{ invoice_line_id: widgets.id, quantity: 3 }] })).detail).toBe('Line 1 of Invoice INV-0001 has 2 of 3 units left to credit, not 3.')
    expect((await credit(invoice.id, { mode: 'amount', amount: 30_000 })).detail).toBe('Invoice INV-0001 has 217.52 USD left to credit, less than 300.00 USD.')
    expect((await credit(invoice.id, { mode: 'lines', lines: [{ invoice_line_id: freight.id, amount: 4_333 }] })).detail).toMatch(/Line 2 of Invoice INV-0001 has .* left to credit/)
    // A draft counts too.
    const draft = ok(await seller.client.post('/credit-memos/from-invoice', { invoice_id: invoice.id, mode: 'full' }))
    expect([draft.status, draft.total]).toEqual(['draft', 21_752])
    expect((await credit(invoice.id, { mode: 'amount', amount: 1 })).detail).toMatch(/has 0.00 USD left to credit/)
    ok(await seller.client.delete(`/credit-memos/${draft.id}`))
    const last = await creditInvoice(seller, invoice.id, { mode: 'full' })
    expect(notes.reduce((sum, { total }) => sum + total, 0) + last.total).toBe(49_614)
    expect(await seller.balances('accounts_receivable', 'sales', 'sales_tax_payable')).toEqual([0, 0, 0])
    await expectSound(seller)
  })

  it('lets two who credit the rest at once credit it once', async () => {
    const invoice = await seller.open()
    const answers = await Promise.all([credit(invoice.id, { mode: 'full' }), credit(invoice.id, { mode: 'full' })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    expect(await seller.balances('accounts_receivable')).toEqual([0])
    expect((await seller.client.put(`/invoices/${invoice.id}/void`, {})).detail).toMatch(/has credit notes of 100.00 USD/)
  })

  it('brings goods back at the cost they left with, and takes them out again when it is voided', async () => {
    const { variant_id } = await newItem(seller.client)
    await receive(seller.business_id, variant_id, 10, 5_000, '2026-03-01')
    const invoice = await seller.open({ line_items: [{ variant_id, quantity: 4, unit_price: 2_000 }] })
    const [line] = invoice.line_items
    const dry = await creditInvoice(seller, invoice.id, { mode: 'lines', lines: [{ invoice_line_id: line.id, quantity: 1 }], restock: true })
    expect(dry.line_items).toMatchObject([{ restock: true, quantity_returned: 0 }])
    ok(await seller.client.put(`/credit-memos/${dry.id}/void`, {}))
    ok(await seller.client.put(`/invoices/${invoice.id}/delivered`, {}))
    expect(await stockAndCost(seller.business_id)).toEqual([3_000, 2_000])
    const note = await creditInvoice(seller, invoice.id, { mode: 'lines', lines: [{ invoice_line_id: line.id, quantity: 3 }], restock: true })
    expect(note).toMatchObject({ total: 6_000, line_items: [{ quantity_returned: 3 }] })
    expect(note.journal_entries.map(({ role }: { role: string }) => role).toSorted()).toEqual(['finalization', 'restock'])
    expect(await stockAndCost(seller.business_id)).toEqual([4_500, 500])
    expect((await seller.client.put(`/invoices/${invoice.id}/void`, {})).status).toBe(400)
    ok(await seller.client.put(`/credit-memos/${note.id}/void`, {}))
    expect(await stockAndCost(seller.business_id)).toEqual([3_000, 2_000])
    const rest = await creditInvoice(seller, invoice.id, { mode: 'full', restock: true })
    expect(rest.line_items).toMatchObject([{ quantity_returned: 4 }])
    expect(await stockAndCost(seller.business_id)).toEqual([5_000, 0])
    await expectSound(seller)
  })
})
