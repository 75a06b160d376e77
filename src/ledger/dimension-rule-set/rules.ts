// Whether rules of dimensions can stand beside each other.
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Books } from '../books/contract.ts'
import type { BookDimensions } from '../dimension-rules/contract.ts'
import type { DimensionRule, DimensionRuleInput } from './contract.ts'

/** The rules as they are kept; refuses what does not exist before what does not fit. */
export function checkedRules(given: readonly DimensionRuleInput[], { ledgers, dimensions }: Pick<Books, 'ledgers' | 'dimensions'>): DimensionRule[] {
  const rules = given.map((rule): DimensionRule => ({ ledger_id: null, ledger_type: null, default_value_id: null, ...rule }))
  for (const [index, { dimension_id, ledger_id, default_value_id }] of rules.entries()) {
    const place = `of rule ${index + 1}`
    if (!dimensions.dimensions.has(dimension_id)) throw notFound(`Dimension ${dimension_id} ${place}`)
    if (ledger_id !== null && !ledgers.has(ledger_id)) throw notFound(`Ledger ${ledger_id} ${place}`)
    if (default_value_id !== null && !dimensions.values.has(default_value_id)) throw notFound(`Dimension value ${default_value_id} ${place}`)
  }
  const places = new Map<string, number>()
  for (const [index, rule] of rules.entries()) {
    requireSound(rule, index + 1, dimensions)
    const place = `${rule.dimension_id} ${targetOf(rule)}`
    const other = places.get(place)
    if (other !== undefined) throw invalid(`Rules ${other} and ${index + 1} are both for ${described(rule)}: leave one.`)
    places.set(place, index + 1)
  }
  return rules
}

function requireSound(rule: DimensionRule, number: number, dimensions: BookDimensions): void {
  if (rule.ledger_id !== null && rule.ledger_type !== null) throw invalid(`Rule ${number} names both a ledger and a type of ledgers: leave one out.`)
  if (rule.default_value_id === null) return
  if (rule.mode === 'forbidden') throw invalid(`Rule ${number} forbids the dimension, so it cannot have a default.`)
  const value = dimensions.values.get(rule.default_value_id)
  const name = `${value?.code} ${value?.name}`
  if (value?.dimension_id !== rule.dimension_id) throw invalid(`The default of rule ${number}, ${name}, belongs to another dimension.`)
  if (value.archived) throw invalid(`The default of rule ${number}, ${name}, is archived: restore it, or choose another value.`)
}

function targetOf({ ledger_id, ledger_type }: DimensionRule): string {
  return ledger_id ?? ledger_type ?? 'all'
}

function described({ ledger_id, ledger_type }: DimensionRule): string {
  return ledger_id !== null ? 'the same ledger' : ledger_type !== null ? `all ledgers of type ${ledger_type}` : 'all ledgers'
}

/** In the order in which they are shown. */
export function inOrder(rules: readonly DimensionRule[]): DimensionRule[] {
  const key = (rule: DimensionRule) => `${rule.dimension_id} ${targetOf(rule)}`
  return rules.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}
