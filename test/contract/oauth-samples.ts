// Calls that work for the endpoints of OAuth: an app, what a person has allowed it, and the forms that it sends.
import { client } from '../support/client.ts'
import { begin, connect, consent, grantOf, newApp, type App } from '../support/oauth.ts'
import type { Team } from '../support/people.ts'
import type { Sample } from './samples.ts'

async function connected(team: Team): Promise<{ app: App; grant_id: string; refresh_token: string }> {
  const app = await newApp(team.owner)
  const { refresh_token } = await connect(app, team.owner, [team.business_id])
  return { app, grant_id: (await grantOf(team.owner, app)).id, refresh_token }
}

export const oauthIds: Record<string, (team: Team) => Promise<string>> = {
  client_id: async (team) => (await newApp(team.owner)).client_id,
  secret_id: async () => 'made with its client',
  grant_id: async (team) => (await connected(team)).grant_id,
}

/** A form, as a program sends it. */
function form(app: App, fields: Record<string, string>): Partial<Sample> {
  const raw = new URLSearchParams({ client_id: app.client_id, client_secret: app.client_secret ?? '', ...fields }).toString()
  return { client: client(), raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
}

export const oauthSamples: Record<string, (team: Team) => Promise<Partial<Sample>>> = {
  delete_oauth_client_secret: async (team) => {
    const { client_id } = await newApp(team.owner)
    const { data } = await team.client.post(`/oauth/clients/${client_id}/secrets`)
    return { params: { client_id, secret_id: data.id } }
  },
  get_oauth_authorization_request: async (team) => ({ query: { request_id: (await begin(await newApp(team.owner))).request_id } }),
  decide_oauth_authorization: async (team) => {
    const { request_id } = await begin(await newApp(team.owner))
    return { body: { request_id, decision: 'approve', business_ids: [team.business_id] } }
  },
  create_oauth_token: async (team) => {
    const app = await newApp(team.owner)
    const { parameters, verifier, redirect_uri } = await consent(app, team.owner, [team.business_id])
    return form(app, { grant_type: 'authorization_code', code: parameters.get('code') ?? '', redirect_uri, code_verifier: verifier })
  },
  revoke_oauth_token: async (team) => {
    const { app, refresh_token } = await connected(team)
    return form(app, { token: refresh_token })
  },
  introspect_oauth_token: async (team) => {
    const { app, refresh_token } = await connected(team)
    return form(app, { token: refresh_token })
  },
}

/** What a program shows of itself must count. */
export const oauthWithoutDryRun = ['create_oauth_token', 'revoke_oauth_token', 'introspect_oauth_token']
