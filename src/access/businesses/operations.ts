// What can be done with a business.
import type { Static } from 'typebox'
import { toTimestamp, today } from '../../foundation/calendar.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx, Tx, UserTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { inboxAddress } from '../../foundation/inbox.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid } from '../../foundation/refusal.ts'
import { open, seal } from '../../foundation/secrets.ts'
import { createNumbering } from '../numbering/operations.ts'
import { permissionsFor } from '../permissions.ts'
import { readOnlyReason } from '../read-only.ts'
import { businessResource, type Business, type BusinessInput, type BusinessUpdate } from './contract.ts'
import {
  DELETION_DAYS, fiscalYearStart, lastFour, maskedTaxId, requireAdmin, requireChangeable, requireName, requireNotPending, requireOwner,
  requireRealPlace, shownTaxId, TRIAL_DAYS, type BooksState, type Fixable,
} from './rules.ts'
import * as store from './store.ts'

export type BusinessRow = Static<typeof store.BusinessRow>
type CallersRow = Static<typeof store.CallersRow>
type ShownBusiness = Static<typeof Business>

/** What a room above adds to a new business, in the same transaction: a chart of accounts, a main location. */
export type Founder = (tx: BusinessTx, business: BusinessRow) => Promise<void>

/** The books, a room above, say what of a business they hold fast, and follow it when it changes all the same. */
export type BooksKeeper = {
  state: (tx: BusinessTx) => Promise<BooksState>
  follow: (tx: BusinessTx, before: Fixable, after: Fixable) => Promise<void>
}

export async function listBusinesses(tx: UserTx, query: PageQuery & { include_sample?: boolean }): Promise<Page<ShownBusiness>> {
  const reached = tx.actor.kind === 'token' ? { token_id: tx.actor.id } : tx.actor.kind === 'grant' ? { grant_id: tx.actor.id } : {}
  const page = await tx.page(store.businesses, { include_sample: false, ...query, ...reached } as PageQuery)
  return { ...page, items: page.items.map((row) => shown(tx, row)) }
}

export async function getBusiness(tx: BusinessTx): Promise<ShownBusiness> {
  return shown(tx, await tx.get(store.findBusiness, {}, 'Business'))
}

export async function createBusiness(tx: UserTx, input: Static<typeof BusinessInput>, founders: readonly Founder[]): Promise<ShownBusiness> {
  requireRealPlace(input)
  const business = newBusiness(tx, input)
  tx.queue(store.insertBusiness, business)
  await establish(tx.enter(contextOf(business), 'owner'), business, founders)
  return shown(tx, { ...business, role: 'owner', source: 'direct' })
}

/**
 * A business to look around in, beside the one that the caller is in: they own it, it has no plan and no tokens, and it goes
 * SAMPLE_DAYS after its beginning. `fill` puts into it what there is to see.
 */
export async function createSample<T>(
  tx: BusinessTx, input: Static<typeof BusinessInput>, founders: readonly Founder[], fill: (inside: BusinessTx, business: BusinessRow) => Promise<T>,
): Promise<{ id: string; filled: T }> {
  const business: BusinessRow = { ...newBusiness(tx, input), is_sample: true, trial_ends_at: null }
  tx.queue(store.insertBusiness, business)
  const owner = { ...tx.actor, role: 'owner', permissions: permissionsFor('owner') }
  const filled = await tx.beside(contextOf(business), owner, async (inside) => {
    await establish(inside, business, founders)
    return fill(inside, business)
  })
  return { id: business.id, filled }
}

/** Takes a sample away at once, with all that is in it; nothing else can be taken away like this. */
export async function dropSample(tx: BusinessTx, business_id: string): Promise<void> {
  await tx.run(store.endSample, { id: business_id })
  await tx.find(store.removeBusiness, { id: business_id })
}

/** The first rows of a new business, and what each room gives it. */
async function establish(inside: BusinessTx, business: BusinessRow, founders: readonly Founder[]): Promise<void> {
  inside.queue(store.insertOwner)
  inside.queue(store.insertHead)
  inside.record(businessResource, 'business.created', { before: null, after: recorded(inside, business) })
  createNumbering(inside)
  // One after another: a founder may build on what the one before it made.
  for (const found of founders) await found(inside, business)
}

function contextOf({ id, timezone, base_currency }: BusinessRow) {
  return { id, timezone, base_currency, read_only: null }
}

export async function updateBusiness(tx: BusinessTx, input: Static<typeof BusinessUpdate>, books: BooksKeeper): Promise<ShownBusiness> {
  requireRealPlace(input)
  const business = await tx.lock(store.lockBusiness, {}, 'Business')
  if (Object.keys(input).length === 0) return shown(tx, business)
  if (input.logo_document_id) await requireRecords(tx, 'document', [input.logo_document_id])
  const { tax_id, ...plain } = input
  const changes = { ...plain, ...(tax_id === undefined ? {} : sealedTaxId(tx, tax_id)) } as Partial<CallersRow>
  if ('base_currency' in input || 'fiscal_year_start_month' in input || 'books_start_date' in input) {
    requireChangeable(business, { ...business, ...changes }, await books.state(tx))
    await books.follow(tx, business, { ...business, ...changes })
  }
  return save(tx, business, changes, 'business.updated')
}

/** The owner's word that the business shall go; after 30 days a job removes it. */
export async function deleteBusiness(tx: BusinessTx, confirm_name: string): Promise<ShownBusiness> {
  requireOwner(tx.actor.role, 'delete a business')
  const business = await tx.lock(store.lockBusiness, {}, 'Business')
  requireName(business, confirm_name)
  if (business.status === 'pending_deletion') return shown(tx, business)
  const { running } = await tx.get(store.runningPlan, {}, 'Business')
  if (running) throw invalid('The plan of this business goes on and would be charged for. Cancel it under billing first.')
  if (business.is_sample) tx.enqueue('businesses.remove_due', {})
  const deletion_at = daysFromNow(tx, business.is_sample ? 0 : DELETION_DAYS)
  return save(tx, business, { status: 'pending_deletion', status_before_deletion: business.status, deletion_at }, 'business.deletion_scheduled')
}

