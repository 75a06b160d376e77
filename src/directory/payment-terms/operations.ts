// What can be done with payment terms.
import { isReferenced } from '../../foundation/database/errors.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid } from '../../foundation/refusal.ts'
import { differs } from '../../ledger/tax-agencies/rules.ts'
import { paymentTermResource, type PaymentTerm, type PaymentTermInput, type PaymentTermUpdate } from './contract.ts'
import { discountUntil, dueDate, onlyWhatCounts, requireNoDefault, requireOwn, requireSense, requireUsable, SEEDS, tidy } from './rules.ts'
import * as store from './store.ts'

export function listPaymentTerms(tx: BusinessTx, query: PageQuery) {
  const asked = { archived: 'false', ...query }
  return tx.page(store.terms, asked)
}

export function getPaymentTerm(tx: BusinessTx, term_id: string): Promise<PaymentTerm> {
  return tx.get(store.findTerm, { id: term_id }, 'Payment terms')
}

/** For documents: those of these that are there, archived ones among them. */
export async function termsByIds(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, PaymentTerm>> {
  if (ids.length === 0) return new Map()
  const terms = await tx.many(store.termsByIds, { ids: [...new Set(ids)] })
  return new Map(terms.map((term) => [term.id, term]))
}

export function findDefaultTerm(tx: BusinessTx): Promise<PaymentTerm | null> {
  return tx.find(store.findDefault)
}

export async function createPaymentTerm(tx: BusinessTx, input: PaymentTermInput): Promise<PaymentTerm> {
  const term = onlyWhatCounts(newTerm(tx, tidy(input)))
  requireSense(term)
  insert(tx, [term])
  return term
}

export async function updatePaymentTerm(tx: BusinessTx, term_id: string, input: PaymentTermUpdate): Promise<PaymentTerm> {
  const term = await tx.lock(store.lockTerm, { id: term_id }, 'Payment terms')
  const given = tidy(input) as Partial<PaymentTerm>
  const after = onlyWhatCounts(changed(term, given, tx.now))
  requireSense(after)
  const { updated_at: _at, version: _version, ...fields } = after
  if (!differs(term, fields)) return term
  if (differs(term, { ...fields, late_fee: term.late_fee })) requireOwn(term)
  return save(tx, 'payment_term.updated', term, after)
}

export async function deletePaymentTerm(tx: BusinessTx, term_id: string): Promise<PaymentTerm> {
  const term = await tx.lock(store.lockTerm, { id: term_id }, 'Payment terms')
  if (term.system) throw invalid(`The payment terms “${term.name}” are there from the start: archive them instead.`)
  requireNoDefault(term)
  try {
    await tx.run(store.deleteTerm, term)
  } catch (error) {
    throw isReferenced(error) ? invalid(`The payment terms “${term.name}” are used: archive them instead.`) : error
  }
  tx.record(paymentTermResource, 'payment_term.deleted', { before: term, after: null })
  return term
}

export async function archivePaymentTerm(tx: BusinessTx, term_id: string): Promise<PaymentTerm> {
  const term = await tx.lock(store.lockTerm, { id: term_id }, 'Payment terms')
  if (term.archived) return term
  requireNoDefault(term)
  return save(tx, 'payment_term.archived', term, changed(term, { archived: true }, tx.now))
}

export async function restorePaymentTerm(tx: BusinessTx, term_id: string): Promise<PaymentTerm> {
  const term = await tx.lock(store.lockTerm, { id: term_id }, 'Payment terms')
  return term.archived ? save(tx, 'payment_term.restored', term, changed(term, { archived: false }, tx.now)) : term
}

export async function setDefaultPaymentTerm(tx: BusinessTx, term_id: string): Promise<PaymentTerm> {
  // One at a time: of two callers the second must find what the first has made the default.
  await tx.exclusive(`default payment terms of ${tx.business_id}`)
  const term = await tx.lock(store.lockTerm, { id: term_id }, 'Payment terms')
  if (term.is_default) return term
  requireUsable(term)
  const former = await tx.find(store.lockDefault)
  if (former) save(tx, 'payment_term.updated', former, changed(former, { is_default: false }, tx.now))
  return save(tx, 'payment_term.updated', term, changed(term, { is_default: true }, tx.now))
}

export async function getDueDate(tx: BusinessTx, term_id: string, invoice_date: string): Promise<{ due_date: string; discount_until: string | null }> {
  const term = await getPaymentTerm(tx, term_id)
  return { due_date: dueDate(term, invoice_date), discount_until: discountUntil(term, invoice_date) }
}

export async function foundPaymentTerms(tx: BusinessTx): Promise<void> {
  insert(tx, SEEDS.map((seed) => ({ ...newTerm(tx, seed), ...seed, system: true })))
}

function newTerm(tx: BusinessTx, input: PaymentTermInput): PaymentTerm {
  return {
    id: newId(),
    business_id: tx.business_id,
    name: input.name,
    kind: input.kind,
    days: input.days ?? 0,
    day: input.day ?? null,
    cutoff_day: input.cutoff_day ?? null,
    discount_percent: input.discount_percent ?? null,
    discount_days: input.discount_days ?? null,
    late_fee: input.late_fee ?? null,
    is_default: false,
    system: false,
    archived: false,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
}

function insert(tx: BusinessTx, terms: readonly PaymentTerm[]): void {
  tx.queue(store.insertTerms, { rows: JSON.stringify(terms) })
  for (const term of terms) tx.record(paymentTermResource, 'payment_term.created', { before: null, after: term })
}

function save(tx: BusinessTx, event: (typeof paymentTermResource.events)[number], term: PaymentTerm, after: PaymentTerm): PaymentTerm {
  tx.queue(store.updateTerm, after)
  tx.record(paymentTermResource, event, { before: term, after })
  return after
}
