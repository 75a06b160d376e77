// Tests of which rules of dimensions can stand beside each other.
import { describe, expect, it } from 'vitest'
import type { Books } from '../books/contract.ts'
import { arranged } from '../dimension-rules/rules.ts'
import type { DimensionRuleInput } from './contract.ts'
import { checkedRules, inOrder } from './rules.ts'

const dimension = (id: string, archived = false) => ({ id, key: id, name: id, archived })
const value = (id: string, dimension_id: string, archived = false) =>
  ({ id, dimension_id, code: id, name: id, valid_from: null, valid_to: null, archived, merged_into_id: null })
const books = {
  ledgers: new Map([['rent', {}]]) as unknown as Books['ledgers'],
  dimensions: arranged([dimension('d'), dimension('e'), dimension('off', true)], [value('v', 'd'), value('gone', 'd', true), value('w', 'e')], []),
}
const check = (...rules: DimensionRuleInput[]) => checkedRules(rules, books)

describe('rules', () => {
  it('are for a ledger, a type or all, and each is kept whole', () => {
    const rules = check(
      { dimension_id: 'd', mode: 'optional' }, { dimension_id: 'd', ledger_type: 'expense', mode: 'required', default_value_id: 'v' },
      { dimension_id: 'd', ledger_id: 'rent', mode: 'forbidden' }, { dimension_id: 'off', mode: 'required' },
    )
    expect(rules[0]).toEqual({ dimension_id: 'd', ledger_id: null, ledger_type: null, mode: 'optional', default_value_id: null })
    expect(inOrder(rules).map(({ dimension_id, ledger_id, ledger_type }) => `${dimension_id} ${ledger_id ?? ledger_type ?? 'all'}`))
      .toEqual(['d all', 'd expense', 'd rent', 'off all'])
  })

  it.each([
    ['an unknown dimension', [{ dimension_id: 'x', mode: 'optional' }], 'Dimension x of rule 1 not found.'],
    ['an unknown ledger', [{ dimension_id: 'd', ledger_id: 'x', mode: 'optional' }], 'Ledger x of rule 1 not found.'],
    ['an unknown default', [{ dimension_id: 'd', mode: 'optional', default_value_id: 'x' }], 'Dimension value x of rule 1 not found.'],
    ['something unknown behind something wrong',
      [{ dimension_id: 'd', mode: 'forbidden', default_value_id: 'v' }, { dimension_id: 'x', mode: 'optional' }], 'Dimension x of rule 2 not found.'],
    ['a ledger and a type',
      [{ dimension_id: 'd', ledger_id: 'rent', ledger_type: 'expense', mode: 'optional' }], 'Rule 1 names both a ledger and a type of ledgers: leave one out.'],
    ['a default of what is forbidden',
      [{ dimension_id: 'd', mode: 'forbidden', default_value_id: 'v' }], 'Rule 1 forbids the dimension, so it cannot have a default.'],
    ['a default of another dimension',
      [{ dimension_id: 'd', mode: 'optional', default_value_id: 'w' }], 'The default of rule 1, w w, belongs to another dimension.'],
    ['an archived default', [{ dimension_id: 'd', mode: 'optional', default_value_id: 'gone' }],
      'The default of rule 1, gone gone, is archived: restore it, or choose another value.'],
    ['two for all', [{ dimension_id: 'd', mode: 'optional' }, { dimension_id: 'd', mode: 'required' }], 'Rules 1 and 2 are both for all ledgers: leave one.'],
    ['two for a type', [{ dimension_id: 'd', ledger_type: 'asset', mode: 'optional' }, { dimension_id: 'd', ledger_type: 'asset', mode: 'required' }],
      'Rules 1 and 2 are both for all ledgers of type asset: leave one.'],
    ['two for a ledger', [{ dimension_id: 'd', ledger_id: 'rent', mode: 'optional' }, { dimension_id: 'd', ledger_id: 'rent', mode: 'required' }],
      'Rules 1 and 2 are both for the same ledger: leave one.'],
  ] as [string, DimensionRuleInput[], string][])('with %s are refused', (_, rules, detail) => {
    expect(() => check(...rules)).toThrow(detail)
  })

  it('of two dimensions do not meet', () => {
    expect(check({ dimension_id: 'd', mode: 'optional' }, { dimension_id: 'e', mode: 'required' })).toHaveLength(2)
  })
})
