// Tests of the far side of a request: what whoever has a link sees, sends, takes back and hands over.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { deliver, eventsOf } from '../../../test/support/events.ts'
import { mailsTo, newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { asked, requestToken, sentRequest } from '../../../test/support/requests.ts'
import { service } from '../../../test/support/service.ts'
import { SAMPLES, upload, type SentFile } from '../../../test/support/uploads.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
const visitor = client()
beforeAll(async () => {
  team = await newBusiness()
})
afterEach(async () => (await service()).clock.set(null))

const send = (token: string, item_id: string, files: SentFile[] = [{ name: 'paper.txt', content: newId() }]) =>
  upload(visitor, files, { item_id }, `/public/documents/${token}/files`)
const view = (token: string) => visitor.get(`/public/documents/${token}`)
const judge = (request: any, index: number, verb: string, body: object = {}) => team.client.put(`/document-requests/${request.id}/items/${request.items[index].id}/${verb}`, body)
const status = async (request: any) => (await team.client.get(`/document-requests/${request.id}`)).data.status

it('Papers: sent by link, refused, received, rejected, sent again, accepted, completed', async () => {
  const { request, token } = await sentRequest(team.client)
  const [first, second] = request.items.map(({ id }: any) => id)
  expect((await send(token, first, [{ name: 'statement.pdf', content: SAMPLES['pdf'] ?? '' }])).status).toBe(201)
  expect(await status(request)).toBe('partially_received')
  const exe = await send(token, second, [{ name: 'receipts.pdf', content: Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff', 'latin1') }])
  expect([exe.status, exe.detail]).toEqual([400, expect.stringContaining('of a kind that is not taken')])
  expect((await send(token, second)).status).toBe(201)
  expect(await status(request)).toBe('received')
  const { data: rejected } = await judge(request, 1, 'reject', { reason: 'Page two is missing.' })
  expect([rejected.status, rejected.items[1].status, rejected.items[1].reason]).toEqual(['partially_received', 'rejected', 'Page two is missing.'])
  const [letter] = await mailsTo(request.recipients[0].email)
  expect([letter?.subject, letter?.text_body]).toEqual(['Please send again: Papers of March', expect.stringContaining('Page two is missing.')])
  expect((await view(token)).data.request.items[1]).toMatchObject({ status: 'rejected', reason: 'Page two is missing.', files: [{ rejected: true, removable: false }] })
  expect((await send(token, second)).status).toBe(201)
  expect(await status(request)).toBe('received')
  expect((await team.client.put(`/document-requests/${request.id}/complete`)).status).toBe(400)
  await judge(request, 0, 'accept')
  await judge(request, 1, 'accept')
  expect((await send(token, second)).detail).toContain('was accepted')
  expect((await team.client.put(`/document-requests/${request.id}/complete`)).data.status).toBe('completed')
  const dead = [await view(token), await send(token, second), await visitor.put(`/public/documents/${token}/submit`), await visitor.delete(`/public/documents/${token}/files/${newId()}`)]
  expect(dead.map((answer) => `${answer.status} ${answer.detail}`)).toEqual(Array.from({ length: 4 }, () => '404 Document not found.'))
  expect((await eventsOf(request.id)).filter((type) => type !== 'document_request.updated')).toEqual([
    'document_request.created', 'document_request.sent', 'document_request.file_received', 'document_request.file_received', 'document_request.received',
    'document_request.item_rejected', 'document_request.file_received', 'document_request.received', 'document_request.completed',
  ])
})

describe('a link', () => {
  it('shows what is asked and what its own holder sent, and nothing else', async () => {
    const recipients = [{ name: 'Ann', email: `${newId()}@example.com` }, { name: 'Bob', email: `${newId()}@example.com` }]
    const { request, token } = await sentRequest(team.client, { recipients, message: 'Photos are fine.', due_date: '2030-01-31' })
    const other = await requestToken(recipients[1]?.email ?? '')
    const { data } = await view(token)
    expect(data).toMatchObject({ kind: 'document_request', sender: 'Test Trading', title: 'Papers of March', description: 'Photos are fine.', content_type: null, allow_download: false })
    expect(data.request).toMatchObject({ recipient: 'Ann', due_date: '2030-01-31', overdue: false, submitted_at: null, files_left: 50, items: [{ label: 'Bank statement', status: 'open', files: [] }, {}] })
    const answer = await send(token, request.items[0].id, [{ name: '../secret plans.txt', content: newId() }])
    expect(answer.data).toMatchObject([{ name: 'secret plans.txt', removable: true, rejected: false }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await view(token)).data.request).toMatchObject({ files_left: 49, items: [{ status: 'received', files: [{ name: 'secret plans.txt' }] }, {}] })
    const { data: seen } = await view(other)
    expect([seen.request.items[0].status, seen.request.items[0].files, seen.request.files_left]).toEqual(['received', [], 50])
    expect((await visitor.delete(`/public/documents/${other}/files/${answer.data[0].id}`)).status).toBe(404)
    const inside = (await team.client.get(`/document-requests/${request.id}`)).data
    expect(inside.items[0].files).toMatchObject([{ recipient_id: inside.recipients[0].id }])
    expect((await team.client.get(`/documents/${inside.items[0].files[0].document_id}`)).data).toMatchObject({ source: 'request', uploaded_by: null, description: 'From Ann for “Papers of March”' })
    expect((await visitor.get(`/public/documents/${token}/file`)).status).toBe(404)
    expect((await visitor.post(`/public/documents/${token}/unlock`, { password: 'x' })).status).toBe(404)
  })

  it('lets its holder take back what was not handed over', async () => {
    const { request, token } = await sentRequest(team.client)
    const { data: [file] } = await send(token, request.items[0].id)
    expect((await visitor.delete(`/public/documents/${token}/files/${file.id}`, { query: { dry_run: true } })).status).toBe(200)
    expect(await status(request)).toBe('partially_received')
    expect((await visitor.delete(`/public/documents/${token}/files/${file.id}`)).data.name).toBe('paper.txt')
    expect(await status(request)).toBe('sent')
    expect((await visitor.delete(`/public/documents/${token}/files/${file.id}`)).status).toBe(404)
    expect(await sql(`select deleted_at is not null as binned from documents where business_id = $1 and source = 'request' order by created_at desc limit 1`, [team.business_id])).toEqual([{ binned: true }])
    expect((await visitor.put(`/public/documents/${token}/submit`)).detail).toContain('Nothing was sent yet')
    const { data: [kept] } = await send(token, request.items[0].id)
    const [one, two] = await Promise.all([visitor.put(`/public/documents/${token}/submit`), visitor.put(`/public/documents/${token}/submit`)])
    expect([one.status, two.status, one.data.request.submitted_at === null]).toEqual([200, 200, false])
    expect((await eventsOf(request.id)).filter((type) => type === 'document_request.submitted')).toHaveLength(1)
    expect((await visitor.delete(`/public/documents/${token}/files/${kept.id}`)).detail).toContain('was handed over')
    await deliver(team.business_id)
    const told = await sql('select rule, user_id from notifications where resource_id = $1 order by rule', [request.id])
    expect(told.map(({ rule, user_id }) => [rule, user_id])).toEqual([['document_request.file_received', team.owner.user_id], ['document_request.submitted', team.owner.user_id]])
  })

  it('takes fifty files and no more, also when they come at once', async () => {
    const { request, token } = await sentRequest(team.client)
    const some = (count: number) => Array.from({ length: count }, () => ({ name: 'a.txt', content: newId() }))
    const answers = await Promise.all([20, 20, 20].map((count) => send(token, request.items[0].id, some(count))))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 201, 400])
    expect((await send(token, request.items[1].id, some(10))).status).toBe(201)
    expect((await send(token, request.items[1].id)).detail).toContain('room for 0 more')
    expect((await view(token)).data.request.files_left).toBe(0)
  })

  it.each<[string, (token: string, item_id: string) => Promise<{ status: number; detail: any }>, number]>([
    ['no file', (token, item_id) => send(token, item_id, []), 400],
    ['an unknown item', (token) => send(token, newId()), 404],
    ['no item', (token) => upload(visitor, [{ name: 'a.txt', content: 'x' }], {}, `/public/documents/${token}/files`), 422],
    ['an empty file', (token, item_id) => send(token, item_id, [{ name: 'a.txt', content: '' }]), 400],
    ['a harmful file', (token, item_id) => send(token, item_id, [{ name: 'note.txt', content: ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('') }]), 400],
    ['an unknown link', (_, item_id) => send('x'.repeat(43), item_id), 404],
  ])('refuses %s', async (_, call, expected) => {
    const { request, token } = await shared()
    expect((await call(token, request.items[0].id)).status).toBe(expected)
    expect((await team.client.get(`/document-requests/${request.id}`)).data.items[0].files).toEqual([])
  })
  let once: Promise<{ request: any; token: string }> | null = null
  const shared = () => (once ??= sentRequest(team.client))

  it('opens nothing of a business that is archived, nor of another kind of link', async () => {
    const other = await newBusiness()
    const { token } = await sentRequest(other.client)
    expect((await view(token)).status).toBe(200)
    await other.client.put(`/businesses/${other.business_id}/archive`)
    expect((await view(token)).status).toBe(404)
    const { data: [document] } = await upload(team.client, [{ name: 'a.txt', content: newId() }])
    const { data: link } = await team.client.post(`/documents/${document.id}/links`, { expires_at: new Date(Date.now() + 86_400_000).toISOString() })
    expect((await view(link.token)).data).toMatchObject({ kind: 'document', request: null })
    expect((await visitor.put(`/public/documents/${link.token}/submit`)).status).toBe(404)
    expect((await team.client.post('/document-requests', asked({ send: true }), { query: { dry_run: true } })).data.status).toBe('sent')
  })
})
