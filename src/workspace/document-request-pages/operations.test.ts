// The page of a request over HTTP: what it shows, what its forms do, and what it refuses.
import { beforeAll, describe, expect, it } from 'vitest'
import { newBusiness, type Team } from '../../../test/support/people.ts'
import { sentRequest } from '../../../test/support/requests.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
})

async function page(path: string, fields?: Record<string, string | File>, multipart = false) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields ?? {})) form.append(name, value)
  const body = multipart ? form : new URLSearchParams(Object.entries(fields ?? {}) as [string, string][])
  const response = await fetch(`${(await service()).url}/request/${path}`, { redirect: 'manual', ...(fields && { method: 'POST', body }) })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const paper = (content = newId(), name = 'paper.txt') => new File([content], name)

describe('the page of a request', () => {
  it('says who asks for what until when, as text whatever it holds, and remembers the first look', async () => {
    const { request, token } = await sentRequest(team.client, {
      title: 'Papers <b>now</b>', message: 'Photos are fine.', due_date: '2030-03-31', items: [{ label: '<script>alert(1)</script>', period: '2030-02', note: 'All pages' }, { label: 'Receipts', required: false }],
    })
    const { status, headers, text } = await page(token)
    expect(status).toBe(200)
    for (const words of ['Test Trading asks you for papers', 'Papers &lt;b&gt;now', 'Photos are fine.', 'March 31, 2030', '&lt;script&gt;alert(1)', '(2030-02)', 'All pages', '(only if you have it)', '2 of 2 still to send']) {
      expect(text).toContain(words)
    }
    expect(text).not.toContain('<script')
    expect(headers.get('content-security-policy')).toContain("script-src 'none'")
    expect([headers.get('cache-control'), headers.get('referrer-policy'), headers.get('x-robots-tag'), text.includes('name="robots" content="noindex"')])
      .toEqual(['no-store', 'no-referrer', 'noindex, nofollow', true])
    await page(token)
    const { data } = await team.client.get(`/document-requests/${request.id}`)
    expect([data.recipients[0].viewed_at === null, data.version]).toEqual([false, 2])
  })

  it('takes files, says what is wrong beside its item, takes back and hands over', async () => {
    const { request, token } = await sentRequest(team.client)
    const [first, second] = request.items.map(({ id }: any) => id)
    const sent = await page(`${token}/files`, { item_id: first, files: paper() }, true)
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/request/${token}?said=sent`])
    const shown = await page(`${token}?said=sent`)
    expect([shown.text.includes('your files have arrived'), shown.text.includes('paper.txt'), shown.text.includes('I am done'), shown.text.includes('1 of 2 still to send')]).toEqual([true, true, true, true])
    const wrong = await page(`${token}/files`, { item_id: second, files: paper('just words', 'a.pdf') }, true)
    expect([wrong.status, wrong.text.includes('role="alert"'), wrong.text.includes('its content is plain text')]).toEqual([400, true, true])
    const empty = await page(`${token}/files`, { item_id: second, files: paper('', '') }, true)
    expect([empty.status, empty.text.includes('Send at least one file')]).toEqual([400, true])
    const [, file_id = ''] = /name="file_id" value="([^"]+)"/.exec(shown.text) ?? []
    expect((await page(`${token}/remove`, { file_id })).headers.get('location')).toBe(`/request/${token}?said=removed`)
    expect((await page(`${token}/submit`, {})).text).toContain('Nothing was sent yet')
    await page(`${token}/files`, { item_id: first, files: paper() }, true)
    expect((await page(`${token}/submit`, {})).headers.get('location')).toBe(`/request/${token}?said=done`)
    const after = await page(token)
    expect([after.text.includes('was told that you are done'), after.text.includes('Take back')]).toEqual([true, false])
    await team.client.put(`/document-requests/${request.id}/items/${first}/reject`, { reason: 'Too dark to read.' })
    expect((await page(token)).text).toContain('Why it is needed again: Too dark to read.')
  })

  it('is the same 404 for every link that opens nothing', async () => {
    const { request, token } = await sentRequest(team.client)
    const [item_id] = request.items.map(({ id }: any) => id)
    expect([(await page(`${token}/files`, { item_id: 'x', files: paper() }, true)).status, (await page(`${token}/remove`, { file_id: newId() })).status]).toEqual([404, 404])
    await team.client.put(`/document-requests/${request.id}/cancel`, {})
    const texts = await Promise.all([token, 'x'.repeat(43), 'short'].map((one) => page(one)))
    expect(new Set(texts.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(texts[0]?.status).toBe(404)
    expect((await page(`${token}/files`, { item_id, files: paper() }, true)).status).toBe(404)
    expect((await page(`${token}/submit`, {})).status).toBe(404)
  })
})
