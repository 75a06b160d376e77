// The SQL of reading the stock ledger.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { statement } from '../../foundation/database/statement.ts'
import { cents, id, integer } from '../../foundation/shapes.ts'
import { StockMovement } from '../stock-pools/contract.ts'

export const movements = list({
  item: StockMovement,
  from: 'stock_movements t',
  where: 't.business_id = :business_id',
  sorts: { sequence: { column: 't.sequence', type: 'bigint' } },
  filters: {
    after: 't.sequence > :after',
    variant_ids: 't.variant_id = any(:variant_ids)',
    variant_id: 't.variant_id = :variant_id',
    location_id: 't.location_id = :location_id',
    type: 't.type = :type',
    source_type: 't.source_type = :source_type',
    source_id: 't.source_id = :source_id',
    from: 't.effective_date >= :from',
    to: 't.effective_date <= :to',
  },
})

export const variantsOf = statement(
  Type.Object({ id: id() }),
  'select v.id from product_variants v where v.business_id = :business_id and v.product_id = :product_id')

/** What all movements before one come to. */
export const before = statement(
  Type.Object({ quantity: integer(), value: cents() }),
  `select coalesce(sum(t.quantity), 0)::bigint as quantity, coalesce(sum(t.value), 0)::bigint as value from stock_movements t
   where t.business_id = :business_id and t.variant_id = any(:variant_ids) and (:location_id::uuid is null or t.location_id = :location_id)
     and t.sequence < :sequence`)
