// The advisor's account: made over HTTP the first time, taken up again where a demo was interrupted.
import { lockAccountByEmail } from '../../access/account/operations.ts'
import { createApiToken, listApiTokens } from '../../access/api-tokens/operations.ts'
import { listBusinesses } from '../../access/businesses/operations.ts'
import { nobody, plainRequest, transact, type Database } from '../../foundation/database/transact.ts'
import type { UserTx } from '../../foundation/database/transaction.ts'
import { randomToken } from '../../foundation/secrets.ts'
import { mailedToken, openApi, type Answer, type Api, type Page } from './api.ts'

export type Run = { since: string; seed: number; businesses: number }

/** What a data folder knows of the demo. */
export type Standing = { state: 'absent' | 'complete' } | ({ state: 'begun'; run: Run | null })

/** A token of this name stands while the demo is being made: whoever comes after an interruption reads from it what was begun. */
const nameOf = ({ since, seed, businesses }: Run): string => `daybook demo since ${since}, ${businesses} businesses, seed ${seed}`

export function runOf(name: string): Run | null {
  const [, since, businesses, seed] = /^daybook demo since (\S+), (\d+) businesses, seed (\d+)$/.exec(name) ?? []
  return since === undefined ? null : { since, seed: Number(seed), businesses: Number(businesses) }
}

export function findStanding(database: Database, email: string): Promise<Standing> {
  return asAdvisor(database, email, async (tx): Promise<Standing> => {
    if (tx === null) return { state: 'absent' }
    const tokens = await listApiTokens(tx, { status: 'active', limit: 1000 } as Parameters<typeof listApiTokens>[1])
    const run = tokens.items.map(({ name }) => runOf(name)).find((found) => found !== null) ?? null
    const businesses = await listBusinesses(tx, { limit: 1 })
    return run === null && businesses.items.length > 0 ? { state: 'complete' } : { state: 'begun', run }
  })
}

export type SignedIn = { api: Api; password: string }

export async function signUp(url: string, { email, name }: { email: string; name: string }, run: Run): Promise<SignedIn> {
  const password = randomToken('')
  await openApi(url, null).post('/user/sign-up', { email, name, password }, null)
  const api = await signIn(url, email, password)
  await openApi(url, null).post('/user/verify-email', { token: await mailedToken(api, email) }, null)
  await api.post('/api-tokens', { name: nameOf(run), scopes: ['user:read'] }, null)
  return { api, password }
}

/** Nobody knows the password of the first attempt. Whoever runs this has the database, so they may read the advisor's mail. */
export async function takeUp(url: string, database: Database, { email }: { email: string }, run: Run): Promise<SignedIn> {
  const password = randomToken('')
  const token = await asAdvisor(database, email, async (tx) => (tx ? (await createApiToken(tx, { name: nameOf(run), scopes: ['user:read'] })).token : null))
  await openApi(url, null).post('/user/password/forgot', { email }, null)
  await openApi(url, null).post('/user/password/reset', { token: await mailedToken(openApi(url, token), email), password }, null)
  return { api: await signIn(url, email, password), password }
}

/** The token to go on with; those that said that the demo was being made go. */
export async function finish(api: Api): Promise<string> {
  const scopes = await api.get<{ scope: string }[]>('/api-tokens/scopes')
  const made = await api.post<{ token: string }>('/api-tokens', { name: 'Demo', scopes: scopes.map(({ scope }) => scope) }, null)
  const { items } = await api.get<Page<Answer & { name: string }>>('/api-tokens', { status: 'active', limit: 1000 })
  for (const { id, name } of items) if (runOf(name) !== null) await api.delete(`/api-tokens/${id}`)
  await api.post('/user/sign-out', undefined, null)
  return made.token
}

async function signIn(url: string, email: string, password: string): Promise<Api> {
  const { session_token } = await openApi(url, null).post<{ session_token: string }>('/user/sign-in', { email, password }, null)
  return openApi(url, session_token)
}

function asAdvisor<T>(database: Database, email: string, work: (tx: UserTx | null) => Promise<T>): Promise<T> {
  return transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx, asUser }) => {
    const account = await lockAccountByEmail(tx, email)
    return work(account && asUser({ ...nobody, kind: 'user', id: account.id, user_id: account.id, name: account.name, email, email_verified: true }))
  })
}
