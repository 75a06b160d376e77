// What can be done with contracts.
//
//   contractsByIds, lockContracts(tx, ids)   for documents; the locked ones in the order of ids
//   moveContracts(tx, moves)                 what a document adds to the counters, or takes off them
import { nextNumber } from '../../access/numbering/operations.ts'
import { customersByIds } from '../../directory/customers/operations.ts'
import { addMonths } from '../../foundation/calendar.ts'
import { isReferenced } from '../../foundation/database/errors.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import { newId } from '../../foundation/ids.ts'
import { fileOfList } from '../../foundation/list-file.ts'
import { addCents, type Currency } from '../../foundation/money.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Milestone } from '../contract-milestones/contract.ts'
import { insertMilestones, milestonesOf, newMilestones, reapportion } from '../contract-milestones/operations.ts'
import { requireWhole } from '../contract-milestones/rules.ts'
import { projectsByIds } from '../projects/operations.ts'
import { differs } from '../projects/rules.ts'
import { contractResource, type Contract, type ContractFilters, type ContractInput, type ContractRow, type ContractUpdate } from './contract.ts'
import {
  afterMoves, FILE_COLUMNS, fileRow, linked, nextTerm, recordOf, requireBilled, requireDraft, requireEditable, requireSound, requireStatus, tidy, type Move,
} from './rules.ts'
import * as store from './store.ts'

type ContractEvent = (typeof contractResource.events)[number]

