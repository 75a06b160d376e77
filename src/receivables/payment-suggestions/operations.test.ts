// Tests of deposit candidates and payment suggestions over HTTP.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newCustomer } from '../../../test/support/customers.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newMember } from '../../../test/support/people.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let seller: Seller
const at = async (time: string | null) => (await service()).clock.set(time)
beforeAll(() => at('2026-03-15T15:00:00Z'))
afterAll(() => at(null))
beforeEach(async () => {
  seller = await newSeller()
})

const open = (unit_price: number, more: object = {}) => seller.open({ invoice_date: '2026-03-02', line_items: [{ description: 'Work', unit_price }], ...more })
const match = async (body: object = {}) => ok(await seller.client.post('/invoices/match', body))
const pending = async (query = {}) => ok(await seller.client.get('/invoices/suggestions', query)).items
const decide = (id: string, verb: 'accept' | 'reject', body: object = {}) => seller.client.post(`/invoices/suggestions/${id}/${verb}`, body)
const get = async (id: string) => ok(await seller.client.get(`/invoices/${id}`))

describe('deposit candidates', () => {
  it('lists deposits of which something is left, with how well they fit an invoice', async () => {
    const invoice = await open(10_000)
    const good = await seller.deposit(10_000, { description: `For ${invoice.number}` })
    const part = await seller.deposit(4_000, { counterparty: 'ACME WIDGETS' })
    await seller.deposit(-500)
    const gone = await seller.deposit(700)
    ok(await seller.client.put(`/transactions/${gone.id}/exclude`, {}))
    const no_receipt = await seller.deposit(800)
    ok(await seller.client.post('/invoices/cash-receipts/dismiss', { transaction_id: no_receipt.id, reason: 'owner' }))
    await seller.deposit(900, { ledger_id: await seller.ledger('Credit Card') })
    const list = async (query = {}) => ok(await seller.client.get('/invoices/deposit-candidates', query)).items
    expect(await list({ descending: false, sort_by: 'amount' })).toEqual([
      { transaction: expect.objectContaining({ id: part.id, amount: 4_000 }), allocated: 0, remaining: 4_000, dismissed: false, dismissal: null, score: null, reasons: null },
      expect.objectContaining({ transaction: expect.objectContaining({ id: good.id, description: 'For INV-0001', reference: null }) }),
    ])
    expect((await list({ invoice_id: invoice.id, sort_by: 'amount' })).map(({ score, reasons }: { score: number; reasons: string[] }) => [score, reasons])).toEqual([
      [95, ['invoice_number', 'exact_balance', 'date']], [35, ['customer_name', 'part', 'date']],
    ])
    expect(await list({ dismissed: true })).toMatchObject([{ transaction: { id: no_receipt.id }, dismissed: true, dismissal: { reason: 'owner', note: null, dismissed_by: seller.owner.user_id } }])
    expect(await list({ from: '2026-03-13' })).toEqual([])
    expect(await list({ ledger_id: await seller.ledger('undeposited_funds') })).toEqual([])
    ok(await seller.client.post(`/invoices/${invoice.id}/payments`, { transaction_id: good.id, amount: 9_000 }))
    expect(await list({ invoice_id: invoice.id, sort_by: 'amount' })).toMatchObject([{ allocated: 9_000, remaining: 1_000, score: 95 }, { score: 30, reasons: ['customer_name', 'surplus', 'date'] }])
    expect(await list({ invoice_id: (await seller.invoice()).id })).toMatchObject([{ score: 0, reasons: [] }, { score: 0, reasons: [] }])
    expect((await seller.client.get('/invoices/deposit-candidates', { invoice_id: newId() })).status).toBe(404)
  })
})

