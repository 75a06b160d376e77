// A call that works for each endpoint: most follow from the contract's example, the rest is said here.
import { routes } from '../../src/app/routes.ts'
import { newTotp } from '../support/totp.ts'
import type { Endpoint } from '../../src/foundation/endpoint.ts'
import { newId } from '../../src/foundation/ids.ts'
import { client, type Client } from '../support/client.ts'
import { mailedToken, newMember, newPerson, PASSWORD, sql, type Team } from '../support/people.ts'

export type Sample = {
  client: Client
  /** Whose rows may change besides those of the business. */
  user_id: string
  params: Record<string, string>
  query?: Record<string, string | number | boolean | string[]>
  body?: unknown
  /** The call ends the caller's own access, so it cannot be made twice. */
  once?: boolean
  /** Not JSON. */
  stream?: boolean
}

/** Writes that change nothing where they are called for the first time, or nothing of the caller's. */
export const withoutTrace = new Set([
  'unpin_note', 'unassign_tags', 'restore_business', 'restore_tag', 'reactivate_member', 'end_other_sessions', 'sign_up', 'resend_verification', 'forgot_password',
  'reopen_todo', 'cancel_business_deletion', 'decline_invitation_by_token', 'renew_recovery_codes', 'look_up_invitation',
])

/** Calls that test a password: a dry run would leave a failed guess uncounted, so there is none. */
export const withoutDryRun = new Set(['sign_in', 'sign_in_two_factor', 'reauthenticate', 'change_password', 'disable_two_factor'])

export async function sampleFor(endpoint: Endpoint, team: Team): Promise<Sample> {
  const { properties = {} } = endpoint.params as { properties?: Record<string, unknown> }
  const params: Record<string, string> = {}
  for (const name of Object.keys(properties)) params[name] = await (ids[name]?.(team) ?? createdFor(endpoint, name, team))
  const plain: Sample = { client: team.client, user_id: team.owner.user_id, params, body: endpoint.example ?? (endpoint.body ? {} : undefined) }
  return { ...plain, ...(await samples[endpoint.id]?.(team, plain)) }
}

/** For a group of the plain kind: what its own create makes of its example. */
async function createdFor(endpoint: Endpoint, name: string, team: Team): Promise<string> {
  const path = endpoint.path.split(`/{${name}}`)[0]
  const create = routes.find(({ endpoint: other }) => other.method === 'POST' && other.path === path && other.example)
  if (!create || !path) throw new Error(`Say in test/contract/samples.ts how a ${name} is made.`)
  return made(await team.client.post(path, create.endpoint.example))
}

/** How to get a value for each path parameter that is not simply created. */
const ids: Record<string, (team: Team) => Promise<string>> = {
  business_id: async (team) => team.business_id,
  user_id: async (team) => (await newMember(team.business_id, 'bookkeeper')).user_id,
  kind: async () => 'invoice',
  note_id: (team) => newNote(team),
  todo_id: (team) => newTodo(team),
  item_id: async () => newId(),
  tag_id: (team) => newTag(team),
  api_token_id: async (team) => made(await team.client.post('/api-tokens', { name: 'Sample', scopes: ['notes:read', 'notes:write'] })),
  session_id: async (team) => {
    const { data } = await client().post('/user/sign-in', { email: team.owner.email, password: PASSWORD })
    const [{ id }] = await sql('select id from sessions where user_id = $1 order by created_at desc limit 1', [data.user.id])
    return id
  },
  invitation_id: async (team) => made(await team.client.post('/invitations', { email: `${newId()}@example.com`, role: 'viewer' })),
  event_id: async (team) => (await team.client.get('/events')).data.items[0].id,
  entry_id: async (team) => (await team.client.get('/audit-trail')).data.items[0].id,
  resource_type: async () => 'business',
  resource_id: async (team) => team.business_id,
}

