// The SQL of managerial keys and of the values that ledgers have of them.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { deletion, insertion, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { KeyType, KeyTypeRow } from './contract.ts'

constraintMeans('managerial_key_types_key', 'The key exists already: use it, or choose another one.')
constraintMeans('managerial_key_mappings_ledger', 'A ledger was deleted in the meantime: read the table again.')

export const insertKeyType = insertion('managerial_key_types', KeyTypeRow)
export const insertKeyTypes = command(
  `insert into managerial_key_types (${columns(KeyTypeRow)})
   select ${columns(KeyTypeRow)} from jsonb_populate_recordset(null::managerial_key_types, :rows::jsonb) where business_id = :business_id`)
export const updateKeyType = updating('managerial_key_types', 'name', 'description', 'value_kind', 'allowed_values', 'required')
/** Its mappings go with it. */
export const deleteKeyType = deletion('managerial_key_types')

const counted = `
  select ${columns(KeyTypeRow, 't')},
    (select count(*) from managerial_key_mappings m where m.business_id = t.business_id and m.key_type_id = t.id) as mapped_count
  from managerial_key_types t where t.business_id = :business_id`
export const keyTypes = statement(KeyType, `${counted} order by t.position, t.id`)
export const findKeyType = statement(KeyType, `${counted} and t.key = :key`)

const Mapping = Type.Object({ ledger_id: id(), key_type_id: id(), value: Type.String() })
export const mappings = statement(Mapping, `select ${columns(Mapping)} from managerial_key_mappings where business_id = :business_id`)
export const mappingsOf = statement(
  Mapping,
  `select ${columns(Mapping)} from managerial_key_mappings where business_id = :business_id and key_type_id = :key_type_id`)

export const saveMappings = command(
  `insert into managerial_key_mappings (business_id, ledger_id, key_type_id, value)
   select :business_id, * from unnest(:ledger_ids::uuid[], :key_type_ids::uuid[], :values::text[])
   on conflict (business_id, key_type_id, ledger_id) do update set value = excluded.value`)
export const deleteMappings = command(
  `delete from managerial_key_mappings m using unnest(:ledger_ids::uuid[], :key_type_ids::uuid[]) as given (ledger_id, key_type_id)
   where m.business_id = :business_id and m.key_type_id = given.key_type_id and m.ledger_id = given.ledger_id`)
export const replaceValues = command(
  `update managerial_key_mappings set value = :replace_with where business_id = :business_id and key_type_id = :key_type_id and value = any(:values)`)
