import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newBusiness, newMember, newToken, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newDocument, upload } from '../../../test/support/uploads.ts'
import { jobs, subscribers } from '../../app/jobs.ts'
import { findBusiness } from '../../access/lookup.ts'
import { deliverTo } from '../../foundation/jobs/outbox.ts'
import { newId } from '../../foundation/ids.ts'
import { openLog } from '../../foundation/log.ts'

let team: Team
let customer_id: string
let entry_id: string
beforeAll(async () => {
  team = await newBusiness()
  customer_id = await newCustomer(team.client)
  entry_id = await newEntry(team.business_id)
})

async function newEntry(business_id: string): Promise<string> {
  const { role } = await chartOf(business_id)
  const [entry] = await post(business_id, { date: '2026-01-20', lines: [[role('sales'), -100], [role('undeposited_funds'), 100]] })
  return entry?.id ?? ''
}

const attach = (id: string, resource_type: string, resource_id: string, by = team.client) => by.post(`/documents/${id}/attachments`, { resource_type, resource_id })
const place = () => ({ resource_type: 'customer', resource_id: customer_id })

describe('attaching', () => {
  it('is told of on the document and listed on the record; twice is once', async () => {
    const { id } = await newDocument(team.client, 'a.txt')
    const first = await attach(id, 'customer', customer_id)
    const second = await attach(id, 'customer', customer_id)
    expect([first.status, second.data.id]).toEqual([201, first.data.id])
    expect((await team.client.get(`/documents/${id}`)).data).toMatchObject({ version: 2, attachments: [{ id: first.data.id, ...place(), attached_by: team.owner.user_id }] })
    const { data } = await team.client.get('/attachments', place())
    expect(data.items.map((document: any) => document.id)).toContain(id)
    const off = await team.client.delete(`/documents/${id}/attachments/${first.data.id}`)
    expect([off.status, off.data.id]).toEqual([200, first.data.id])
    expect((await team.client.delete(`/documents/${id}/attachments/${first.data.id}`)).status).toBe(404)
    expect((await team.client.get(`/documents/${id}`)).data.attachments).toEqual([])
  })

  it('of two at once leaves one', async () => {
    const { id } = await newDocument(team.client)
    const answers = await Promise.all([1, 2, 3].map(() => attach(id, 'customer', customer_id)))
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
  })

  it('needs the record, the right to change it, and a document that is there', async () => {
    const { id } = await newDocument(team.client, 'gone.txt')
    const stranger = await newBusiness()
    expect((await attach(id, 'customer', await newCustomer(stranger.client))).status).toBe(404)
    expect((await attach(id, 'customer', newId())).status).toBe(404)
    expect((await attach(newId(), 'customer', customer_id)).status).toBe(404)
    expect((await attach(id, 'nothing', customer_id)).status).toBe(404)
    expect((await attach(id, 'customer', customer_id, stranger.client)).status).toBe(404)
    const approver = await newMember(team.business_id, 'approver')
    expect((await attach(id, 'customer', customer_id, approver.client)).status).toBe(403)
    const token = client(await newToken(team.owner, ['documents:read', 'documents:write', 'customers:read']), team.business_id)
    expect((await attach(id, 'customer', customer_id, token)).detail).toContain('customers:write')
    await team.client.delete(`/documents/${id}`)
    expect((await attach(id, 'customer', customer_id)).detail).toBe('gone.txt is in the bin: restore it first.')
  })

  it('the list needs to know of what', async () => {
    expect((await team.client.get('/attachments', { resource_type: 'customer' })).detail).toMatchObject([{ loc: ['query', 'resource_id'], type: 'missing' }])
    expect((await team.client.get('/attachments')).status).toBe(422)
    const stranger = await newBusiness()
    expect((await stranger.client.get('/attachments', place())).status).toBe(404)
  })
})

