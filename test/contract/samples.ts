// A call that works for each endpoint: most follow from the contract's example, the rest is said here.
import { DOT } from '../../src/access/business-logo/contract.ts'
import { routes } from '../../src/app/routes.ts'
import { newTotp } from '../support/totp.ts'
import type { Endpoint } from '../../src/foundation/endpoint.ts'
import { newId } from '../../src/foundation/ids.ts'
import { chartOf, post } from '../support/books.ts'
import { billingSamples, billingWithoutTrace } from './billing-samples.ts'
import { processorSamples, processorWithoutTrace } from './processor-samples.ts'
import { client, type Client } from '../support/client.ts'
import { newCustomer } from '../support/customers.ts'
import { creditIds, creditSamples } from './credit-samples.ts'
import { bankingSamples } from './banking-samples.ts'
import { depositSamples, newSuggestion } from './deposit-samples.ts'
import { requestIds, requestSamples, requestWithoutTrace } from './request-samples.ts'
import { documentIds, documentSamples, documentWithoutDryRun, documentWithoutTrace } from './document-samples.ts'
import { invoiceSamples, newInvoice } from './invoice-samples.ts'
import { exportIds } from './export-samples.ts'
import { importIds, importSamples } from './import-samples.ts'
import { jobIds, jobSamples } from './job-samples.ts'
import { dashboardIds, dashboardSamples, dashboardWithoutTrace } from './dashboard-samples.ts'
import { deckIds, deckSamples } from './deck-samples.ts'
import { shareIds, shareSamples, shareWithoutDryRun, shareWithoutTrace } from './share-samples.ts'
import { notificationIds, notificationSamples } from './notification-samples.ts'
import { setupIds, setupSamples, setupWithoutTrace } from './setup-samples.ts'
import { oauthIds, oauthSamples, oauthWithoutDryRun } from './oauth-samples.ts'
import { mainLocation, newItem } from '../support/stock.ts'
import { mailedToken, newMember, newPerson, PASSWORD, sql, type Team } from '../support/people.ts'

export type Sample = {
  client: Client
  /** Whose rows may change besides those of the business. */
  user_id: string
  params: Record<string, string>
  query?: Record<string, string | number | boolean | string[]>
  body?: unknown
  /** Of a signed message: its bytes and its signature. */
  raw?: Buffer | string
  headers?: Record<string, string>
  /** The call ends the caller's own access, so it cannot be made twice. */
  once?: boolean
  /** Not JSON. */
  stream?: boolean
}

/** Writes that change nothing where they are called for the first time, or nothing of the caller's. */
export const withoutTrace = new Set([
  ...setupWithoutTrace,
  ...processorWithoutTrace, ...billingWithoutTrace,
  ...documentWithoutTrace,
  ...shareWithoutTrace,
  ...dashboardWithoutTrace,
  ...requestWithoutTrace,
  'unlock_accounting_period', 'reopen_accounting_period',
  'enable_oauth_client', 'unpin_note', 'unassign_tags', 'restore_business', 'restore_tag', 'reactivate_member', 'end_other_sessions', 'sign_up', 'resend_verification', 'forgot_password',
  'reopen_todo', 'cancel_business_deletion', 'decline_invitation_by_token', 'renew_recovery_codes', 'look_up_invitation', 'calculate_tax', 'restore_ledger', 'unmerge_ledger',
  'preview_recurring_dates', 'retry_recurring_occurrence',
  'restore_dimension', 'restore_dimension_value', 'preview_journal_entry', 'unarchive_product', 'unarchive_variant', 'unarchive_location', 'restore_payment_term', 'restore_customer', 'restore_catalog_item',
])

