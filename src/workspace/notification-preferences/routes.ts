// Preferences over HTTP, and the page behind the link in a mail: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import { html } from '../../foundation/html.ts'
import { Page, page } from '../../foundation/page.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import { readUnsubscribeToken } from './rules.ts'

export const notificationPreferenceRoutes = [
  on(contract.getPreferences, (tx, { query }) => operations.getPreferences(tx, query.business_id)),
  on(contract.savePreferences, (tx, { body }) => operations.savePreferences(tx, body.preferences)),
  on(contract.resetPreferences, (tx, { query }) => operations.resetPreferences(tx, query.business_id)),
  on(contract.saveDigest, (tx, { body }) => operations.saveDigest(tx, body)),
  on(contract.testPreferences, (tx) => operations.testPreferences(tx)),
  on(contract.unsubscribe, (tx, { query }) => operations.unsubscribe(tx, query.token)),
]

const style = 'body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color:#222}h1{font-size:1.25rem}button{font:inherit;padding:.5rem 1rem}'
const wordsOf = (topic: string | null) => (topic === null ? 'the digest' : `mail about ${topic.replaceAll('_', ' ')}`)

/** To look at a link must change nothing: programs that check mail open every link in it. */
export const notificationPreferencePages = [
  page('GET', '/unsubscribe', async (tx, { query }) => {
    const token = query['token'] ?? ''
    const { topic } = readUnsubscribeToken(tx.surroundings.encryption_key, token)
    const body = html`<main><h1>Stop ${wordsOf(topic)}?</h1><form method="post" action="/unsubscribe"><input type="hidden" name="token" value="${token}"><button>Stop it</button></form></main>`
    return new Page({ title: 'Unsubscribe', style, body })
  }),
  page('POST', '/unsubscribe', async (tx, { form }) => {
    const { topic } = await operations.unsubscribe(tx, form['token'] ?? '')
    return new Page({ title: 'Unsubscribed', style, body: html`<main><h1>You will get no more ${topic === null ? 'digests' : wordsOf(topic)}.</h1><p>You can change this in your preferences.</p></main>` })
  }),
]
