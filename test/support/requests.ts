// Document requests in tests: asked of somebody, and opened with the link of their mail.
import { newId } from '../../src/foundation/ids.ts'
import type { Client } from './client.ts'
import { mailsTo } from './people.ts'

export const asked = (more: object = {}) => ({
  title: 'Papers of March', recipients: [{ name: 'Ann Client', email: `${newId()}@example.com` }],
  items: [{ label: 'Bank statement', kind: 'statement', period: '2026-03' }, { label: 'Cash receipts', kind: 'receipt' }], ...more,
})

/** A draft, or with send: true one that was sent. */
export async function newRequest(client: Client, more: object = {}): Promise<any> {
  const { data, detail } = await client.post('/document-requests', asked(more))
  if (!data) throw new Error(`Not asked: ${JSON.stringify(detail)}`)
  return data
}

/** The token of the newest link that was mailed to this address. */
export async function requestToken(email: string): Promise<string> {
  for (const { text_body } of await mailsTo(email)) {
    const token = /\/request\/([\w-]{43})/.exec(text_body)?.[1]
    if (token) return token
  }
  throw new Error(`No link was mailed to ${email}.`)
}

/** One that was sent, with the token of its first recipient. */
export async function sentRequest(client: Client, more: object = {}): Promise<{ request: any; token: string }> {
  const request = await newRequest(client, { send: true, ...more })
  return { request, token: await requestToken(request.recipients[0].email) }
}
