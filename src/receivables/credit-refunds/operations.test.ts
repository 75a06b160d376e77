import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newCustomer } from '../../../test/support/customers.ts'
import { inside } from '../../../test/support/books.ts'
import { creditInvoice, expectSound, newNote } from '../../../test/support/credits.ts'
import { newMember, sql } from '../../../test/support/people.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { lockMemos } from '../credit-memos/operations.ts'
import type { MemoRow } from '../credit-memos/contract.ts'
import { findProcessorRefund, refund, reverseRefund } from './operations.ts'

let seller: Seller
let checking: string
const at = async (time: string | null) => (await service()).clock.set(time)
beforeAll(() => at('2026-03-15T15:00:00Z'))
afterAll(() => at(null))
beforeEach(async () => {
  seller = await newSeller()
  checking = await seller.ledger('Checking')
})

const give = (memo_id: string, amount: number, more: object = { ledger_id: checking }) => seller.client.post(`/credit-memos/${memo_id}/refund`, { amount, method: 'bank', ...more })
const memoOf = async (id: string) => ok(await seller.client.get(`/credit-memos/${id}`))

it('gives a credit note back, by a row of its own or of the bank, and takes it back', async () => {
  const note = await newNote(seller, 4_000)
  const first = ok(await give(note.id, 1_500))
  expect(first).toMatchObject({ amount: 1_500, method: 'bank', refunded_on: '2026-03-15', transaction_amount: 1_500, realized_fx: 0 })
  expect(await seller.balances('Checking', 'accounts_receivable')).toEqual([-1_500, -2_500])
  const withdrawal = await seller.deposit(-3_000, { datetime: '2026-03-16' })
  ok(await give(note.id, 2_500, { transaction_id: withdrawal.id }))
  expect(await memoOf(note.id)).toMatchObject({ status: 'closed', refunded_total: 4_000, remaining: 0, base_remaining: 0 })
  expect(ok(await seller.client.get(`/transactions/${withdrawal.id}`)).unallocated_amount).toBe(500)
  expect(await seller.balances('Checking', 'accounts_receivable')).toEqual([-4_000, 0])
  expect((await seller.client.put(`/credit-memos/${note.id}/void`, {})).detail).toMatch(/40.00 USD of Credit note CM-0001 is refunded/)
  await expectSound(seller)
  const back = ok(await seller.client.delete(`/credit-memos/${note.id}/refunds/${first.id}`))
  expect(back).toMatchObject({ status: 'open', refunded_total: 2_500, remaining: 1_500 })
  expect(ok(await seller.client.delete(`/credit-memos/${note.id}/refunds/${first.id}`))).toEqual(back)
  expect(await sql('select count(*)::int as count from transactions where business_id = $1 and id = $2', [seller.business_id, first.transaction_id])).toEqual([{ count: 0 }])
  expect(ok(await seller.client.get(`/credit-memos/${note.id}/refunds`)).items).toHaveLength(1)
  expect(ok(await seller.client.get(`/credit-memos/${note.id}/refunds`, { include_superseded: true })).items).toHaveLength(2)
  expect(await seller.balances('Checking', 'accounts_receivable')).toEqual([-2_500, -1_500])
  await expectSound(seller)
})

it('gives a deposit back', async () => {
  const deposit = ok(await seller.client.post('/credit-memos', { customer_id: seller.customer_id, kind: 'deposit', amount: 4_000, deposit_ledger_id: checking, finalize: true }))
  ok(await give(deposit.id, 4_000))
  expect(await memoOf(deposit.id)).toMatchObject({ status: 'closed' })
  expect(await seller.balances('Checking', 'customer_deposits')).toEqual([0, 0])
  await expectSound(seller)
})