describe('a run', () => {
  it('suggests, and says the same again until something changes', async () => {
    const invoice = await open(10_000)
    const deposit = await seller.deposit(10_000, { description: 'Payment INV-0001', reference: 'W-17' })
    const first = await match()
    expect(first).toEqual({ run_id: expect.any(String), scanned: 1, created: 1, updated: 0, auto_accepted: 0 })
    const [suggestion] = await pending()
    expect(suggestion).toMatchObject({
      run_id: first.run_id, transaction_id: deposit.id, transaction: { id: deposit.id, amount: 10_000, reference: 'W-17' }, total: 10_000, confidence: 95, currency: 'USD', status: 'pending',
      allocations: [{ invoice_id: invoice.id, number: 'INV-0001', customer_id: seller.customer_id, customer_name: 'Acme Widgets', amount: 10_000 }],
      reasons: ['invoice_number', 'exact_balance', 'date'], decided_by: null, decided_at: null, version: 1,
    })
    expect(await match()).toMatchObject({ scanned: 1, created: 0, updated: 0 })
    ok(await seller.client.put(`/transactions/${deposit.id}`, { counterparty: 'Acme Widgets' }))
    const renewed = await match()
    expect(renewed).toMatchObject({ created: 0, updated: 1 })
    expect(await pending()).toMatchObject([{ id: suggestion.id, run_id: renewed.run_id, confidence: 100, version: 2 }])
    expect(await eventsOf(suggestion.id)).toEqual(['payment_suggestion.created', 'payment_suggestion.updated'])
    expect(ok(await seller.client.get(`/invoices/${invoice.id}/suggestions`)).items).toMatchObject([{ id: suggestion.id }])
    expect((await seller.client.get(`/invoices/${newId()}/suggestions`)).status).toBe(404)
  })

  it('keeps to the deposits, invoices and days that it is given', async () => {
    const [one, other] = [await open(10_000), await open(20_000)]
    const [early, late] = [await seller.deposit(10_000, { datetime: '2026-03-05' }), await seller.deposit(20_000)]
    expect(await match({ to: '2026-03-06' })).toMatchObject({ scanned: 1, created: 1 })
    expect(await match({ from: '2026-03-06', invoice_ids: [one.id] })).toMatchObject({ scanned: 1, created: 0 })
    expect(await match({ transaction_ids: [late.id], invoice_ids: [other.id] })).toMatchObject({ scanned: 1, created: 1 })
    expect((await pending({ sort_by: 'created_at', descending: false })).map((each: { transaction_id: string }) => each.transaction_id)).toEqual([early.id, late.id])
    expect(await pending({ transaction_id: late.id, min_confidence: 40 })).toHaveLength(1)
    expect(await pending({ min_confidence: 99 })).toEqual([])
    for (const [body, field] of [[{ transaction_ids: [newId()] }, /transaction_ids/], [{ invoice_ids: [newId()] }, /invoice_ids/]] as const) {
      const { status, detail } = await seller.client.post('/invoices/match', body)
      expect([status, detail]).toEqual([404, expect.stringMatching(field)])
    }
  })

  it('two at once propose once', async () => {
    await open(10_000)
    await seller.deposit(10_000)
    const runs = await Promise.all([match(), match(), match()])
    expect(runs.reduce((sum, { created }) => sum + created, 0)).toBe(1)
    expect(await pending()).toHaveLength(1)
  })

  it('leaves drafts, written-off invoices and other currencies alone', async () => {
    await seller.invoice({ line_items: [{ description: 'x', unit_price: 10_000 }] })
    const lost = await open(10_000)
    ok(await seller.client.put(`/invoices/${lost.id}/uncollectible`, {}))
    await open(10_000, { customer_id: await newCustomer(seller.client, { currency: 'EUR' }), fx_rate: '1.1' })
    await seller.deposit(10_000)
    expect(await match()).toMatchObject({ scanned: 1, created: 0 })
  })

  it('pays by itself what is sure and has no rival', async () => {
    const sure = await open(10_000)
    await seller.deposit(10_000, { description: 'INV-0001', datetime: '2026-03-10' })
    const twins = [await open(5_000), await open(5_000)]
    await seller.deposit(5_000, { counterparty: 'Acme Widgets', customer_id: seller.customer_id })
    expect(await match({ auto_accept: true })).toMatchObject({ scanned: 2, created: 3, auto_accepted: 1 })
    expect(await get(sure.id)).toMatchObject({ status: 'manual_paid', payments: [{ amount: 10_000, posted_on: '2026-03-10', method: 'bank_transfer' }] })
    expect(await pending()).toHaveLength(2)
    const [accepted] = await pending({ status: 'accepted' })
    expect(accepted).toMatchObject({ status: 'accepted', decided_by: null, decided_at: '2026-03-15T15:00:00.000Z' })
    expect(await eventsOf(accepted.id)).toEqual(['payment_suggestion.created', 'payment_suggestion.accepted'])
    ok(await seller.client.put(`/invoices/${twins[0].id}/void`, {}))
    ok(await seller.client.patch(`/businesses/${seller.business_id}/settings`, { sales: { auto_match_threshold: 75 } }))
    expect(await match({ auto_accept: false })).toMatchObject({ auto_accepted: 0 })
    expect(await match()).toMatchObject({ created: 0, auto_accepted: 1 })
    expect(await get(twins[1].id)).toMatchObject({ status: 'manual_paid' })
    expect(await seller.balances('Checking', 'accounts_receivable')).toEqual([15_000, 0])
  })

  it('leaves what lies in a closed period to a person', async () => {
    await open(10_000, { invoice_date: '2026-01-05' })
    await seller.deposit(10_000, { description: 'INV-0001', datetime: '2026-01-20' })
    const periods = ok(await seller.client.get('/accounting-periods', { limit: 100 })).items
    ok(await seller.client.put(`/accounting-periods/${periods.find((each: { name: string }) => each.name === '2026-01').id}/close`, { accept_warnings: true }))
    expect(await match({ auto_accept: true })).toMatchObject({ created: 1, auto_accepted: 0 })
    const [suggestion] = await pending()
    expect(await decide(suggestion.id, 'accept')).toMatchObject({ status: 400, detail: expect.stringMatching(/2026-01 is closed/) })
    expect(await pending()).toHaveLength(1)
  })
})

