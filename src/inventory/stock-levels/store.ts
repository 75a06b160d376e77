// The SQL of stock levels, from the pools.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { statement } from '../../foundation/database/statement.ts'
import { cents, id, integer, oneOf } from '../../foundation/shapes.ts'
import { PRODUCT_TYPES } from '../variants/contract.ts'

export const exists = statement(Type.Object({ id: id() }), 'select id from products where business_id = :business_id and id = :id')
export const placeExists = statement(Type.Object({ id: id() }), 'select id from locations where business_id = :business_id and id = :id')

export const ofProduct = statement(
  Type.Object({
    variant_id: id(), sku: Type.String(), variant_name: Type.String(), location_id: id(), location_name: Type.String(), quantity: integer(), value: cents(),
  }),
  `select s.variant_id, v.sku, v.name as variant_name, s.location_id, l.name as location_name, s.quantity, s.value
   from product_variants v join stock_pools s on s.business_id = v.business_id and s.variant_id = v.id
     join locations l on l.business_id = s.business_id and l.id = s.location_id
   where v.business_id = :business_id and s.business_id = :business_id and l.business_id = :business_id and v.product_id = :id and s.last_date is not null
   order by v.sku_key, l.name_key`)

export const atLocation = list({
  item: Type.Object({
    id: id(), product_id: id(), product_name: Type.String(), sku: Type.String(), variant_name: Type.String(), quantity: integer(), value: cents(),
  }),
  select: 't.id, t.product_id, p.name as product_name, t.sku, t.name as variant_name, s.quantity, s.value',
  from: `product_variants t join stock_pools s on s.business_id = t.business_id and s.variant_id = t.id
    join products p on p.business_id = t.business_id and p.id = t.product_id`,
  where: 't.business_id = :business_id and s.business_id = :business_id and p.business_id = :business_id and s.last_date is not null',
  sorts: { sku: { column: 't.sku_key', type: 'text' } },
  filters: { location_id: 's.location_id = :location_id', q: 'position(lower(:q) in t.sku_key) > 0 or position(lower(:q) in p.name_key) > 0' },
})

export const variants = statement(
  Type.Object({ id: id(), sku: Type.String(), product_id: id(), type: oneOf(PRODUCT_TYPES) }),
  `select v.id, v.sku, v.product_id, p.type from product_variants v join products p on p.business_id = v.business_id and p.id = v.product_id
   where v.business_id = :business_id and p.business_id = :business_id and v.id = any(:ids)`)

export const components = statement(
  Type.Object({ product_id: id(), variant_id: id(), quantity: integer() }),
  'select product_id, variant_id, quantity from kit_components where business_id = :business_id and product_id = any(:product_ids)')

/** On hand at the end of a day: what is there now, less what moved since. */
export const onHand = statement(
  Type.Object({ variant_id: id(), location_id: id(), location_name: Type.String(), on_hand: integer() }),
  `select s.variant_id, s.location_id, l.name as location_name, (s.quantity - coalesce((select sum(m.quantity) from stock_movements m
     where m.business_id = :business_id and m.variant_id = s.variant_id and m.location_id = s.location_id
       and m.effective_date > :date::date), 0))::bigint as on_hand
   from stock_pools s join locations l on l.business_id = s.business_id and l.id = s.location_id
   where s.business_id = :business_id and l.business_id = :business_id and s.variant_id = any(:ids) and s.last_date is not null
     and (:location_id::uuid is null or s.location_id = :location_id)
   order by s.variant_id, l.name_key`)
