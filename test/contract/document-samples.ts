// Samples for the endpoints of documents: a file of its own, attached, shared, or sent by mail.
import { newId } from '../../src/foundation/ids.ts'
import { inboxAddress } from '../../src/foundation/inbox.ts'
import { inboxKey, signatureOf } from '../../src/workspace/document-inbox/rules.ts'
import { client } from '../support/client.ts'
import { newCustomer } from '../support/customers.ts'
import type { Team } from '../support/people.ts'
import { service } from '../support/service.ts'
import { newDocument, SAMPLES } from '../support/uploads.ts'
import type { Sample } from './samples.ts'

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
const documentOf = async (team: Team): Promise<string> => (await newDocument(team.client)).id
const shareOf = async (team: Team, more: object = {}) =>
  (await team.client.post(`/documents/${await documentOf(team)}/links`, { expires_at: tomorrow(), ...more })).data as { id: string; token: string }

export const documentIds: Record<string, (team: Team) => Promise<string>> = {
  document_id: documentOf,
  attachment_id: async () => newId(),
  link_id: async (team) => (await shareOf(team)).id,
  link_token: async (team) => (await shareOf(team)).token,
}

export const documentWithoutTrace = ['unlock_public_document']
export const documentWithoutDryRun = ['unlock_public_document']

export const documentSamples: Record<string, (team: Team, plain: Sample) => Promise<Partial<Sample>>> = {
  attach_document: async (team) => ({ body: { resource_type: 'customer', resource_id: await newCustomer(team.client) } }),
  async detach_document(team) {
    const document_id = await documentOf(team)
    const { data } = await team.client.post(`/documents/${document_id}/attachments`, { resource_type: 'customer', resource_id: await newCustomer(team.client) })
    return { params: { document_id, attachment_id: data.id } }
  },
  list_attachments: async (team) => ({ query: { resource_type: 'customer', resource_id: await newCustomer(team.client) } }),
  async restore_document(team, { params }) {
    await team.client.delete(`/documents/${params['document_id']}`)
    return {}
  },
  preview_document: async (team) => ({ params: { document_id: (await newDocument(team.client, 'dot.png', SAMPLES['png'])).id } }),
  create_document_link: async () => ({ body: { expires_at: tomorrow(), password: 'correct horse' } }),
  view_public_document: async () => ({ client: client() }),
  unlock_public_document: async (team) => ({ client: client(), params: { link_token: (await shareOf(team, { password: 'correct horse' })).token } }),
  get_public_file: async () => ({ client: client() }),
  async receive_inbound_email(team) {
    const { program: { database: { surroundings: { encryption_key, inbox } } } } = await service()
    const file = { file_name: 'bill.txt', content_base64: Buffer.from(newId()).toString('base64') }
    const raw = Buffer.from(JSON.stringify({ message_id: newId(), to: [inboxAddress(encryption_key, inbox.domain, team.business_id)], attachments: [file] }))
    const [id, seconds] = [newId(), String(Math.floor(Date.now() / 1000))]
    const signature = signatureOf(inboxKey(inbox.secret, encryption_key), id, seconds, raw)
    return { client: client(), raw, headers: { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature } }
  },
}