describe('accepting', () => {
  it('pays every invoice of it, once', async () => {
    const invoices = [await open(10_000), await open(7_000)]
    const deposit = await seller.deposit(17_000, { counterparty: 'Acme Widgets Inc', reference: 'W-9' })
    await match()
    const [suggestion] = await pending()
    expect(suggestion.reasons).toEqual(['exact_sum', 'customer_name', 'date'])
    const accepted = ok(await decide(suggestion.id, 'accept'))
    expect(accepted).toMatchObject({ id: suggestion.id, status: 'accepted', decided_by: seller.owner.user_id, decided_at: '2026-03-15T15:00:00.000Z', version: 2 })
    for (const { id } of invoices) expect(await get(id)).toMatchObject({ status: 'manual_paid', payments: [{ transaction_id: deposit.id, posted_on: '2026-03-12', reference: 'W-9', kind: 'manual' }] })
    expect(await seller.balances('Checking', 'accounts_receivable')).toEqual([17_000, 0])
    expect(ok(await decide(suggestion.id, 'accept'))).toEqual(accepted)
    expect(await seller.balances('Checking')).toEqual([17_000])
    expect(await decide(suggestion.id, 'reject')).toMatchObject({ status: 400, detail: expect.stringMatching(/accepted/) })
    expect(await eventsOf(suggestion.id)).toEqual(['payment_suggestion.created', 'payment_suggestion.accepted'])
    expect(await pending()).toEqual([])
  })

  it('takes other amounts for its invoices, not more than there is', async () => {
    const [one, other] = [await open(10_000), await open(7_000)]
    await seller.deposit(17_000, { counterparty: 'Acme Widgets' })
    await match()
    const [{ id }] = await pending()
    const refused = async (allocations: object[], said: RegExp) => expect(await decide(id, 'accept', { allocations })).toMatchObject({ status: 400, detail: expect.stringMatching(said) })
    await refused([{ invoice_id: newId(), amount: 1 }], /not part/)
    await refused([{ invoice_id: one.id, amount: 1 }, { invoice_id: one.id, amount: 1 }], /twice/)
    await refused([{ invoice_id: one.id, amount: 10_001 }], /balance of 100.00 USD/)
    expect((await decide(id, 'accept', { allocations: [] })).status).toBe(422)
    expect(await pending()).toHaveLength(1)
    expect(ok(await decide(id, 'accept', { allocations: [{ invoice_id: one.id, amount: 9_000 }] }))).toMatchObject({ total: 9_000, allocations: [{ invoice_id: one.id, amount: 9_000 }] })
    expect(await get(one.id)).toMatchObject({ status: 'partially_paid', balance_due: 1_000 })
    expect(await get(other.id)).toMatchObject({ status: 'open', balance_due: 7_000 })
  })

  it('by two at once pays once', async () => {
    const invoice = await open(10_000)
    await seller.deposit(10_000, { description: 'INV-0001' })
    await match()
    const [{ id }] = await pending()
    const answers = await Promise.all([decide(id, 'accept'), decide(id, 'accept'), seller.client.post(`/invoices/${invoice.id}/payments`, { amount: 10_000 })])
    expect((await get(invoice.id)).payments).toHaveLength(1)
    expect(answers.some(({ status }) => status === 201)).toBe(true)
    expect(await seller.balances('accounts_receivable')).toEqual([0])
  })

  it('holds If-Match against it, and needs the right to write', async () => {
    await open(10_000)
    await seller.deposit(10_000)
    await match()
    const [{ id }] = await pending()
    expect((await seller.client.post(`/invoices/suggestions/${id}/accept`, {}, { headers: { 'if-match': '"7"' } })).status).toBe(412)
    const viewer = await newMember(seller.business_id, 'viewer')
    expect((await viewer.client.post(`/invoices/suggestions/${id}/accept`, {})).status).toBe(403)
    expect((await viewer.client.get('/invoices/suggestions')).data.items).toHaveLength(1)
  })
})

