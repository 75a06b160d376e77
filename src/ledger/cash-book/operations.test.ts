// Tests of the primitives: rows are recorded, claimed and released as documents do it, one at a time and many at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside } from '../../../test/support/books.ts'
import { letGo, problemsOf, whileDamaged } from '../../../test/support/damage.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { CashRow, NewBookRow } from './contract.ts'
import { changeClaim, claim, lockTransactions, recordTransactions, release, transactionsByIds, transactionSummaries } from './operations.ts'

let team: Team
let checking: string
let sales: string
beforeAll(async () => {
  team = await newBusiness()
  const chart = await chartOf(team.business_id)
  checking = chart.named('Checking')
  sales = chart.role('sales')
})
afterAll(letGo)

const run = <T>(work: (tx: BusinessTx) => Promise<T>) => inside(team.business_id, work)
const bankRow = async (amount: number): Promise<string> =>
  (await team.client.post('/transactions', { ledger_id: checking, amount, datetime: '2026-03-10', counterparty: 'Acme' })).data.id
const read = async (id: string): Promise<CashRow | undefined> => (await run((tx) => transactionsByIds(tx, [id]))).get(id)
const refusalOf = (work: Promise<unknown>): Promise<{ status: number; detail: string }> =>
  work.then(() => { throw new Error('It was not refused.') }, (error) => error)

/** Locks a row and takes some of it for a document; gives the id of the claim. */
async function take(transaction_id: string, amount: number, document_id = newId()): Promise<string> {
  const id = newId()
  await run(async (tx) => {
    const transaction = (await lockTransactions(tx, [transaction_id])).get(transaction_id) as CashRow
    claim(tx, [{ id, transaction, document_type: 'invoice', document_id, amount }])
  })
  return id
}

/** A book row that one or more documents have whole. */
async function bookRow(...amounts: number[]): Promise<{ id: string; claim_ids: string[]; document_ids: string[] }> {
  const claim_ids = amounts.map(() => newId())
  const document_ids = amounts.map(() => newId())
  const id = await run(async (tx) => {
    const [row] = await recordTransactions(tx, [{ ledger_id: checking, amount: amounts.reduce((sum, one) => sum + one, 0), datetime: '2026-03-11' }])
    const transaction = row as CashRow
    claim(tx, amounts.map((amount, index) => (
      { id: claim_ids[index] ?? '', transaction, document_type: 'invoice', document_id: document_ids[index] ?? '', amount })))
    return transaction.id
  })
  return { id, claim_ids, document_ids }
}

const events = async (id: string): Promise<string[]> =>
  (await sql('select action from audit_trail where business_id = $1 and resource_id = $2 order by seq', [team.business_id, id])).map((row) => row.action)

describe('book rows', () => {
  it('are recorded on cash ledgers, in the currency of the ledger, and are matched', async () => {
    const customer_id = newId()
    const given: NewBookRow = {
      ledger_id: checking, amount: -4500, datetime: '2026-03-10', counterparty: 'Acme', description: 'Refund', reference: '1001', customer_id,
    }
    const [row] = await run((tx) => recordTransactions(tx, [given]))
    expect(row).toMatchObject({ ...given, currency: 'USD', kind: 'book', source: 'document', status: 'matched', claimed: 0, remaining: 4500, version: 1 })
    expect(await read(row?.id ?? '')).toEqual(row)
    expect(await run((tx) => recordTransactions(tx, []))).toEqual([])
  })

  it.each([
    ['a ledger that is no cash ledger', () => ({ ledger_id: sales, amount: 1 }), 400, / is no cash ledger: choose a bank account/],
    ['a ledger that is not there', () => ({ ledger_id: newId(), amount: 1 }), 404, /^Ledger .* not found/],
    ['no amount', () => ({ ledger_id: checking, amount: 0 }), 400, /an amount other than 0/],
  ])('are refused with %s', async (_what, given, status, detail) => {
    const refused = await refusalOf(run((tx) => recordTransactions(tx, [{ datetime: '2026-03-10', ...given() }])))
    expect([refused.status, refused.detail]).toEqual([status, expect.stringMatching(detail)])
  })

  it('shrink with what is released, and go with their last claim', async () => {
    const { id, claim_ids: [first = '', second = ''] } = await bookRow(600, 400)
    const partly = await run((tx) => release(tx, [first]))
    expect(partly).toMatchObject({ removed: [], transactions: [{ id, amount: 400, claimed: 400, remaining: 0, status: 'matched', version: 3 }] })
    expect(await read(id)).toEqual(partly.transactions[0])
    const wholly = await run((tx) => release(tx, [second]))
    expect(wholly).toMatchObject({ transactions: [], removed: [{ id }], claims: [{ id: second, amount: 400, document_type: 'invoice' }] })
    expect(await read(id)).toBeUndefined()
    expect(await events(id)).toEqual(['transaction.created', 'transaction.matched', 'transaction.released', 'transaction.deleted'])
  })

  it('move along with a claim that changes', async () => {
    const { id, claim_ids: [first = ''] } = await bookRow(600, 400)
    for (const [amount, whole] of [[900, 1300], [100, 500]] as const) {
      expect(await run((tx) => changeClaim(tx, first, amount))).toMatchObject({ amount: whole, claimed: whole, remaining: 0 })
      expect(await read(id)).toMatchObject({ amount: whole, claimed: whole, remaining: 0, status: 'matched' })
    }
  })
})