export async function cancelDeletion(tx: BusinessTx): Promise<ShownBusiness> {
  requireOwner(tx.actor.role, 'cancel the deletion of a business')
  const business = await tx.lock(store.lockBusiness, {}, 'Business')
  if (business.status !== 'pending_deletion') return shown(tx, business)
  const status = business.status_before_deletion ?? 'active'
  return save(tx, business, { status, status_before_deletion: null, deletion_at: null }, 'business.deletion_canceled')
}

export async function archiveBusiness(tx: BusinessTx): Promise<ShownBusiness> {
  requireAdmin(tx.actor.role, 'archive a business')
  const business = await tx.lock(store.lockBusiness, {}, 'Business')
  requireNotPending(business)
  return business.status === 'archived' ? shown(tx, business) : save(tx, business, { status: 'archived' }, 'business.archived')
}

export async function restoreBusiness(tx: BusinessTx): Promise<ShownBusiness> {
  requireAdmin(tx.actor.role, 'restore a business')
  const business = await tx.lock(store.lockBusiness, {}, 'Business')
  requireNotPending(business)
  return business.status === 'active' ? shown(tx, business) : save(tx, business, { status: 'active' }, 'business.restored')
}

/** The business itself does not change with its owner; its history names both. */
export async function recordOwnershipTransferred(tx: BusinessTx, from_user_id: string, to_user_id: string): Promise<void> {
  const business = recorded(tx, await tx.get(store.findBusiness, {}, 'Business'))
  tx.record(businessResource, 'business.ownership_transferred', {
    before: { ...business, owner_id: from_user_id },
    after: { ...business, owner_id: to_user_id },
  })
}

export type BusinessPlan = Static<typeof store.Plan>

export function findPlan(tx: BusinessTx): Promise<BusinessPlan> {
  return tx.get(store.findPlan, {}, 'Business')
}

/** Held until the transaction ends; only billing changes it. */
export function lockPlan(tx: BusinessTx): Promise<BusinessPlan> {
  return tx.get(store.lockPlan, {}, 'Business')
}

/** The history of a plan is told by billing, as its events. */
export function savePlan(tx: BusinessTx, plan: BusinessPlan): void {
  tx.queue(store.updatePlan, plan)
}

function newBusiness(tx: Tx, input: Static<typeof BusinessInput>): BusinessRow {
  const timezone = input.timezone ?? 'UTC'
  const fiscal_year_start_month = input.fiscal_year_start_month ?? 1
  return {
    id: newId(),
    name: input.name,
    legal_name: input.legal_name ?? null,
    entity_type: input.entity_type ?? 'other',
    industry: input.industry ?? null,
    ...sealedTaxId(tx, input.tax_id ?? null),
    country: input.country ?? 'US',
    timezone,
    base_currency: input.base_currency ?? 'USD',
    fiscal_year_start_month,
    books_start_date: input.books_start_date ?? fiscalYearStart(today(new Date(tx.now), timezone), fiscal_year_start_month),
    default_basis: input.default_basis ?? 'accrual',
    address: input.address ?? null,
    phone: input.phone ?? null,
    email: input.email ?? null,
    website: input.website ?? null,
    logo_document_id: null,
    plan_tier: 'trial',
    trial_ends_at: daysFromNow(tx, TRIAL_DAYS),
    plan_ends_at: null,
    status: 'active',
    status_before_deletion: null,
    deletion_at: null,
    is_sample: false,
    settings: {},
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
}

function save(tx: BusinessTx, business: CallersRow, changes: Partial<CallersRow>, event: (typeof businessResource.events)[number]): ShownBusiness {
  const after = changed(business, changes, tx.now)
  tx.queue(store.updateBusiness, after)
  tx.record(businessResource, event, { before: recorded(tx, business), after: recorded(tx, after) })
  return shown(tx, after)
}

/** As the caller may see it. */
function shown(tx: Tx, row: CallersRow): ShownBusiness {
  const tax_id = row.tax_id && open(tx.surroundings.encryption_key, row.tax_id, 'tax_id')
  const { encryption_key, inbox } = tx.surroundings
  const document_inbox_address = inboxAddress(encryption_key, inbox.domain, row.id)
  return { ...recorded(tx, row), tax_id: shownTaxId(tax_id, row.role), role: row.role, source: row.source, document_inbox_address }
}

/** As history tells it: nothing of the caller, nothing secret. */
function recorded(tx: Tx, row: BusinessRow): Omit<ShownBusiness, 'role' | 'source' | 'document_inbox_address'> {
  const { settings: _settings, status_before_deletion: _before, plan_ends_at: _end, role: _role, source: _source, ...told } = row as CallersRow
  const reason = readOnlyReason(row.status, row, tx.now)
  return { ...told, tax_id: maskedTaxId(row.tax_id_last4), access: reason === null ? 'full' : 'read_only' }
}

function sealedTaxId(tx: Tx, tax_id: string | null): { tax_id: Buffer | null; tax_id_last4: string | null } {
  if (tax_id === null) return { tax_id: null, tax_id_last4: null }
  return { tax_id: seal(tx.surroundings.encryption_key, tax_id, 'tax_id'), tax_id_last4: lastFour(tax_id) }
}

function daysFromNow(tx: Tx, days: number): string {
  return toTimestamp(new Date(Date.parse(tx.now) + days * 86_400_000))
}
