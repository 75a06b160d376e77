// Public links of dashboards: frozen ones stay, live ones follow the books, and all end when they should.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { client, type Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, newToken, type Person } from '../../../test/support/people.ts'
import { newSeller, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let team: Seller
let board: any
let keeper: Person
let viewer: Person
beforeAll(async () => {
  team = await newSeller()
  ;[keeper, viewer] = await Promise.all([newMember(team.business_id, 'bookkeeper'), newMember(team.business_id, 'viewer')])
  await earn(1_234_56)
  board = await newBoard(team.client, { visibility: 'business' })
})

async function earn(cents: number) {
  const { named, role } = await chartOf(team.business_id)
  const { program } = await service()
  await post(team.business_id, { date: program.database.clock.now().toISOString().slice(0, 10), lines: [[named('Checking'), cents], [role('sales'), -cents]] })
}
const newBoard = async (by: Client, more: object = {}) => (await by.post('/dashboards', {
  name: 'For the bank', filters: { period: 'all_time' },
  widgets: [{ kind: 'metric', query: { metric: 'revenue' } }, { kind: 'aging' }, { kind: 'text', title: 'A word', text: 'Fine words' }], ...more,
})).data
const share = (body: object = {}, by: Client = team.client, id = board.id) => by.post(`/dashboards/${id}/shares`, body)
const visitor = client()
const look = (token: string, path = '') => visitor.get(`/public/dashboards/${token}${path}`)
const revenueIn = ({ data }: any) => data.widgets[0].figures[0].value_cents

describe('a link', () => {
  it('shows what was there when it was made, or what is there now', async () => {
    const [frozen, live] = [await share(), await share({ mode: 'live' })]
    expect(frozen.data).toMatchObject({ dashboard_id: board.id, deck_id: null, title: 'For the bank', mode: 'snapshot', status: 'active',
      token: expect.any(String) })
    const before = await look(live.data.token)
    expect(before.data).toMatchObject({ kind: 'dashboard', title: 'For the bank', currency: 'USD', widgets: [{ kind: 'metric' }, { kind: 'aging' },
      { kind: 'text', text: 'Fine words' }] })
    expect(revenueIn(before)).toBe(1_234_56)
    expect(before.data.widgets.map(({ missing }: any) => missing)).toEqual([false, false, false])
    await earn(1_00)
    await team.client.patch(`/dashboards/${board.id}/widgets/${board.widgets[0].id}`, { title: 'Turnover' })
    const [kept, now] = [await look(frozen.data.token), await look(live.data.token)]
    expect([revenueIn(kept), revenueIn(now)]).toEqual([1_234_56, 1_235_56])
    expect([kept.data.widgets[0].title, now.data.widgets[0].title]).toEqual(['Revenue', 'Turnover'])
    expect(now.data.as_of > kept.data.as_of).toBe(true)
    expect((await look(live.data.token, '/data')).data.figures[0].value_cents).toBe(1_235_56)
    const inside = new RegExp(`${board.id}|${team.business_id}|${team.owner.user_id}|href|known_at`)
    for (const { data } of [kept, now]) expect(JSON.stringify(data)).not.toMatch(inside)
    const { url } = await service()
    const page = await fetch(`${url}/share/${live.data.token}`)
    expect([page.status, (await page.text()).includes('1,235.56')]).toEqual([200, true])
    expect((await look(live.data.token, '/download')).headers.get('content-type')).toBe('application/pdf')
    expect(await eventsOf(live.data.id)).toEqual(['dashboard.shared', ...Array(4).fill('share.viewed')])
  })

  it('ends when it is revoked, and with its board', async () => {
    const other = await newBoard(keeper.client)
    const [first, second] = [await share({}, keeper.client, other.id), await share({ mode: 'live' }, keeper.client, other.id)]
    expect((await keeper.client.delete(`/dashboards/shares/${first.data.id}`)).data).toMatchObject({ status: 'revoked', id: first.data.id })
    expect((await keeper.client.delete(`/dashboards/shares/${first.data.id}`)).status).toBe(200)
    expect([(await look(first.data.token)).status, (await look(second.data.token)).status]).toEqual([404, 200])
    expect((await keeper.client.get(`/dashboards/${other.id}/shares`)).data.items.map(({ status }: any) => status)).toEqual(['active', 'revoked'])
    expect(JSON.stringify((await keeper.client.get(`/dashboards/${other.id}/shares`)).data)).not.toContain(second.data.token)
    await keeper.client.delete(`/dashboards/${other.id}`)
    expect((await look(second.data.token)).status).toBe(404)
    expect(await eventsOf(first.data.id)).toEqual(['dashboard.shared', 'dashboard.share_revoked'])
    expect(await eventsOf(second.data.id)).toEqual(['dashboard.shared', 'share.viewed', 'dashboard.share_revoked'])
  })

  it('of a built-in board works too', async () => {
    const built_in = (await team.client.get('/dashboards')).data.items[1]
    const { data } = await share({ mode: 'live' }, team.client, built_in.id)
    const seen = await look(data.token)
    expect([seen.status, seen.data.title]).toEqual([200, 'Cash'])
    expect((await team.client.get(`/dashboards/${built_in.id}/shares`)).data.items).toHaveLength(1)
    expect((await (await newBusiness()).client.get(`/dashboards/${built_in.id}/shares`)).data.items).toEqual([])
  })
})

describe('is refused', () => {
  it('for viewers, without the right, where links are not allowed, for what one may not read', async () => {
    const own = await newBoard(viewer.client)
    expect(await share({}, viewer.client, own.id)).toMatchObject({ status: 403, detail: 'As viewer you may not show dashboards to the world.' })
    const reader = client(await newToken(team.owner, ['dashboards:read']), team.business_id)
    expect((await share({}, reader)).status).toBe(403)
    const scoped = client(await newToken(team.owner, ['dashboards:read', 'dashboards:write', 'reports:read']), team.business_id)
    for (const mode of ['live', 'snapshot']) {
      expect(await share({ mode }, scoped))
        .toMatchObject({ status: 403, detail: 'Receivables by age shows figures that you may not read: they cannot be shared by you.' })
    }
    await team.client.patch(`/businesses/${team.business_id}/settings`, { security: { share_links_allowed: false } })
    expect(await share()).toMatchObject({ status: 403, detail: expect.stringContaining('share_links_allowed') })
    await team.client.patch(`/businesses/${team.business_id}/settings`, { security: { share_links_allowed: true } })
    expect((await share({ expires_at: '2020-01-01T00:00:00Z' })).status).toBe(400)
    expect((await share({}, team.client, newId())).status).toBe(404)
  })

  it('to revoke what one does not see; admins see to all', async () => {
    const own = await newBoard(keeper.client)
    const { data } = await share({}, keeper.client, own.id)
    const [accountant, admin] = [await newMember(team.business_id, 'accountant'), await newMember(team.business_id, 'admin')]
    expect((await accountant.client.delete(`/dashboards/shares/${data.id}`)).status).toBe(404)
    expect((await (await newBusiness()).client.delete(`/dashboards/shares/${data.id}`)).status).toBe(404)
    expect((await admin.client.delete(`/dashboards/shares/${data.id}`)).data.status).toBe('revoked')
    const shown = await share()
    expect((await viewer.client.delete(`/dashboards/shares/${shown.data.id}`)).status).toBe(403)
    expect((await keeper.client.delete(`/dashboards/shares/${shown.data.id}`)).data.status).toBe('revoked')
  })
})
