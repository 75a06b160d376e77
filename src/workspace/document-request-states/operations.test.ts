// Tests of document requests over HTTP: how they are made, sent, reminded of, ended and followed by others.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { deliver, eventsOf } from '../../../test/support/events.ts'
import { mailsTo, newBusiness, newMember, newToken, sql, type Team } from '../../../test/support/people.ts'
import { asked, newRequest, requestToken, sentRequest } from '../../../test/support/requests.ts'
import { service } from '../../../test/support/service.ts'
import { upload } from '../../../test/support/uploads.ts'
import { openLog } from '../../foundation/log.ts'
import { newId } from '../../foundation/ids.ts'
import { followDocumentRequests } from './jobs.ts'

let team: Team
const visitor = client()
beforeAll(async () => {
  team = await newBusiness()
})
afterEach(async () => (await service()).clock.set(null))

const at = async (moment: string) => (await service()).clock.set(moment)
const act = (id: string, verb: string, body: object = {}) => team.client.put(`/document-requests/${id}/${verb}`, body)
const item = (request: any, index: number, verb: string, body: object = {}) => team.client.put(`/document-requests/${request.id}/items/${request.items[index].id}/${verb}`, body)
const supply = (request: any, index: number, content = newId()) =>
  upload(team.client, [{ name: 'paper.txt', content }], {}, `/document-requests/${request.id}/items/${request.items[index].id}/files`)
const follow = async () => {
  const { program: { database } } = await service()
  await followDocumentRequests.run({ database, log: openLog('silent'), mailer: null, job_id: 'test' } as never, {} as never)
}
const get = async (id: string) => (await team.client.get(`/document-requests/${id}`)).data

