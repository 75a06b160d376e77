// What can be done with tax agencies. Whoever changes the tax set-up locks the journal first: so no document is posted meanwhile
// by what was just replaced, and two changes never miss each other.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Books } from '../books/contract.ts'
import { lockJournal } from '../books/operations.ts'
import { createLedger } from '../ledgers/operations.ts'
import { taxAgencyResource, type TaxAgency, type TaxAgencyInput, type TaxAgencyUpdate } from './contract.ts'
import { differs, inOrder, kindOfChange, payableName, requirePayableLedger, requireUsable } from './rules.ts'
import * as store from './store.ts'

export function listTaxAgencies(tx: BusinessTx, query: PageQuery) {
  const asked = { archived: 'false', ...query }
  return tx.page(store.taxAgencies, asked)
}

export function getTaxAgency(tx: BusinessTx, id: string): Promise<TaxAgency> {
  return tx.get(store.findTaxAgency, { id }, 'Tax agency')
}

/** For what refers to agencies: 404 naming one that is not there, 400 one that is archived. */
export async function requireTaxAgencies(tx: BusinessTx, ids: readonly string[]): Promise<TaxAgency[]> {
  const agencies = inOrder('Tax agency', ids, ids.length > 0 ? await tx.many(store.taxAgenciesById, { ids }) : [])
  agencies.forEach(requireUsable)
  return agencies
}

export async function createTaxAgency(tx: BusinessTx, input: TaxAgencyInput): Promise<TaxAgency> {
  const { books } = await lockJournal(tx)
  const ledger_id = input.payable_ledger_id && requirePayableLedger(books, input.payable_ledger_id).id
  const agency: TaxAgency = {
    id: newId(),
    business_id: tx.business_id,
    name: input.name,
    country: input.country,
    region: input.region ?? null,
    registration_number: input.registration_number ?? null,
    filing_frequency: input.filing_frequency ?? 'quarterly',
    basis: input.basis ?? 'accrual',
    due_day: input.due_day ?? 20,
    first_period_start: input.first_period_start ?? null,
    payable_ledger_id: ledger_id ?? (await createPayableLedger(tx, books, input.name)),
    archived: false,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  tx.queue(store.insertTaxAgency, agency)
  tx.record(taxAgencyResource, 'tax_agency.created', { before: null, after: agency })
  return agency
}

export async function updateTaxAgency(tx: BusinessTx, id: string, input: TaxAgencyUpdate): Promise<TaxAgency> {
  const { books } = await lockJournal(tx)
  const agency = await tx.lock(store.lockTaxAgency, { id }, 'Tax agency')
  if (input.payable_ledger_id && input.payable_ledger_id !== agency.payable_ledger_id) requirePayableLedger(books, input.payable_ledger_id)
  return differs(agency, input) ? save(tx, agency, input) : agency
}

export async function deleteTaxAgency(tx: BusinessTx, id: string): Promise<TaxAgency> {
  await lockJournal(tx)
  const agency = await tx.lock(store.lockTaxAgency, { id }, 'Tax agency')
  const { used } = await tx.get(store.isTaxAgencyUsed, { id }, 'Tax agency')
  if (used) return agency.archived ? agency : save(tx, agency, { archived: true })
  tx.queue(store.deleteTaxAgency, agency)
  tx.record(taxAgencyResource, 'tax_agency.deleted', { before: agency, after: null })
  // archived: true in the answer means that it is still there.
  return { ...agency, archived: false }
}

function save(tx: BusinessTx, agency: TaxAgency, changes: TaxAgencyUpdate): TaxAgency {
  const after = changed(agency, changes as Partial<TaxAgency>, tx.now)
  tx.queue(store.updateTaxAgency, after)
  tx.record(taxAgencyResource, `tax_agency.${kindOfChange(agency, after)}`, { before: agency, after })
  return after
}

/** The journal is locked, so the name is still free when it is written. */
async function createPayableLedger(tx: BusinessTx, books: Books, agency_name: string): Promise<string> {
  const ledger = await createLedger(tx, { name: payableName(books, agency_name), type: 'liability', subtype: 'sales_tax' })
  return ledger.id
}