it('realises what the rate has made of money in another currency', async () => {
  const ledger = ok(await seller.client.post('/ledgers', { name: 'Euro account', type: 'asset', subtype: 'bank', currency: 'EUR', is_bank: true }))
  const customer_id = await newCustomer(seller.client, { currency: 'EUR' })
  ok(await seller.client.post('/fx/rates', { from_currency: 'EUR', to_currency: 'USD', date: '2026-03-14', rate: '1.30' }))
  const note = await newNote(seller, 3_000, { customer_id, fx_rate: '1.20' })
  expect(ok(await give(note.id, 1_000, { ledger_id: ledger.id }))).toMatchObject({ base_amount: 1_200, realized_fx: -100 })
  expect(ok(await give(note.id, 1_000, { ledger_id: checking, transaction_amount: 1_100 }))).toMatchObject({ transaction_amount: 1_100, realized_fx: 100 })
  expect(ok(await give(note.id, 1_000))).toMatchObject({ transaction_amount: 1_300 })
  expect(await memoOf(note.id)).toMatchObject({ status: 'closed', base_remaining: 0 })
  const deposit = ok(await seller.client.post('/credit-memos', { customer_id, kind: 'deposit', amount: 1_000, deposit_ledger_id: ledger.id, fx_rate: '1.25', finalize: true }))
  expect(ok(await give(deposit.id, 400, { ledger_id: ledger.id }))).toMatchObject({ base_amount: 500, realized_fx: -20 })
  const dollars = ok(await give(deposit.id, 600, { ledger_id: checking, transaction_amount: 700 }))
  expect(dollars).toMatchObject({ base_amount: 750, realized_fx: 50 })
  expect(await seller.balances('customer_deposits', 'accounts_receivable')).toEqual([0, 0])
  ok(await seller.client.delete(`/credit-memos/${deposit.id}/refunds/${dollars.id}`))
  expect(await memoOf(deposit.id)).toMatchObject({ remaining: 600, base_remaining: 750 })
  await expectSound(seller)
})

it('refuses what cannot be given back', async () => {
  const note = await newNote(seller, 4_000)
  const draft = ok(await seller.client.post('/credit-memos', { customer_id: seller.customer_id, line_items: [{ description: 'x', unit_price: 5 }] }))
  const deposit = await seller.deposit(500)
  expect((await give(note.id, 4_001)).detail).toBe('Credit note CM-0001 has 40.00 USD left, less than 40.01 USD.')
  expect((await give(draft.id, 1)).detail).toMatch(/is draft/)
  expect((await give(note.id, 1, { ledger_id: checking, refunded_on: '2026-03-14' })).detail).toMatch(/is of 2026-03-15/)
  expect((await give(note.id, 1, { transaction_id: deposit.id })).detail).toMatch(/is a deposit/)
  expect((await give(note.id, 1, { transaction_id: newId() })).status).toBe(404)
  expect((await give(note.id, 1, { ledger_id: newId() })).status).toBe(404)
  expect((await give(note.id, 1, {})).detail[0].loc).toEqual(['body', 'ledger_id'])
  expect((await give(note.id, 1, { ledger_id: checking, transaction_id: deposit.id })).status).toBe(422)
  expect((await give(note.id, 1, { ledger_id: await seller.ledger('sales') })).status).toBe(400)
  const { client } = await newMember(seller.business_id, 'bookkeeper')
  expect((await client.post(`/credit-memos/${note.id}/refund`, { amount: 1, method: 'bank', ledger_id: checking })).status).toBe(403)
  const raced = await Promise.all([1, 2].map(() => give(note.id, 4_000)))
  expect(raced.map(({ status }) => status).toSorted()).toEqual([201, 400])
  await expectSound(seller)
})

it('goes through the processor, and is given back where that fails', async () => {
  const invoice = await seller.open()
  ok(await seller.client.put(`/invoices/${invoice.id}/paid`, {}))
  const note = await creditInvoice(seller, invoice.id, { mode: 'amount', amount: 4_000, reason: 'processor_refund' })
  const clearing = await seller.ledger('processor_clearing')
  const made = await inside(seller.business_id, async (tx) => {
    const memo = (await lockMemos(tx, [note.id])).get(note.id) as MemoRow
    return (await refund(tx, memo, { amount: 4_000, method: 'processor', ledger_id: clearing, refunded_on: '2026-03-15', processor_refund_id: 're_1' })).refund
  })
  expect(await memoOf(note.id)).toMatchObject({ status: 'closed', journal_entries: [{ role: 'finalization' }, { role: 'refund' }] })
  expect(await seller.balances('processor_clearing', 'accounts_receivable', 'sales')).toEqual([-4_000, 0, -6_000])
  expect((await seller.client.get(`/invoices/${invoice.id}`)).data.status).toBe('manual_paid')
  expect((await seller.client.delete(`/credit-memos/${note.id}/refunds/${made.id}`)).detail).toMatch(/cannot be taken back/)
  await inside(seller.business_id, async (tx) => {
    const found = await findProcessorRefund(tx, 're_1')
    if (found) await reverseRefund(tx, (await lockMemos(tx, [note.id])).get(note.id) as MemoRow, found, 'credit_memo.refund_failed')
  })
  expect(await memoOf(note.id)).toMatchObject({ status: 'open', remaining: 4_000 })
  expect(await seller.balances('processor_clearing')).toEqual([0])
  await expectSound(seller)
})
