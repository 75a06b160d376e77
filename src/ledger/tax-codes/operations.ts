// What can be done with tax codes. The journal is locked first, as by whoever changes the tax set-up.
import { getSettings } from '../../access/business-settings/operations.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { lockJournal } from '../books/operations.ts'
import { differs, kindOfChange } from '../tax-agencies/rules.ts'
import { requireTaxGroup } from '../tax-groups/operations.ts'
import { requireTaxRates } from '../tax-rates/operations.ts'
import { taxCodeResource, type TaxCode, type TaxCodeInput, type TaxCodeUpdate } from './contract.ts'
import { NO_BOXES, PLAIN_CODES, requireNoDefault, requireSource, sameSource, sourceFrozen } from './rules.ts'
import * as store from './store.ts'

export function listTaxCodes(tx: BusinessTx, query: PageQuery) {
  const asked = { archived: 'false', ...query }
  return tx.page(store.taxCodes, asked)
}

export function getTaxCode(tx: BusinessTx, id: string): Promise<TaxCode> {
  return tx.get(store.findTaxCode, { id }, 'Tax code')
}

export async function createTaxCode(tx: BusinessTx, input: TaxCodeInput): Promise<TaxCode> {
  await lockJournal(tx)
  const code = newCode(tx, input)
  await requireParts(tx, code.rate_id, code.group_id)
  requireSource(code)
  tx.queue(store.insertTaxCode, code)
  tx.record(taxCodeResource, 'tax_code.created', { before: null, after: code })
  return code
}

export async function updateTaxCode(tx: BusinessTx, id: string, input: TaxCodeUpdate): Promise<TaxCode> {
  await lockJournal(tx)
  const code = await tx.lock(store.lockTaxCode, { id }, 'Tax code')
  const { boxes, ...rest } = input
  const changes: Partial<TaxCode> = { ...(rest as Partial<TaxCode>), ...(boxes && { boxes: { ...code.boxes, ...boxes } as TaxCode['boxes'] }) }
  if (!differs(code, changes)) return code
  const after = changed(code, changes, tx.now)
  await requireParts(tx, after.rate_id === code.rate_id ? null : after.rate_id, after.group_id === code.group_id ? null : after.group_id)
  requireSource(after)
  if (!sameSource(code, after)) {
    const { posted } = await tx.get(store.useOfTaxCode, { id }, 'Tax code')
    if (posted) throw sourceFrozen(code)
  }
  if (after.archived && !code.archived) requireNoDefault(code, (await getSettings(tx)).tax)
  return save(tx, code, after)
}

export async function deleteTaxCode(tx: BusinessTx, id: string): Promise<TaxCode> {
  await lockJournal(tx)
  const code = await tx.lock(store.lockTaxCode, { id }, 'Tax code')
  const [{ posted, preset }, { tax }] = await Promise.all([tx.get(store.useOfTaxCode, { id }, 'Tax code'), getSettings(tx)])
  requireNoDefault(code, tax)
  if (posted || preset) return code.archived ? code : save(tx, code, changed(code, { archived: true }, tx.now))
  tx.queue(store.deleteTaxCode, code)
  tx.record(taxCodeResource, 'tax_code.deleted', { before: code, after: null })
  // archived: true in the answer means that it is still there.
  return { ...code, archived: false }
}

/** What a new business has: an agency and its rates depend on where it sells, and are not guessed. */
export async function foundTaxCodes(tx: BusinessTx): Promise<void> {
  const codes = PLAIN_CODES.map((plain) => newCode(tx, plain))
  tx.queue(store.insertTaxCodes, { codes: JSON.stringify(codes) })
  for (const code of codes) tx.record(taxCodeResource, 'tax_code.created', { before: null, after: code })
}

function newCode(tx: BusinessTx, input: TaxCodeInput): TaxCode {
  return {
    id: newId(),
    business_id: tx.business_id,
    code: input.code,
    name: input.name,
    treatment: input.treatment,
    rate_id: input.rate_id ?? null,
    group_id: input.group_id ?? null,
    boxes: { ...NO_BOXES, ...input.boxes } as TaxCode['boxes'],
    archived: false,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
}

function save(tx: BusinessTx, code: TaxCode, after: TaxCode): TaxCode {
  tx.queue(store.updateTaxCode, after)
  tx.record(taxCodeResource, `tax_code.${kindOfChange(code, after)}`, { before: code, after })
  return after
}

/** What is newly chosen must be there and in use. */
async function requireParts(tx: BusinessTx, rate_id: string | null, group_id: string | null): Promise<void> {
  if (rate_id) await requireTaxRates(tx, [rate_id])
  if (group_id) await requireTaxGroup(tx, group_id)
}
