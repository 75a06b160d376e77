// Tests of bank transactions by hand: typing, finding, changing, leaving out, and what stands in the way.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { readSheet } from '../../foundation/sheets.ts'
import type { CashRow, Transaction } from '../../ledger/cash-book/contract.ts'
import { claim, lockTransactions, recordTransactions, release } from '../../ledger/cash-book/operations.ts'

let team: Team
let client: Client
let checking: string
let rent: string
let undeposited: string
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  const chart = await chartOf(team.business_id)
  checking = chart.named('Checking')
  rent = chart.named('Rent')
  undeposited = chart.role('undeposited_funds')
})

const line = (more: object = {}) => ({ ledger_id: checking, amount: 12_000, datetime: '2026-03-10', ...more })
const typed = async (more: object = {}): Promise<Transaction> => (await client.post('/transactions', line(more))).data
const put = (id: string, body: object = {}, verb = '') => client.put(`/transactions/${id}${verb}`, body)

/** A document takes some of a row. */
async function take(transaction_id: string, amount: number, document_id = newId(), business_id = team.business_id) {
  const claim_id = newId()
  await inside(business_id, async (tx) => {
    const transaction = (await lockTransactions(tx, [transaction_id])).get(transaction_id) as CashRow
    claim(tx, [{ id: claim_id, transaction, document_type: 'invoice', document_id, amount }])
  })
  return { claim_id, document_id }
}

/** A row that a document has posted. */
async function bookRow(given: { ledger_id?: string; amount?: number; datetime?: string; counterparty?: string } = {}, business_id = team.business_id) {
  const document_id = newId()
  const id = await inside(business_id, async (tx) => {
    const [transaction] = (await recordTransactions(tx, [{ ledger_id: checking, amount: 500, datetime: '2026-03-10', ...given }])) as [CashRow]
    claim(tx, [{ id: newId(), transaction, document_type: 'invoice', document_id, amount: Math.abs(transaction.amount) }])
    return transaction.id
  })
  return { id, document_id }
}

describe('typing a line', () => {
  it('makes a bank row in the currency of its ledger that posts nothing', async () => {
    const said = { counterparty: 'City Power', description: 'March', reference: '77', note: 'Ask', amount: -12_000 }
    const { status, data } = await client.post('/transactions', line(said))
    expect(status).toBe(201)
    expect(data).toMatchObject({
      ...line(), ...said, currency: 'USD', kind: 'bank', source: 'manual', status: 'unreviewed', external_id: null,
      exclude_reason: null, bank_transaction_id: null, allocated_amount: 0, unallocated_amount: 12_000, matches: [], version: 1,
    })
    expect((await client.get(`/transactions/${data.id}`)).data).toEqual(data)
    expect(await sql('select from journal_entries where business_id = $1', [team.business_id])).toEqual([])
    const { data: card } = await client.post('/ledgers', { name: 'Euro card', type: 'liability', subtype: 'credit_card', currency: 'EUR' })
    expect(await typed({ ledger_id: card.id })).toMatchObject({ currency: 'EUR' })
    expect((await typed({ ledger_id: undeposited })).status).toBe('unreviewed')
  })

  it.each([
    ['an amount of 0', () => ({ amount: 0 }), 400, 'A transaction moves money: give it an amount other than 0.'],
    ['a ledger that is no cash ledger', () => ({ ledger_id: rent }), 400, /Rent is no cash ledger: choose a bank account/],
    ['a ledger that is not there', () => ({ ledger_id: newId() }), 404, /^Ledger .* of ledger_id not found\.$/],
    ['a customer who is not there', () => ({ customer_id: newId() }), 404, /^Customer .* not found\.$/],
    ['a vendor who is not there', () => ({ vendor_id: newId() }), 404, /^Vendor .* not found\.$/],
  ])('is refused with %s', async (_what, given, status, detail) => {
    const answer = await client.post('/transactions', line(given()))
    expect([answer.status, answer.detail]).toEqual([status, typeof detail === 'string' ? detail : expect.stringMatching(detail)])
  })

  it('is refused on an archived ledger', async () => {
    const { data: bank } = await client.post('/ledgers', { name: 'Old bank', type: 'asset', subtype: 'bank' })
    await client.put(`/ledgers/${bank.id}/archive`)
    expect((await client.post('/transactions', line({ ledger_id: bank.id }))).detail).toMatch(/Old bank is archived: restore it/)
  })

  it('pins the ledger: it keeps its currency and is not deleted', async () => {
    const { data: bank } = await client.post('/ledgers', { name: 'Second bank', type: 'asset', subtype: 'bank' })
    const { id } = await typed({ ledger_id: bank.id })
    expect([(await client.delete(`/ledgers/${bank.id}`)).detail, (await client.put(`/ledgers/${bank.id}`, { currency: 'CAD' })).detail]).toEqual([
      expect.stringContaining('This ledger has transactions'), expect.stringContaining('This ledger has transactions'),
    ])
    await client.delete(`/transactions/${id}`)
    expect((await client.put(`/ledgers/${bank.id}`, { currency: 'CAD' })).status).toBe(200)
    expect((await client.delete(`/ledgers/${bank.id}`)).status).toBe(200)
  })

  it('is for those who may write', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    expect((await viewer.client.post('/transactions', line())).status).toBe(403)
    expect((await viewer.client.get('/transactions')).status).toBe(200)
  })
})

