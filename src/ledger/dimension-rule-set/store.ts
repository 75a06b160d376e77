// The SQL of the rules of dimensions.
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { DimensionRule } from './contract.ts'

export const rules = statement(
  DimensionRule,
  `select ${columns(DimensionRule)} from dimension_rules where business_id = :business_id order by dimension_id, target`)

export const deleteRules = command('delete from dimension_rules where business_id = :business_id')
export const deleteRulesOf = command('delete from dimension_rules where business_id = :business_id and dimension_id = :dimension_id')

export const insertRules = command(
  `insert into dimension_rules (business_id, ${columns(DimensionRule)})
   select :business_id, ${columns(DimensionRule)} from jsonb_populate_recordset(null::dimension_rules, :rows::jsonb)`)

export const redirectDefaults = command(
  'update dimension_rules set default_value_id = :into_id where business_id = :business_id and default_value_id = :value_id')
