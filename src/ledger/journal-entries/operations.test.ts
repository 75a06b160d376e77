// Tests of journal entries over HTTP: writing, posting, correcting, and every refusal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import type { Entry } from '../journal-drafts/contract.ts'

let team: Team
let client: Client
let chart: Awaited<ReturnType<typeof chartOf>>
let rent: string
let checking: string

beforeAll(async () => {
  (await service()).clock.set('2026-06-15T12:00:00Z')
  team = await newBusiness()
  client = team.client
  chart = await chartOf(team.business_id)
  rent = chart.named('Rent')
  checking = chart.named('Checking')
  // One entry in a period that is softly closed after it, behind one that is closed.
  await write({ date: '2026-02-20', post: true })
  await setPeriod('2026-01', 'close', { accept_warnings: true })
  await setPeriod('2026-02', 'soft-close')
})
afterAll(async () => (await service()).clock.set(null))

const body = (more: object = {}, amount = 15_000) => (
  { date: '2026-03-10', memo: 'March rent', lines: [{ ledger_id: rent, debit: amount }, { ledger_id: checking, credit: amount }], ...more })
const on = (debited: string, credited = checking, more: object = {}) =>
  body({ lines: [{ ledger_id: debited, amount: 500, ...more }, { ledger_id: credited, amount: -500 }] })

async function write(more: object = {}, by: Client = client): Promise<Entry> {
  const answer = await by.post('/journal-entries', { ...body(), ...more })
  expect(answer.status, JSON.stringify(answer.detail)).toBe(201)
  return answer.data
}

const balanceOf = async (ledger_id: string): Promise<number> =>
  Number((await sql('select coalesce(sum(debit - credit), 0) as balance from ledger_months where ledger_id = $1', [ledger_id]))[0].balance)

async function setPeriod(name: string, action: string, given: object = {}): Promise<void> {
  const { data } = await client.get('/accounting-periods', { limit: 100 })
  const { status, detail } = await client.put(`/accounting-periods/${data.items.find((each: { name: string }) => each.name === name).id}/${action}`, given)
  expect(status, JSON.stringify(detail)).toBe(200)
}

describe('an entry', () => {
  it('posted at once has its number, seal and lines, and moves its ledgers', async () => {
    const before = await balanceOf(rent)
    const entry = await write({ post: true })
    expect(entry).toMatchObject({
      status: 'posted', source_type: 'manual', source_id: null, currency: 'USD', rate: '1', total: 15_000, memo: 'March rent',
      prepared_by: team.owner.user_id, approved_by: null,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/), version: 1,
    })
    expect(
      entry.lines.map(({ position, amount, debit, credit, base_amount }) => [position, amount, debit, credit, base_amount]),
    ).toEqual([[1, 15_000, 15_000, 0, 15_000], [2, -15_000, 0, 15_000, -15_000]])
    expect((await client.get(`/journal-entries/${entry.id}`)).data).toEqual(entry)
    expect(await balanceOf(rent)).toBe(before + 15_000)
    expect(await eventsOf(entry.id)).toEqual(['journal_entry.posted'])
  })

  it('in another currency keeps both amounts; what rounding leaves over goes to the largest line', async () => {
    const given = body(
      {
        currency: 'CAD', rate: '0.75',
        lines: [
          { ledger_id: rent, debit: 101 }, { ledger_id: chart.named('Utilities'), debit: 101 },
          { ledger_id: chart.named('Owner\'s Capital'), credit: 202 },
        ],
      },
    )
    const entry = await write({ ...given, post: true })
    expect(
      entry.lines.map(({ amount, base_amount, currency }) => [amount, base_amount, currency]),
    ).toEqual([[101, 76, 'CAD'], [101, 76, 'CAD'], [-202, -152, 'CAD']])
  })

  it('with auto_reverse_on is posted with its mirror, and both are reversed together', async () => {
    const entry = await write({ date: '2026-04-30', auto_reverse_on: '2026-05-01', post: true })
    const [mirror] = await sql('select id, date::text, mirror_of_id, number::int from journal_entries where mirror_of_id = $1', [entry.id])
    expect(mirror).toMatchObject({ date: '2026-05-01', mirror_of_id: entry.id, number: (entry.number ?? 0) + 1 })
    expect((await client.put(`/journal-entries/${mirror.id}/reverse`, {})).data.status).toBe('reversed')
    expect((await client.get(`/journal-entries/${entry.id}`)).data.status).toBe('reversed')
  })

  it('on a receivable opens an item, which another settles', async () => {
    const receivable = chart.role('accounts_receivable')
    const customer_id = await newCustomer(client)
    const opened = await write({ ...on(receivable, chart.role('sales'), { customer_id }), post: true })
    const settle = (amount: number) => client.post('/journal-entries', {
      ...body(), post: true, lines: [
        { ledger_id: receivable, amount: -amount, customer_id, settles_line_id: opened.lines[0]?.id }, { ledger_id: checking, amount },
      ],
    })
    expect(await settle(501)).toMatchObject({ status: 400, detail: expect.stringMatching(/settles 5.01 where 5.00 USD is open/) })
    expect((await settle(500)).status).toBe(201)
    expect((await client.put(`/journal-entries/${opened.id}/reverse`, {})).detail).toMatch(/is settled by entry/)
  })

  it('under an idempotency key is posted once; a dry run posts nothing', async () => {
    const headers = { 'idempotency-key': newId() }
    const [first, second] = [
      await client.post('/journal-entries', body({ post: true }), { headers }),
      await client.post('/journal-entries', body({ post: true }), { headers }),
    ]
    expect(second.data.id).toBe(first.data.id)
    const dry = await client.call('POST', '/journal-entries', { query: { dry_run: true }, body: body({ post: true }) })
    expect([dry.status, dry.data.status]).toEqual([201, 'posted'])
    expect((await client.get(`/journal-entries/${dry.data.id}`)).status).toBe(404)
  })
})

