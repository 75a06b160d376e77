import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newReadyDeck } from '../../../test/support/ready-deck.ts'
import { service } from '../../../test/support/service.ts'
import { newDocument } from '../../../test/support/uploads.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let deck: { id: string }
beforeAll(async () => {
  team = await newBusiness()
  deck = await newReadyDeck(team)
})
afterEach(async () => (await service()).clock.set(null))

const DAY_MS = 86_400_000
const later = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const share = (body: object = {}, by = team.client, id = deck.id) => by.post(`/ai-reporting/decks/${id}/share`, body)
const visitor = client()

describe('shares of a deck', () => {
  it('show their token once, and are frozen for 30 days unless said otherwise', async () => {
    const { status, data } = await share()
    expect(status).toBe(201)
    expect(data).toMatchObject({
      deck_id: deck.id, dashboard_id: null, title: 'March review', mode: 'snapshot', has_password: false, allow_download: true, allow_chat: false, status: 'active', view_count: 0,
      last_viewed_at: null, created_by: team.owner.user_id, revoked_at: null,
    })
    expect(data.url).toBe(`${(await service()).url}/share/${data.token}`)
    expect(data.token).toMatch(/^[\w-]{43}$/)
    expect(Math.round((Date.parse(data.expires_at) - Date.now()) / DAY_MS)).toBe(30)
    const listed = await team.client.get(`/ai-reporting/decks/${deck.id}/shares`)
    expect(listed.data.items.find(({ id }: { id: string }) => id === data.id)).toEqual({ ...data, token: undefined, url: undefined })
    const kept = await sql(`select to_jsonb(s)::text as row from shares s where id = $1 union all select data::text from events where business_id = $2
      union all select to_jsonb(a)::text from audit_trail a where business_id = $2`, [data.id, team.business_id])
    expect(JSON.stringify([kept, listed.data])).not.toContain(data.token)
    expect(JSON.stringify(kept)).toContain('deck.shared')
  })

  it('end when they are revoked: once, whoever asks how often; each sort of end can be told apart by the owner only', async () => {
    const { data: { id, token } } = await share({ mode: 'live' })
    const { data: short } = await share({ expires_at: later(1) })
    expect((await visitor.get(`/public/dashboards/${token}`)).status).toBe(200)
    const [first, second] = await Promise.all([team.client.delete(`/ai-reporting/shares/${id}`), team.client.delete(`/ai-reporting/shares/${id}`)])
    expect([first.status, second.status, first.data.version, second.data.version, first.data.status]).toEqual([200, 200, 2, 2, 'revoked'])
    expect(first.data.revoked_at).toBe(second.data.revoked_at)
    expect((await visitor.get(`/public/dashboards/${token}`)).status).toBe(404)
    expect(await sql(`select count(*)::int from events where business_id = $1 and data->>'id' = $2 and type = 'deck.share_revoked'`, [team.business_id, id])).toEqual([{ count: 1 }])
    ;(await service()).clock.set(later(1.01))
    const { data: { items } } = await team.client.get(`/ai-reporting/decks/${deck.id}/shares`, { limit: 100 })
    const status = (of: string) => items.find((item: { id: string }) => item.id === of)?.status
    expect([status(id), status(short.id)]).toEqual(['revoked', 'expired'])
  })

  it('are refused past their time, beyond a year, with a short password, and of a deck that is not ready', async () => {
    const asked = async (body: object) => (await share(body)).status
    expect([await asked({ expires_at: later(-1) }), await asked({ expires_at: later(367) }), await asked({ expires_at: later(364) }), await asked({ expires_at: null })]).toEqual([400, 400, 201, 201])
    expect([await asked({ password: 'short' }), await asked({ mode: 'frozen' }), await asked({ allow_chat: 'yes' })]).toEqual([422, 422, 422])
    const failed = await newReadyDeck(team, { status: 'failed' })
    expect((await share({}, team.client, failed.id)).status).toBe(400)
    expect((await share({ mode: 'live' }, team.client, failed.id)).status).toBe(400)
    expect((await share({}, team.client, newId())).status).toBe(404)
  })

  it('need the right to write, a verified address, and the setting', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    const bookkeeper = await newMember(team.business_id, 'bookkeeper')
    expect((await share({}, viewer.client)).status).toBe(403)
    expect((await viewer.client.get(`/ai-reporting/decks/${deck.id}/shares`)).status).toBe(200)
    const { data } = await share({}, bookkeeper.client)
    expect((await viewer.client.delete(`/ai-reporting/shares/${data.id}`)).status).toBe(403)
    const { data: reader } = await team.client.post('/api-tokens', { name: 'Reader', scopes: ['ai-reporting:read'] })
    const program = client(reader.token, team.business_id)
    expect([(await share({}, program)).status, (await program.get(`/ai-reporting/decks/${deck.id}/shares`)).status]).toEqual([403, 200])
    await sql('update users set email_verified_at = null where id = $1', [bookkeeper.user_id])
    const unverified = await share({}, bookkeeper.client)
    expect([unverified.status, unverified.detail]).toEqual([403, expect.stringContaining('Verify')])
    await team.client.patch(`/businesses/${team.business_id}/settings`, { security: { share_links_allowed: false } })
    const forbidden = await share()
    expect([forbidden.status, forbidden.detail]).toEqual([403, expect.stringContaining('share_links_allowed')])
    expect((await visitor.get(`/public/dashboards/${data.token}`)).status).toBe(404)
    await team.client.patch(`/businesses/${team.business_id}/settings`, { security: { share_links_allowed: true } })
    expect((await visitor.get(`/public/dashboards/${data.token}`)).status).toBe(200)
  })

  it('are nobody else\'s business', async () => {
    const { data } = await share()
    const stranger = await newBusiness()
    expect((await stranger.client.get(`/ai-reporting/decks/${deck.id}/shares`)).status).toBe(404)
    expect((await share({}, stranger.client)).status).toBe(404)
    expect((await stranger.client.delete(`/ai-reporting/shares/${data.id}`)).status).toBe(404)
    expect((await stranger.client.get(`/businesses/${stranger.business_id}/share-links`)).data.items).toEqual([])
    expect((await visitor.get(`/public/dashboards/${data.token}`)).status).toBe(200)
  })

  it('made twice with one key are one; a dry run makes none', async () => {
    const before = (await team.client.get(`/ai-reporting/decks/${deck.id}/shares`, { include_total_count: true })).data.total
    const call = { headers: { 'idempotency-key': newId() } }
    const [first, second] = [await team.client.post(`/ai-reporting/decks/${deck.id}/share`, {}, call), await team.client.post(`/ai-reporting/decks/${deck.id}/share`, {}, call)]
    expect([first.status, second.data.token]).toEqual([201, first.data.token])
    const tried = await team.client.post(`/ai-reporting/decks/${deck.id}/share`, {}, { query: { dry_run: true } })
    expect([tried.status, (await visitor.get(`/public/dashboards/${tried.data.token}`)).status]).toEqual([201, 404])
    expect((await team.client.get(`/ai-reporting/decks/${deck.id}/shares`, { include_total_count: true })).data.total).toBe(before + 1)
  })

  it('end with their deck', async () => {
    const other = await newReadyDeck(team)
    const [frozen, live] = [await share({}, team.client, other.id), await share({ mode: 'live' }, team.client, other.id)]
    expect((await team.client.delete(`/ai-reporting/decks/${other.id}`)).status).toBe(200)
    for (const { data } of [frozen, live]) expect((await visitor.get(`/public/dashboards/${data.token}`)).status).toBe(404)
    expect(await sql('select count(*)::int from shares where subject_id = $1 and revoked_at is not null', [other.id])).toEqual([{ count: 2 }])
    expect(await sql(`select count(*)::int from events where business_id = $1 and type = 'deck.share_revoked' and data->>'deck_id' = $2`, [team.business_id, other.id])).toEqual([{ count: 2 }])
  })
})

