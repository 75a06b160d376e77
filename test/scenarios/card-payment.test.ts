// A customer pays by card on the hosted page, the processor pays out, the bank shows the deposit: over HTTP alone, with a worker.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { client, type Client } from '../support/client.ts'
import { ownService, type Own, type Owner } from '../support/own.ts'
import { until } from '../support/process.ts'

let own: Own
let owner: Owner
let books: Client
beforeAll(async () => {
  own = await ownService({ DAYBOOK_POOL_SIZE: '10' })
  owner = await own.owner()
  books = owner.client
  await own.program.startWorker()
})
afterAll(() => own.stop())

async function balances(): Promise<Record<string, number>> {
  const rows = await own.sql(
    `select coalesce(l.role, 'bank') as name, sum(m.debit - m.credit)::int as balance from ledger_months m join ledgers l on l.business_id = m.business_id and l.id = m.ledger_id
     where m.business_id = $1 group by 1 having sum(m.debit - m.credit) <> 0`, [owner.business_id])
  return Object.fromEntries(rows.map(({ name, balance }) => [name, balance]))
}

it('from the link to the bank', async () => {
  expect((await books.post('/processor/connection', { return_url: 'https://example.com/a', refresh_url: 'https://example.com/b' })).data.status).toBe('active')
  const customer = await books.post('/customers', { name: 'Harbor Books', email: 'accounts@harbor.example' })
  const invoice = (await books.post('/invoices', { customer_id: customer.data.id, finalize: true, line_items: [{ description: 'Work', quantity: 1, unit_price: 100_000 }] })).data
  const token = invoice.hosted_invoice_url.split('/pay/')[1]
  const { data: checkout } = await client(null, null, own.url).post(`/processor/hosted/${token}/checkout`, {})
  const paid = await fetch(checkout.checkout_url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ number: '4242 4242 4242 4242', expiry: '12/90', cvc: '123' }) })
  expect([paid.status, paid.headers.get('location')]).toEqual([303, `${invoice.hosted_invoice_url}?paid=100000`])
  const get = async () => (await books.get(`/invoices/${invoice.id}`)).data
  await until('the invoice is paid', async () => (await get()).status === 'processor_paid')
  expect(await balances()).toEqual({ processor_clearing: 100_000, sales: -100_000 })

  await books.post('/sandbox/processor/payouts', {})
  const settlement = await until('the payout is known', async () => (await get()).processor_settlement)
  expect(settlement.payout).toMatchObject({ status: 'paid', amount_cents: 97_070, fee_amount_cents: 2_930, gross_amount_cents: 100_000, is_matched: false })
  expect(await balances()).toEqual({ bank: 97_070, processor_fees: 2_930, sales: -100_000 })

  const { items: [payout] } = (await books.get('/processor/payouts')).data
  const { bank_ledger_id } = (await books.get('/processor/connection')).data
  const { data: deposit } = await books.post('/transactions', { ledger_id: bank_ledger_id, amount: 97_070, datetime: payout.arrival_date, counterparty: 'PROCESSOR PAYOUT' })
  expect((await books.post(`/processor/payouts/${payout.id}/match`, { transaction_id: deposit.id })).data.is_matched).toBe(true)
  expect((await get()).processor_settlement.payout).toMatchObject({ is_matched: true, bank_transaction: { id: deposit.id, amount: 97_070 } })
  expect(await balances()).toEqual({ bank: 97_070, processor_fees: 2_930, sales: -100_000 })
  expect((await books.get('/processor/reconciliation')).data).toMatchObject({ ledger_balance: 0, difference: 0, rows: [] })
})
