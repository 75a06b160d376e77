// Tests of collections: the order, promises that are kept or not, and what the clock makes late.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inside } from '../../../test/support/books.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { sql } from '../../../test/support/people.ts'
import { randomOf } from '../../../test/support/random-books.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { addDays, daysBetween } from '../../foundation/calendar.ts'
import { newId } from '../../foundation/ids.ts'
import { openLog } from '../../foundation/log.ts'
import type { CollectionCase } from './contract.ts'
import { recordOverdueInvoices } from './jobs.ts'
import { recordOverdue } from './operations.ts'

const TODAY = '2026-03-15'
const at = async (time: string | null) => (await service()).clock.set(time)
let seller: Seller
beforeAll(() => at(`${TODAY}T15:00:00Z`))
afterAll(() => at(null))
beforeEach(async () => {
  await at(`${TODAY}T15:00:00Z`)
  seller = await newSeller()
})

const collections = async (query = {}) => ok(await seller.client.get('/invoices/collections', query))
const owe = (customer_id: string, unit_price: number, days_late: number) =>
  seller.open({ customer_id, line_items: [{ description: 'Work', unit_price }], invoice_date: '2026-01-01', due_date: addDays(TODAY, -days_late) })
const promise = (customer_id: string, body: object) => seller.client.post(`/customers/${customer_id}/collection-activities`, { kind: 'promise', ...body })

