// How a client is made: one call after another through the public API. Every write has a name of its own, so that a run that was
// interrupted goes on where it stopped.
import { randomToken } from '../../foundation/secrets.ts'
import { mailedToken, openApi, type Answer, type Api, type Page } from './api.ts'
import { giveUp, INVOICES_A_CALL, issueInvoices, repeatInvoices, setUpShop, type Shop } from './invoicing.ts'
import type { Client, Entry, Line, Practice } from './plan.ts'

/** What the stages before have found out. */
type Made = {
  /** As the advisor, in the business. */
  api: Api
  business_id: string
  advisor_id: string
  owner_id: string
  ledgers: ReadonlyMap<string, string>
  departments: ReadonlyMap<string, string>
  tax_codes: ReadonlyMap<string, string>
  items: Shop['items']
  /** The ids of the entries and of the invoices, in the order of the plan. */
  entries: string[]
  invoices: string[]
}

/** `size` is how much of the whole work it is; an entry counts 1. */
export type Stage = { what: string; size: number; run(made: Made): Promise<Partial<Made> | void> }

/** Well below what a body may hold. */
const ENTRIES_A_CALL = 400

export type Advance = (size: number, what: string) => void

/** The id of the business. */
export async function makeClient(url: string, api: Api, practice: Practice, client: Client, advance: Advance): Promise<string> {
  const names = { ledgers: new Map(), departments: new Map(), tax_codes: new Map(), items: new Map() }
  const nothing = { business_id: '', advisor_id: '', owner_id: '', ...names, entries: [], invoices: [] }
  let made: Made = { api, ...nothing }
  for (const { what, size, run } of stagesOf(url, practice, client)) {
    advance(0, `${client.name}: ${what}`)
    made = { ...made, ...(await run(made)) }
    advance(size, `${client.name}: ${what}`)
  }
  return made.business_id
}

export function stagesOf(url: string, practice: Practice, client: Client): Stage[] {
  const stages: Stage[] = [
    { what: 'business', size: 40, run: (made) => createBusiness(made, client) },
    { what: 'owner', size: 40, run: (made) => inviteOwner(url, made, client) },
    { what: 'ledgers', size: 40, run: (made) => setUpLedgers(made, client) },
    { what: 'taxes, departments, rates', size: 40, run: (made) => setUpRest(made, client) },
    { what: 'customers and items', size: 60, run: async ({ api, business_id, ledgers }) => ({ items: await setUpShop(api, business_id, client, ledgers) }) },
    ...chunksOf(client.entries, ENTRIES_A_CALL).map((entries, index): Stage => ({
      what: `entries of ${entries[0]?.date.slice(0, 7)}`,
      size: entries.length,
      run: async (made) => ({ entries: [...made.entries, ...await postEntries(made, entries, index)] }),
    })),
    ...chunksOf(client.sales, INVOICES_A_CALL).map((sales, index): Stage => ({
      what: `invoices of ${sales[0]?.date.slice(0, 7)}`,
      size: sales.length * 3,
      run: async (made) => ({ invoices: [...made.invoices, ...await issueInvoices(made.api, made, client, sales, index + 1)] }),
    })),
    { what: 'lost and standing invoices', size: 40, run: (made) => finishSales(made, client) },
    { what: 'rent', size: 50, run: (made) => payRent(made, client) },
    { what: 'corrections', size: 30, run: (made) => correct(made, client) },
    { what: 'exchange rates', size: client.revaluations.length * 10, run: (made) => revalue(made, client) },
    { what: 'closing', size: 250, run: (made) => closePeriods(made, practice) },
    { what: 'notes and tasks', size: 100, run: (made) => leaveTraces(made, client) },
  ]
  return stages.filter(({ size }) => size > 0)
}

async function createBusiness({ api }: Made, client: Client): Promise<Partial<Made>> {
  const [{ id: advisor_id }, { id: business_id }] = await Promise.all([api.get('/user'), api.post('/businesses', client.business, `business ${client.name}`)])
  await api.inside(business_id).put(`/sandbox/businesses/${business_id}/plan-tier`, { plan_tier: client.plan_tier }, 'plan')
  return { advisor_id, business_id, api: api.inside(business_id) }
}

