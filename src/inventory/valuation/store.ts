// The SQL of the valuation: what is there now, less what came after the day or the moment asked for, so that it costs what happened since.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { cents, id, integer, nullable } from '../../foundation/shapes.ts'

const later = '(m.effective_date > :as_of::date or m.recorded_at > :known_at::timestamptz)'

export const pools = statement(
  Type.Object({
    product_id: id(), product_name: Type.String(), variant_id: id(), sku: Type.String(),
    location_id: id(), location_name: Type.String(), quantity: integer(), value: cents(),
  }),
  `select p.id as product_id, p.name as product_name, v.id as variant_id, v.sku, l.id as location_id, l.name as location_name,
     (s.quantity - coalesce(x.quantity, 0))::bigint as quantity, (s.value - coalesce(x.value, 0))::bigint as value
   from stock_pools s join product_variants v on v.business_id = s.business_id and v.id = s.variant_id
     join products p on p.business_id = v.business_id and p.id = v.product_id join locations l on l.business_id = s.business_id and l.id = s.location_id
     left join (select m.variant_id, m.location_id, sum(m.quantity) as quantity, sum(m.value) as value from stock_movements m
       where m.business_id = :business_id and ${later} group by m.variant_id, m.location_id) x on x.variant_id = s.variant_id and x.location_id = s.location_id
   where s.business_id = :business_id and v.business_id = :business_id and p.business_id = :business_id and l.business_id = :business_id
     and (:location_id::uuid is null or s.location_id = :location_id) and (:variant_id::uuid is null or s.variant_id = :variant_id)
     and (:category::text is null or p.category = :category)
     and (s.quantity <> coalesce(x.quantity, 0) or s.value <> coalesce(x.value, 0))
   order by p.name_key, v.sku_key, l.name_key, p.id, l.id`)

export const ledgers = statement(
  Type.Object({ ledger_id: id(), number: nullable(Type.String()), name: Type.String(), stock_value: cents(), ledger_balance: cents() }),
  `select s.ledger_id, g.number, g.name, (s.value - coalesce((select sum(m.value) from stock_movements m
       where m.business_id = :business_id and m.stock_ledger_id = s.ledger_id and ${later}), 0))::bigint as stock_value,
     (coalesce((select sum(b.debit - b.credit) from ledger_months b where b.business_id = :business_id and b.ledger_id = s.ledger_id), 0)
       - coalesce((select sum(j.base_amount) from journal_lines j join journal_entries e on e.business_id = j.business_id and e.id = j.entry_id
           where j.business_id = :business_id and e.business_id = :business_id and j.ledger_id = s.ledger_id
             and (j.date > :as_of::date or e.recorded_at > :known_at::timestamptz)), 0))::bigint as ledger_balance
   from stock_ledgers s join ledgers g on g.business_id = s.business_id and g.id = s.ledger_id
   where s.business_id = :business_id and g.business_id = :business_id order by g.number, g.name_key`)