describe('making', () => {
  it('fills in what is not given, and takes the rest from a template', async () => {
    const { data: template } = await team.client.post('/document-requests/templates', {
      name: 'Month end', title: 'Papers', message: 'Please.', due_in_days: 10, reminder_days: [3, -2, 3], items: [{ label: 'Statement', kind: 'statement' }, { label: 'Other', required: false }],
    })
    expect(template).toMatchObject({ reminder_days: [-2, 3], items: [{ required: true, note: null }, { kind: 'other', required: false }] })
    await at('2026-03-01T15:00:00Z')
    const { data, status } = await team.client.post('/document-requests', { template_id: template.id })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      title: 'Papers', message: 'Please.', due_date: '2026-03-11', reminder_days: [-2, 3], status: 'draft', received_count: 0, required_count: 1, overdue: false, sent_at: null,
      template_id: template.id, created_by: team.owner.user_id, version: 1, items: [{ label: 'Statement', status: 'open', files: [] }, { label: 'Other' }],
    })
    expect(await get(data.id)).toEqual(data)
    expect((await team.client.put(`/document-requests/templates/${template.id}`, { title: 'Other papers', due_in_days: null })).data).toMatchObject({ title: 'Other papers', due_in_days: null })
    expect((await get(data.id)).title).toBe('Papers')
    expect((await team.client.get('/document-requests', { template_id: template.id })).data.items).toHaveLength(1)
    expect((await team.client.delete(`/document-requests/templates/${template.id}`)).data.archived_at).not.toBeNull()
    expect((await team.client.delete(`/document-requests/templates/${template.id}`)).data.version).toBe(3)
    expect((await team.client.put(`/document-requests/templates/${template.id}`, { title: 'x' })).status).toBe(400)
    expect((await team.client.get('/document-requests/templates')).data.items).toEqual([])
    expect((await team.client.post('/document-requests', { template_id: template.id })).detail).toContain('was deleted')
  })

  it.each<[string, object, number, string]>([
    ['no title', { title: undefined }, 422, ''],
    ['a recipient twice', { recipients: [{ name: 'A', email: 'a@example.com' }, { name: 'B', email: 'A@example.com' }] }, 400, 'named twice'],
    ['a stranger as a member', { recipients: [{ name: 'A', email: 'a@example.com', user_id: newId() }] }, 400, 'no active member'],
    ['half a record', { resource_type: 'customer' }, 400, 'go together'],
    ['an unknown record', { resource_type: 'customer', resource_id: newId() }, 404, ''],
    ['recurrence without a due date', { recurrence: { frequency: 'monthly' } }, 400, 'needs a due_date'],
    ['recurrence that ends before', { due_date: '2026-03-10', recurrence: { frequency: 'monthly', end_date: '2026-03-01' } }, 400, 'before the due date'],
    ['nothing to send', { items: [], send: true }, 400, 'asks for nothing'],
    ['nobody to send to', { recipients: [], send: true }, 400, 'nobody to go to'],
    ['a period that is none', { items: [{ label: 'x', period: '2026-13' }] }, 422, ''],
    ['an unknown template', { template_id: newId() }, 404, ''],
  ])('refuses %s', async (_, more, status, sentence) => {
    const answer = await team.client.post('/document-requests', asked(more))
    expect([answer.status, JSON.stringify(answer.detail)]).toEqual([status, expect.stringContaining(sentence)])
  })

  it('is edited freely as a draft; once sent only its days and words', async () => {
    const draft = await newRequest(team.client)
    const [first] = draft.items
    const { data } = await team.client.put(`/document-requests/${draft.id}`, { title: 'New', items: [{ label: 'More' }, { ...first, label: 'Statement!' }], recipients: [{ name: 'Bo', email: 'bo@example.com' }] })
    expect(data).toMatchObject({ title: 'New', version: 2, items: [{ label: 'More' }, { id: first.id, label: 'Statement!' }], recipients: [{ name: 'Bo' }] })
    const { data: sent } = await act(draft.id, 'send')
    expect([sent.status, sent.sent_by, sent.version]).toEqual(['sent', team.owner.user_id, 3])
    expect((await act(draft.id, 'send')).data.version).toBe(3)
    const change = (body: object) => team.client.put(`/document-requests/${draft.id}`, body)
    expect((await change({ title: 'Other' })).detail).toContain('title stays as it is')
    expect((await change({ items: [] })).status).toBe(400)
    expect((await change({ recurrence: { frequency: 'daily' } })).status).toBe(400)
    expect((await change({ title: 'New', due_date: '2026-05-01', message: 'Hurry', reminder_days: [2] })).data).toMatchObject({ due_date: '2026-05-01', message: 'Hurry', reminder_days: [2], version: 4 })
    expect((await team.client.call('PUT', `/document-requests/${draft.id}`, { body: { message: 'x' }, headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await team.client.delete(`/document-requests/${draft.id}`)).detail).toContain('cancel it')
    const other = await newRequest(team.client)
    expect((await team.client.delete(`/document-requests/${other.id}`)).status).toBe(200)
    expect((await team.client.get(`/document-requests/${other.id}`)).status).toBe(404)
    expect(await eventsOf(other.id)).toEqual(['document_request.created', 'document_request.deleted'])
  })

  it('asks many people at once, all or each', async () => {
    const template_id = (await team.client.post('/document-requests/templates', { name: 'W-9', title: 'W-9', items: [{ label: 'W-9', kind: 'tax' }] })).data.id
    const email = `${newId()}@example.com`
    const recipients = [{ name: 'A', email }, { name: 'B', email: email.toUpperCase() }, { name: 'C', email: `c${email}`, user_id: newId() }]
    expect((await team.client.post('/document-requests/bulk', { template_id, recipients })).detail).toContain('Item 1')
    expect((await team.client.get('/document-requests', { recipient: email })).data.items).toEqual([])
    const { data } = await team.client.post('/document-requests/bulk', { template_id, recipients, atomic: false })
    expect([data.succeeded, data.failed, data.results.map(({ status }: any) => status)]).toEqual([1, 2, ['ok', 'error', 'error']])
    const { data: list } = await team.client.get('/document-requests', { recipient: email.toUpperCase(), status: ['sent'] })
    expect(list.items.map(({ id }: any) => id)).toEqual([data.results[0].id])
    expect(await mailsTo(email)).toHaveLength(1)
  })
})

describe('who may', () => {
  it('strangers, readers and narrow tokens change nothing', async () => {
    const { request } = await sentRequest(team.client)
    const stranger = await newBusiness()
    for (const path of ['', `/items/${request.items[0].id}/accept`]) expect((await stranger.client.put(`/document-requests/${request.id}${path}`, {})).status).toBe(404)
    expect((await stranger.client.get(`/document-requests/${request.id}`)).status).toBe(404)
    expect((await stranger.client.post('/document-requests', asked({ template_id: request.id }))).status).toBe(404)
    const viewer = await newMember(team.business_id, 'viewer')
    expect([(await viewer.client.get(`/document-requests/${request.id}`)).status, (await viewer.client.put(`/document-requests/${request.id}/cancel`, {})).status]).toEqual([200, 403])
    const token = client(await newToken(team.owner, ['documents:write']), team.business_id)
    expect((await token.get('/document-requests')).status).toBe(403)
  })
})

