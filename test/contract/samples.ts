// A call that works for each endpoint: most follow from the contract's example, the rest is said here.
import { routes } from '../../src/app/routes.ts'
import { newTotp } from '../support/totp.ts'
import type { Endpoint } from '../../src/foundation/endpoint.ts'
import { newId } from '../../src/foundation/ids.ts'
import { chartOf, post } from '../support/books.ts'
import { client, type Client } from '../support/client.ts'
import { newCustomer, withCustomers } from '../support/customers.ts'
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
  'unlock_accounting_period', 'reopen_accounting_period',
  'unpin_note', 'unassign_tags', 'restore_business', 'restore_tag', 'reactivate_member', 'end_other_sessions', 'sign_up', 'resend_verification', 'forgot_password',
  'reopen_todo', 'cancel_business_deletion', 'decline_invitation_by_token', 'renew_recovery_codes', 'look_up_invitation', 'calculate_tax', 'restore_ledger', 'unmerge_ledger',
  'restore_dimension', 'restore_dimension_value', 'preview_journal_entry',
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
  period_id: (team) => firstPeriod(team),
  note_id: (team) => newNote(team),
  todo_id: (team) => newTodo(team),
  item_id: async () => newId(),
  tag_id: (team) => newTag(team),
  role: async () => 'bad_debt',
  dimension_id: (team) => dimensionOf(team),
  value_id: (team) => newDimensionValue(team),
  key: async (team) => {
    const path = `/businesses/${team.business_id}/managerial-key-mappings/key-types`
    return (await team.client.post(path, { key: 'sample', name: 'Sample', value_kind: 'text' })).data.key
  },
  tax_rate_id: (team) => newTaxRate(team),
  tax_group_id: async (team) => made(await team.client.post('/tax/groups', { name: 'Sample', components: [{ rate_id: await newTaxRate(team) }] })),
  tax_exemption_id: async (team) => made(await taxExemptions(team).call('POST', '/tax/exemptions', { body: { customer_id: await newCustomer(team.client), valid_from: '2026-01-01' } })),
  api_token_id: async (team) => made(await team.client.post('/api-tokens', { name: 'Sample', scopes: ['notes:read', 'notes:write'] })),
  session_id: async (team) => {
    const { data } = await client().post('/user/sign-in', { email: team.owner.email, password: PASSWORD })
    const [{ id }] = await sql('select id from sessions where user_id = $1 order by created_at desc limit 1', [data.user.id])
    return id
  },
  invitation_id: async (team) => made(await team.client.post('/invitations', { email: `${newId()}@example.com`, role: 'viewer' })),
  event_id: async (team) => (await team.client.get('/events')).data.items[0].id,
  entry_id: async (team) => (await team.client.get('/audit-trail')).data.items[0].id,
  template_id: async (team) => made(await team.client.post('/journal-entries/templates', await templateBody(team))),
  report: async () => 'trial-balance',
  resource_type: async () => 'business',
  resource_id: async (team) => team.business_id,
}

