// Giving a business its chart of accounts, and adding to it.
import type { Founder } from '../../access/businesses/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { LedgerRow } from '../ledgers/contract.ts'
import { lockChart, proposed, saveLedgers, writeLedgers } from '../ledgers/operations.ts'
import type { TemplateApplication, TemplateResult } from './contract.ts'
import { INDUSTRIES, industryOf, missingFrom, templateOf, type Template, type TemplateLedger } from './rules.ts'

/** The chart of a new business, by its industry. */
export const foundLedgers: Founder = async (tx, { industry }) => {
  const { ledgers } = templateOf(industryOf(industry) ?? 'general')
  writeLedgers(tx, ledgers.map((ledger) => ({ before: null, after: ledgerOf(tx, ledger) })))
}

export async function listTemplates(_tx: BusinessTx): Promise<Template[]> {
  return INDUSTRIES.map(templateOf)
}

export async function applyTemplate(tx: BusinessTx, { template: key, preview = false }: TemplateApplication): Promise<TemplateResult> {
  const { chart } = await lockChart(tx)
  const template = templateOf(key)
  const missing = missingFrom([...chart.ledgers.values()], template)
  const present = template.ledgers.length - missing.length
  if (preview) return { template: key, preview, present, added: missing.map((ledger) => ({ ...ledger, id: null })) }
  const made = missing.map((ledger) => ({ before: null, after: ledgerOf(tx, ledger) }))
  if (made.length > 0) saveLedgers(tx, 'ledger.created', made)
  return { template: key, preview, present, added: missing.map((ledger, index) => ({ ...ledger, id: made[index]?.after.id ?? null })) }
}

function ledgerOf(tx: BusinessTx, { role, ...ledger }: TemplateLedger): LedgerRow {
  return { ...proposed(tx, ledger), role }
}
