// Reading and replacing the rules of dimensions. Postings are held against them, so whatever changes them locks the journal first.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { lockJournal } from '../books/operations.ts'
import { dimensionRuleSetResource, type DimensionRule, type DimensionRuleInput, type DimensionRuleSet } from './contract.ts'
import { checkedRules, inOrder } from './rules.ts'
import * as store from './store.ts'

export async function getRules(tx: BusinessTx): Promise<DimensionRuleSet> {
  return { rules: inOrder(await tx.many(store.rules)) }
}

export async function replaceRules(tx: BusinessTx, given: readonly DimensionRuleInput[]): Promise<DimensionRuleSet> {
  const { books } = await lockJournal(tx)
  const rules = inOrder(checkedRules(given, books))
  const before = await getRules(tx)
  if (JSON.stringify(rules.map(keyed)) === JSON.stringify(before.rules.map(keyed))) return before
  tx.queue(store.deleteRules)
  if (rules.length > 0) tx.queue(store.insertRules, { rows: JSON.stringify(rules) })
  record(tx, before.rules, rules)
  return { rules }
}

/** Rules whose default was merged into another value take that one. */
export async function redirectDefaults(tx: BusinessTx, value_id: string, into_id: string): Promise<void> {
  const { rules } = await getRules(tx)
  if (!rules.some(({ default_value_id }) => default_value_id === value_id)) return
  tx.queue(store.redirectDefaults, { value_id, into_id })
  record(tx, rules, rules.map((rule) => (rule.default_value_id === value_id ? { ...rule, default_value_id: into_id } : rule)))
}

/** With the dimension go its rules. */
export async function dropRulesOf(tx: BusinessTx, dimension_id: string): Promise<void> {
  const { rules } = await getRules(tx)
  const left = rules.filter((rule) => rule.dimension_id !== dimension_id)
  if (left.length === rules.length) return
  tx.queue(store.deleteRulesOf, { dimension_id })
  record(tx, rules, left)
}

function record(tx: BusinessTx, before: DimensionRule[], after: DimensionRule[]): void {
  const id = tx.business_id
  tx.record(dimensionRuleSetResource, 'dimension_rule_set.replaced', { before: { id, rules: before }, after: { id, rules: after } })
}

function keyed({ dimension_id, ledger_id, ledger_type, mode, default_value_id }: DimensionRule) {
  return [dimension_id, ledger_id, ledger_type, mode, default_value_id]
}