const samples: Record<string, (team: Team, plain: Sample) => Promise<Partial<Sample>>> = {
  generate_accounting_periods: async () => ({ body: { fiscal_year: new Date().getUTCFullYear() + 1 } }),
  close_fiscal_year: async (team) => {
    const fiscal_year = new Date().getUTCFullYear() - 1
    await team.client.post('/accounting-periods/generate', { fiscal_year })
    return { body: { fiscal_year } }
  },
  get_period_certificate: closedPeriod,
  get_period_drift: closedPeriod,
  delete_business: async () => ({ query: { confirm_name: 'Test Trading' } }),
  update_business: async () => ({ body: { name: 'Renamed' } }),
  update_business_settings: async () => ({ body: { sales: { invoice_footer: 'Thank you.' } } }),
  leave_business: async (team) => {
    const member = await newMember(team.business_id, 'viewer')
    return { client: member.client, user_id: member.user_id, once: true }
  },
  transfer_ownership: async (team) => ({ body: { user_id: (await newMember(team.business_id, 'admin')).user_id } }),
  revalue_fx: async (team) => {
    const chart = await chartOf(team.business_id)
    await post(team.business_id, { date: '2026-03-10', currency: 'CAD', rate: '0.75', lines: [[chart.named('Employee Advances'), 10_000], [chart.named("Owner's Capital"), -10_000]] })
    await team.client.post('/fx/rates', { from_currency: 'CAD', to_currency: 'USD', date: '2026-03-31', rate: '0.72' })
    return { body: { as_of: '2026-03-31' } }
  },
  create_journal_entry: async (team) => ({ body: { ...(await entryBody(team)), post: true } }),
  bulk_create_journal_entries: async (team) => ({ body: { entries: [await entryBody(team), { ...(await entryBody(team)), post: true }] } }),
  preview_journal_entry: async (team) => ({ body: await entryBody(team) }),
  get_journal_entry: async (team) => ({ params: { entry_id: await newEntry(team, true) } }),
  update_journal_entry: async (team) => ({ params: { entry_id: await newEntry(team) }, body: { memo: 'Changed' } }),
  delete_journal_entry: async (team) => ({ params: { entry_id: await newEntry(team) } }),
  submit_journal_entry: async (team) => ({ params: { entry_id: await newEntry(team) } }),
  approve_journal_entry: async (team) => ({ params: { entry_id: await submittedEntry(team) } }),
  reject_journal_entry: async (team) => ({ params: { entry_id: await submittedEntry(team) } }),
  post_journal_entry: async (team) => ({ params: { entry_id: await newEntry(team) } }),
  reverse_journal_entry: async (team) => ({ params: { entry_id: await newEntry(team, true) } }),
  redate_journal_entry: async (team) => ({ params: { entry_id: await newEntry(team, true) }, body: { date: '2026-04-10' } }),
  duplicate_journal_entry: async (team) => ({ params: { entry_id: await newEntry(team, true) } }),
  list_journal_entry_history: async (team) => ({ params: { entry_id: await newEntry(team) } }),
  create_journal_template: async (team) => ({ body: await templateBody(team) }),
  merge_dimension_value: async (team) => ({ body: { into_id: await newDimensionValue(team) } }),
  replace_dimension_rules: async (team) => ({ body: { rules: [{ dimension_id: await dimensionOf(team), mode: 'optional' }] } }),
  reclassify_dimension: async (team) => {
    const chart = await chartOf(team.business_id)
    await post(team.business_id, { date: '2026-03-10', lines: [[chart.named('Rent'), 100], [chart.named('Checking'), -100]] })
    return { body: { filter: {}, dimension_id: await dimensionOf(team), to_value_id: await newDimensionValue(team), date: '2026-03-31' } }
  },
  save_managerial_mappings: async (team) => {
    const chart = await chartOf(team.business_id)
    return { body: { mappings: [{ ledger_id: chart.named('Rent'), key: 'cost_behavior', value: 'fixed' }] } }
  },
  explain_figure: async (team) => ({ query: { ledger_id: [(await chartOf(team.business_id)).named('Rent')] } }),
  get_managerial_report: async () => ({ query: { key: 'function' } }),
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
  merge_ledger: async (team) => ({ body: { into_id: await newLedger(team) } }),
  set_ledger_role: async (team) => ({ body: { ledger_id: await newLedger(team) } }),
  create_tax_rate: async (team) => ({ body: { name: 'Sample', agency_id: await newTaxAgency(team), versions: [{ percent: '6', valid_from: '2026-01-01' }] } }),
  create_tax_group: async (team) => ({ body: { name: 'Sample', components: [{ rate_id: await newTaxRate(team) }] } }),
  create_tax_exemption: async (team) => ({ client: taxExemptions(team), body: { customer_id: await newCustomer(team.client), valid_from: '2026-01-01' } }),
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

async function firstPeriod(team: Team): Promise<string> {
  return (await team.client.get('/accounting-periods', { descending: false })).data.items[0].id
}

async function closedPeriod(team: Team, { params }: Sample): Promise<Partial<Sample>> {
  await team.client.put(`/accounting-periods/${params['period_id']}/close`, { accept_warnings: true })
  return {}
}

async function newTodo(team: Team): Promise<string> {
  return made(await team.client.post('/todos', { title: 'Sample' }))
}

async function newTag(team: Team): Promise<string> {
  return made(await team.client.post('/tags', { name: `Sample ${newId()}` }))
}

async function entryBody(team: Team) {
  const chart = await chartOf(team.business_id)
  return { date: '2026-03-10', memo: 'Sample', lines: [{ ledger_id: chart.named('Rent'), debit: 100 }, { ledger_id: chart.named('Checking'), credit: 100 }] }
}

async function templateBody(team: Team) {
  const { lines } = await entryBody(team)
  // Not due for years: a clock that another test runs must not find it.
  return { name: 'Sample', frequency: 'monthly', start_date: '2031-01-31', auto_post: true, lines }
}

async function newEntry(team: Team, post = false, by: Client = team.client): Promise<string> {
  return made(await by.post('/journal-entries', { ...(await entryBody(team)), post }))
}

/** By somebody else, so that the owner may approve it. */
async function submittedEntry(team: Team): Promise<string> {
  const { client: other } = await newMember(team.business_id, 'bookkeeper')
  const id = await newEntry(team, false, other)
  await other.put(`/journal-entries/${id}/submit`)
  return id
}

async function newLedger(team: Team): Promise<string> {
  return made(await team.client.post('/ledgers', { name: `Sample ${newId()}`, type: 'expense', subtype: 'operating' }))
}

/** The dimension of the sample, so that a value and its dimension belong together. */
async function dimensionOf(team: Team): Promise<string> {
  const { items: [first] } = (await team.client.get('/accounting-dimensions')).data
  return first?.id ?? made(await team.client.post('/accounting-dimensions', { key: 'sample', name: 'Sample' }))
}

async function newDimensionValue(team: Team): Promise<string> {
  return made(await team.client.post(`/accounting-dimensions/${await dimensionOf(team)}/values`, { code: newId().slice(-12), name: 'Sample' }))
}

async function newTaxAgency(team: Team): Promise<string> {
  return made(await team.client.post('/tax/agencies', { name: 'Sample', country: 'US' }))
}

async function newTaxRate(team: Team): Promise<string> {
  return made(await team.client.post('/tax/rates', { name: 'Sample', agency_id: await newTaxAgency(team), versions: [{ percent: '6', valid_from: '2026-01-01' }] }))
}

/** A client for whom there are customers. */
function taxExemptions({ client: plain }: Team): Client {
  return { ...plain, call: (...call) => withCustomers(() => plain.call(...call)) }
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