describe('what has changed since', () => {
  const changes: [string, (invoice: any, deposit: any) => Promise<unknown>, RegExp][] = [
    ['a payment', (invoice) => seller.client.post(`/invoices/${invoice.id}/payments`, { amount: 100 }), /invoice INV-0001 has 99.00 USD left instead of 100.00 USD/],
    ['a void', (invoice) => seller.client.put(`/invoices/${invoice.id}/void`, {}), /invoice INV-0001 was voided/],
    ['a write-off', (invoice) => seller.client.put(`/invoices/${invoice.id}/uncollectible`, {}), /was written off/],
    ['a dismissal', (_invoice, deposit) => seller.client.post('/invoices/cash-receipts/dismiss', { transaction_id: deposit.id, reason: 'loan' }), /its deposit was dismissed/],
    ['an exclusion', (_invoice, deposit) => seller.client.put(`/transactions/${deposit.id}/exclude`, {}), /its deposit was excluded/],
    ['a claim', async (_invoice, deposit) => seller.client.post(`/invoices/${(await open(300)).id}/payments`, { transaction_id: deposit.id }), /its deposit has 97.00 USD left instead of 100.00 USD/],
    ['another amount', (_invoice, deposit) => seller.client.put(`/transactions/${deposit.id}`, { amount: 9_000 }), /its deposit has 90.00 USD left/],
  ]
  it.each(changes)('%s supersedes at once', async (_name, change, said) => {
    const invoice = await open(10_000)
    const deposit = await seller.deposit(10_000, { description: 'INV-0001' })
    await match()
    const [{ id }] = await pending()
    ok(await change(invoice, deposit) as never)
    expect(await pending()).toEqual([])
    expect(await pending({ status: 'superseded' })).toMatchObject([{ id, status: 'superseded' }])
    for (const verb of ['accept', 'reject'] as const) expect(await decide(id, verb)).toMatchObject({ status: 400, detail: expect.stringMatching(said) })
    await match()
    expect(await eventsOf(id)).toEqual(['payment_suggestion.created', 'payment_suggestion.superseded'])
    expect(await decide(id, 'accept')).toMatchObject({ status: 400 })
  })

  it('a deposit that is deleted takes its suggestions along', async () => {
    await open(10_000)
    const deposit = await seller.deposit(10_000)
    await match()
    ok(await seller.client.delete(`/transactions/${deposit.id}`))
    expect(await pending({ status: ['pending', 'superseded'] })).toEqual([])
  })

  it('what was rejected is not proposed again, other sets are', async () => {
    const invoice = await open(10_000)
    await seller.deposit(10_000, { counterparty: 'Acme Widgets' })
    await match()
    const [{ id }] = await pending()
    const rejected = ok(await decide(id, 'reject', { reason: 'Not theirs' }))
    expect(rejected).toMatchObject({ status: 'rejected', decision_reason: 'Not theirs', decided_by: seller.owner.user_id })
    expect(ok(await decide(id, 'reject'))).toEqual(rejected)
    expect(await decide(id, 'accept')).toMatchObject({ status: 400, detail: expect.stringMatching(/rejected/) })
    expect(await match()).toMatchObject({ created: 0 })
    const parts = [await open(4_000), await open(6_000)]
    expect(await match()).toMatchObject({ created: 1 })
    expect((await pending())[0].allocations.map((each: { invoice_id: string }) => each.invoice_id).sort()).toEqual(parts.map((part) => part.id).sort())
    expect(ok(await seller.client.get(`/invoices/${invoice.id}/suggestions`)).items).toMatchObject([{ status: 'rejected' }])
    expect((await decide(newId(), 'reject')).status).toBe(404)
  })
})