describe('external ids', () => {
  const bulk = (transactions: object[], more: object = {}) => client.post('/transactions/bulk', { transactions, ...more })

  it('let a line in once per ledger, however often it is sent', async () => {
    const lines = [line({ external_id: 'F1' }), line({ external_id: 'F2' }), line(), line(), line({ external_id: 'F1', ledger_id: undeposited })]
    const first = (await bulk(lines)).data
    expect([first.succeeded, new Set(first.results.map(({ id }: { id: string }) => id)).size]).toEqual([5, 5])
    const again = (await bulk([...lines.slice(0, 2), line({ external_id: 'F3' }), line({ external_id: 'F3' })])).data
    expect(again.results.slice(0, 2)).toEqual(first.results.slice(0, 2))
    expect(again.results[2].id).toBe(again.results[3].id)
    expect((await client.post('/transactions', lines[0])).data.id).toBe(first.results[0].id)
    const [{ count }] = await sql(`select count(*)::int as count from transactions where business_id = $1 and external_id like 'F%'`, [team.business_id])
    expect(count).toBe(4)
    const created = await sql('select from audit_trail where business_id = $1 and resource_id = $2', [team.business_id, first.results[0].id])
    expect(created).toHaveLength(1)
  })

  it('let a line in once although many send it at the same time', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => line({ external_id: `P${index}` }))
    const answers = await Promise.all([1, 2, 3, 4, 5].map((shift) => bulk([...lines.slice(shift), ...lines.slice(0, shift)])))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    const ids = answers.flatMap(({ data }) => data.results.map(({ id }: { id: string }) => id))
    expect(new Set(ids).size).toBe(20)
  })

  it('stand for one thing: sent with other figures it is refused', async () => {
    await bulk([line({ external_id: 'S1' })])
    const said = 'External id S1 stands for 120.00 USD of 2026-03-10 on this ledger already: give this one another external id.'
    expect((await client.post('/transactions', line({ external_id: 'S1', amount: 1 }))).detail).toBe(said)
    expect((await bulk([line(), line({ external_id: 'S1', datetime: '2026-03-11' })])).detail).toBe(`Item 1: ${said}`)
    const moved = await typed({ external_id: 'S1', ledger_id: undeposited })
    expect((await put(moved.id, { ledger_id: checking })).detail).toBe('This ledger has a transaction with this external id already.')
  })

  it('or none: all or nothing, unless said otherwise', async () => {
    const count = async () => (await client.get('/transactions', { include_total_count: true, counterparty: 'Bulk' })).data.total
    const lines = [line({ counterparty: 'Bulk' }), line({ counterparty: 'Bulk', amount: 0 }), line({ counterparty: 'Bulk', customer_id: newId() })]
    expect([(await bulk(lines)).status, await count()]).toEqual([400, 0])
    expect((await bulk(lines, { atomic: false })).data).toMatchObject({
      succeeded: 1, failed: 2,
      results: [
        { status: 'ok' }, { status: 'error', detail: expect.stringContaining('other than 0') },
        { status: 'error', detail: expect.stringContaining('Customer') },
      ],
    })
    expect(await count()).toBe(1)
    expect([(await bulk([])).status, (await bulk(Array(1001).fill(line()))).status]).toEqual([422, 422])
  })
})