describe('all live links of a business', () => {
  it('are for admins: decks and documents in one list, without those that ended', async () => {
    const own = await newBusiness()
    const { id } = await newReadyDeck(own, { title: 'Board' })
    const shares = [await share({ password: 'open sesame' }, own.client, id), await share({ expires_at: later(1) }, own.client, id), await share({}, own.client, id)]
    await own.client.delete(`/ai-reporting/shares/${shares[2]?.data.id}`)
    const document = await newDocument(own.client, 'Lease.txt')
    const { data: link } = await own.client.post(`/documents/${document.id}/links`, { expires_at: later(5) })
    const at = `/businesses/${own.business_id}/share-links`
    const { data } = await own.client.get(at)
    expect(data.items.map((item: { id: string; kind: string; title: string; has_password: boolean }) => [item.id, item.kind, item.title, item.has_password])).toEqual([
      [link.id, 'document', 'Lease.txt', false], [shares[1]?.data.id, 'deck', 'Board', false], [shares[0]?.data.id, 'deck', 'Board', true],
    ])
    expect(JSON.stringify(data)).not.toContain(shares[0]?.data.token)
    expect((await own.client.get(at, { kind: 'document' })).data.items).toHaveLength(1)
    const page = await own.client.get(at, { limit: 2 })
    expect((await own.client.get(at, { limit: 2, cursor: page.data.next_cursor })).data.items).toHaveLength(1)
    ;(await service()).clock.set(later(2))
    expect((await own.client.get(at)).data.items).toHaveLength(2)
    ;(await service()).clock.set(null)
    const accountant = await newMember(own.business_id, 'accountant')
    expect((await accountant.client.get(at)).status).toBe(403)
  })
})