/** Invited by mail, as everybody is; joining is not repeated where the invitation was accepted. */
async function inviteOwner(url: string, { api, business_id }: Made, { owner }: Client): Promise<Partial<Made>> {
  const invitation = await api.post('/invitations', { ...owner, role: 'owner', message: 'Your books are ready.', expires_in_days: 30 }, 'owner')
  const { status } = await api.get<{ status: string }>(`/invitations/${invitation.id}`)
  if (status === 'pending') {
    const token = await mailedToken(api, owner.email)
    await openApi(url, null).post('/invitations/sign-up', { token, name: owner.name, password: randomToken('') }, null)
  }
  const { items } = await api.get<Page<{ user_id: string; email: string }>>(`/businesses/${business_id}/members`)
  return { owner_id: items.find(({ email }) => email === owner.email)?.user_id ?? '' }
}

async function setUpLedgers({ api }: Made, client: Client): Promise<Partial<Made>> {
  await api.post('/ledgers/bulk', { items: client.ledgers }, 'ledgers')
  const { items } = await api.get<Page<{ id: string; number: string | null }>>('/ledgers', { limit: 1000 })
  return { ledgers: new Map(items.map(({ id, number }) => [number ?? '', id])) }
}

async function setUpRest(made: Made, client: Client): Promise<Partial<Made>> {
  const { api, business_id, ledgers } = made
  if (client.rates.length > 0) await api.post('/fx/rates', { rates: client.rates }, 'rates')
  if (client.managerial_keys.length > 0) {
    const mappings = client.managerial_keys.map(({ ledger, key, value }) => ({ ledger_id: idOf(ledgers, ledger), key, value }))
    await api.put(`/businesses/${business_id}/managerial-key-mappings`, { mappings }, 'managerial keys')
  }
  if (client.tax) await setUpTax(made, client.tax)
  const codes = await api.get<Page<{ id: string; code: string }>>('/tax/codes', { limit: 1000 })
  const departments = client.departments ? await setUpDepartments(made, client.departments) : new Map<string, string>()
  return { tax_codes: new Map(codes.items.map(({ id, code }) => [code, id])), departments }
}

async function setUpTax({ api, ledgers }: Made, tax: NonNullable<Client['tax']>): Promise<void> {
  const agency = await api.post('/tax/agencies', { ...tax.agency, payable_ledger_id: idOf(ledgers, tax.payable_ledger) }, 'tax agency')
  const rates: Answer[] = []
  for (const { name, percent } of tax.rates) {
    rates.push(await api.post('/tax/rates', { name, agency_id: agency.id, versions: [{ percent, valid_from: '2020-01-01' }] }, `tax rate ${name}`))
  }
  const group = await api.post('/tax/groups', { name: tax.group, components: rates.map(({ id }) => ({ rate_id: id })) }, 'tax group')
  await api.post('/tax/codes', { ...tax.code, treatment: 'taxable', group_id: group.id }, 'tax code')
}

/** Income and expenses need a department; a cost that comes without one belongs to the overhead. */
async function setUpDepartments({ api }: Made, { key, name, values, overhead }: NonNullable<Client['departments']>): Promise<Map<string, string>> {
  const dimension = await api.post('/accounting-dimensions', { key, name }, 'departments')
  const made = new Map<string, string>()
  for (const value of values) made.set(value.code, (await api.post(`/accounting-dimensions/${dimension.id}/values`, value, `department ${value.code}`)).id)
  const rule = { dimension_id: dimension.id, mode: 'required' }
  const rules = [{ ...rule, ledger_type: 'income' }, { ...rule, ledger_type: 'expense', default_value_id: idOf(made, overhead) }]
  await api.put('/accounting-dimensions/rules', { rules }, 'department rules')
  return made
}

async function postEntries(made: Made, entries: readonly Entry[], index: number): Promise<string[]> {
  const body = { post: true, entries: entries.map((entry) => bodyOf(made, entry)) }
  const { results } = await made.api.post<{ results: { id: string }[] }>('/journal-entries/bulk', body, `entries ${index + 1}`)
  return results.map(({ id }) => id)
}

function bodyOf(made: Made, { mark: _mark, lines, ...entry }: Entry) {
  return { ...entry, lines: linesOf(made, lines) }
}