describe('changing a row', () => {
  it('that no document has claimed: everything; what is the same changes nothing', async () => {
    const { id } = await typed({ note: 'Old' })
    const changes = { amount: -5, datetime: '2026-04-01', ledger_id: undeposited, counterparty: 'New', note: null }
    const after = (await put(id, changes)).data
    expect(after).toMatchObject({ ...changes, unallocated_amount: 5, version: 2 })
    expect((await put(id, { amount: -5, counterparty: 'New' })).data.version).toBe(2)
    expect((await client.get(`/transactions/${id}`)).data).toEqual(after)
    expect((await put(id, { amount: 0 })).status).toBe(400)
    expect((await put(id, { ledger_id: rent })).status).toBe(400)
    expect((await put(id, { ledger_id: newId() })).status).toBe(404)
    expect((await put(id, { customer_id: newId() })).status).toBe(404)
  })

  it('takes the currency of another ledger', async () => {
    const { data: euro } = await client.post('/ledgers', { name: 'Euro bank', type: 'asset', subtype: 'bank', currency: 'EUR' })
    const { id } = await typed()
    expect((await put(id, { ledger_id: euro.id })).data.currency).toBe('EUR')
  })

  it('that a document has claimed: only what is said about it', async () => {
    const { id } = await typed()
    const { document_id, claim_id } = await take(id, 2000)
    const said = `The transaction of 2026-03-10 over 120.00 USD is partially allocated by invoice ${document_id}`
    for (const change of [{ amount: 13_000 }, { datetime: '2026-03-11' }, { ledger_id: undeposited }]) expect((await put(id, change)).detail).toContain(said)
    expect((await client.delete(`/transactions/${id}`)).detail).toBe(`${said}, so it cannot be deleted: remove the payment there first.`)
    expect((await put(id, {}, '/exclude')).detail).toContain(`${said}, so it cannot be excluded`)
    expect((await put(id, {}, '/restore')).detail).toContain('is partially allocated: only an excluded one can be restored.')
    const { data } = await put(id, { amount: 12_000, counterparty: 'Known', reference: '9' })
    expect(data).toMatchObject({ counterparty: 'Known', allocated_amount: 2000, matches: [{ id: document_id }] })
    await inside(team.business_id, (tx) => release(tx, [claim_id]))
    expect((await put(id, { amount: 13_000 })).data).toMatchObject({ amount: 13_000, status: 'unreviewed' })
    expect((await client.delete(`/transactions/${id}`)).status).toBe(200)
    expect((await client.get(`/transactions/${id}`)).status).toBe(404)
  })

  it('that a document posted: only its note', async () => {
    const { id, document_id } = await bookRow()
    const said = `The transaction of 2026-03-10 over 5.00 USD was posted by invoice ${document_id}`
    expect((await put(id, { note: 'Seen' })).data).toMatchObject({ note: 'Seen', kind: 'book', status: 'matched', source: 'document' })
    expect((await put(id, { counterparty: 'Other' })).detail).toBe(`${said}: change that instead; only its note can change here.`)
    expect((await put(id, { amount: 1 })).detail).toContain(said)
    expect((await client.delete(`/transactions/${id}`)).detail).toContain(`${said}, so it cannot be deleted here`)
    expect((await put(id, {}, '/exclude')).detail).toContain(`${said}, so it cannot be excluded here`)
    expect((await put(id, {}, '/restore')).detail).toContain('is matched')
  })

  it('that the bank reported: not its amount, day and ledger', async () => {
    const { id } = await typed()
    await sql(`update transactions set source = 'feed' where id = $1`, [id])
    expect((await put(id, { amount: 1 })).detail).toContain('was reported by the bank')
    expect((await client.delete(`/transactions/${id}`)).detail).toContain('came through a connection to the bank: exclude it instead.')
    expect((await put(id, { description: 'Mine' })).status).toBe(200)
  })
})

