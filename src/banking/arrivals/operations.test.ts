// Tests of rows on their way in: names, defaults that are applied at once or later, and what waits for a person instead.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { deliver } from '../../../test/support/events.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { claim, newBankRow, recordTransactions } from '../../ledger/cash-book/operations.ts'
import { arrive } from './operations.ts'

let team: Team
let client: Client
let checking: string
let rent: string
let meals: string
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  const { named } = await chartOf(team.business_id);
  [checking, rent, meals] = [named('Checking'), named('Rent'), named('Meals')]
})

const typed = async (amount: number, counterparty: string, more: object = {}) =>
  (await client.post('/transactions', { ledger_id: checking, amount, datetime: '2026-03-10', counterparty, ...more })).data
const get = async (id: string) => (await client.get(`/transactions/${id}`)).data
const usual = async (counterparty: string, more: object = {}) => {
  const { data, detail } = await client.post('/counterparty-defaults', { counterparty, ledger_id: rent, ...more })
  if (!data) throw new Error(JSON.stringify(detail))
  return data
}

describe('a new row', () => {
  it('goes where the default of its counterparty sends it, where that is applied without asking', async () => {
    const { id } = await usual('Landlord', { auto_apply: true, memo: 'Office' })
    await usual('Waiter')
    expect(await typed(-500, 'LANDLORD')).toMatchObject({
      status: 'categorized', category_source: 'default', default_id: id, category_memo: 'Office', lines: [{ ledger_id: rent, amount: 500 }], suggestion: null, version: 2,
    })
    expect(await typed(-500, 'Waiter')).toMatchObject({ status: 'unreviewed', suggestion: { ledger_id: rent } })
    const bulk = await client.post('/transactions/bulk', { transactions: Array.from({ length: 3 }, () => ({ ledger_id: checking, amount: -5, datetime: '2026-03-10', counterparty: 'Landlord' })) })
    expect(await Promise.all(bulk.data.results.map(async ({ id: made }: any) => (await get(made)).status))).toEqual(['categorized', 'categorized', 'categorized'])
    expect((await client.get('/counterparty-defaults', { counterparty: 'landlord' })).data.items).toMatchObject([{ applied_count: 4, corrected_count: 0 }])
  })

  it('waits where it cannot be posted, and comes in all the same', async () => {
    const { data: gone } = await client.post('/ledgers', { name: 'Gone costs', type: 'expense', subtype: 'operating' })
    await usual('Vanished', { auto_apply: true, ledger_id: gone.id })
    await client.put(`/ledgers/${gone.id}/archive`)
    expect(await typed(-500, 'Vanished')).toMatchObject({ status: 'unreviewed', suggestion: null })
    await usual('Early bird', { auto_apply: true })
    expect(await typed(-500, 'Early bird', { datetime: '2019-01-01' })).toMatchObject({ status: 'unreviewed', suggestion: { ledger_id: rent } })
  })

  it('waits where the same money may be in the books already', async () => {
    await usual('Twice Ltd', { auto_apply: true, ledger_id: rent })
    await inside(team.business_id, async (tx) => {
      const [transaction] = (await recordTransactions(tx, [{ ledger_id: checking, amount: 70_001, datetime: '2026-03-05' }])) as [CashRow]
      claim(tx, [{ id: newId(), transaction, document_type: 'invoice', document_id: newId(), amount: 70_001 }])
    })
    await post(team.business_id, { date: '2026-03-12', lines: [[rent, 80_002], [checking, -80_002]] })
    expect((await typed(70_001, 'Twice Ltd')).status).toBe('unreviewed')
    expect((await typed(-80_002, 'Twice Ltd')).status).toBe('unreviewed')
    expect((await typed(-80_003, 'Twice Ltd')).status).toBe('categorized')
  })

  it('that the bank reports gets the name that an alias knows', async () => {
    await client.post('/counterparty-aliases', { pattern: 'CITY POWER', match_type: 'starts_with', counterparty: 'City Power' })
    const { id } = await usual('City Power', { auto_apply: true })
    const rows = await inside(team.business_id, async (tx) => {
      const { books } = await readBooks(tx)
      const raw = (counterparty_raw: string, amount: number) => newBankRow(tx, books, { ledger_id: checking, amount, datetime: '2026-03-10', counterparty_raw, source: 'feed' })
      return arrive(tx, [raw('CITY POWER & LIGHT 0093', -321), raw('UNKNOWN SHOP 77', -322)])
    })
    expect(await get(rows[0]?.id ?? '')).toMatchObject({ counterparty: 'City Power', counterparty_raw: 'CITY POWER & LIGHT 0093', status: 'categorized', default_id: id })
    expect(await get(rows[1]?.id ?? '')).toMatchObject({ counterparty: expect.stringMatching(/unknown shop/i), status: 'unreviewed' })
  })

  it('that came in by a default and is corrected twice switches it off', async () => {
    await usual('Wrong again', { auto_apply: true })
    for (const amount of [-41, -42]) {
      const { id } = await typed(amount, 'Wrong again')
      await client.put(`/transactions/${id}/categorize`, { ledger_id: meals })
    }
    expect((await client.get('/counterparty-defaults', { counterparty: 'wrong again' })).data.items).toMatchObject([{ auto_apply: false, corrected_count: 2 }])
    expect(await typed(-43, 'Wrong again')).toMatchObject({ status: 'unreviewed' })
  })
})

describe('rows that wait', () => {
  it('follow a new default that is to hold for them too, and no others', async () => {
    const [first, second, other, taken] = [await typed(-1, 'Old friend'), await typed(-2, 'OLD FRIEND'), await typed(-3, 'Stranger'), await typed(4, 'Old friend')]
    await client.put(`/transactions/${taken.id}/categorize`, { ledger_id: meals })
    const { id } = await usual('Old friend', { apply_to_existing: true, direction: 'out' })
    await deliver(team.business_id)
    expect(await runJobs(team.business_id)).toContain('transactions.apply_default')
    expect([await get(first.id), await get(second.id), await get(other.id), await get(taken.id)]).toMatchObject([
      { status: 'categorized', default_id: id }, { status: 'categorized', default_id: id }, { status: 'unreviewed' }, { category_source: 'person' }])
    await deliver(team.business_id)
    expect(await runJobs(team.business_id)).not.toContain('transactions.apply_default')
    const [{ count }] = await sql(`select count(*)::int as count from journal_entries where source_id = any($1)`, [[first.id, second.id]])
    expect(count).toBe(2)
  })

  it('are categorized by what is proposed when somebody asks for it', async () => {
    const waiting = await typed(-9, 'Proposed')
    await usual('Proposed')
    expect((await client.post('/transactions/auto-categorize', { ledger_id: meals })).data).toEqual({ posted: 0, skipped: 0, more: false })
    const { data } = await client.post('/transactions/auto-categorize', { start_date: '2026-03-01', end_date: '2026-03-31' })
    expect(data.posted).toBeGreaterThanOrEqual(1)
    expect(await get(waiting.id)).toMatchObject({ status: 'categorized', category_source: 'default' })
    expect((await client.get('/books/verification')).data.checks.filter(({ ok }: any) => !ok)).toEqual([])
  })
})
