// The rule set: which ledgers need, take or refuse a value of which dimension.
import type { Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { id, list, nullable, oneOf, optional, shape } from '../../foundation/shapes.ts'
import { MODES } from '../dimension-rules/contract.ts'
import { LEDGER_TYPES } from '../ledgers/contract.ts'

export const MOST_RULES = 5000

const fields = {
  dimension_id: id(),
  ledger_id: nullable(id({ description: 'For this ledger. Without it and without ledger_type the rule is for all ledgers.' })),
  ledger_type: nullable(oneOf(LEDGER_TYPES, { description: 'For all ledgers of this type.' })),
  mode: oneOf(MODES),
  default_value_id: nullable(id({ description: 'For lines that come without a value of the dimension.' })),
}

export const DimensionRule = shape('DimensionRule', fields)
export type DimensionRule = Static<typeof DimensionRule>

export const DimensionRuleInput = shape('DimensionRuleInput', {
  ...fields,
  ledger_id: optional(fields.ledger_id),
  ledger_type: optional(fields.ledger_type),
  default_value_id: optional(fields.default_value_id),
})
export type DimensionRuleInput = Static<typeof DimensionRuleInput>

export const DimensionRuleSet = shape('DimensionRuleSet', { rules: list(DimensionRule) })
export type DimensionRuleSet = Static<typeof DimensionRuleSet>

export const dimensionRuleSetResource = resource({
  type: 'dimension_rule_set', group: 'accounting-dimensions',
  shape: shape('DimensionRuleSetRecord', { id: id({ description: 'That of the business.' }), rules: list(DimensionRule) }),
  table: null, label: 'id', events: ['dimension_rule_set.replaced'],
})

const endpoint = endpointsOf('accounting-dimensions', 'business')

export const getRules = endpoint({
  id: 'get_dimension_rules', method: 'GET', path: '/rules', summary: 'Get the rules of all dimensions',
  description: 'Of several rules of a dimension that fit a ledger the most specific counts: that of the ledger, then that of its type, then that for all.',
  reply: DimensionRuleSet,
})

export const replaceRules = endpoint({
  id: 'replace_dimension_rules', method: 'PUT', path: '/rules', summary: 'Replace the rules of all dimensions',
  description: 'The whole set; a rule that is left out is gone. Rules bind new postings only, and those of an archived dimension stop until it is restored.',
  body: shape('DimensionRuleSetInput', { rules: list(DimensionRuleInput, { maxItems: MOST_RULES }) }),
  reply: DimensionRuleSet,
  refusals: [
    'A rule names both a ledger and a type.', 'Two rules of a dimension are for the same ledgers.', 'A rule forbids the dimension and has a default.',
    'A default is archived, or belongs to another dimension.',
  ],
  example: { rules: [] },
})
