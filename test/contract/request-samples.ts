// Samples for the endpoints of document requests: drafts, ones that were sent, and their public side.
import { client } from '../support/client.ts'
import type { Team } from '../support/people.ts'
import { newRequest, sentRequest } from '../support/requests.ts'
import { upload } from '../support/uploads.ts'
import type { Sample } from './samples.ts'

type Made = Promise<Partial<Sample>>

const path = (request: { id: string }, item = 0) => `/document-requests/${request.id}/items/${(request as any).items[item].id}`

async function supplied(team: Team, states: string[] = []): Promise<{ params: Record<string, string>; request: any }> {
  const { request } = await sentRequest(team.client)
  const { data } = await upload(team.client, [{ name: 'a.txt', content: `Paper of ${request.id}` }], {}, `${path(request)}/files`)
  for (const state of states) await team.client.put(`${path(request)}/${state}`, { reason: 'Sample' })
  return { params: { request_id: request.id, item_id: request.items[0].id, document_id: data.items[0].files[0].document_id }, request: data }
}

async function template(team: Team): Promise<string> {
  return (await team.client.post('/document-requests/templates', { name: 'Sample', title: 'Papers', items: [{ label: 'Statement' }] })).data.id
}

async function complete(team: Team): Promise<{ request_id: string }> {
  const { request } = await sentRequest(team.client)
  for (const item of [0, 1]) await team.client.put(`${path(request, item)}/waive`, {})
  return { request_id: request.id }
}

async function publicFile(team: Team): Promise<Record<string, string>> {
  const { request, token } = await sentRequest(team.client)
  const files = [{ name: 'a.txt', content: `Paper of ${request.id}` }]
  const { data } = await upload(client(), files, { item_id: request.items[0].id }, `/public/documents/${token}/files`)
  return { link_token: token, file_id: data[0].id }
}

export const requestIds: Record<string, (team: Team) => Promise<string>> = {
  request_id: async (team) => (await newRequest(team.client)).id,
  file_id: async () => '00000000-0000-7000-8000-000000000000',
}

export const requestWithoutTrace = ['reopen_document_request_item']

const ofTemplate = async (team: Team): Made => ({ params: { template_id: await template(team) } })
const ofItem = async (team: Team): Made => {
  const { id, items } = await newRequest(team.client)
  return { params: { request_id: id, item_id: items[0].id } }
}
const ofSent = async (team: Team): Made => {
  const { request } = await sentRequest(team.client)
  return { params: { request_id: request.id, item_id: request.items[0].id } }
}

export const requestSamples: Record<string, (team: Team, plain: Sample) => Made> = {
  get_document_request_template: ofTemplate,
  update_document_request_template: ofTemplate,
  delete_document_request_template: ofTemplate,
  bulk_document_requests: async (team) => ({ body: { template_id: await template(team), recipients: [{ name: 'Bob', email: 'bob@example.com' }] } }),
  remind_document_request: async (team) => ({ params: { request_id: (await sentRequest(team.client)).request.id } }),
  complete_document_request: async (team) => ({ params: await complete(team) }),
  cancel_document_request: async (team) => ({ params: { request_id: (await sentRequest(team.client)).request.id } }),
  async reopen_document_request(team) {
    const { request } = await sentRequest(team.client)
    await team.client.put(`/document-requests/${request.id}/cancel`, {})
    return { params: { request_id: request.id } }
  },
  update_document_request_item: ofItem,
  delete_document_request_item: ofItem,
  waive_document_request_item: ofSent,
  reopen_document_request_item: ofSent,
  supply_document_request_files: ofSent,
  async accept_document_request_item(team) {
    const { params: { request_id = '', item_id = '' } } = await supplied(team)
    return { params: { request_id, item_id } }
  },
  async reject_document_request_item(team) {
    const { params: { request_id = '', item_id = '' } } = await supplied(team)
    return { params: { request_id, item_id } }
  },
  remove_document_request_file: async (team) => ({ params: (await supplied(team)).params }),
  async send_public_files(team) {
    const { request, token } = await sentRequest(team.client)
    const body = { file_name: 'paper.txt', content_base64: Buffer.from(`Paper of ${request.id}`).toString('base64'), item_id: request.items[0].id }
    return { client: client(), params: { link_token: token }, body }
  },
  withdraw_public_file: async (team) => ({ client: client(), params: await publicFile(team) }),
  async submit_public_files(team) {
    const { link_token = '' } = await publicFile(team)
    return { client: client(), params: { link_token } }
  },
}