describe('collections', () => {
  it('say who owes what, since when, and what was done about it', async () => {
    expect(await collections()).toMatchObject({ items: [], summary: { open: 0, overdue: 0, dso_days: null, average_days_late: null, promises_due: 0 } })
    const { customer_id } = seller
    const late = await owe(customer_id, 10_000, 20)
    await owe(customer_id, 5_000, -10)
    const given_up = await owe(customer_id, 7_000, 40)
    ok(await seller.client.put(`/invoices/${given_up.id}/uncollectible`, {}))
    ok(await seller.client.post(`/invoices/${late.id}/payments`, { amount: 4_000, paid_on: '2026-03-01' }))
    ok(await seller.client.post(`/customers/${customer_id}/collection-activities`, { kind: 'call' }))
    await at('2026-03-15T16:00:00Z')
    ok(await seller.client.post(`/customers/${customer_id}/collection-activities`, { kind: 'note', note: 'Quiet.' }))
    const { items, summary } = await collections()
    expect(items).toEqual([{
      customer_id, customer_name: 'Acme Widgets', open: 11_000, overdue: 6_000, disputed: 0, oldest_due_date: '2026-02-23', days_late: 20, invoices: 2, broken_promises: 0,
      promised_on: null, last_payment_on: '2026-03-01', last_contact_on: TODAY, risk: 'low', priority: 1_200,
    }])
    // 11,000 receivable, and 22,000 invoiced within 90 days.
    expect(summary).toEqual({ open: 11_000, overdue: 6_000, dso_days: 45, average_days_late: 20, promises_due: 0 })
  })

  it('come with the most urgent first, as the rules say, page by page', async () => {
    const random = randomOf(7)
    const customers = [seller.customer_id]
    for (let index = 0; index < 5; index++) customers.push(await newCustomer(seller.client))
    for (const customer_id of customers) {
      for (let count = 1 + random(2); count > 0; count--) {
        const { id } = await owe(customer_id, 1_000 + random(9_000), random(90) - 20)
        if (random(2) === 0) ok(await promise(customer_id, { invoice_ids: [id], promised_on: addDays(TODAY, random(20) - 15) }))
      }
    }
    await sql(`update invoices set due_date = due_date - 60 where business_id = $1 and customer_id = $2`, [seller.business_id, customers[3]])
    await sql(`update invoices set disputed = true where id = (select id from invoices where business_id = $1 order by base_balance desc limit 1)`, [seller.business_id])
    const { items, summary } = await collections()
    expect(items).toHaveLength(6)
    for (const row of items) expect(row).toMatchObject(await counted(row.customer_id))
    const priorities = items.map(({ priority }: CollectionCase) => priority)
    expect(priorities).toEqual([...priorities].sort((a, b) => b - a))
    expect(summary.open).toBe(items.reduce((sum: number, { open }: CollectionCase) => sum + open, 0))
    expect(summary.overdue).toBe(items.reduce((sum: number, { overdue }: CollectionCase) => sum + overdue, 0))
    const first = await collections({ limit: 4 })
    const second = await collections({ limit: 4, cursor: first.next_cursor })
    expect([...first.items, ...second.items]).toEqual(items)
    expect((await collections({ overdue: true })).items).toEqual(items.filter(({ overdue }: CollectionCase) => overdue > 0))
    expect((await collections({ overdue: false })).items).toEqual(items.filter(({ overdue }: CollectionCase) => overdue === 0))
    expect((await collections({ customer_id: items[2].customer_id })).items).toEqual([items[2]])
  })

  /** The same from the invoices themselves. */
  async function counted(customer_id: string) {
    const rows = await sql(`select base_balance::float8 as amount, coalesce(due_date, invoice_date)::text as due_on, promised_on::text, disputed from invoices
      where customer_id = $1 and status in ('open', 'partially_paid')`, [customer_id])
    const late = rows.filter(({ due_on }) => due_on < TODAY)
    const sum = (all: any[]) => all.reduce((total, { amount }) => total + amount, 0)
    const days_late = Math.max(0, ...late.map(({ due_on }) => daysBetween(due_on, TODAY)))
    const broken_promises = rows.filter(({ promised_on }) => promised_on !== null && promised_on < TODAY).length
    const risk = days_late > 90 || broken_promises >= 2 ? 'high' : days_late > 30 || broken_promises >= 1 ? 'medium' : 'low'
    const cent_days = late.filter(({ disputed }) => !disputed).reduce((total, { amount, due_on }) => total + amount * daysBetween(due_on, TODAY), 0)
    const factor = 4 + Math.min(2 * broken_promises, 4) + { low: 0, medium: 1, high: 2 }[risk]
    return {
      open: sum(rows), overdue: sum(late), disputed: sum(rows.filter(({ disputed }) => disputed)), invoices: rows.length, days_late, broken_promises, risk,
      priority: Math.trunc((cent_days * factor) / 400),
    }
  }

  it('follow a customer into the one it was merged into', async () => {
    const other = await newCustomer(seller.client, { name: 'Other' })
    await owe(other, 300, 5)
    await owe(seller.customer_id, 200, 5)
    ok(await seller.client.post(`/customers/${other}/merge`, { source_ids: [seller.customer_id] }))
    expect(await collections({ customer_id: seller.customer_id })).toMatchObject({ items: [{ customer_id: other, open: 500, invoices: 2 }] })
  })

  it('refuse a customer that is not there', async () => {
    expect((await seller.client.get('/invoices/collections', { customer_id: newId() })).status).toBe(404)
  })
})

