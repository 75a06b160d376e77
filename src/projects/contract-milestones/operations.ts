// What can be done with the milestones of a contract. Whoever changes one locks the contract.
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { notFound } from '../../foundation/refusal.ts'
import { milestoneResource, type Milestone, type MilestoneInput, type MilestoneUpdate } from './contract.ts'
import { apportioned, measureOf, requireChangeable, requireFew, requireMeasure, requireUnbilled, requireWithin } from './rules.ts'
import * as store from './store.ts'

type Terms = NonNullable<(typeof store.lockContract)['result']>

export async function listMilestones(tx: BusinessTx, contract_id: string): Promise<Milestone[]> {
  const [, milestones] = await Promise.all([tx.get(store.findContract, { id: contract_id }, 'Contract'), milestonesOf(tx, [contract_id])])
  return milestones.get(contract_id) ?? []
}

export async function milestonesOf(tx: BusinessTx, contract_ids: readonly string[]): Promise<Map<string, Milestone[]>> {
  if (contract_ids.length === 0) return new Map()
  return Map.groupBy(await tx.many(store.milestonesOf, { contract_ids }), ({ contract_id }) => contract_id)
}

export async function addMilestone(tx: BusinessTx, contract_id: string, input: MilestoneInput): Promise<Milestone> {
  const { terms, milestones } = await lockMilestones(tx, contract_id)
  requireChangeable(terms)
  const added = newMilestone(tx, contract_id, input)
  const after = settled([...milestones, added], terms)
  save(tx, milestones, after)
  return after.at(-1) as Milestone
}

export async function updateMilestone(tx: BusinessTx, contract_id: string, milestone_id: string, input: MilestoneUpdate): Promise<Milestone> {
  const { terms, milestones } = await lockMilestones(tx, contract_id)
  const before = chosen(tx, milestones, milestone_id)
  const { amount: _amount, percent: _percent, ...rest } = input
  const measure = measureOf({ ...input, name: input.name ?? before.name })
  const changes = { ...rest, ...(measure && (measure.percent === null || measure.percent !== before.percent) && measure) }
  if (Object.entries(changes).every(([key, value]) => value === undefined || before[key as keyof Milestone] === value)) return before
  requireChangeable(terms)
  requireUnbilled(before)
  const after = settled(milestones.map((each) => (each.id === milestone_id ? { ...each, ...changes } as Milestone : each)), terms)
  return save(tx, milestones, after).find(({ id }) => id === milestone_id) as Milestone
}

export async function deleteMilestone(tx: BusinessTx, contract_id: string, milestone_id: string): Promise<Milestone> {
  const { terms, milestones } = await lockMilestones(tx, contract_id)
  const gone = chosen(tx, milestones, milestone_id)
  requireChangeable(terms)
  requireUnbilled(gone)
  tx.queue(store.deleteMilestone, gone)
  tx.record(milestoneResource, 'contract_milestone.deleted', { before: gone, after: null })
  const rest = milestones.filter(({ id }) => id !== milestone_id)
  save(tx, rest, apportioned(rest, terms.value))
  return gone
}

/** The milestones of a contract that is about to be written. */
export function newMilestones(tx: BusinessTx, contract: { id: string } & Omit<Terms, 'id'>, inputs: readonly MilestoneInput[]): Milestone[] {
  return settled(inputs.map((input) => newMilestone(tx, contract.id, input)), contract)
}

export function insertMilestones(tx: BusinessTx, milestones: readonly Milestone[]): void {
  save(tx, [], milestones)
}

/** After the value of the contract, which is locked, has changed. */
export async function reapportion(tx: BusinessTx, contract: { id: string } & Omit<Terms, 'id'>): Promise<Milestone[]> {
  const milestones = (await milestonesOf(tx, [contract.id])).get(contract.id) ?? []
  return save(tx, milestones, settled(milestones, contract))
}

/** For what bills a contract, which is locked: these milestones are on the invoice from now on, or with null on none. */
export async function tieMilestones(tx: BusinessTx, contract_id: string, milestone_ids: readonly string[], invoice_id: string | null): Promise<Milestone[]> {
  const milestones = (await milestonesOf(tx, [contract_id])).get(contract_id) ?? []
  const missing = milestone_ids.find((id) => !milestones.some((milestone) => milestone.id === id))
  if (missing) throw notFound(`Milestone ${missing}`)
  const named = milestones.filter(({ id }) => milestone_ids.includes(id))
  if (invoice_id !== null) named.filter((milestone) => milestone.invoice_id !== invoice_id).forEach(requireUnbilled)
  return save(tx, named, named.map((milestone) => ({ ...milestone, invoice_id })))
}

async function lockMilestones(tx: BusinessTx, contract_id: string): Promise<{ terms: Terms; milestones: Milestone[] }> {
  const [terms, milestones] = await Promise.all([tx.get(store.lockContract, { id: contract_id }, 'Contract'), milestonesOf(tx, [contract_id])])
  return { terms, milestones: milestones.get(contract_id) ?? [] }
}

function chosen(tx: BusinessTx, milestones: readonly Milestone[], milestone_id: string): Milestone {
  const milestone = milestones.find(({ id }) => id === milestone_id)
  if (!milestone) throw notFound('Milestone')
  tx.checkMatch(milestone.version)
  return milestone
}

function settled(milestones: readonly Milestone[], terms: Omit<Terms, 'id'>): Milestone[] {
  requireFew(milestones)
  const after = apportioned(milestones, terms.value)
  requireWithin(after, terms)
  return after
}

/** Writes and records what is new and what differs. */
function save(tx: BusinessTx, before: readonly Milestone[], after: readonly Milestone[]): Milestone[] {
  const known = new Map(before.map((milestone) => [milestone.id, milestone]))
  const made = after.filter(({ id }) => !known.has(id))
  const edits = after.flatMap((milestone) => {
    const old = known.get(milestone.id)
    return old && differs(old, milestone) ? [{ before: old, after: changed(milestone, {}, tx.now) }] : []
  })
  if (made.length > 0) tx.queue(store.insertMilestones, { rows: JSON.stringify(made) })
  if (edits.length > 0) tx.queue(store.updateMilestones, { rows: JSON.stringify(edits.map((edit) => edit.after)) })
  for (const milestone of made) tx.record(milestoneResource, 'contract_milestone.created', { before: null, after: milestone })
  for (const edit of edits) tx.record(milestoneResource, 'contract_milestone.updated', edit)
  const edited = new Map(edits.map((edit) => [edit.after.id, edit.after]))
  return after.map((milestone) => edited.get(milestone.id) ?? milestone)
}

function differs(before: Milestone, after: Milestone): boolean {
  return (Object.keys(after) as (keyof Milestone)[]).some((key) => before[key] !== after[key])
}

function newMilestone(tx: BusinessTx, contract_id: string, input: MilestoneInput): Milestone {
  return {
    id: newId(),
    business_id: tx.business_id,
    contract_id,
    name: input.name,
    ...requireMeasure(input),
    due_on: input.due_on ?? null,
    done_on: input.done_on ?? null,
    invoice_id: null,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
}