describe('a draft', () => {
  it('need not balance, changes as a whole, and keeps its id when it is posted', async () => {
    const draft = await write({ lines: [{ ledger_id: rent, debit: 100 }, { ledger_id: checking, credit: 90 }] })
    expect(draft).toMatchObject({ status: 'draft', number: null, hash: null, posted_at: null, total: 100 })
    const path = `/journal-entries/${draft.id}`
    expect((await client.put(`${path}/post`)).detail).toMatch(/does not balance/)
    const changed = await client.put(path, { memo: null, is_adjusting: true, lines: [{ ledger_id: rent, debit: 90 }, { ledger_id: checking, credit: 90 }] })
    expect(changed.data).toMatchObject({ memo: null, is_adjusting: true, date: '2026-03-10', total: 90, version: draft.version + 1 })
    expect((await client.put(path, {})).data.version).toBe(draft.version + 1)
    const posted = await client.put(`${path}/post`)
    expect(posted.data).toMatchObject({ id: draft.id, status: 'posted', is_adjusting: true, number: expect.any(Number), version: 1 })
    expect((await client.put(`${path}/post`)).data).toEqual(posted.data)
    expect((await client.get(path)).data).toEqual(posted.data)
    expect(await sql('select id from journal_drafts where id = $1', [draft.id])).toEqual([])
    expect(await eventsOf(draft.id)).toEqual(['journal_entry.created', 'journal_entry.updated', 'journal_entry.posted'])
  })

  it('on a closed date can be written, but not posted', async () => {
    const draft = await write({ date: '2026-01-20' })
    expect((await client.put(`/journal-entries/${draft.id}/post`)).detail).toMatch(/2026-01 is closed/)
    expect((await client.delete(`/journal-entries/${draft.id}`)).data.id).toBe(draft.id)
    expect((await client.get(`/journal-entries/${draft.id}`)).status).toBe(404)
    expect(
      (await client.get(`/journal-entries/${draft.id}/history`)).data.items.map(({ action }: { action: string }) => action),
    ).toEqual(['journal_entry.deleted', 'journal_entry.created'])
  })

  it.each([
    ['a ledger that does not exist', () => on(newId()), 404, /of line 1 not found/],
    ['a ledger that takes no lines by hand', () => on(chart.role('inventory')), 400, /takes no lines by hand/],
    ['two kinds of amount', () => on(rent, checking, { debit: 1 }), 400, /exactly one/],
  ] as const)('with %s is refused, written or changed', async (_, wrong, status, detail) => {
    expect(await client.post('/journal-entries', wrong())).toMatchObject({ status, detail: expect.stringMatching(detail) })
    const draft = await write()
    expect(await client.put(`/journal-entries/${draft.id}`, { lines: wrong().lines })).toMatchObject({ status, detail: expect.stringMatching(detail) })
  })

  it('in a currency whose rate is not known is worth nothing yet', async () => {
    const draft = await write({ currency: 'AUD', lines: [{ ledger_id: rent, debit: 100 }, { ledger_id: chart.named('Utilities'), credit: 100 }] })
    expect(draft).toMatchObject({ total: 0, lines: [{ base_amount: null, rate: null }, { base_amount: null }] })
    expect((await client.put(`/journal-entries/${draft.id}`, { rate: '0.65' })).data).toMatchObject(
      { total: 65, lines: [{ base_amount: 65, rate: '0.65' }, { base_amount: -65 }] },
    )
    expect(
      (await client.put(`/journal-entries/${draft.id}`, { currency: 'USD', rate: null })).data,
    ).toMatchObject({ total: 100, lines: [{ currency: 'USD', base_amount: 100 }, {}] })
  })

  it('posted by two at once is posted once; a stale If-Match is a 412, also across posting', async () => {
    const draft = await write()
    const path = `/journal-entries/${draft.id}`
    const [first, second] = await Promise.all([client.put(`${path}/post`), client.put(`${path}/post`)])
    expect([first.status, second.status, first.data.number]).toEqual([200, 200, second.data.number])
    expect((await client.put(path, { memo: 'Stale' }, { headers: { 'if-match': `"${draft.version}"` } })).status).toBe(412)
    expect((await client.put(path, { memo: 'Fresh' }, { headers: { 'if-match': '"1"' } })).data).toMatchObject({ memo: 'Fresh', version: 2 })
  })

  it('copied from an entry is dated today', async () => {
    const entry = await write(
      {
        currency: 'CAD', rate: '0.8', memo: 'Copy me',
        lines: [{ ledger_id: rent, debit: 100 }, { ledger_id: chart.named('Utilities'), credit: 100 }], post: true,
      },
    )
    const copy = await client.post(`/journal-entries/${entry.id}/duplicate`)
    expect(copy.data).toMatchObject(
      {
        status: 'draft', date: '2026-06-15', memo: 'Copy me', currency: 'CAD', total: 80,
        lines: [{ amount: 100, base_amount: 80 }, { amount: -100, base_amount: -80 }],
      },
    )
    expect((await client.put(`/journal-entries/${copy.data.id}/post`)).status).toBe(200)
    const [invoice] = await post(
      team.business_id, { date: '2026-03-03', source_type: 'count', source_id: newId(), lines: [[chart.role('inventory'), 100], [checking, -100]] },
    )
    expect((await client.post(`/journal-entries/${invoice?.id}/duplicate`)).detail).toMatch(/takes no lines by hand/)
  })

  it('in a period stands in the way of closing it', async () => {
    const own = await newBusiness()
    const { named } = await chartOf(own.business_id)
    const lines = [{ ledger_id: named('Rent'), debit: 1 }, { ledger_id: named('Checking'), credit: 1 }]
    const { data: draft } = await own.client.post('/journal-entries', { date: '2026-01-15', memo: 'Forgotten', lines })
    const period = (await own.client.get('/accounting-periods', { descending: false })).data.items[0]
    const close = () => own.client.put(`/accounting-periods/${period.id}/close`, { accept_warnings: true })
    const detail = expect.stringMatching(/An entry is not posted: “Forgotten” of 2026-01-15. Post or delete it./)
    expect(await close()).toMatchObject({ status: 400, detail })
    await own.client.delete(`/journal-entries/${draft.id}`)
    expect((await close()).data.status).toBe('closed')
  })
})

