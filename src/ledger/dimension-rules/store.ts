// The SQL that reads dimensions, values and rules for the books.
import { columns, statement } from '../../foundation/database/statement.ts'
import { BookDimensionRow, BookRuleRow, BookValue } from './contract.ts'

export const dimensions = statement(
  BookDimensionRow,
  `select ${columns(BookDimensionRow)} from accounting_dimensions where business_id = :business_id order by position, id`)
export const values = statement(BookValue, `select ${columns(BookValue)} from dimension_values where business_id = :business_id`)
export const rules = statement(BookRuleRow, `select ${columns(BookRuleRow)} from dimension_rules where business_id = :business_id`)