describe('leaving out', () => {
  it('and taking back; each again changes nothing', async () => {
    const { id } = await typed()
    expect((await put(id, { reason: 'personal' }, '/exclude')).data).toMatchObject({ status: 'excluded', exclude_reason: 'personal', version: 2 })
    expect((await put(id, { reason: 'duplicate' }, '/exclude')).data).toMatchObject({ exclude_reason: 'personal', version: 2 })
    expect((await put(id, { note: 'Still mine' })).data).toMatchObject({ status: 'excluded', version: 3 })
    expect((await put(id, {}, '/restore')).data).toMatchObject({ status: 'unreviewed', exclude_reason: null, version: 4 })
    expect((await put(id, {}, '/restore')).data.version).toBe(4)
    expect((await put(id, {}, '/exclude')).data.exclude_reason).toBe('other')
    expect((await put(id, { reason: 'whim' }, '/exclude')).status).toBe(422)
    const events = await sql('select action from audit_trail where business_id = $1 and resource_id = $2 order by seq', [team.business_id, id])
    expect(events.map(({ action }) => action.split('.')[1])).toEqual(['created', 'excluded', 'updated', 'restored', 'excluded'])
    expect((await client.delete(`/transactions/${id}`)).status).toBe(200)
  })

  it('while a document wants it: one of the two gets it', async () => {
    const rows = await Promise.all([1, 2, 3, 4, 5, 6].map(() => typed()))
    await Promise.all(rows.map(async ({ id }) => {
      const [claimed, excluded] = await Promise.allSettled([take(id, 12_000), put(id, {}, '/exclude')])
      const { status } = (await client.get(`/transactions/${id}`)).data
      expect(status).toBe(claimed.status === 'fulfilled' ? 'matched' : 'excluded')
      expect(excluded.status === 'fulfilled' && excluded.value.status).toBe(claimed.status === 'fulfilled' ? 400 : 200)
    }))
  })
})