describe('claims', () => {
  it('take their part, and the row that was handed in says what is left', async () => {
    const id = await bankRow(150_000)
    const [a, b] = [newId(), newId()]
    const left = await run(async (tx) => {
      const transaction = (await lockTransactions(tx, [id])).get(id) as CashRow
      claim(tx, [{ id: newId(), transaction, document_type: 'invoice', document_id: a, amount: 90_000 }])
      claim(tx, [
        { id: newId(), transaction, document_type: 'invoice', document_id: b, amount: 10_000 },
        { id: newId(), transaction, document_type: 'customer_deposit', document_id: b, amount: 20_000 },
      ])
      return { ...transaction }
    })
    expect(left).toMatchObject({ claimed: 120_000, remaining: 30_000, status: 'partially_allocated', version: 3 })
    expect(await read(id)).toEqual(left)
    expect((await team.client.get(`/transactions/${id}`)).data).toMatchObject({
      status: 'partially_allocated', allocated_amount: 120_000, unallocated_amount: 30_000,
      matches: [{ type: 'invoice', id: a, amount: 90_000 }, { type: 'invoice', id: b, amount: 10_000 }, { type: 'customer_deposit', id: b, amount: 20_000 }],
    })
    expect(await events(id)).toEqual(['transaction.created', 'transaction.matched', 'transaction.matched'])
  })

  it('of more than is left are refused, and leave the row that was handed in as it was', async () => {
    const id = await bankRow(-1000)
    await take(id, 400)
    const said = await run(async (tx) => {
      const transaction = (await lockTransactions(tx, [id])).get(id) as CashRow
      const before = structuredClone(transaction)
      const again = () => claim(tx, [300, 301].map((amount) => ({ id: newId(), transaction, document_type: 'bill', document_id: newId(), amount })))
      expect(again).toThrow('The transaction of 2026-03-10 over -10.00 USD has 3.00 USD left, less than 3.01.')
      expect(transaction).toEqual(before)
      claim(tx, [])
      return transaction.remaining
    })
    expect(said).toBe(600)
    expect(await read(id)).toMatchObject({ claimed: 400, remaining: 600 })
  })

  it('on an excluded row are refused', async () => {
    const id = await bankRow(1000)
    await team.client.put(`/transactions/${id}/exclude`, { reason: 'personal' })
    expect(await refusalOf(take(id, 1))).toMatchObject({ status: 400, detail: expect.stringContaining('is excluded: restore it first') })
  })

  it('change within what is left', async () => {
    const id = await bankRow(1000)
    const [first] = [await take(id, 400), await take(id, 500)]
    expect(await run((tx) => changeClaim(tx, first, 500))).toMatchObject({ claimed: 1000, remaining: 0, status: 'matched', amount: 1000 })
    const { version } = (await read(id)) as CashRow
    expect(await run((tx) => changeClaim(tx, first, 500))).toMatchObject({ version })
    const refused = await refusalOf(run((tx) => changeClaim(tx, first, 501)))
    expect(refused).toMatchObject({ status: 400, detail: expect.stringContaining('has 5.00 USD left, less than 5.01') })
    expect(await refusalOf(run((tx) => changeClaim(tx, first, 0)))).toMatchObject({ status: 400 })
    expect(await run((tx) => changeClaim(tx, first, 1))).toMatchObject({ claimed: 501, status: 'partially_allocated' })
    expect(await refusalOf(run((tx) => changeClaim(tx, newId(), 1)))).toMatchObject({ status: 404 })
  })

  it('are released, several at once, and never twice', async () => {
    const ids = [await bankRow(1000), await bankRow(-700)]
    const claims = [await take(ids[0]!, 300), await take(ids[0]!, 300), await take(ids[1]!, 700)]
    expect(await run((tx) => release(tx, [claims[0]!, claims[2]!]))).toMatchObject({ removed: [], claims: [{ amount: 300 }, { amount: 700 }] })
    expect(await read(ids[0]!)).toMatchObject({ claimed: 300, remaining: 700, status: 'partially_allocated' })
    expect(await read(ids[1]!)).toMatchObject({ amount: -700, claimed: 0, remaining: 700, status: 'unreviewed', claims: [] })
    expect(await refusalOf(run((tx) => release(tx, [claims[0]!, claims[1]!])))).toMatchObject({ status: 404, detail: `Claim ${claims[0]} not found.` })
    expect(await run((tx) => release(tx, []))).toEqual({ claims: [], transactions: [], removed: [] })
    expect(await events(ids[1]!)).toEqual(['transaction.created', 'transaction.matched', 'transaction.released'])
  })
})

