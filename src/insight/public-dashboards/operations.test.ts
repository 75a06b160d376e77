import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client, type Answer } from '../../../test/support/client.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { samplePng } from '../../../test/support/pictures.ts'
import { figure, newReadyDeck, SECRETS, setSlides } from '../../../test/support/ready-deck.ts'
import { service } from '../../../test/support/service.ts'
import { bytesOf, newDocument } from '../../../test/support/uploads.ts'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem } from '../../foundation/database/transact.ts'
import { newId } from '../../foundation/ids.ts'
import type { SharedBoard, SharedView } from '../shares/contract.ts'
import { createShare } from '../shares/operations.ts'

let team: Team
let deck: { id: string; slides: string[]; hidden: string }
beforeAll(async () => {
  team = await newBusiness()
  await team.client.put(`/businesses/${team.business_id}/logo`, { content_base64: samplePng(18, 6).content.toString('base64') })
  deck = await newReadyDeck(team)
})
afterEach(async () => (await service()).clock.set(null))

const visitor = client()
const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const share = async (body: object = {}, id = deck.id) => (await team.client.post(`/ai-reporting/decks/${id}/share`, body)).data as { id: string; token: string; url: string }
const look = (token: string, path = '', view_token?: string, query = {}) =>
  visitor.get(`/public/dashboards/${token}${path}`, query, view_token ? { headers: { 'x-share-access': view_token } } : {})
const row = async (id: string) => (await sql('select view_count::int, last_viewed_at, wrong_tries from shares where id = $1', [id]))[0]

/** Nothing that leads into the books, wherever one looks. */
function expectNothingPrivate(answer: unknown): void {
  const text = JSON.stringify(answer)
  for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret)
  for (const secret of ['Nobody outside reads this', 'The hidden one', deck.hidden, deck.id, team.business_id, team.owner.user_id, 'href', 'binding', 'known_at', 'profit-and-loss', 'model-x', 'speaker']) {
    expect(text).not.toContain(secret)
  }
}