describe('promises', () => {
  it('stand on the invoices they were given for, and are broken when their day has passed', async () => {
    const { customer_id } = seller
    const [first, second] = [await owe(customer_id, 100, 5), await owe(customer_id, 200, 5)]
    ok(await promise(customer_id, { invoice_ids: [first.id, second.id], promised_on: '2026-03-16' }))
    const shown = ok(await seller.client.get(`/invoices/${first.id}`))
    expect(shown).toMatchObject({ promised_on: '2026-03-16', version: first.version + 1 })
    expect(await eventsOf(second.id)).toContain('invoice.updated')
    expect(await collections()).toMatchObject({ items: [{ promised_on: '2026-03-16', broken_promises: 0, last_contact_on: TODAY }], summary: { promises_due: 0 } })
    // The same promise again changes nothing.
    ok(await promise(customer_id, { invoice_ids: [first.id], promised_on: '2026-03-16' }))
    expect(ok(await seller.client.get(`/invoices/${first.id}`)).version).toBe(shown.version)
    await at('2026-03-16T15:00:00Z')
    expect((await collections()).summary.promises_due).toBe(2)
    await at('2026-03-17T15:00:00Z')
    ok(await seller.client.put(`/invoices/${second.id}/paid`, {}))
    expect(await collections()).toMatchObject({ items: [{ promised_on: '2026-03-16', broken_promises: 1, risk: 'medium' }], summary: { promises_due: 1 } })
  })

  it('without invoices are shown all the same', async () => {
    await owe(seller.customer_id, 100, 5)
    ok(await promise(seller.customer_id, { promised_on: '2026-03-20' }))
    expect((await collections()).items).toMatchObject([{ promised_on: '2026-03-20', broken_promises: 0 }])
  })

  it('are about open invoices of this customer', async () => {
    const other = await newCustomer(seller.client)
    const [foreign, own, draft] = [await owe(other, 100, 5), await owe(seller.customer_id, 100, 5), await seller.invoice()]
    const promised_on = '2026-03-20'
    expect((await promise(seller.customer_id, { invoice_ids: [own.id, foreign.id], promised_on })).status).toBe(404)
    expect((await seller.client.post(`/customers/${seller.customer_id}/collection-activities`, { kind: 'call', invoice_ids: [foreign.id] })).status).toBe(404)
    const refused = await promise(seller.customer_id, { invoice_ids: [draft.id], promised_on })
    expect([refused.status, refused.detail]).toEqual([400, expect.stringContaining('draft')])
    expect(ok(await seller.client.get(`/invoices/${own.id}`)).promised_on).toBeNull()
    expect(ok(await seller.client.get(`/customers/${seller.customer_id}/collection-activities`)).items).toEqual([])
  })
})

describe('what becomes overdue', () => {
  const run = async () => recordOverdueInvoices.run({ database: (await service()).program.database, log: openLog('silent'), mailer: null as never, job_id: 'test' }, {} as never)
  const told = async (id: string) => (await eventsOf(id)).filter((type) => type === 'invoice.overdue').length

  it('is told once, on the first day late where the business is', async () => {
    const [due, later, given_up, paid] = [await owe(seller.customer_id, 100, 0), await owe(seller.customer_id, 100, -1), await owe(seller.customer_id, 100, 0), await owe(seller.customer_id, 100, 0)]
    ok(await seller.client.put(`/invoices/${given_up.id}/uncollectible`, {}))
    ok(await seller.client.put(`/invoices/${paid.id}/paid`, {}))
    // In New York it is still the day it is due.
    await at('2026-03-16T03:00:00Z')
    await run()
    expect(await told(due.id)).toBe(0)
    await at('2026-03-16T05:00:00Z')
    await Promise.all([run(), run()])
    await run()
    expect(await Promise.all([due, later, given_up, paid].map(({ id }) => told(id)))).toEqual([1, 0, 0, 0])
    const before = ok(await seller.client.get(`/invoices/${due.id}`))
    expect(before).toMatchObject({ is_overdue: true, version: due.version })
    await at('2026-03-17T05:00:00Z')
    await run()
    expect(await Promise.all([due, later].map(({ id }) => told(id)))).toEqual([1, 1])
  })

  it('is told again where another due date has passed', async () => {
    const { id } = await owe(seller.customer_id, 100, 3)
    await inside(seller.business_id, recordOverdue)
    ok(await seller.client.put(`/invoices/${id}`, { id, due_date: '2026-03-20' }))
    expect(await inside(seller.business_id, recordOverdue)).toBe(false)
    await at('2026-03-21T15:00:00Z')
    expect(await inside(seller.business_id, recordOverdue)).toBe(true)
    expect(await told(id)).toBe(2)
    expect(await inside(seller.business_id, recordOverdue)).toBe(false)
  })
})
