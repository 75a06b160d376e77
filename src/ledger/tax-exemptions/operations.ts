// What can be done with tax exemptions. The journal is locked first, as by whoever changes the tax set-up.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { requireRecords } from '../../foundation/records.ts'
import { lockJournal } from '../books/operations.ts'
import { requireTaxAgencies } from '../tax-agencies/operations.ts'
import { differs, kindOfChange } from '../tax-agencies/rules.ts'
import { taxExemptionResource, type TaxExemption, type TaxExemptionInput, type TaxExemptionUpdate } from './contract.ts'
import { requirePeriod } from './rules.ts'
import * as store from './store.ts'

export function listTaxExemptions(tx: BusinessTx, query: PageQuery) {
  const asked = { archived: 'false', ...query }
  return tx.page(store.taxExemptions, asked)
}

export function getTaxExemption(tx: BusinessTx, id: string): Promise<TaxExemption> {
  return tx.get(store.findTaxExemption, { id }, 'Tax exemption')
}

export async function createTaxExemption(tx: BusinessTx, input: TaxExemptionInput): Promise<TaxExemption> {
  await lockJournal(tx)
  await requireRecords(tx, 'customer', [input.customer_id])
  const exemption: TaxExemption = {
    id: newId(),
    business_id: tx.business_id,
    customer_id: input.customer_id,
    agency_ids: [...new Set(input.agency_ids)],
    certificate_number: input.certificate_number ?? null,
    valid_from: input.valid_from,
    valid_to: input.valid_to ?? null,
    document_id: input.document_id ?? null,
    archived: false,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  await requireParts(tx, exemption.agency_ids, exemption.document_id)
  requirePeriod(exemption)
  tx.queue(store.insertTaxExemption, exemption)
  tx.record(taxExemptionResource, 'tax_exemption.created', { before: null, after: exemption })
  return exemption
}

export async function updateTaxExemption(tx: BusinessTx, id: string, input: TaxExemptionUpdate): Promise<TaxExemption> {
  await lockJournal(tx)
  const exemption = await tx.lock(store.lockTaxExemption, { id }, 'Tax exemption')
  const changes = { ...input, ...(input.agency_ids && { agency_ids: [...new Set(input.agency_ids)] }) } as Partial<TaxExemption>
  if (!differs(exemption, changes)) return exemption
  const after = changed(exemption, changes, tx.now)
  const added = after.agency_ids.filter((agency_id) => !exemption.agency_ids.includes(agency_id))
  await requireParts(tx, added, after.document_id === exemption.document_id ? null : after.document_id)
  requirePeriod(after)
  return save(tx, exemption, after)
}

export async function deleteTaxExemption(tx: BusinessTx, id: string): Promise<TaxExemption> {
  await lockJournal(tx)
  const exemption = await tx.lock(store.lockTaxExemption, { id }, 'Tax exemption')
  const { used } = await tx.get(store.isTaxExemptionUsed, exemption, 'Tax exemption')
  if (used) return exemption.archived ? exemption : save(tx, exemption, changed(exemption, { archived: true }, tx.now))
  tx.queue(store.deleteTaxExemption, exemption)
  tx.record(taxExemptionResource, 'tax_exemption.deleted', { before: exemption, after: null })
  // archived: true in the answer means that it is still there.
  return { ...exemption, archived: false }
}

function save(tx: BusinessTx, exemption: TaxExemption, after: TaxExemption): TaxExemption {
  tx.queue(store.updateTaxExemption, after)
  tx.record(taxExemptionResource, `tax_exemption.${kindOfChange(exemption, after)}`, { before: exemption, after })
  return after
}

async function requireParts(tx: BusinessTx, agency_ids: readonly string[], document_id: string | null): Promise<void> {
  if (document_id) await requireRecords(tx, 'document', [document_id])
  await requireTaxAgencies(tx, agency_ids)
}
