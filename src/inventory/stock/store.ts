// The SQL of the doors: what documents have moved so far.
import { Type } from 'typebox'
import { columns, statement } from '../../foundation/database/statement.ts'
import { id, integer } from '../../foundation/shapes.ts'
import { MovementRow } from '../stock-pools/contract.ts'

/** What documents moved, in order; corrections are no part of it. */
export const movementsOfSources = statement(
  MovementRow,
  `select ${columns(MovementRow, 't')} from stock_movements t
    join (select distinct * from unnest(:source_types::text[], :source_ids::uuid[])) as s (source_type, source_id)
     on s.source_type = t.source_type and s.source_id = t.source_id
   where t.business_id = :business_id and t.corrects_movement_id is null order by t.sequence`)

export const components = statement(
  Type.Object({ product_id: id(), variant_id: id(), quantity: integer() }),
  `select product_id, variant_id, quantity from kit_components
   where business_id = :business_id and product_id = any(:product_ids) order by product_id, position`)