describe('what is posted', () => {
  it('keeps its documents: not deleted, taken off only by an accountant', async () => {
    const { id } = await newDocument(team.client, 'proof.txt', undefined, { resource_type: 'journal_entry', resource_id: entry_id })
    const refused = await team.client.delete(`/documents/${id}`)
    expect([refused.status, refused.detail]).toEqual([400, `proof.txt is attached to the posted journal entry ${entry_id}: it belongs to the books and stays.`])
    const [{ id: attachment_id }] = (await team.client.get(`/documents/${id}`)).data.attachments
    const bookkeeper = await newMember(team.business_id, 'bookkeeper')
    expect((await bookkeeper.client.delete(`/documents/${id}/attachments/${attachment_id}`)).status).toBe(403)
    const accountant = await newMember(team.business_id, 'accountant')
    expect((await accountant.client.delete(`/documents/${id}/attachments/${attachment_id}`)).status).toBe(200)
    expect((await team.client.delete(`/documents/${id}`)).status).toBe(200)
  })

  it('in a closed period takes no new version', async () => {
    const own = await newBusiness()
    const { id } = await newDocument(own.client, 'proof.txt', undefined, { resource_type: 'journal_entry', resource_id: await newEntry(own.business_id) })
    const add = (content: string) => upload(own.client, [{ name: 'a.txt', content }], {}, `/documents/${id}/versions`)
    expect((await add('open')).status).toBe(201)
    await sql(`update accounting_periods set status = 'closed', closing_hash = 'x' where business_id = $1 and start_date = '2026-01-01'`, [own.business_id])
    const closed = await add('closed')
    expect([closed.status, closed.detail]).toEqual([400, expect.stringContaining('whose period is closed')])
  })

  it('meanwhile brings its document back from the bin before that is emptied', async () => {
    const own = await newBusiness()
    const customer = await newCustomer(own.client)
    const draft = await own.client.post('/invoices', { customer_id: customer, line_items: [{ description: 'Work', quantity: 1, unit_price: 1000 }] })
    const { id } = await newDocument(own.client, 'later.txt', undefined, { resource_type: 'invoice', resource_id: draft.data.id })
    expect((await own.client.delete(`/documents/${id}`)).status).toBe(200)
    expect((await own.client.put(`/invoices/${draft.data.id}/finalize`)).status).toBe(200)
    const { program, clock } = await service()
    clock.set(new Date(Date.now() + 40 * 86_400_000).toISOString())
    await jobs.find(({ name }) => name === 'documents.empty_bins')?.run({ database: program.database, log: openLog('silent'), mailer: null as never, job_id: 'test' }, {} as never)
    clock.set(null)
    expect((await own.client.get(`/documents/${id}`)).data.deleted_at).toBeNull()
  })
})

describe('an invoice that names documents', () => {
  it('has them attached', async () => {
    const { id } = await newDocument(team.client, 'order.txt')
    const { data } = await team.client.post('/invoices', { customer_id, attachment_ids: [id], line_items: [{ description: 'Work', quantity: 1, unit_price: 1000 }] })
    const { program } = await service()
    const business = await findBusiness(program.database, team.business_id)
    await deliverTo(program.database, business!, subscribers, openLog('silent'))
    expect((await team.client.get(`/documents/${id}`)).data.attachments).toMatchObject([{ resource_type: 'invoice', resource_id: data.id }])
    await team.client.delete(`/documents/${id}`)
    expect((await team.client.post('/invoices', { customer_id, attachment_ids: [id], line_items: [] })).status).toBe(404)
  })
})

describe('a record that is deleted', () => {
  it('leaves its documents behind, attached to nothing', async () => {
    const todo = (await team.client.post('/todos', { title: 'Sample' })).data.id
    const { id } = await newDocument(team.client, 'a.txt', undefined, { resource_type: 'todo', resource_id: todo })
    const { program } = await service()
    const business = await findBusiness(program.database, team.business_id)
    await team.client.delete(`/todos/${todo}`)
    await deliverTo(program.database, business!, subscribers, openLog('silent'))
    expect((await team.client.get(`/documents/${id}`)).data.attachments).toEqual([])
  })
})
