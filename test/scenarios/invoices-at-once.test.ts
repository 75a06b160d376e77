// Many at once on the same invoices: whatever the order, the ledger ties, nothing is paid twice and no number is missing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { sql } from '../support/people.ts'
import { newSeller, ok, type Seller } from '../support/sales.ts'
import { service } from '../support/service.ts'

let seller: Seller
beforeAll(async () => {
  ;(await service()).clock.set('2026-03-15T15:00:00Z')
})
afterAll(async () => (await service()).clock.set(null))

const CLIENTS = 64
const tally = (answers: readonly Answer[]) => Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, same]) => [status, same.length]))

/** What must be true whatever has happened. */
async function audit(): Promise<void> {
  const [books] = await sql(
    `select (select coalesce(sum(m.debit - m.credit), 0)::bigint from ledger_months m join ledgers g using (business_id) where m.ledger_id = g.id and g.role = 'accounts_receivable' and g.business_id = $1) as receivable,
       (select coalesce(sum(balance_due - written_off), 0)::bigint from invoices where business_id = $1 and status not in ('draft', 'void')) as owed,
       (select coalesce(sum(base_balance), 0)::bigint from invoices where business_id = $1 and status not in ('draft', 'void')) as carried`, [seller.business_id])
  expect(books.receivable).toBe(books.owed)
  expect(books.carried).toBe(books.owed)
  const wrong = await sql(
    `select i.id from invoices i
     left join lateral (select sum(amount) as paid from invoice_payments p where p.business_id = i.business_id and p.invoice_id = i.id and reversed_at is null) p on true
     where i.business_id = $1 and (coalesce(p.paid, 0) <> i.total_paid or i.total_paid > i.total
       or (select count(*) from invoice_entries e where e.business_id = i.business_id and e.invoice_id = i.id and e.role = 'finalization' and e.standing) <> (case when i.status in ('draft', 'void') then 0 else 1 end))`,
    [seller.business_id])
  expect(wrong).toEqual([])
  const claims = await sql(`select 1 from transactions t where business_id = $1 and claimed <> (select coalesce(sum(amount), 0) from transaction_claims c where c.business_id = t.business_id and c.transaction_id = t.id)`, [seller.business_id])
  expect(claims).toEqual([])
  const report = ok(await seller.client.get('/books/verification'))
  expect(report.checks.filter((check: { ok: boolean }) => !check.ok)).toEqual([])
}

describe('64 clients at once', () => {
  it('finalize, pay, void and update one invoice: no 500, the ledger ties, nothing is paid twice', async () => {
    seller = await newSeller()
    const { id } = await seller.invoice({ line_items: [{ description: 'Work', unit_price: 64_000 }] })
    const deposit = await seller.deposit(50_000)
    const acts = [
      () => seller.client.put(`/invoices/${id}/finalize`, {}),
      () => seller.client.post(`/invoices/${id}/payments`, { amount: 20_000, transaction_id: deposit.id }),
      () => seller.client.put(`/invoices/${id}`, { id, description: 'Changed', invoice_date: '2026-02-10', due_date: '2026-04-01' }),
      () => seller.client.put(`/invoices/${id}/paid`, {}),
      () => seller.client.put(`/invoices/${id}/unpaid`, {}),
      () => seller.client.put(`/invoices/${id}/void`, {}),
      () => seller.client.put(`/invoices/${id}`, { id, invoice_date: '2026-03-01', due_date: '2026-04-01' }),
      () => seller.client.post(`/invoices/${id}/payments`, { amount: 1_000 }),
    ]
    for (const _round of [1, 2, 3]) {
      const answers = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => acts[index % acts.length]?.() as Promise<Answer>))
      expect(Object.keys(tally(answers)).filter((status) => !['200', '201', '400'].includes(status))).toEqual([])
      await audit()
    }
  })

  it('finalize 64 drafts: the numbers have no gap and no twin', async () => {
    seller = await newSeller()
    const drafts = await Promise.all(Array.from({ length: CLIENTS }, () => seller.invoice()))
    const answers = await Promise.all(drafts.flatMap(({ id }) => [seller.client.put(`/invoices/${id}/finalize`, {}), seller.client.put(`/invoices/${id}/finalize`, {})]))
    expect(tally(answers)).toEqual({ 200: 2 * CLIENTS })
    const numbers = new Set(answers.map(({ data }) => data.number))
    expect([...numbers].sort()).toEqual(Array.from({ length: CLIENTS }, (_, index) => `INV-${String(index + 1).padStart(4, '0')}`))
    await audit()
  })

  it('pay one invoice from one deposit: never more than either has', async () => {
    seller = await newSeller()
    const { id } = await seller.open({ line_items: [{ description: 'Work', unit_price: 10_000 }] })
    const other = await seller.open({ line_items: [{ description: 'Work', unit_price: 10_000 }] })
    const deposit = await seller.deposit(15_000)
    const answers = await Promise.all(Array.from({ length: CLIENTS }, (_, index) =>
      seller.client.post(`/invoices/${index % 2 ? id : other.id}/payments`, { amount: 1_000, transaction_id: deposit.id })))
    expect(tally(answers)).toEqual({ 201: 15, 400: CLIENTS - 15 })
    await audit()
  })
})
