import { beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { samplePng } from '../../../test/support/pictures.ts'
import { block, newReadyDeck, SECRETS } from '../../../test/support/ready-deck.ts'
import { service } from '../../../test/support/service.ts'
import { newDocument } from '../../../test/support/uploads.ts'

let team: Team
let deck: { id: string; slides: string[]; hidden: string }
beforeAll(async () => {
  team = await newBusiness()
  deck = await newReadyDeck(team)
})

const share = async (body: object = {}) => (await team.client.post(`/ai-reporting/decks/${deck.id}/share`, body)).data as { id: string; token: string; url: string }
async function open(path: string, init: RequestInit = {}) {
  const response = await fetch(new URL(path, (await service()).url), { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const form = (password: string): RequestInit => ({ method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: new URLSearchParams({ password }).toString() })

describe('the page of a share', () => {
  it('shows the slides without anything that leads into the books, under strict headers', async () => {
    const { id, url } = await share()
    const { status, headers, text } = await open(url)
    expect(status).toBe(200)
    expect([headers.get('cache-control'), headers.get('referrer-policy'), headers.get('x-robots-tag'), headers.get('x-frame-options')]).toEqual(['no-store', 'no-referrer', 'noindex, nofollow', 'DENY'])
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/script-src 'sha256-[\w+/=]+'/)
    expect(policy).not.toContain('unsafe')
    expect(text).toContain('<meta name="robots" content="noindex">')
    for (const shown of ['March review', 'Test Trading', 'Key figures', 'USD 2300.00', 'For the owners.', 'Sales &lt;b&gt;&amp;', '<svg', 'Net income', 'These figures are not available.', 'format=pptx']) expect(text).toContain(shown)
    for (const secret of [...Object.values(SECRETS), 'Nobody outside reads this', 'The hidden one', deck.hidden, deck.id, team.business_id, 'explain', 'known_at', '<b>&', 'style="', 'model-x']) {
      expect(text).not.toContain(secret)
    }
    expect(text.match(/class="slide /g)).toHaveLength(4)
    expect(await sql('select view_count::int from shares where id = $1', [id])).toEqual([{ view_count: 1 }])
    expect((await open((await share({ allow_download: false })).url)).text).not.toContain('/download')
  })

  it('asks for the password, and keeps that it was given in a cookie of this page alone', async () => {
    const { id, token, url } = await share({ password: 'open sesame' })
    const asked = await open(url)
    expect([asked.status, asked.text.includes('type="password"'), asked.text.includes('March review')]).toEqual([401, true, false])
    expect((await open(`${url}/download`)).status).toBe(401)
    const wrong = await open(url, form('wrong'))
    expect([wrong.status, wrong.text.includes('The password is wrong.'), wrong.headers.get('set-cookie')]).toEqual([401, true, null])
    const right = await open(url, form('open sesame'))
    expect([right.status, right.headers.get('location')]).toEqual([303, `/share/${token}`])
    const given = right.headers.get('set-cookie') ?? ''
    expect(given).toMatch(new RegExp(`^share_access=[\\w-]+; Path=/share/${token}; HttpOnly; SameSite=Strict; Max-Age=3600$`))
    const cookie = { headers: { cookie: `other=1; ${given.split(';')[0]}` } }
    expect((await open(url, cookie)).text).toContain('March review')
    const file = await open(`${url}/download?format=pdf`, cookie)
    expect([file.status, file.headers.get('content-type'), file.text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
    expect(await sql('select view_count::int, wrong_tries from shares where id = $1', [id])).toEqual([{ view_count: 2, wrong_tries: 0 }])
    const other = await share({ password: 'open sesame' })
    expect((await open(other.url, cookie)).status).toBe(401)
  })

  it('shows the pictures of its slides, and no other document', async () => {
    const { id } = await newDocument(team.client, 'dot.png', samplePng(18, 6).content)
    const paper = await newDocument(team.client)
    const own = await newReadyDeck(team)
    const images = [block('image', { binding: null, document_id: id, text: 'A dot' }), block('image', { binding: null, document_id: paper.id })]
    await sql('update deck_slides set blocks = $2 where id = $1', [own.slides[0], JSON.stringify(images)])
    const { data } = await team.client.post(`/ai-reporting/decks/${own.id}/share`, { password: 'open sesame' })
    const at = `/share/${data.token}/pictures`
    expect((await open(`${at}/1/1`)).status).toBe(404)
    const cookie = { headers: { cookie: ((await open(data.url, form('open sesame'))).headers.get('set-cookie') ?? '').split(';')[0] ?? '' } }
    const page = await open(data.url, cookie)
    expect(page.text).toContain(`<img src="${at}/1/1" alt="">`)
    expect([page.text.includes(id), page.text.includes(paper.id)]).toEqual([false, false])
    const picture = await open(`${at}/1/1`, cookie)
    expect([picture.status, picture.headers.get('content-type'), picture.headers.get('x-content-type-options')]).toEqual([200, 'image/png', 'nosniff'])
    for (const place of ['1/2', '1/3', '2/1', '9/1', 'x/y']) expect((await open(`${at}/${place}`, cookie)).status).toBe(404)
    const view_token = cookie.headers.cookie.slice('share_access='.length)
    const slide = await client().get(`/public/dashboards/${data.token}/slides/${own.slides[0]}`, {}, { headers: { 'x-share-access': view_token } })
    expect(slide.data.blocks.map((shown: { picture: string | null }) => shown.picture?.slice(0, 22) ?? null)).toEqual(['data:image/png;base64,', null])
    expect([JSON.stringify(slide.data).includes(id), JSON.stringify(slide.data).includes(paper.id)]).toEqual([false, false])
    expect((await open(`/share/${data.token}/download?format=pptx`, cookie)).status).toBe(200)
  })

  it('is not found once it has ended, whatever ended it', async () => {
    const { id, url } = await share()
    await team.client.delete(`/ai-reporting/shares/${id}`)
    const [revoked, unknown] = [await open(url), await open(`/share/${'x'.repeat(43)}`)]
    expect([revoked.status, revoked.text]).toEqual([404, unknown.text])
    expect([(await open(url, form('x'))).status, (await open(`${url}/download`)).status, revoked.headers.get('x-robots-tag')]).toEqual([404, 404, 'noindex, nofollow'])
  })

  it('counts tries of its form together with those of the API', async () => {
    const { url, token } = await share()
    const { url: base } = await service()
    const tries = []
    for (let index = 0; index < 10; index++) tries.push((await (index % 2 ? open(url, form('any')) : fetch(`${base}/api/v1/public/dashboards/${token}/unlock`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"password":"any"}' }))).status)
    expect(new Set(tries)).toEqual(new Set([201, 303]))
    expect((await open(url, form('any'))).status).toBe(429)
  })
})