/** Calls that test a password: a dry run would leave a failed guess uncounted, so there is none. */
export const withoutDryRun = new Set([...documentWithoutDryRun, ...shareWithoutDryRun, ...oauthWithoutDryRun, 'sign_in', 'sign_in_two_factor', 'reauthenticate', 'change_password', 'disable_two_factor'])

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
  ledger_id: (team) => newLedger(team),
  note_id: (team) => newNote(team),
  number: async () => '1',
  todo_id: (team) => newTodo(team),
  item_id: (team) => newCatalogItem(team),
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
  tax_exemption_id: async (team) => made(await team.client.post('/tax/exemptions', { customer_id: await newCustomer(team.client), valid_from: '2026-01-01' })),
  customer_id: (team) => customerOf(team),
  contact_id: async (team) => made(await team.client.post(`/customers/${await customerOf(team)}/contacts`, { name: 'Sample' })),
  api_token_id: async (team) => made(await team.client.post('/api-tokens', { name: 'Sample', scopes: ['notes:read', 'notes:write'] })),
  session_id: async (team) => {
    const { data } = await client().post('/user/sign-in', { email: team.owner.email, password: PASSWORD })
    const [{ id }] = await sql('select id from sessions where user_id = $1 order by created_at desc limit 1', [data.user.id])
    return id
  },
  invitation_id: async (team) => made(await team.client.post('/invitations', { email: `${newId()}@example.com`, role: 'viewer' })),
  event_id: async (team) => (await team.client.get('/events')).data.items[0].id,
  entry_id: async (team) => (await team.client.get('/audit-trail')).data.items[0].id,
  variant_id: async () => newId(),
  adjustment_id: async (team) => made(await team.client.post('/inventory/adjustments', await adjustmentBody(team))),
  template_id: async (team) => made(await team.client.post('/journal-entries/templates', await templateBody(team))),
  transaction_id: (team) => newTransaction(team),
  contract_id: (team) => contractOf(team),
  milestone_id: async (team) => made(await team.client.post(`/contracts/${await contractOf(team)}/milestones`, { name: 'Sample', percent: '10' })),
  project_id: (team) => projectOf(team),
  task_id: async (team) => made(await team.client.post(`/projects/${await projectOf(team)}/tasks`, { name: 'Sample' })),
  invoice_id: (team) => newInvoice(team),
  suggestion_id: (team) => newSuggestion(team),
  charge_id: async () => newId(),
  token: async () => 'none',
  payout_id: async () => newId(),
  payment_id: async () => newId(),
  ...creditIds,
  ...oauthIds,
  ...setupIds,
  ...documentIds,
  ...requestIds,
  ...importIds,
  ...deckIds,
  ...dashboardIds,
  ...shareIds,
  ...jobIds,
  ...exportIds,
  ...notificationIds,
  report: async () => 'trial-balance',
  resource_type: async () => 'business',
  resource_id: async (team) => team.business_id,
}

