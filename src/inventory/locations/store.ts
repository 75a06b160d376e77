// The SQL of locations.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { cents, id } from '../../foundation/shapes.ts'
import { LocationRow } from './contract.ts'

constraintMeans('locations_name', 'A location of this name exists already: choose another name.')
constraintMeans('locations_code', 'A location with this code exists already: choose another code.')
constraintMeans('stock_movements_business_id_location_id_fkey', 'The location is used: archive it instead.')

export const insertLocation = insertion('locations', LocationRow)
export const updateLocation = updating(
  'locations', 'name', 'code', 'type', 'address', 'negative_stock', 'inventory_ledger_id', 'sells', 'receives', 'is_default', 'status',
)
export const deleteLocation = deletion('locations')
export const findLocation = selectionById('locations', LocationRow)
export const lockLocation = selectionById('locations', LocationRow, true)
export const lockDefault = statement(LocationRow, `select ${columns(LocationRow)} from locations where business_id = :business_id and is_default for update`)
export const findDefault = statement(LocationRow, `select ${columns(LocationRow)} from locations where business_id = :business_id and is_default`)
export const byIds = statement(LocationRow, `select ${columns(LocationRow)} from locations where business_id = :business_id and id = any(:ids)`)
export const dropEmptyPools = command('delete from stock_pools where business_id = :business_id and location_id = :id and last_date is null')

export const locations = list({
  item: LocationRow,
  from: 'locations t',
  where: 't.business_id = :business_id',
  sorts: {
    name: { column: 't.name_key', type: 'text' },
    code: { column: 't.code_key', type: 'text' },
    created_at: { column: 't.created_at', type: 'timestamptz' },
  },
  filters: { type: 't.type = :type', status: 't.status = :status', q: 'position(lower(:q) in t.name_key) > 0 or position(lower(:q) in t.code_key) > 0' },
})

export const values = statement(
  Type.Object({ location_id: id(), value: cents() }),
  'select location_id, sum(value)::bigint as value from stock_pools where business_id = :business_id and location_id = any(:ids) group by location_id')

/** moved: stock has been there. filled: it is there now. drafted: a draft of an adjustment names it. */
export const useOfLocation = statement(
  Type.Object({ moved: Type.Boolean(), filled: Type.Boolean(), drafted: Type.Boolean() }),
  `select exists (select from stock_pools where business_id = :business_id and location_id = :id and last_date is not null) as moved,
     exists (select from stock_pools where business_id = :business_id and location_id = :id and quantity <> 0) as filled,
     exists (select from stock_adjustment_lines l join stock_adjustments a on a.business_id = l.business_id and a.id = l.adjustment_id
       where l.business_id = :business_id and l.location_id = :id and a.status = 'draft') as drafted`)