describe('states', () => {
  it('follow from the items', async () => {
    const { request } = await sentRequest(team.client, { items: [{ label: 'A' }, { label: 'B' }, { label: 'C', required: false }] })
    expect(request).toMatchObject({ status: 'sent', received_count: 0, required_count: 2 })
    expect((await supply(request, 2)).data.status).toBe('partially_received')
    expect((await supply(request, 0)).data).toMatchObject({ status: 'partially_received', received_count: 1 })
    expect((await item(request, 1, 'waive', { reason: 'Not needed' })).data).toMatchObject({ status: 'received', received_count: 2, items: [{}, { status: 'waived', reason: 'Not needed' }, {}] })
    const { data: more } = await team.client.post(`/document-requests/${request.id}/items`, { label: 'D' })
    expect(more).toMatchObject({ status: 'partially_received', required_count: 3 })
    expect((await team.client.patch(`/document-requests/${request.id}/items/${more.items[3].id}`, { required: false, note: 'If any' })).data).toMatchObject({ status: 'received', items: [{}, {}, {}, { note: 'If any' }] })
    expect((await team.client.delete(`/document-requests/${request.id}/items/${more.items[3].id}`)).data.items).toHaveLength(3)
    expect((await team.client.delete(`/document-requests/${request.id}/items/${request.items[0].id}`)).detail).toContain('waive it')
    expect((await act(request.id, 'complete')).detail).toContain('“A” is received')
    expect((await item(request, 0, 'reject', {})).status).toBe(422)
    expect((await item(request, 0, 'accept')).data.items[0].status).toBe('accepted')
    expect((await item(request, 0, 'reject', { reason: 'No' })).detail).toContain('is accepted')
    expect((await item(request, 0, 'reopen')).data.items[0].status).toBe('received')
    expect((await item(request, 1, 'accept')).detail).toContain('is waived')
    await item(request, 0, 'accept')
    const [one, two] = await Promise.all([act(request.id, 'complete'), act(request.id, 'complete')])
    expect([one.data.status, two.data.status, one.data.version === two.data.version]).toEqual(['completed', 'completed', true])
    expect((await supply(request, 0)).detail).toContain('is completed')
    expect((await item(request, 0, 'waive')).detail).toContain('reopen it first')
    expect((await team.client.post(`/document-requests/${request.id}/items`, { label: 'E' })).status).toBe(400)
    expect((await act(request.id, 'cancel')).detail).toContain('is completed')
    const events = await eventsOf(request.id)
    expect(events.filter((type) => type === 'document_request.completed')).toHaveLength(1)
    expect(events.filter((type) => type === 'document_request.received')).toHaveLength(2)
    expect((await act(request.id, 'reopen')).data).toMatchObject({ status: 'sent', completed_at: null })
    expect((await act(request.id, 'reopen')).data.status).toBe('sent')
  })

  it('a draft is neither completed, canceled, reopened nor judged', async () => {
    const draft = await newRequest(team.client)
    for (const verb of ['complete', 'cancel', 'reopen']) expect((await act(draft.id, verb)).detail, verb).toContain('is a draft')
    expect((await item(draft, 0, 'accept')).detail).toContain('send it first')
    expect((await supply(draft, 0)).detail).toContain('send it first')
    expect((await team.client.post(`/document-requests/${draft.id}/remind`, {})).status).toBe(400)
  })

  it('reopening makes new links; the old ones stay dead', async () => {
    const { request, token } = await sentRequest(team.client)
    const { email } = request.recipients[0]
    expect((await visitor.get(`/public/documents/${token}`)).status).toBe(200)
    expect((await act(request.id, 'cancel', { reason: 'Wrong' })).data.status).toBe('canceled')
    expect((await act(request.id, 'send')).detail).toContain('reopen it')
    expect((await visitor.get(`/public/documents/${token}`)).status).toBe(404)
    await act(request.id, 'reopen')
    const fresh = await requestToken(email)
    expect([fresh === token, (await visitor.get(`/public/documents/${token}`)).status, (await visitor.get(`/public/documents/${fresh}`)).status]).toEqual([false, 404, 200])
    const seen = JSON.stringify([await get(request.id), await sql('select data::text from events where resource_id = $1', [request.id])])
    expect([seen.includes(token), seen.includes(fresh), seen.includes('link_id')]).toEqual([false, false, false])
  })
})