const samples: Record<string, (team: Team, plain: Sample) => Promise<Partial<Sample>>> = {
  get_business_logo: async (team) => (await withLogo(team), {}),
  remove_business_logo: async (team) => (await withLogo(team), {}),
  update_variant: otherVariant,
  delete_variant: otherVariant,
  archive_variant: otherVariant,
  unarchive_variant: otherVariant,
  lookup_variant: async (team) => ({ query: { sku: (await newItem(team.client)).sku } }),
  list_availability: async (team) => ({ query: { variant_ids: [(await newItem(team.client)).variant_id] } }),
  change_prices: async (team) => ({ body: { mode: 'list', prices: [{ variant_id: (await newItem(team.client)).variant_id, price: 995 }] } }),
  replace_kit_components: async (team) => {
    const kit = await newItem(team.client, { type: 'kit' })
    return { params: { product_id: kit.product_id }, body: { components: [{ variant_id: (await newItem(team.client)).variant_id, quantity: 2 }] } }
  },
  create_adjustment: async (team) => ({ body: { ...(await adjustmentBody(team)), post: true } }),
  reverse_adjustment: async (team) => ({ params: { adjustment_id: made(await team.client.post('/inventory/adjustments', { ...(await adjustmentBody(team)), post: true })) } }),
  ...setupSamples,
  ...invoiceSamples,
  ...depositSamples,
  ...documentSamples,
  ...requestSamples,
  ...bankingSamples,
  ...creditSamples,
  ...oauthSamples,
  ...importSamples,
  ...deckSamples,
  ...dashboardSamples,
  ...shareSamples,
  ...jobSamples,
  ...notificationSamples,
  ...processorSamples,
  ...billingSamples,
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
  create_transaction: async (team) => ({ body: await transactionBody(team) }),
  bulk_create_transactions: async (team) => ({ body: { transactions: [await transactionBody(team), { ...(await transactionBody(team)), external_id: 'F-1' }] } }),
  restore_transaction: async (team) => {
    const transaction_id = await newTransaction(team)
    await team.client.put(`/transactions/${transaction_id}/exclude`, {})
    return { params: { transaction_id } }
  },
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
  create_tax_exemption: async (team) => ({ body: { customer_id: await newCustomer(team.client), valid_from: '2026-01-01' } }),
  create_recurring_template: async (team) => ({ body: await recurringBody(team) }),
  ...Object.fromEntries(
    ['get', 'update', 'delete', 'pause', 'end'].map((verb) => `${verb}_recurring_template`).concat('skip_recurring_occurrence', 'generate_recurring_occurrence', 'list_recurring_occurrences')
      .map((id) => [id, async (team: Team) => ({ params: { template_id: await newRecurring(team) } })])),
  resume_recurring_template: async (team) => {
    const template_id = await newRecurring(team)
    await team.client.put(`/recurring/${template_id}/pause`, {})
    return { params: { template_id } }
  },
  retry_recurring_occurrence: async (team) => {
    const template_id = await newRecurring(team)
    await team.client.post(`/recurring/${template_id}/generate`)
    return { params: { template_id, number: '1' } }
  },
  merge_customers: async (team) => ({ body: { source_ids: [await newCustomer(team.client)] } }),
  change_catalog_prices: async (team) => ({ body: { item_ids: [await newCatalogItem(team)], percent: '10' } }),
  create_contract: async (team) => ({ body: await contractBody(team) }),
  complete_contract: async (team) => ({ params: { contract_id: await newActiveContract(team) } }),
  terminate_contract: async (team) => ({ params: { contract_id: await newActiveContract(team) } }),
  renew_contract: async (team) => ({ params: { contract_id: await newActiveContract(team) } }),
  replace_project_members: async (team) => ({ body: { members: [{ user_id: team.owner.user_id, rate: 12_000, cost_rate: 6_000 }] } }),
  get_due_date: async () => ({ query: { invoice_date: '2026-01-31' } }),
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

async function recurringBody(team: Team) {
  const template = { customer_id: await customerOf(team), line_items: [{ description: 'Sample', unit_price: 100 }] }
  return { kind: 'invoice', name: 'Sample', frequency: 'monthly', start_date: '2099-01-31', template }
}

async function newRecurring(team: Team): Promise<string> {
  return made(await team.client.post('/recurring', await recurringBody(team)))
}

/** A second variant, which may go. */
async function otherVariant(team: Team, { body }: Sample): Promise<Partial<Sample>> {
  const { product_id } = await newItem(team.client)
  const variant_id = made(await team.client.post(`/inventory/products/${product_id}/variants`, { sku: `OTHER-${newId()}` }))
  return { params: { product_id, variant_id }, body }
}

async function adjustmentBody(team: Team) {
  const [{ variant_id }, location_id] = await Promise.all([newItem(team.client), mainLocation(team.business_id)])
  return { kind: 'quantity', reason: 'found', adjusted_on: '2026-03-10', lines: [{ variant_id, location_id, quantity: 4, unit_cost: 250 }] }
}

async function firstPeriod(team: Team): Promise<string> {
  return (await team.client.get('/accounting-periods', { descending: false })).data.items[0].id
}

async function closedPeriod(team: Team, { params }: Sample): Promise<Partial<Sample>> {
  await team.client.put(`/accounting-periods/${params['period_id']}/close`, { accept_warnings: true })
  return {}
}

async function transactionBody(team: Team) {
  return { ledger_id: (await chartOf(team.business_id)).named('Checking'), amount: 12_000, datetime: '2026-03-10', counterparty: 'Sample' }
}

async function newTransaction(team: Team): Promise<string> {
  return made(await team.client.post('/transactions', await transactionBody(team)))
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

async function newCatalogItem(team: Team): Promise<string> {
  return made(await team.client.post('/catalog-items', { name: 'Sample', prices: [{ currency: 'USD', unit_price: 10_000 }] }))
}

async function contractBody(team: Team) {
  return { customer_id: await customerOf(team), title: 'Sample', original_value: 100_000, start_date: '2026-01-01', end_date: '2026-12-31', renewal_months: 12 }
}

/** The contract of the sample, so that a milestone and its contract belong together; likewise below. */
async function contractOf(team: Team): Promise<string> {
  const { items: [first] } = (await team.client.get('/contracts')).data
  return first?.id ?? made(await team.client.post('/contracts', await contractBody(team)))
}

async function newActiveContract(team: Team): Promise<string> {
  const contract_id = made(await team.client.post('/contracts', await contractBody(team)))
  await team.client.put(`/contracts/${contract_id}/activate`, {})
  return contract_id
}

async function projectOf(team: Team): Promise<string> {
  const { items: [first] } = (await team.client.get('/projects')).data
  return first?.id ?? made(await team.client.post('/projects', { name: 'Sample', code: 'SAMPLE' }))
}

/** The customer of the sample, so that a contact and its customer belong together. */
async function customerOf(team: Team): Promise<string> {
  const { items: [first] } = (await team.client.get('/customers')).data
  return first?.id ?? newCustomer(team.client)
}

async function newTaxAgency(team: Team): Promise<string> {
  return made(await team.client.post('/tax/agencies', { name: 'Sample', country: 'US' }))
}

async function newTaxRate(team: Team): Promise<string> {
  return made(await team.client.post('/tax/rates', { name: 'Sample', agency_id: await newTaxAgency(team), versions: [{ percent: '6', valid_from: '2026-01-01' }] }))
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

async function withLogo(team: Team): Promise<void> {
  await team.client.put(`/businesses/${team.business_id}/logo`, { content_base64: DOT })
}