describe('a business with a few rows', () => {
  let own: Team
  let bank: string
  let card: string
  const ids: Record<string, string> = {}
  const customer_id = newId()

  beforeAll(async () => {
    own = await newBusiness()
    const chart = await chartOf(own.business_id)
    bank = chart.named('Checking')
    card = (await own.client.post('/ledgers', { name: 'Card', type: 'liability', subtype: 'credit_card' })).data.id
    const rows: [string, object][] = [
      ['rent', { ledger_id: bank, amount: -150_000, datetime: '2026-01-05', counterparty: 'Landlord', description: 'Office, January' }],
      ['deposit', { ledger_id: bank, amount: 90_000, datetime: '2026-01-20', counterparty: 'acme', reference: 'CHK-88' }],
      ['part', { ledger_id: bank, amount: 60_000, datetime: '2026-02-01', counterparty: 'Acme' }],
      ['coffee', { ledger_id: card, amount: -450, datetime: '2026-02-03', note: 'With the team' }],
      ['private', { ledger_id: card, amount: -9900, datetime: '2026-02-04', counterparty: 'Toys' }],
    ]
    for (const [name, body] of rows) ids[name] = (await own.client.post('/transactions', body)).data.id
    await take(ids['deposit']!, 90_000, newId(), own.business_id)
    await take(ids['part']!, 10_000, newId(), own.business_id)
    await own.client.put(`/transactions/${ids['private']}/exclude`, { reason: 'personal' })
    ids['book'] = (await bookRow({ ledger_id: bank, amount: 7000, datetime: '2026-02-10', counterparty: 'Bolt' }, own.business_id)).id
    ids['covered'] = (await bookRow({ ledger_id: bank, amount: 90_000, datetime: '2026-01-19', counterparty: 'Acme' }, own.business_id)).id
    await sql('update transactions set bank_transaction_id = $2, customer_id = $3 where id = $1', [ids['covered'], ids['deposit'], customer_id])
    await post(
      own.business_id, { date: '2026-01-20', lines: [[bank, 97_000], [chart.role('sales'), -97_000]] },
      { date: '2026-02-03', lines: [[chart.named('Rent'), 450], [card, -450]] },
    )
  })

  const named = (id: string) => Object.keys(ids).find((name) => ids[name] === id) ?? ''
  const found = async (query: Record<string, string | number | boolean | string[]> = {}): Promise<string[]> =>
    (await own.client.get('/transactions', { descending: false, ...query })).data.items.map(({ id }: Transaction) => named(id))

  it('shows the register: bank rows and book rows that nothing proves yet; or other views', async () => {
    expect(await found()).toEqual(['rent', 'deposit', 'part', 'coffee', 'private', 'book'])
    expect(await found({ view: 'bank' })).toEqual(['rent', 'deposit', 'part', 'coffee', 'private'])
    expect(await found({ view: 'book' })).toEqual(['covered', 'book'])
    expect(await found({ view: 'all' })).toEqual(['rent', 'covered', 'deposit', 'part', 'coffee', 'private', 'book'])
    const { data } = await own.client.get('/transactions', { limit: 1, descending: false, sort_by: 'amount', flow: 'in', status: 'partially_allocated' })
    expect(data.items[0]).toMatchObject({ allocated_amount: 10_000, unallocated_amount: 50_000, matches: [{ type: 'invoice', amount: 10_000 }] })
  })

  it.each<[Record<string, string | number | string[]>, string[]]>([
    [{ kind: 'book' }, ['book']],
    [{ view: 'bank', kind: 'book' }, []],
    [{ status: 'excluded' }, ['private']],
    [{ status: ['unreviewed', 'matched'] }, ['rent', 'deposit', 'coffee', 'book']],
    [{ source: 'manual', start_date: '2026-02-01', end_date: '2026-02-03' }, ['part', 'coffee']],
    [{ min_amount: -1000, max_amount: 60_000 }, ['part', 'coffee', 'book']],
    [{ flow: 'out' }, ['rent', 'coffee', 'private']],
    [{ flow: 'in' }, ['deposit', 'part', 'book']],
    [{ counterparty: 'ACME' }, ['deposit', 'part']],
    [{ q: 'acme' }, ['deposit', 'part']],
    [{ q: 'chk-88' }, ['deposit']],
    [{ q: 'office january' }, ['rent']],
    [{ q: 'team' }, ['coffee']],
    [{ q: '"office rent"' }, []],
  ])('finds by %j', async (query, names) => expect(await found(query)).toEqual(names))

  it('finds by ledger and customer', async () => {
    expect(await found({ ledger_id: card })).toEqual(['coffee', 'private'])
    expect(await found({ customer_id, view: 'all' })).toEqual(['covered'])
    expect(await found({ ledger_id: newId() })).toEqual([])
  })

  it('sorts, those without a counterparty last both ways, page by page', async () => {
    expect(await found({ sort_by: 'amount' })).toEqual(['rent', 'private', 'coffee', 'book', 'part', 'deposit'])
    expect(await found({ sort_by: 'created_at' })).toEqual(['rent', 'deposit', 'part', 'coffee', 'private', 'book'])
    expect(await found({ sort_by: 'counterparty' })).toEqual(['deposit', 'part', 'book', 'rent', 'private', 'coffee'])
    expect(await found({ sort_by: 'counterparty', descending: true })).toEqual(['private', 'rent', 'book', 'part', 'deposit', 'coffee'])
    const seen: string[] = []
    for (let cursor: string | null = null, more = true; more;) {
      const { data } = await own.client.get('/transactions', { limit: 2, sort_by: 'counterparty', ...(cursor ? { cursor } : {}) })
      seen.push(...data.items.map(({ id }: Transaction) => named(id)))
      cursor = data.next_cursor
      more = data.has_next
    }
    expect(seen).toEqual(['private', 'rent', 'book', 'part', 'deposit', 'coffee'])
  })

  it('is summed up by ledger and status', async () => {
    const { data } = await own.client.get('/transactions/summary')
    expect(data.find((row: { ledger_id: string }) => row.ledger_id === bank)).toEqual({
      ledger_id: bank, ledger_name: 'Checking', currency: 'USD', book_balance: 97_000, unreviewed_count: 2, oldest_unreviewed: '2026-01-05',
      statuses: [
        { status: 'matched', count: 2, total: 97_000 }, { status: 'partially_allocated', count: 1, total: 60_000 },
        { status: 'unreviewed', count: 1, total: -150_000 },
      ],
    })
    expect((await own.client.get('/transactions/summary', { ledger_id: card })).data).toEqual([{
      ledger_id: card, ledger_name: 'Card', currency: 'USD', book_balance: -450, unreviewed_count: 1, oldest_unreviewed: '2026-02-03',
      statuses: [{ status: 'excluded', count: 1, total: -9900 }, { status: 'unreviewed', count: 1, total: -450 }],
    }])
    const { data: fresh } = await (await newBusiness()).client.get('/transactions/summary')
    expect(fresh.length).toBeGreaterThan(0)
    expect(fresh[0]).toMatchObject({ statuses: [], unreviewed_count: 0, oldest_unreviewed: null, book_balance: 0 })
    expect((await own.client.get('/transactions/summary', { ledger_id: newId() })).status).toBe(404)
  })

  it('is taken away as CSV or XLSX, with the filters of the list', async () => {
    const { body, headers } = await own.client.get('/transactions/export', { flow: 'out' })
    expect(headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"')
    const rows = body.trimEnd().split('\r\n')
    const header = 'Date,Ledger,Counterparty,Description,Reference,Amount,Currency,Status,Unallocated,Category,Kind,Source,External id,Customer id,Vendor id,Note,Id'
    expect(rows[0]).toBe(header)
    expect(rows[1]).toMatch(/^2026-01-05,\d+ Checking,Landlord,"Office, January",,-1500.00,USD,unreviewed,1500.00,,bank,manual,,,,,/)
    expect(rows).toHaveLength(4)
    const response = await fetch(
      `${(await service()).url}/api/v1/transactions/export?format=xlsx`,
      { headers: { authorization: `Bearer ${own.owner.token}`, 'x-business-id': own.business_id } },
    )
    const sheet = await readSheet({ file_name: 'it.xlsx', content_base64: Buffer.from(await response.arrayBuffer()).toString('base64') })
    expect(sheet.rows.map(({ cells }) => cells['amount'])).toEqual(['-1500', '900', '600', '-4.5', '-99', '70'])
  })

  it('warns whoever closes a period of what nobody has looked at', async () => {
    const { data: { items } } = await own.client.get('/accounting-periods', { descending: false, limit: 3 })
    const check = async (index: number) => (await own.client.get(`/accounting-periods/${items[index].id}/checks`)).data
      .find(({ key }: { key: string }) => key === 'unreviewed_transactions')
    const detail = '1 bank transaction waits to be categorized, matched or excluded, the oldest of 2026-01-05.'
    expect(await check(0)).toMatchObject({ severity: 'warning', ok: false, count: 1, detail })
    expect(await check(1)).toMatchObject({ ok: false, count: 2, detail: '2 bank transactions wait to be categorized, matched or excluded, the oldest of 2026-02-01.' })
    expect(await check(2)).toMatchObject({ ok: true, count: 0 })
  })
})