describe('the clock', () => {
  it('reminds once a day, and no more once all was received', async () => {
    await at('2026-03-01T15:00:00Z')
    const { request } = await sentRequest(team.client, { due_date: '2026-03-10', reminder_days: [-2, 0, 5], items: [{ label: 'A' }] })
    const { email } = request.recipients[0]
    expect(request.next_reminder_on).toBe('2026-03-08')
    await follow()
    expect(await mailsTo(email)).toHaveLength(1)
    // Still the seventh where the business is.
    await at('2026-03-08T03:00:00Z')
    await follow()
    expect(await mailsTo(email)).toHaveLength(1)
    await at('2026-03-08T15:00:00Z')
    await Promise.all([follow(), follow()])
    await follow()
    const mails = await mailsTo(email)
    expect([mails.length, mails[0]?.subject, mails[0]?.text_body.includes(await requestToken(email))]).toEqual([2, 'Reminder: Papers of March', true])
    expect(await get(request.id)).toMatchObject({ next_reminder_on: '2026-03-10', last_reminded_at: '2026-03-08T15:00:00.000Z' })
    const remind = (body: object = {}) => team.client.post(`/document-requests/${request.id}/remind`, body)
    expect((await remind()).detail).toContain('were reminded today')
    expect((await remind({ force: true })).status).toBe(201)
    await at('2026-03-10T13:00:00Z')
    expect((await remind()).status).toBe(201)
    await follow()
    // By hand earlier that day: the one of the calendar is left out.
    expect([await mailsTo(email), (await get(request.id)).next_reminder_on]).toEqual([expect.objectContaining({ length: 4 }), '2026-03-15'])
    await supply(request, 0)
    expect((await remind({ force: true })).detail).toContain('nothing to remind of')
    await at('2026-03-15T15:00:00Z')
    await follow()
    expect(await mailsTo(email)).toHaveLength(4)
  })

  it('without a due date counts from the sending, and ends with the links', async () => {
    await at('2026-03-01T15:00:00Z')
    const { request, token } = await sentRequest(team.client, { reminder_days: [7, 120], items: [{ label: 'A' }] })
    expect([request.next_reminder_on, request.links_expire_at]).toEqual(['2026-03-08', '2026-05-30T15:00:00.000Z'])
    await at('2026-05-30T14:59:00Z')
    expect((await visitor.get(`/public/documents/${token}`)).status).toBe(200)
    await at('2026-05-30T15:00:00Z')
    expect((await visitor.get(`/public/documents/${token}`)).status).toBe(404)
    expect((await team.client.post(`/document-requests/${request.id}/remind`, {})).detail).toContain('have expired')
    await at('2026-07-01T15:00:00Z')
    await follow()
    expect(await mailsTo(request.recipients[0].email)).toHaveLength(1)
  })

  it('tells once that one is overdue, and people see it until it is settled', async () => {
    await at('2026-03-01T15:00:00Z')
    const { request } = await sentRequest(team.client, { title: 'Late papers', due_date: '2026-03-10', items: [{ label: 'A' }] })
    await at('2026-03-11T15:00:00Z')
    await Promise.all([follow(), follow()])
    await follow()
    expect((await eventsOf(request.id)).filter((type) => type === 'document_request.overdue')).toHaveLength(1)
    expect((await team.client.get('/document-requests', { overdue: true, due_before: '2026-03-11' })).data.items.map(({ id }: any) => id)).toContain(request.id)
    const { data } = await team.client.get('/document-requests/summary')
    expect(data.by_recipient).toContainEqual({ email: request.recipients[0].email, name: 'Ann Client', open: 1, overdue: 1 })
    const told = async () => {
      await deliver(team.business_id)
      return (await sql('select distinct rule, (resolved_at is null) as open from notifications where resource_id = $1 order by 1', [request.id])).map(({ rule, open }) => `${rule} ${open}`)
    }
    expect(await told()).toEqual(['document_request.overdue true'])
    await supply(request, 0)
    expect(await told()).toEqual(['document_request.file_received false', 'document_request.overdue false', 'document_request.received true'])
    expect((await get(request.id)).overdue).toBe(false)
    await item(request, 0, 'accept')
    await act(request.id, 'complete')
    expect(await told()).toEqual(['document_request.file_received false', 'document_request.overdue false', 'document_request.received false'])
  })

  it('makes each of a series once, on days that never drift, with periods that move along', async () => {
    await at('2026-01-21T15:00:00Z')
    const { request } = await sentRequest(team.client, {
      due_date: '2026-01-31', recurrence: { frequency: 'monthly', end_date: '2026-04-30' }, items: [{ label: 'Statement', period: '2025-12' }, { label: 'Report', period: '2025-Q4' }],
    })
    const series = async () => (await sql('select id, due_date::text, occurrence, status, next_on::text from document_requests where series_id = $1 order by occurrence', [request.series_id]))
    expect(request).toMatchObject({ occurrence: 0, next_on: '2026-02-18' })
    await at('2026-02-17T15:00:00Z')
    await follow()
    expect(await series()).toHaveLength(1)
    await at('2026-02-18T15:00:00Z')
    await Promise.all([follow(), follow(), follow()])
    // Down for weeks: what was missed is caught up with.
    await at('2026-05-20T15:00:00Z')
    await Promise.all([follow(), follow()])
    await follow()
    expect((await series()).map(({ due_date, status, next_on }) => [due_date, status, next_on])).toEqual([
      ['2026-01-31', 'sent', null], ['2026-02-28', 'sent', null], ['2026-03-31', 'sent', null], ['2026-04-30', 'sent', null],
    ])
    const last = await get((await series())[3].id)
    expect([last.items.map(({ period }: any) => period), last.sent_by, last.recipients[0].email]).toEqual([['2026-03', '2026-Q1'], team.owner.user_id, request.recipients[0].email])
    expect((await mailsTo(request.recipients[0].email)).filter(({ subject }) => subject.includes('asks you'))).toHaveLength(4)
    expect(await eventsOf(last.id)).toEqual(['document_request.created', 'document_request.sent', 'document_request.overdue'])
  })

  it('a canceled one is followed by none, nor one whose recurrence was ended', async () => {
    await at('2026-01-21T15:00:00Z')
    const weekly = { due_date: '2026-01-31', recurrence: { frequency: 'weekly' }, items: [{ label: 'A' }] }
    const { request: canceled } = await sentRequest(team.client, weekly)
    expect((await act(canceled.id, 'cancel')).data.next_on).toBeNull()
    const { request: ended } = await sentRequest(team.client, weekly)
    expect((await team.client.put(`/document-requests/${ended.id}`, { recurrence: null })).data).toMatchObject({ recurrence: null, next_on: null })
    await at('2026-03-21T15:00:00Z')
    await follow()
    expect(await sql('select count(*)::int as count from document_requests where series_id = any($1)', [[canceled.series_id, ended.series_id]])).toEqual([{ count: 2 }])
    await at('2026-01-22T15:00:00Z')
    expect((await act(canceled.id, 'reopen')).data.next_on).toBe('2026-01-28')
  })
})