function linesOf({ ledgers, departments, tax_codes }: Made, lines: readonly Line[]) {
  return lines.map(({ ledger, department, tax_code, ...line }) => ({
    ...line,
    ledger_id: idOf(ledgers, ledger),
    ...(department !== undefined && departments.size > 0 && { dimension_value_ids: [idOf(departments, department)] }),
    ...(tax_code !== undefined && { tax_code_id: idOf(tax_codes, tax_code) }),
  }))
}

async function finishSales(made: Made, client: Client): Promise<void> {
  await giveUp(made.api, client.sales, made.invoices)
  await repeatInvoices(made.api, made, client, client.standing)
}

async function payRent(made: Made, { rent: { name, memo, lines, dates } }: Client): Promise<void> {
  const body = { name, memo, frequency: 'monthly', start_date: dates[0], auto_post: true, lines: linesOf(made, lines) }
  const template = await made.api.post('/journal-entries/templates', body, 'rent')
  for (const date of dates) await made.api.post(`/journal-entries/templates/${template.id}/run`, { date }, `rent ${date}`)
}

async function correct(made: Made, client: Client): Promise<void> {
  const { api, entries } = made
  for (const [index, correction] of client.corrections.entries()) {
    const at = `/journal-entries/${entries[correction.entry]}`
    if (correction.kind === 'redate') await api.put(`${at}/date`, { date: correction.date }, `correction ${index}`)
    else await api.put(`${at}/reverse`, { reversal_date: correction.date, memo: correction.memo }, `correction ${index}`)
  }
  await api.post('/journal-entries/bulk', { entries: client.drafts.map((entry) => bodyOf(made, entry)) }, 'drafts')
}

async function revalue({ api }: Made, client: Client): Promise<void> {
  for (const as_of of client.revaluations) await api.post('/fx/revalue', { as_of }, `revaluation ${as_of}`)
}

type Period = { id: string; fiscal_year: number; start_date: string; end_date: string }

/** Years that are over are closed as a whole, the months after them one by one. */
async function closePeriods({ api }: Made, { closed_through, soft_closed_through }: Practice): Promise<void> {
  const { items } = await api.get<Page<Period>>('/accounting-periods', { limit: 1000 })
  const periods = items.toSorted((a, b) => (a.start_date < b.start_date ? -1 : 1))
  const years = Map.groupBy(periods, ({ fiscal_year }) => fiscal_year)
  for (const [fiscal_year, months] of years) {
    const over = months.filter(({ end_date }) => end_date <= closed_through)
    if (over.length === months.length) await api.post('/accounting-periods/close-year', { fiscal_year, accept_warnings: true }, `close ${fiscal_year}`)
    else for (const { id } of over) await api.put(`/accounting-periods/${id}/close`, { accept_warnings: true }, `close ${id}`)
  }
  for (const { id, end_date } of periods) {
    if (end_date > closed_through && end_date <= soft_closed_through) await api.put(`/accounting-periods/${id}/soft-close`, undefined, `soft-close ${id}`)
  }
}

async function leaveTraces(made: Made, client: Client): Promise<void> {
  const { api, entries } = made
  for (const { name, color, entries: tagged } of client.tags) {
    const tag = await api.post('/tags', { name, color }, `tag ${name}`)
    const resource_ids = tagged.map((entry) => entries[entry])
    if (tagged.length > 0) await api.post('/tags/assign', { tag_ids: [tag.id], resource_type: 'journal_entry', resource_ids }, `tag ${name} on entries`)
  }
  for (const [index, { entry, body }] of client.notes.entries()) {
    await api.post('/notes', { resource_type: 'journal_entry', resource_id: entries[entry], body }, `note ${index}`)
  }
  for (const { assignee, done, checklist, ...task } of client.tasks) {
    const assignee_id = assignee === 'advisor' ? made.advisor_id : made.owner_id
    const todo = await api.post('/todos', { ...task, assignee_id, checklist: checklist.map((label) => ({ label })) }, `task ${task.title}`)
    if (done) await api.put(`/todos/${todo.id}/complete`, {}, `task ${task.title} done`)
  }
}

function idOf(ids: ReadonlyMap<string, string>, name: string): string {
  const found = ids.get(name)
  if (found === undefined) throw new Error(`The demo cannot go on: there is no ${name}.`)
  return found
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}
