// The SQL of categories. Many are written at once, as JSON.
import { constraintMeans } from '../../foundation/database/errors.ts'
import { insertions, rowsGiven } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { CategoryRow, LineRow } from './contract.ts'

constraintMeans('transaction_categories_transaction', 'Somebody else has categorized this transaction meanwhile: read it again.')

const names = Object.keys(CategoryRow.properties)

/** A category that is chosen anew keeps its id. */
export const saveCategories = command(
  `insert into transaction_categories (business_id, ${names.join(', ')})
   select :business_id, ${names.map((name) => `r.${name}`).join(', ')} from ${rowsGiven('transaction_categories')}
   on conflict (business_id, id) do update set ${names.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`).join(', ')}`)

export const insertLines = insertions('transaction_lines', LineRow)

export const deleteLines = command('delete from transaction_lines where business_id = :business_id and transaction_id = any(:transaction_ids)')

/** Their lines go with them. */
export const deleteCategories = command('delete from transaction_categories where business_id = :business_id and id = any(:ids)')

export const categoriesOf = statement(
  CategoryRow, `select ${columns(CategoryRow)} from transaction_categories where business_id = :business_id and transaction_id = any(:transaction_ids)`)

export const linesOf = statement(
  LineRow, `select ${columns(LineRow)} from transaction_lines where business_id = :business_id and transaction_id = any(:transaction_ids)
   order by transaction_id, position`)