/** Ids that are not there are missing from the map. */
export async function contractsByIds(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, ContractRow>> {
  if (ids.length === 0) return new Map()
  return new Map((await tx.many(store.contractsByIds, { ids })).map((contract) => [contract.id, contract]))
}

export async function lockContracts(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, ContractRow>> {
  if (ids.length === 0) return new Map()
  return new Map((await tx.many(store.lockContracts, { ids })).map((contract) => [contract.id, contract]))
}

/** Of contracts that lockContracts gave; they are changed along, so that whoever moves them again goes on from there. */
export function moveContracts(tx: BusinessTx, moves: readonly (Move & { contract: ContractRow })[]): void {
  const changes = [...Map.groupBy(moves, ({ contract }) => contract.id).values()].flatMap((of_one) => {
    const contract = (of_one[0] as { contract: ContractRow }).contract
    const before = { ...contract }
    const after = afterMoves(before, of_one)
    if (!differs(before, after)) return []
    return [{ contract, before, after: changed(after, {}, tx.now) }]
  })
  if (changes.length === 0) return
  tx.queue(store.moveCounters, { rows: JSON.stringify(changes.map(({ after }) => after)) })
  for (const { contract, before, after } of changes) {
    recordMove(tx, before, after)
    Object.assign(contract, after)
  }
}

/** That billing began is told apart from what was billed. */
function recordMove(tx: BusinessTx, before: ContractRow, after: ContractRow): void {
  const { billed_amount, credited_amount, paid_amount } = before
  const begun = { ...after, billed_amount, credited_amount, paid_amount }
  if (after.status !== before.status) record(tx, 'contract.activated', before, { ...before, status: after.status })
  const starts = before.billing_status === 'not_started' && after.billing_status !== 'not_started'
  if (starts) record(tx, 'contract.billing_activated', { ...before, status: after.status }, begun)
  record(tx, after.billed_amount === billed_amount ? 'contract.updated' : 'contract.billed', starts ? begun : before, after)
}

export async function listContracts(tx: BusinessTx, query: PageQuery & ContractFilters): Promise<Page<Contract>> {
  const stored_status = query.status?.map((status) => (status === 'expired' ? 'active' : status))
  const asked = { ...query, stored_status }
  const page = await tx.page(store.contracts, asked)
  return { ...page, items: await shown(tx, page.items) }
}

export function exportContracts(tx: BusinessTx, { format, ...filters }: ContractFilters & { format?: 'csv' | 'xlsx' }): Promise<Download> {
  const page = (by: BusinessTx, paging: PageQuery) => listContracts(by, { ...filters, ...paging, descending: false })
  return fileOfList(tx, { title: 'Contracts', file_name: 'contracts', columns: FILE_COLUMNS, page, row: fileRow }, format)
}

export async function getContract(tx: BusinessTx, contract_id: string): Promise<Contract> {
  return shownOne(tx, await tx.get(store.findContract, { id: contract_id }, 'Contract'))
}

export async function createContract(tx: BusinessTx, { milestones: wanted = [], ...input }: ContractInput): Promise<Contract> {
  const given = tidy(input)
  const currency = await requireFit(tx, given, null)
  const contract = newContract(tx, { ...given, number: '', currency: given.currency ?? currency, document_ids: given.document_ids ?? [] })
  requireSound(contract)
  contract.number = await nextNumber(tx, 'contract', tx.today)
  const milestones = newMilestones(tx, contract, wanted)
  if (contract.billing_type === 'milestone' && milestones.length > 0) requireWhole(milestones, contract)
  return insert(tx, contract, milestones)
}

export async function updateContract(tx: BusinessTx, contract_id: string, input: ContractUpdate): Promise<Contract> {
  const before = await lock(tx, contract_id)
  const changes = tidy(input) as Partial<ContractRow>
  if (!differs(before, changes)) return shownOne(tx, before)
  await requireFit(tx, changes, before)
  requireEditable(before, changes)
  const after = changed(before, changes, tx.now)
  after.value = addCents(after.original_value, after.change_total)
  requireSound(after)
  if (after.customer_id !== before.customer_id) await requireProjectsOf(tx, after)
  if (after.value !== before.value) await reapportion(tx, after)
  return save(tx, 'contract.updated', before, after)
}

export async function deleteContract(tx: BusinessTx, contract_id: string): Promise<Contract> {
  const contract = await lock(tx, contract_id)
  requireDraft(contract)
  const gone = await shownOne(tx, contract)
  try {
    await tx.run(store.deleteContract, contract)
  } catch (error) {
    throw isReferenced(error) ? linked(contract) : error
  }
  tx.record(contractResource, 'contract.deleted', { before: recordOf(contract, tx.today), after: null })
  return gone
}

export async function activateContract(tx: BusinessTx, contract_id: string, { signed_on }: { signed_on?: string }): Promise<Contract> {
  const contract = await lock(tx, contract_id)
  if (contract.status === 'active') return shownOne(tx, contract)
  requireStatus(contract, ['draft'], 'activated')
  if (contract.billing_type === 'milestone') requireWhole((await milestonesOf(tx, [contract_id])).get(contract_id) ?? [], contract)
  return save(tx, 'contract.activated', contract, changed(contract, { status: 'active', signed_on: signed_on ?? contract.signed_on }, tx.now))
}

export async function completeContract(tx: BusinessTx, contract_id: string, { waive_unbilled = false }: { waive_unbilled?: boolean }): Promise<Contract> {
  const contract = await lock(tx, contract_id)
  if (contract.status === 'completed') return shownOne(tx, contract)
  requireStatus(contract, ['active'], 'completed')
  requireBilled(contract, waive_unbilled)
  return save(tx, 'contract.completed', contract, changed(contract, { status: 'completed' }, tx.now))
}

export async function terminateContract(tx: BusinessTx, contract_id: string, { date = tx.today, reason }: { date?: string; reason?: string }): Promise<Contract> {
  const contract = await lock(tx, contract_id)
  if (contract.status === 'terminated') return shownOne(tx, contract)
  requireStatus(contract, ['active'], 'terminated')
  if (date < contract.start_date) throw invalid(`The contract ${contract.number} starts on ${contract.start_date}: it cannot end on ${date}, before that.`)
  return save(tx, 'contract.terminated', contract, changed(contract, { status: 'terminated', terminated_on: date, termination_reason: reason ?? null }, tx.now))
}

/** Once per term: the lock of the old one makes a second caller see the first. */
export async function renewContract(tx: BusinessTx, contract_id: string): Promise<Contract> {
  const before = await lock(tx, contract_id)
  requireStatus(before, ['active', 'completed'], 'renewed')
  if (before.renewed_by_id !== null) throw invalid(`The contract ${before.number} is renewed already: renew the contract of its next term.`)
  const { months, ...term } = nextTerm(before)
  const number = await nextNumber(tx, 'contract', tx.today)
  const { value, billing_type, auto_renew, renewal_months, notice_days, retention_percent, allow_overbilling, project_id, customer_id, title, currency } = before
  const contract: ContractRow = {
    ...newContract(tx, {
      number, customer_id, title, currency, original_value: value, billing_type, auto_renew, renewal_months, notice_days, retention_percent, allow_overbilling,
      project_id, document_ids: [], ...term,
    }),
    status: 'active', renewed_from_id: before.id,
  }
  const old = (await milestonesOf(tx, [contract_id])).get(contract_id) ?? []
  const milestones = newMilestones(tx, contract, old.map(({ name, amount, percent, due_on }) => ({
    name, ...(percent === null ? { amount } : { percent }), due_on: due_on === null ? null : addMonths(due_on, months),
  })))
  const renewed = insert(tx, contract, milestones)
  write(tx, 'contract.renewed', before, changed(before, { renewed_by_id: contract.id }, tx.now))
  return renewed
}

function insert(tx: BusinessTx, contract: ContractRow, milestones: Milestone[]): Contract {
  tx.queue(store.insertContract, contract)
  const after = recordOf(contract, tx.today)
  tx.record(contractResource, 'contract.created', { before: null, after })
  insertMilestones(tx, milestones)
  return { ...after, milestones }
}

function save(tx: BusinessTx, event: ContractEvent, before: ContractRow, after: ContractRow): Promise<Contract> {
  write(tx, event, before, after)
  return shownOne(tx, after)
}

function write(tx: BusinessTx, event: ContractEvent, before: ContractRow, after: ContractRow): void {
  tx.queue(store.updateContract, after)
  record(tx, event, before, after)
}

function record(tx: BusinessTx, event: ContractEvent, before: ContractRow, after: ContractRow): void {
  tx.record(contractResource, event, { before: recordOf(before, tx.today), after: recordOf(after, tx.today) })
}

function lock(tx: BusinessTx, contract_id: string): Promise<ContractRow> {
  return tx.lock(store.lockContract, { id: contract_id }, 'Contract')
}

type Given = ContractUpdate & Pick<ContractRow, 'number' | 'customer_id' | 'title' | 'original_value' | 'start_date' | 'currency' | 'document_ids'>

function newContract(tx: BusinessTx, given: Given): ContractRow {
  return {
    id: newId(),
    business_id: tx.business_id,
    customer_id: given.customer_id,
    title: given.title,
    number: given.number,
    currency: given.currency,
    original_value: given.original_value,
    change_total: 0,
    value: given.original_value,
    billing_type: given.billing_type ?? 'fixed',
    start_date: given.start_date,
    end_date: given.end_date ?? null,
    auto_renew: given.auto_renew ?? false,
    renewal_months: given.renewal_months ?? null,
    notice_days: given.notice_days ?? null,
    retention_percent: given.retention_percent ?? null,
    allow_overbilling: given.allow_overbilling ?? false,
    document_ids: given.document_ids,
    project_id: given.project_id ?? null,
    signed_on: given.signed_on ?? null,
    status: 'draft',
    terminated_on: null,
    termination_reason: null,
    renewed_from_id: null,
    renewed_by_id: null,
    billed_amount: 0,
    credited_amount: 0,
    paid_amount: 0,
    retained_amount: 0,
    billing_status: 'not_started',
    billing_started_on: null,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
}

/** What is newly pointed at must be there and fit; the currency of the customer, where one is newly chosen. */
async function requireFit(tx: BusinessTx, changes: ContractUpdate, before: ContractRow | null): Promise<Currency> {
  const customer_id = changes.customer_id ?? before?.customer_id ?? ''
  const project_id = changes.project_id === undefined ? before?.project_id ?? null : changes.project_id
  const documents = (changes.document_ids ?? []).filter((id) => !before?.document_ids.includes(id))
  const [customers, projects] = await Promise.all([customersByIds(tx, [customer_id]), projectsByIds(tx, project_id === null ? [] : [project_id])])
  const [customer, project] = [customers.get(customer_id), projects.get(project_id ?? '')]
  if (!customer) throw notFound(`Customer ${customer_id} of customer_id`)
  if (project_id !== null && !project) throw notFound(`Project ${project_id} of project_id`)
  if (documents.length > 0) await requireRecords(tx, 'document', documents)
  if (customer.status === 'archived' && customer_id !== before?.customer_id) throw invalid(`The customer ${customer.name} is archived: restore it, or choose another one.`)
  if (project?.status === 'archived' && project_id !== before?.project_id) throw invalid(`The project ${project.code} is archived: choose another one.`)
  const paired = customer_id === before?.customer_id && project_id === before.project_id
  if (!paired && project && project.customer_id !== null && project.customer_id !== customer_id) {
    throw invalid(`The project ${project.code} is one of another customer: choose a project of this customer.`)
  }
  return customer.currency
}

async function requireProjectsOf(tx: BusinessTx, contract: ContractRow): Promise<void> {
  const project = await tx.find(store.projectOfOther, contract)
  if (project) throw invalid(`The project ${project.code} belongs to the contract ${contract.number} and to its customer: the customer stays.`)
}

async function shownOne(tx: BusinessTx, contract: ContractRow): Promise<Contract> {
  const [one] = await shown(tx, [contract])
  return one as Contract
}

async function shown(tx: BusinessTx, contracts: readonly ContractRow[]): Promise<Contract[]> {
  const milestones = await milestonesOf(tx, contracts.map(({ id }) => id))
  return contracts.map((contract) => ({ ...recordOf(contract, tx.today), milestones: milestones.get(contract.id) ?? [] }))
}