describe('whoever has the link of a deck', () => {
  it('sees its visible slides and figures, and nothing that leads into the books', async () => {
    const { token } = await share()
    const { status, data, headers } = await look(token)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      kind: 'deck', title: 'March review', business_name: 'Test Trading', logo: expect.stringMatching(/^data:image\/png;base64,/), currency: 'USD', period_start: '2026-03-01',
      period_end: '2026-03-31', mode: 'snapshot', allow_download: true, allow_chat: false, widgets: [],
    })
    expect(data.slides.map(({ id, position }: { id: string; position: number }) => [id, position])).toEqual(deck.slides.map((id, index) => [id, index + 1]))
    const chart = data.slides[2].blocks[0]
    expect(chart).toMatchObject({ kind: 'chart', chart: 'bar', missing: false })
    expect(chart.figures.slice(0, 3).map(({ row: r, column, label, value_cents }: Record<string, unknown>) => [r, column, label, value_cents]))
      .toEqual([[1, 1, 'Sales <b>&', 230_000], [2, 1, 'Services', 5000], [1, 2, 'Sales <b>&', 230_001]])
    expect(data.slides[3].blocks[1]).toMatchObject({ missing: true, figures: [] })
    expectNothingPrivate(data)
    expect([headers.get('cache-control'), headers.get('referrer-policy'), headers.get('x-robots-tag')]).toEqual(['no-store', 'no-referrer', 'noindex, nofollow'])
    const figures = await look(token, '/data')
    expect(figures.data.figures.filter(({ slide_id }: { slide_id: string }) => slide_id === deck.slides[1]).map(({ formatted }: { formatted: string }) => formatted)).toEqual(['USD 2300.00', 'USD 1.00'])
    expectNothingPrivate(figures.data)
    const slide = await look(token, `/slides/${deck.slides[1]}`)
    expect([slide.status, slide.data]).toEqual([200, data.slides[1]])
    expectNothingPrivate(slide.data)
  })

  it('meets its password first; then all but the hidden slide opens, and the snapshot stays while the deck moves on', async () => {
    const moving = await newReadyDeck(team)
    const [frozen, live] = [await share({ password: 'open sesame' }, moving.id), await share({ mode: 'live' }, moving.id)]
    const paths = ['', '/data', '/download', `/slides/${moving.slides[0]}`]
    for (const path of paths) expect([(await look(frozen.token, path)).status, (await look(frozen.token, path, 'x')).status]).toEqual([401, 401])
    expect(await row(frozen.id)).toMatchObject({ view_count: 0, last_viewed_at: null })
    const unlocked = await visitor.post(`/public/dashboards/${frozen.token}/unlock`, { password: 'open sesame' })
    expect(unlocked.status).toBe(201)
    const { view_token } = unlocked.data
    expect(Math.round((Date.parse(unlocked.data.expires_at) - Date.now()) / 60_000)).toBe(60)
    const seen = await look(frozen.token, '', view_token)
    expect([seen.status, seen.data.slides.length, (await look(frozen.token, `/slides/${moving.slides[0]}`, view_token)).status]).toEqual([200, 4, 200])
    for (const id of [moving.hidden, newId(), deck.slides[0]]) expect((await look(frozen.token, `/slides/${id}`, view_token)).status).toBe(404)
    expect((await look(live.token, `/slides/${moving.hidden}`)).status).toBe(404)
    await setSlides(team, moving.id, 240_000)
    const revenue = (answer: Answer) => answer.data.slides[1].blocks[0].figures[0].value_cents
    expect([revenue(await look(frozen.token, '', view_token)), revenue(await look(live.token))]).toEqual([230_000, 240_000])
    // What opens one opens no other, and not for long.
    const other = await share({ password: 'open sesame' }, moving.id)
    expect((await look(other.token, '', view_token)).status).toBe(401)
    const paper = await newDocument(team.client)
    const { data: link } = await team.client.post(`/documents/${paper.id}/links`, { expires_at: later(1), password: 'open sesame' })
    const { data: of_document } = await visitor.post(`/public/documents/${link.token}/unlock`, { password: 'open sesame' })
    expect((await look(frozen.token, '', of_document.view_token)).status).toBe(401)
    ;(await service()).clock.set(later(1 / 23))
    expect((await look(frozen.token, '', view_token)).status).toBe(401)
  })

  it('finds nothing where there is nothing (any more): one and the same 404', async () => {
    const dead = async (token: string) => {
      const asked = [await look(token), await look(token, '/data'), await look(token, '/download'), await look(token, `/slides/${deck.slides[0]}`), await visitor.post(`/public/dashboards/${token}/unlock`, { password: 'x' })]
      return asked.map(({ status, body, headers }) => [status, JSON.stringify(body), headers.get('x-robots-tag'), headers.get('cache-control')].join(' '))
    }
    const unknown = await dead('x'.repeat(43))
    expect(new Set(unknown)).toEqual(new Set(['404 {"detail":"Share not found."} noindex, nofollow no-store']))
    expect(await dead('none-of-ours')).toEqual(unknown)
    const { clock } = await service()
    const [revoked, expired, locked] = [await share(), await share({ expires_at: later(1) }), await share({ password: 'open sesame' })]
    await team.client.delete(`/ai-reporting/shares/${revoked.id}`)
    await team.client.delete(`/ai-reporting/shares/${locked.id}`)
    expect([await dead(revoked.token), await dead(locked.token)]).toEqual([unknown, unknown])
    clock.set(later(1.001))
    expect(await dead(expired.token)).toEqual(unknown)
    clock.set(null)
    // A link of another kind is none of these.
    const { data: link } = await team.client.post(`/documents/${(await newDocument(team.client)).id}/links`, { expires_at: later(1) })
    expect(await dead(link.token)).toEqual(unknown)
    expect((await visitor.get(`/public/documents/${expired.token}`)).status).toBe(404)
    const gone = await newReadyDeck(team)
    const [frozen, live] = [await share({}, gone.id), await share({ mode: 'live' }, gone.id)]
    await sql(`update decks set status = 'failed', error = 'No.' where id = $1`, [gone.id])
    expect([(await look(frozen.token)).status, (await look(live.token)).status, (await look(live.token)).detail]).toEqual([200, 404, 'Share not found.'])
    await team.client.delete(`/ai-reporting/decks/${gone.id}`)
    expect(await dead(frozen.token)).toEqual(unknown)
  })

  it('finds nothing of a business that is archived, and is not counted where nothing may change', async () => {
    const own = await newBusiness()
    const { id } = await newReadyDeck(own)
    const { data } = await own.client.post(`/ai-reporting/decks/${id}/share`, {})
    await sql(`update businesses set plan_tier = 'trial', trial_ends_at = '2020-01-01' where id = $1`, [own.business_id])
    expect((await look(data.token)).status).toBe(200)
    expect(await row(data.id)).toMatchObject({ view_count: 0 })
    await sql(`update businesses set plan_tier = 'self_directed', trial_ends_at = null where id = $1`, [own.business_id])
    expect((await own.client.put(`/businesses/${own.business_id}/archive`)).status).toBe(200)
    expect([(await look(data.token)).status, (await look(data.token, '/data')).status]).toEqual([404, 404])
    await own.client.put(`/businesses/${own.business_id}/restore`)
    expect((await look(data.token)).status).toBe(200)
  })

  it('is counted and told of: each look once, however many come at once', async () => {
    const { id, token } = await share()
    const answers = await Promise.all(Array.from({ length: 12 }, () => look(token)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
    expect(await row(id)).toMatchObject({ view_count: 12 })
    const told = await sql(`select actor_kind, actor_id, resource_type, ip from audit_trail where business_id = $1 and resource_id = $2 and action = 'share.viewed'`, [team.business_id, id])
    expect(told).toHaveLength(12)
    expect(told[0]).toMatchObject({ actor_kind: 'public_link', actor_id: null, resource_type: 'deck_share', ip: expect.any(String) })
    expect(await sql(`select count(*)::int from events where business_id = $1 and type = 'share.viewed' and data->>'id' = $2`, [team.business_id, id])).toEqual([{ count: 12 }])
    const { data } = await team.client.get(`/ai-reporting/decks/${deck.id}/shares`)
    expect(data.items[0]).toMatchObject({ view_count: 12, version: 1 })
    expect(Math.abs(Date.parse(data.items[0].last_viewed_at) - Date.now())).toBeLessThan(60_000)
    // Its parts belong to that look; an hour later they are a new one.
    await look(token, '/data')
    expect(await row(id)).toMatchObject({ view_count: 12 })
    ;(await service()).clock.set(later(1 / 20))
    await look(token, '/data')
    await look(token, `/slides/${deck.slides[0]}`)
    expect(await row(id)).toMatchObject({ view_count: 13 })
  })

  it('guesses a password ten times and then waits, and calls 60 times a minute', async () => {
    const { clock } = await service()
    const { id, token } = await share({ password: 'open sesame' })
    const unlock = (password: string, query = {}) => visitor.post(`/public/dashboards/${token}/unlock`, { password }, { query })
    expect((await unlock('open sesame', { dry_run: true })).status).toBe(400)
    expect((await unlock('wrong')).status).toBe(401)
    expect(await row(id)).toMatchObject({ wrong_tries: 1 })
    // Eight more, without the work of each.
    await sql('update shares set wrong_tries = 9 where id = $1', [id])
    const both = await Promise.all([unlock('wrong'), unlock('wrong')])
    expect(both.map(({ status }) => status).sort()).toEqual([401, 429])
    expect((await unlock('open sesame')).status).toBe(429)
    clock.set(later(1 / 90))
    expect((await unlock('open sesame')).status).toBe(201)
    expect(await row(id)).toMatchObject({ wrong_tries: 0 })
    // Too fast: the tenth within a minute from one address was the last; another link is another count.
    const quick = await share()
    const tries = []
    for (let index = 0; index < 12; index++) tries.push((await visitor.post(`/public/dashboards/${quick.token}/unlock`, { password: 'any' })).status)
    expect(tries).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429])
    expect((await look(quick.token)).status).toBe(200)
    const looks = await Promise.all(Array.from({ length: 64 }, (_, index) => look(quick.token, index % 2 ? '/data' : `/slides/${newId()}`)))
    const refused = looks.filter(({ status }) => status === 429)
    expect(refused.length).toBe(5)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await look(token, '', 'x')).status).toBe(401)
  })
})