describe('a posted entry', () => {
  it('changes nothing but its memo', async () => {
    const entry = await write({ post: true })
    const path = `/journal-entries/${entry.id}`
    const changed = await client.put(path, { memo: 'Other words' })
    expect(changed.data).toMatchObject({ memo: 'Other words', version: 2, hash: entry.hash })
    expect((await client.put(path, { memo: 'Other words' })).data.version).toBe(2)
    expect(await client.put(path, { memo: 'x', date: '2026-04-01' })).toMatchObject(
      { status: 400, detail: expect.stringMatching(/only its memo can change, not date/) },
    )
    expect(await client.delete(path)).toMatchObject({ status: 400, detail: `Entry ${entry.number} is posted: reverse it instead.` })
    expect((await client.put(`${path}/submit`)).detail).toBe(`Entry ${entry.number} is posted: reverse it instead.`)
    expect((await client.put(`${path}/reject`, { reason: 'x' })).status).toBe(400)
    expect(await eventsOf(entry.id)).toEqual(['journal_entry.posted', 'journal_entry.updated'])
  })

  it('is reversed once; again changes nothing, and a reversal stays', async () => {
    const entry = await write({ post: true })
    const before = await balanceOf(rent)
    const path = `/journal-entries/${entry.id}/reverse`
    expect(await client.put(path, { reversal_date: '2026-03-09' })).toMatchObject({ status: 400, detail: expect.stringMatching(/cannot be before 2026-03-10/) })
    expect((await client.put(path, {}, { headers: { 'if-match': '"9"' } })).status).toBe(412)
    const reversed = await client.put(path, { reversal_date: '2026-04-01', memo: 'Wrong' })
    expect(reversed.data).toMatchObject({ status: 'reversed', reversed_by_id: expect.any(String), version: 2 })
    const [again, at_once] = await Promise.all([client.put(path, {}), client.put(path, { reversal_date: '2026-05-01' })])
    expect([again.data, at_once.data]).toEqual([reversed.data, reversed.data])
    expect(await balanceOf(rent)).toBe(before - 15_000)
    const { data: reversal } = await client.get(`/journal-entries/${reversed.data.reversed_by_id}`)
    expect(reversal).toMatchObject({ date: '2026-04-01', memo: 'Wrong', reversal_of_id: entry.id, status: 'posted' })
    expect(await client.put(`/journal-entries/${reversal.id}/reverse`, {})).toMatchObject({ status: 400, detail: expect.stringMatching(/is a reversal/) })
    expect((await client.put(`/journal-entries/${entry.id}/post`)).detail).toMatch(/is reversed/)
    expect(await eventsOf(entry.id)).toEqual(['journal_entry.posted', 'journal_entry.reversed'])
  })

  it('is reversed by two at once only once', async () => {
    const entry = await write({ post: true })
    const answers = await Promise.all([1, 2, 3].map(() => client.put(`/journal-entries/${entry.id}/reverse`, {})))
    expect(answers.map(({ status, data }) => [status, data.reversed_by_id])).toEqual(answers.map(() => [200, answers[0]?.data.reversed_by_id]))
    expect(await sql('select count(*)::int as count from journal_entries where reversal_of_id = $1', [entry.id])).toEqual([{ count: 1 }])
  })

  it('of a document is corrected through the document', async () => {
    const source_id = newId()
    const [entry] = await post(team.business_id, { date: '2026-03-03', source_type: 'invoice', source_id, lines: [[rent, 100], [checking, -100]] })
    const path = `/journal-entries/${entry?.id}`
    const calls = [client.put(path, { memo: 'x' }), client.delete(path), client.put(`${path}/reverse`, {}), client.put(`${path}/date`, { date: '2026-04-01' })]
    for (const { status, detail } of await Promise.all(calls)) expect([status, detail]).toEqual(
      [400, `Entry ${entry?.number} belongs to invoice ${source_id}: change or void that instead.`],
    )
  })

  it('is put on another date, and the usual list shows only the new one', async () => {
    const memo = `Moving ${newId()}`
    const entry = await write({ memo, post: true })
    const path = `/journal-entries/${entry.id}/date`
    const moved = await client.put(path, { date: '2026-05-20' })
    expect(moved.data).toMatchObject({ date: '2026-05-20', memo, total: 15_000, status: 'posted' })
    expect(moved.data.id).not.toBe(entry.id)
    const listed = async (query: Record<string, string | boolean>) =>
      (await client.get('/journal-entries', { q: `"${memo}"`, ...query })).data.items.map(({ id }: Entry) => id)
    expect(await listed({})).toEqual([moved.data.id])
    expect((await listed({ include_superseded: true })).toSorted()).toEqual([entry.id, moved.data.id].toSorted())
    expect(
      (
        await client.get('/journal-entries', { include_superseded: true, limit: 1000 })
      ).data.items.filter(({ reversal_of_id }: Entry) => reversal_of_id === entry.id),
    ).toMatchObject([{ superseded: true, date: '2026-03-10' }])
    expect((await client.put(`/journal-entries/${moved.data.id}/date`, { date: '2026-05-20' })).data).toEqual(moved.data)
    expect((await client.put(path, { date: '2026-06-01' })).detail).toMatch(/is reversed/)
    expect(await eventsOf(moved.data.id)).toEqual(['journal_entry.redated'])
  })

  it('is not put on another date where either date is not open, or it has a mirror', async () => {
    const entry = await write({ post: true })
    const redate = (id: string, date: string) => client.put(`/journal-entries/${id}/date`, { date })
    expect(await redate(entry.id, '2026-01-20')).toMatchObject({ status: 400, detail: expect.stringMatching(/2026-01 is closed/) })
    expect(await redate(entry.id, '2025-06-01')).toMatchObject({ status: 400, detail: expect.stringMatching(/before the first period/) })
    const [old] = await sql('select id from journal_entries where business_id = $1 and date = $2', [team.business_id, '2026-02-20'])
    expect(await redate(old.id, '2026-03-20')).toMatchObject({ status: 400, detail: expect.stringMatching(/2026-02 is softly closed/) })
    const mirrored = await write({ auto_reverse_on: '2026-04-01', post: true })
    expect(await redate(mirrored.id, '2026-03-20')).toMatchObject({ status: 400, detail: expect.stringMatching(/has a mirror/) })
    const draft = await write()
    expect(await redate(draft.id, '2026-03-20')).toMatchObject({ status: 400, detail: 'This entry is a draft: change or delete it instead.' })
    expect(await client.put(`/journal-entries/${draft.id}/reverse`, {})).toMatchObject(
      { status: 400, detail: 'This entry is a draft: change or delete it instead.' },
    )
  })
})