const samples: Record<string, (team: Team, plain: Sample) => Promise<Partial<Sample>>> = {
  delete_business: async () => ({ query: { confirm_name: 'Test Trading' } }),
  update_business: async () => ({ body: { name: 'Renamed' } }),
  update_business_settings: async () => ({ body: { sales: { invoice_footer: 'Thank you.' } } }),
  leave_business: async (team) => {
    const member = await newMember(team.business_id, 'viewer')
    return { client: member.client, user_id: member.user_id, once: true }
  },
  transfer_ownership: async (team) => ({ body: { user_id: (await newMember(team.business_id, 'admin')).user_id } }),
  create_note: async (team) => ({ body: { resource_type: 'todo', resource_id: await newTodo(team), body: 'Noted.' } }),
  count_notes: async (team) => ({ query: { resource_type: 'todo', resource_ids: [await newTodo(team)] } }),
  bulk_todos: async (team) => ({ body: { ids: [await newTodo(team)], action: 'cancel' } }),
  check_todo_item: async (team) => {
    const { data } = await team.client.post('/todos', { title: 'List', checklist: [{ label: 'One' }] })
    return { params: { todo_id: data.id, item_id: data.checklist[0].id } }
  },
  assign_tags: async (team) => ({ body: { tag_ids: [await newTag(team)], resource_type: 'todo', resource_ids: [await newTodo(team)] } }),
  unassign_tags: async (team) => ({ body: { tag_ids: [await newTag(team)], resource_type: 'todo', resource_ids: [await newTodo(team)] } }),
  merge_tag: async (team) => ({ body: { into_id: await newTag(team) } }),
  create_api_token: async () => ({ body: { name: 'Program', scopes: ['notes:read'] } }),
  update_api_token: async () => ({ body: { name: 'Renamed', scopes: ['notes:read'] } }),
  stream_events: async () => ({ stream: true }),
  verify_email: async (team) => asNewcomer(team, async (email) => ({ token: await mailedToken(email) })),
  resend_verification: async (team) => ({ client: client(), body: { email: team.owner.email } }),
  sign_up: async () => ({ client: client(), body: { email: `${newId()}@example.com`, name: 'New', password: PASSWORD } }),
  sign_in: async (team) => ({ client: client(), body: { email: team.owner.email, password: PASSWORD } }),
  sign_in_two_factor: async (team) => {
    const { code } = await newTotp(team.owner)
    const { data } = await client().post('/user/sign-in', { email: team.owner.email, password: PASSWORD })
    return { client: client(), body: { challenge: data.challenge, code: code(1) } }
  },
  reauthenticate: async () => ({ body: { password: PASSWORD } }),
  update_user: async () => ({ body: { name: 'Renamed' } }),
  close_user: async () => {
    const person = await newPerson()
    return { client: person.client, user_id: person.user_id, once: true }
  },
  sign_out: async () => ({ once: true }),
  change_password: async () => ({ body: { current_password: PASSWORD, new_password: 'another quite long one' } }),
  forgot_password: async (team) => ({ client: client(), body: { email: team.owner.email } }),
  reset_password: async (team) => {
    await client().post('/user/password/forgot', { email: team.owner.email })
    return { client: client(), body: { token: await mailedToken(team.owner.email), password: 'another quite long one' } }
  },
  request_email_change: async () => ({ body: { email: `${newId()}@example.com` } }),
  confirm_email_change: async (team) => {
    const email = `${newId()}@example.com`
    await team.client.post('/user/email', { email })
    return { client: client(), body: { token: await mailedToken(email) } }
  },
  undo_email_change: async (team) => {
    const email = `${newId()}@example.com`
    const { email: before } = team.owner
    await team.client.post('/user/email', { email })
    await client().post('/user/email/confirm', { token: await mailedToken(email) })
    return { client: client(), body: { token: await mailedToken(before) } }
  },
  disable_two_factor: async (team) => {
    const { code } = await newTotp(team.owner)
    return { body: { password: PASSWORD, code: code(1) } }
  },
  confirm_two_factor: async (team) => {
    const { data } = await team.client.post('/user/two-factor/enroll')
    const { code } = await newTotp(team.owner, data)
    return { body: { code: code(0) } }
  },
  renew_recovery_codes: async (team) => {
    await newTotp(team.owner)
    return {}
  },
  create_invitation: async () => ({ body: { email: `${newId()}@example.com`, role: 'viewer' } }),
  create_invitations: async () => ({ body: { invitations: [{ email: `${newId()}@example.com`, role: 'viewer' }] } }),
  look_up_invitation: async (team) => ({ client: client(), body: { token: await invitationToken(team) } }),
  accept_invitation: async (team) => {
    const person = await newPerson()
    return { client: person.client, user_id: person.user_id, body: { token: await invitationToken(team, person.email) } }
  },
  decline_invitation: async (team) => {
    const person = await newPerson()
    return { client: person.client, user_id: person.user_id, body: { token: await invitationToken(team, person.email) } }
  },
  sign_up_by_invitation: async (team) => ({ client: client(), body: { token: await invitationToken(team), name: 'New', password: PASSWORD } }),
  decline_invitation_by_token: async (team) => ({ client: client(), body: { token: await invitationToken(team) } }),
}

async function asNewcomer(_team: Team, body: (email: string) => Promise<object>): Promise<Partial<Sample>> {
  const email = `${newId()}@example.com`
  await client().post('/user/sign-up', { email, name: 'New', password: PASSWORD })
  const [{ id }] = await sql('select id from users where email = $1', [email])
  return { client: client(), user_id: id, body: await body(email) }
}

async function newTodo(team: Team): Promise<string> {
  return made(await team.client.post('/todos', { title: 'Sample' }))
}

async function newTag(team: Team): Promise<string> {
  return made(await team.client.post('/tags', { name: `Sample ${newId()}` }))
}

async function newNote(team: Team): Promise<string> {
  return made(await team.client.post('/notes', { resource_type: 'todo', resource_id: await newTodo(team), body: 'Noted.' }))
}

async function invitationToken(team: Team, email = `${newId()}@example.com`): Promise<string> {
  made(await team.client.post('/invitations', { email, role: 'viewer' }))
  return mailedToken(email)
}

function made(answer: { status: number; data: { id: string }; detail: unknown }): string {
  if (answer.status !== 201) throw new Error(`Not made: ${JSON.stringify(answer.detail)}`)
  return answer.data.id
}
