// Tests of live alerts: each as long as its cause, under one id, in the order of the feed, for those who may read it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { connect, newInvoice } from '../../../test/support/cards.ts'
import { client, type Client } from '../../../test/support/client.ts'
import { insertRows } from '../../../test/support/notifications.ts'
import { newBusiness, newMember, newPerson, newToken, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { deliver, newItem, receive } from '../../../test/support/stock.ts'
import { newId } from '../../foundation/ids.ts'
import type { Notification } from '../../workspace/notification-kinds/contract.ts'

const NOW = '2026-04-20T12:00:00Z'
let team: Team
let mine: Client
beforeAll(async () => {
  ;(await service()).clock.set(NOW)
  team = await newBusiness()
  mine = client(team.owner.token)
})
beforeEach(async () => (await service()).clock.set(NOW))
afterAll(async () => (await service()).clock.set(null))

const live = async (by: Client = mine, business_id = team.business_id): Promise<Notification[]> =>
  (await by.get('/notifications', { include_live: true, live_business_id: business_id })).data.items.filter((item: Notification) => item.live)
const about = async (topic: string) => (await live()).filter((alert) => alert.topic === topic)
const checking = async (...lines: [string, number][]) => {
  const chart = await chartOf(team.business_id)
  await post(team.business_id, ...lines.map(([date, amount]) => ({ date, lines: [[chart.named('Checking'), amount], [chart.named("Owner's Capital"), -amount]] as [string, number][] })))
}

describe('what it finds', () => {
  it('nothing in a new business', async () => {
    expect(await live()).toEqual([])
  })

  it('a bank ledger below nothing, or below the threshold, since the day it went there', async () => {
    await checking(['2026-01-10', 5_000], ['2026-02-03', -6_000], ['2026-02-05', 2_000], ['2026-03-30', -4_000], ['2026-04-02', -1_000])
    const [alert, ...more] = await about('cash')
    expect(more).toEqual([])
    expect(alert).toMatchObject({
      live: true, status: 'unread', severity: 'critical', title: 'Checking is low: USD\u00a0-40.00', scope: 'business', scope_id: team.business_id, business_id: team.business_id,
      resource_type: 'ledger', created_at: '2026-03-30T04:00:00.000Z', pinned: false,
    })
    await checking(['2026-04-10', 4_500])
    expect(await about('cash')).toEqual([])
    await team.client.patch(`/businesses/${team.business_id}/settings`, { banking: { low_cash_threshold: 1_000 } })
    const [low] = await about('cash')
    expect(low).toMatchObject({ id: alert?.id, severity: 'warning', title: 'Checking is low: USD\u00a05.00', created_at: '2026-03-30T04:00:00.000Z' })
    await checking(['2026-04-11', 100_000])
    expect(await about('cash')).toEqual([])
  })

  it('overdue invoices, together, since the first of them', async () => {
    const invoice = await newInvoice(team, 30_000, { invoice_date: '2026-03-01', due_date: '2026-04-01' })
    await newInvoice(team, 20_000, { invoice_date: '2026-03-01', due_date: '2026-04-10' })
    const [alert] = await about('invoice')
    expect(alert).toMatchObject({ severity: 'warning', title: '2 invoices are overdue', body: 'Customers owe USD\u00a0500.00 past its date.', created_at: '2026-04-02T04:00:00.000Z', resource_id: null })
    await team.client.put(`/invoices/${invoice.id}/void`, {})
    expect((await about('invoice'))[0]).toMatchObject({ id: alert?.id, title: '1 invoice is overdue', created_at: '2026-04-11T04:00:00.000Z' })
  })

  it('past months that are open and have entries', async () => {
    const [alert] = await about('period')
    expect(alert).toMatchObject({ severity: 'info', title: '3 past months are still open', body: 'The oldest is 2026-01. Reconcile and close it.', created_at: '2026-02-16T05:00:00.000Z' })
  })

  it('stock below zero', async () => {
    await team.client.patch(`/businesses/${team.business_id}/settings`, { inventory: { allow_negative_stock: true } })
    const item = await newItem(team.client)
    await deliver(team.business_id, item.variant_id, 3, '2026-04-15')
    expect(await about('inventory')).toMatchObject([{ title: 'Stock is below zero in 1 place', severity: 'warning' }])
    await receive(team.business_id, item.variant_id, 10, 1_000, '2026-04-16')
    expect(await about('inventory')).toEqual([])
  })

  it('a card processor that wants to know more, and a trial that ends: for admins only', async () => {
    await connect(team)
    await sql(`update processor_connections set status = 'restricted' where business_id = $1`, [team.business_id])
    expect(await about('payment')).toMatchObject([{ severity: 'critical', resource_type: 'processor_connection' }])
    await sql(`update processor_connections set status = 'active' where business_id = $1`, [team.business_id])
    await sql(`update businesses set plan_tier = 'trial', trial_ends_at = '2026-04-23T12:00:00Z' where id = $1`, [team.business_id])
    expect(await about('billing')).toMatchObject([{ title: 'The trial ends in 3 days', severity: 'warning', created_at: '2026-04-16T12:00:00.000Z' }])
    const accountant = await newMember(team.business_id, 'accountant')
    expect((await live(client(accountant.token))).map(({ topic }) => topic).toSorted()).toEqual(['invoice', 'period'])
    const narrow = client(await newToken({ ...accountant, client: client(accountant.token) }, ['notifications:read', 'invoices:read']))
    expect((await live(narrow)).map(({ topic }) => topic)).toEqual(['invoice'])
    await sql(`update businesses set plan_tier = 'self_directed', trial_ends_at = null where id = $1`, [team.business_id])
  })
})

describe('in the feed', () => {
  it('merged into its order, page by page, with its filters; as a row that answers while it is true and takes no change', async () => {
    const [invoice, period] = [(await about('invoice'))[0], (await about('period'))[0]]
    const rows = await insertRows(team.owner.user_id, team.business_id, [{ title: 'Old', created_at: '2026-01-01T00:00:00.000Z' }, { title: 'Between', created_at: '2026-03-01T00:00:00.000Z' }, { title: 'New', created_at: '2026-04-19T00:00:00.000Z' }])
    await mine.put(`/notifications/${rows[0]}/pin`, { pinned: true })
    const expected = [rows[0], rows[2], invoice?.id, rows[1], period?.id]
    const seen: string[] = []
    for (let cursor: string | null = null; ;) {
      const query: Record<string, string | number | boolean> = { include_live: true, live_business_id: team.business_id, limit: 1, include_total_count: true, ...(cursor ? { cursor } : {}) }
      const { data } = await mine.get('/notifications', query)
      seen.push(...data.items.map(({ id }: Notification) => id))
      expect(data.total).toBe(5)
      if (!data.has_next) break
      cursor = data.next_cursor
    }
    expect(seen).toEqual(expected)
    const ids = async (query: Record<string, string | boolean>) => (await mine.get('/notifications', { include_live: true, ...query })).data.items.map(({ id }: Notification) => id)
    expect(await ids({ scope: 'business', scope_id: team.business_id })).toEqual(expected)
    expect(await ids({ scope: 'business', scope_id: team.business_id, live_business_id: newId() })).toEqual(expected)
    expect(await ids({ live_business_id: team.business_id, topic: 'period' })).toEqual([period?.id])
    expect(await ids({ live_business_id: team.business_id, severity: 'warning' })).toEqual([invoice?.id])
    expect(await ids({ live_business_id: team.business_id, status: 'read' })).toEqual([])
    expect(await ids({})).toEqual(rows.toReversed().toSorted((a) => (a === rows[0] ? -1 : 0)))
    expect(await ids({ live_business_id: team.business_id, descending: 'false' })).toEqual([rows[0], period?.id, rows[1], invoice?.id, rows[2]])

    expect((await mine.get(`/notifications/${invoice?.id}`)).data).toEqual(invoice)
    for (const [action, body] of [['pin', { pinned: true }], ['read', {}], ['unread', {}], ['snooze', { until: '2026-05-01T00:00:00Z' }], ['unsnooze', {}], ['dismiss', {}], ['resolve', {}], ['reopen', {}]] as const) {
      expect((await mine.put(`/notifications/${invoice?.id}/${action}`, body)).status, action).toBe(404)
    }
    expect((await mine.post('/notifications/bulk', { ids: [invoice?.id], action: 'read' })).data.failed).toBe(1)
    expect((await client((await newPerson()).token).get(`/notifications/${invoice?.id}`)).status).toBe(404)
    const other = await newBusiness()
    expect((await client(other.owner.token).get(`/notifications/${invoice?.id}`)).status).toBe(404)
    expect((await client(other.owner.token).get('/notifications', { include_live: true, live_business_id: team.business_id })).status).toBe(403)
    expect((await client(other.owner.token).get('/notifications', { live_business_id: team.business_id })).status).toBe(403)

    await sql(`update invoices set due_date = '2026-12-31' where business_id = $1`, [team.business_id])
    expect((await mine.get(`/notifications/${invoice?.id}`)).status).toBe(404)
  })
})