describe('a preview', () => {
  it('says what would happen, with every reason against it, and writes nothing', async () => {
    const before = await balanceOf(rent)
    const { data } = await client.post('/journal-entries/preview', body())
    expect(data).toMatchObject(
      {
        balanced: true, difference: 0, total: 15_000, refusals: [],
        balances: [{ ledger_id: rent, before, change: 15_000, after: before + 15_000 }, { ledger_id: checking }],
      },
    )
    const wrong = await client.post('/journal-entries/preview', body({ date: '2026-01-20', lines: [
      { ledger_id: chart.role('inventory'), debit: 100 }, { ledger_id: chart.role('accounts_receivable'), debit: 1 }, { ledger_id: checking, credit: 100 },
    ] }))
    expect(wrong.data).toMatchObject({ balanced: false, difference: 1 })
    expect(wrong.data.refusals).toEqual([
      expect.stringMatching(/takes no lines by hand/), expect.stringMatching(/needs a customer_id/),
      expect.stringMatching(/2026-01 is closed/), expect.stringMatching(/does not balance/),
    ])
    expect((await client.post('/journal-entries/preview', on(newId()))).data.refusals).toEqual([expect.stringMatching(/of line 1 not found/)])
    expect((await client.post('/journal-entries/preview', body({ currency: 'GBP' }))).data.refusals.join()).toMatch(/No GBP\/USD rate/)
    expect((await client.post('/journal-entries/preview', body({ date: '2030-05-05' }))).data.refusals).toEqual([])
    expect(await sql('select count(*)::int as count from accounting_periods where business_id = $1', [team.business_id])).toEqual([{ count: 12 }])
    expect(await balanceOf(rent)).toBe(before)
  })
})