describe('many at once', () => {
  it('never claim more than there is: exactly as many succeed as fit', async () => {
    const id = await bankRow(1000)
    const outcomes = await Promise.allSettled(Array.from({ length: 25 }, () => take(id, 70)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(14)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(new Set(refused.map(({ detail }) => detail))).toEqual(new Set(['The transaction of 2026-03-10 over 10.00 USD has 0.20 USD left, less than 0.70.']))
    expect(await read(id)).toMatchObject({ claimed: 980, remaining: 20, version: 15 })
  })

  it('lock several rows in one order, whatever order they are named in', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(() => bankRow(1000)))
    const all = (order: string[]) => run(async (tx) => {
      const rows = await lockTransactions(tx, order)
      expect([...rows.keys()]).toEqual(ids.toSorted())
      claim(tx, [...rows.values()].map((transaction) => ({ id: newId(), transaction, document_type: 'invoice', document_id: newId(), amount: 100 })))
    })
    await Promise.all(Array.from({ length: 10 }, (_, index) => all(index % 2 ? ids : ids.toReversed())))
    for (const id of ids) expect(await read(id)).toMatchObject({ claimed: 1000, status: 'matched' })
  })

  it('release a claim once', async () => {
    const id = await bankRow(1000)
    const claimed = await take(id, 1000)
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => run((tx) => release(tx, [claimed]))))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await read(id)).toMatchObject({ claimed: 0, status: 'unreviewed', claims: [] })
  })

  it('of whom one has not locked the row are stopped by the database', async () => {
    const id = await bankRow(1000)
    const stale = (await read(id)) as CashRow
    await take(id, 600)
    const late = run(async (tx) => claim(tx, [{ id: newId(), transaction: stale, document_type: 'invoice', document_id: newId(), amount: 600 }]))
    expect(await refusalOf(late)).toMatchObject({ status: 400, detail: expect.stringContaining('Less is left of the transaction') })
    await expect(sql('update transactions set claimed = 1001 where id = $1', [id])).rejects.toThrow('transactions_claimed')
  })
})

it('summaries are what payments show', async () => {
  const id = await bankRow(4200)
  const found = await run((tx) => transactionSummaries(tx, [id, id, newId()]))
  const summary = { id, amount: 4200, currency: 'USD', datetime: '2026-03-10', counterparty: 'Acme', description: null, ledger_id: checking }
  expect([...found]).toEqual([[id, summary]])
  expect(await run((tx) => transactionSummaries(tx, []))).toEqual(new Map())
})

describe('the verification', () => {
  const COUNTED = 'Documents have claimed of every transaction what it says, and no more than its amount'
  const EXCLUDED = 'Every claim is on a transaction that is not excluded'

  it('finds nothing where nothing is wrong', async () => expect(await problemsOf(team.client)).toEqual({}))

  it('finds a row that says something else than its claims, and a claim without its row', async () => {
    const id = await bankRow(1000)
    const claimed = await take(id, 250)
    const damaged = (table: string, change: string) => whileDamaged(team.business_id, table, change, () => problemsOf(team.client))
    expect(await damaged('transaction_claims', `update transaction_claims set amount = 200 where business_id = $1 and id = '${claimed}'`)).toEqual({
      [COUNTED]: [`transaction ${id} over 10.00 USD says that 2.50 is claimed; its claims add up to 2.00`],
    })
    expect(await damaged('transactions', `delete from transactions where business_id = $1 and id = '${id}'`)).toEqual({
      [EXCLUDED]: [`claim ${claimed} is on transaction ${id}, which is excluded or gone`],
    })
    expect(await problemsOf(team.client)).toEqual({})
  })
})
