import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { pdfOf } from '../../../test/support/documents.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { bytesOf, newDocument } from '../../../test/support/uploads.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let document_id: string
const visitor = client()
beforeAll(async () => {
  team = await newBusiness()
  document_id = (await newDocument(team.client, 'Lease.txt', 'The lease.')).id
})
afterEach(async () => (await service()).clock.set(null))

const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const share = async (body: object = {}, id = document_id) => (await team.client.post(`/documents/${id}/links`, { expires_at: later(10), ...body })).data
const page = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${(await service()).url}${path}`, { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('public links', () => {
  it('open one document to whoever has them; the token is shown once and kept nowhere', async () => {
    const { token, url, id, has_password } = await share()
    expect([token.length, url.endsWith(`/shared/${token}`), has_password]).toEqual([43, true, false])
    const { data } = await visitor.get(`/public/documents/${token}`)
    expect(data).toMatchObject({ kind: 'document', sender: 'Test Trading', title: 'Lease.txt', content_type: 'text/plain', size: 10, allow_download: true })
    const file = await bytesOf(visitor, `/public/documents/${token}/file`)
    expect([file.bytes.toString(), file.headers.get('content-disposition'), file.headers.get('content-security-policy')])
      .toEqual(['The lease.', expect.stringContaining('attachment'), expect.stringContaining('sandbox')])
    const { data: links } = await team.client.get(`/documents/${document_id}/links`)
    expect(links.items[0]).toMatchObject({ id, revoked_at: null })
    expect(JSON.stringify(links)).not.toContain(token)
    const told = await sql('select data::text from events where business_id = $1 union all select content::text from audit_entries where business_id = $1', [team.business_id]).catch(() => sql('select data::text from events where business_id = $1', [team.business_id]))
    expect(JSON.stringify(told)).not.toContain(token)
  })

  it('end at their time, when revoked, with the bin and with the setting: all the same 404', async () => {
    const { clock } = await service()
    const dead = async (token: string) => {
      const answers = [await visitor.get(`/public/documents/${token}`), await visitor.get(`/public/documents/${token}/file`), await visitor.post(`/public/documents/${token}/unlock`, { password: 'x' })]
      expect((await page(`/shared/${token}`)).status).toBe(404)
      return answers.map(({ status, detail }) => `${status} ${detail}`)
    }
    const unknown = await dead('x'.repeat(43))
    expect(new Set(unknown)).toEqual(new Set(['404 Document not found.']))
    const short = await share({ expires_at: later(1) })
    expect((await visitor.get(`/public/documents/${short.token}`)).status).toBe(200)
    clock.set(later(1.001))
    expect(await dead(short.token)).toEqual(unknown)
    clock.set(null)
    const revoked = await share()
    expect((await team.client.delete(`/documents/links/${revoked.id}`)).data.revoked_at).not.toBeNull()
    expect((await team.client.delete(`/documents/links/${revoked.id}`)).data.version).toBe(2)
    expect(await dead(revoked.token)).toEqual(unknown)
    const other = await newDocument(team.client)
    const binned = await share({}, other.id)
    await team.client.delete(`/documents/${other.id}`)
    expect(await dead(binned.token)).toEqual(unknown)
    const live = await share()
    await team.client.patch(`/businesses/${team.business_id}/settings`, { security: { share_links_allowed: false } })
    expect(await dead(live.token)).toEqual(unknown)
    const refused = await team.client.post(`/documents/${document_id}/links`, { expires_at: later(1) })
    expect([refused.status, refused.detail]).toEqual([403, expect.stringContaining('share_links_allowed')])
    await team.client.patch(`/businesses/${team.business_id}/settings`, { security: { share_links_allowed: true } })
    expect((await visitor.get(`/public/documents/${live.token}`)).status).toBe(200)
  })

  it('live for a year at most', async () => {
    const ask = async (expires_at: string) => (await team.client.post(`/documents/${document_id}/links`, { expires_at })).status
    expect([await ask(later(-1)), await ask(later(367)), await ask(later(364)), await ask('tomorrow')]).toEqual([400, 400, 201, 422])
    const binned = await newDocument(team.client)
    await team.client.delete(`/documents/${binned.id}`)
    expect((await team.client.post(`/documents/${binned.id}/links`, { expires_at: later(1) })).status).toBe(400)
    expect((await team.client.post(`/documents/${document_id}/links`, { expires_at: later(1), password: 'short' })).status).toBe(422)
  })

  it('with a password show nothing before it, and let it be guessed ten times', async () => {
    const { clock } = await service()
    const { token, id } = await share({ password: 'open sesame' })
    const at = `/public/documents/${token}`
    expect([(await visitor.get(at)).status, (await visitor.get(`${at}/file`)).status, (await visitor.get(at, { view_token: 'x' })).status]).toEqual([401, 401, 401])
    const { status, data } = await visitor.post(`${at}/unlock`, { password: 'open sesame' })
    expect(status).toBe(201)
    expect((await visitor.get(at, { view_token: data.view_token })).data.title).toBe('Lease.txt')
    expect((await bytesOf(visitor, `${at}/file?view_token=${data.view_token}`)).bytes.toString()).toBe('The lease.')
    const other = await share({ password: 'open sesame' })
    expect((await visitor.get(`/public/documents/${other.token}`, { view_token: data.view_token })).status).toBe(401)
    const shown = await page(`/shared/${token}`, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'password=open+sesame' })
    expect([shown.status, shown.headers.get('location')]).toEqual([303, expect.stringContaining(`/shared/${token}?view_token=`)])
    const opened = await page(shown.headers.get('location') ?? '')
    expect([opened.status, opened.text.includes('Lease.txt'), opened.text.includes('The lease.')]).toEqual([200, true, false])
    expect((await page(`/shared/${token}`)).text).toContain('type="password"')
    clock.set(later(1 / 23))
    expect((await visitor.get(at, { view_token: data.view_token })).status).toBe(401)
    clock.set(null)
    expect((await visitor.post(`${at}/unlock`, { password: 'open sesame' }, { query: { dry_run: true } })).status).toBe(400)
    expect((await visitor.post(`${at}/unlock`, { password: 'wrong' })).status).toBe(401)
    expect(await sql('select wrong_tries from document_shares where id = $1', [id])).toEqual([{ wrong_tries: 1 }])
    // Nine more, without the work of each.
    await sql('update document_shares set wrong_tries = 9 where id = $1', [id])
    expect((await visitor.post(`${at}/unlock`, { password: 'wrong' })).status).toBe(401)
    const locked = await visitor.post(`${at}/unlock`, { password: 'open sesame' })
    expect([locked.status, Number(locked.headers.get('retry-after')) > 800]).toEqual([429, true])
    clock.set(later(1 / 90))
    expect((await visitor.post(`${at}/unlock`, { password: 'open sesame' })).status).toBe(201)
    expect(await sql('select wrong_tries from document_shares where id = $1', [id])).toEqual([{ wrong_tries: 0 }])
  })

  it('without leave to download show pages only', async () => {
    const { id } = await newDocument(team.client, 'plan.pdf', await pdfOf([{ text: 'plan', y: 40 }]))
    const { token } = await share({ allow_download: false }, id)
    const denied = await visitor.get(`/public/documents/${token}/file`)
    expect([denied.status, denied.detail]).toEqual([403, 'This document may be looked at, but not downloaded.'])
    const drawn = await bytesOf(visitor, `/public/documents/${token}/file?page=1`)
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await page(`/shared/${token}`)).text).not.toContain('Download')
  })

  it('of another kind open nothing here, and strangers revoke nothing', async () => {
    const { id } = await share()
    const stranger = await newBusiness()
    expect((await stranger.client.delete(`/documents/links/${id}`)).status).toBe(404)
    expect((await stranger.client.get(`/documents/${document_id}/links`)).status).toBe(404)
    expect((await team.client.delete(`/documents/links/${newId()}`)).status).toBe(404)
    expect((await visitor.get('/public/documents/..%2f..%2fetc')).status).toBe(404)
  })
})