describe('whoever has the link of a dashboard', () => {
  it('sees its widgets, picked in the same way', async () => {
    const widget = { x: 0, y: 0, w: 6, h: 2, text: null, figures: [], problem: null }
    const board: SharedBoard = {
      title: 'Cash', as_of: '2026-03-31T12:00:00.000Z', currency: 'USD', period_start: null, period_end: null,
      widgets: [
        { ...widget, id: newId(), kind: 'metric', title: 'Revenue', figures: [figure(SECRETS.ledger_id, 'now', 5)] },
        { ...widget, id: newId(), kind: 'text', title: 'Words', text: 'Read me', figures: [figure('x', 'now', 7)] },
        { ...widget, id: newId(), kind: 'bar', title: 'Restricted', problem: SECRETS.problem },
      ],
    }
    const view: SharedView = { type: 'dashboard', snapshot: async () => board, live: async () => board }
    const { database } = (await service()).program
    const business = await findBusiness(database, team.business_id)
    if (!business) throw new Error('The business is gone.')
    const { token, id } = await asSystem(database, business, 'test', (tx) => createShare(tx, { view, id: newId() }, { expires_at: later(2) }))
    const { status, data } = await look(token)
    expect([status, data.kind, data.slides]).toEqual([200, 'dashboard', []])
    expect(data.widgets.map(({ kind, figures, text, missing }: Record<string, unknown>) => [kind, (figures as []).length, text, missing])).toEqual([
      ['metric', 1, null, false], ['text', 0, 'Read me', false], ['bar', 0, null, true]])
    expectNothingPrivate(data)
    expect((await look(token, '/data')).data.figures).toHaveLength(1)
    expect((await look(token, `/slides/${board.widgets[0]?.id}`)).status).toBe(404)
    expect((await team.client.delete(`/ai-reporting/shares/${id}`)).status).toBe(404)
    expect(await sql(`select count(*)::int from events where business_id = $1 and type = 'dashboard.shared'`, [team.business_id])).toEqual([{ count: 1 }])
  })
})

describe('files', () => {
  it('are given where that is allowed', async () => {
    const [open, closed] = [await share(), await share({ allow_download: false })]
    const denied = await look(closed.token, '/download')
    expect([denied.status, denied.detail]).toEqual([403, 'This may be looked at, but not downloaded.'])
    expect((await look(open.token, '/download', undefined, { format: 'docx' })).status).toBe(422)
    for (const [format, start, type] of [['pdf', '%PDF-', 'application/pdf'], ['pptx', 'PK', 'application/vnd.openxmlformats-officedocument.presentationml.presentation']] as const) {
      const file = await bytesOf(visitor, `/public/dashboards/${open.token}/download?format=${format}`)
      expect([file.status, file.headers.get('content-type'), file.bytes.subarray(0, start.length).toString()]).toEqual([200, type, start])
      expect([file.headers.get('content-disposition'), file.headers.get('cache-control')]).toEqual([`attachment; filename="March-review.${format}"`, 'no-store'])
    }
    expect(await row(open.id)).toMatchObject({ view_count: 2 })
    expect(await row(closed.id)).toMatchObject({ view_count: 0 })
  })
})