it('attaches what comes to the item and to the record it is about, and files it as asked', async () => {
  const customer_id = await newCustomer(team.client)
  const { request } = await sentRequest(team.client, { resource_type: 'customer', resource_id: customer_id })
  const { data } = await supply(request, 0)
  const { document_id } = data.items[0].files[0]
  const { data: document } = await team.client.get(`/documents/${document_id}`)
  expect(document).toMatchObject({ source: 'request', kind: 'other', description: 'For “Papers of March”' })
  expect(document.attachments.map(({ resource_type }: any) => resource_type)).toEqual(['document_request_item', 'customer'])
  await item(request, 0, 'accept')
  expect((await team.client.get(`/documents/${document_id}`)).data).toMatchObject({ kind: 'statement', document_date: '2026-03-31', retained_until: '2033-03-31' })
  const path = `/document-requests/${request.id}/items/${request.items[0].id}/files`
  expect((await team.client.delete(`${path}/${document_id}`)).detail).toContain('reopen it')
  await item(request, 0, 'reopen')
  expect((await team.client.delete(`${path}/${document_id}`)).data).toMatchObject({ status: 'sent', items: [{ status: 'open', files: [] }, {}] })
  expect((await team.client.get(`/documents/${document_id}`)).data.attachments).toMatchObject([{ resource_type: 'customer' }])
  expect((await team.client.post(path, { document_id })).data.items[0].files).toMatchObject([{ document_id, recipient_id: null }])
  expect((await team.client.post(path, { document_id })).data.items[0].files).toHaveLength(1)
  expect((await team.client.post(path, {})).detail).toContain('at least one file')
  expect((await team.client.post(path, { document_id: newId() })).status).toBe(404)
  expect((await team.client.delete(`${path}/${newId()}`)).status).toBe(404)
  expect((await team.client.get('/attachments', { resource_type: 'document_request_item', resource_id: request.items[0].id })).data.items).toHaveLength(1)
})
