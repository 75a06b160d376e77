// The SQL of the stock ledger and its pools.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { cents, id, integer, nullable } from '../../foundation/shapes.ts'
import { LayerRow, MovementRow, PoolRow, StockedVariant, StockPlace } from './contract.ts'

constraintMeans('stock_movements_once', 'This part of the document has moved its stock already.')
constraintMeans('stock_movements_reversal', 'This movement of stock is undone already.')

export const insertHead = command('insert into stock_heads (business_id) values (:business_id)')
export const lockHead = statement(Type.Object({ sequence: integer() }), 'select sequence from stock_heads where business_id = :business_id for update')
export const moveHead = command('update stock_heads set sequence = :sequence where business_id = :business_id')

const wanted = 'unnest(:variant_ids::uuid[], :location_ids::uuid[]) as w (variant_id, location_id)'

/** In the order in which pools are locked, so that two who make the same ones wait for each other and not in a circle. */
export const ensurePools = command(
  `insert into stock_pools (business_id, variant_id, location_id) select distinct :business_id::uuid, w.variant_id, w.location_id from ${wanted}
   order by w.variant_id, w.location_id on conflict do nothing`)

/** The pools asked for, and those that exchange units with them. */
export const lockPools = statement(
  PoolRow,
  `select ${columns(PoolRow, 'p')} from stock_pools p
   where p.business_id = :business_id and ((p.variant_id, p.location_id) in (select w.variant_id, w.location_id from ${wanted})
     or p.linked and p.variant_id = any(:variant_ids::uuid[]))
   order by p.variant_id, p.location_id for update`)

const ofPools = (table: string) => statement(
  LayerRow,
  `select ${columns(LayerRow, 't')} from ${table} t
   where t.business_id = :business_id and (t.variant_id, t.location_id) in (select w.variant_id, w.location_id from ${wanted})
   order by t.variant_id, t.location_id, t.date, t.sequence`)

export const layersOf = ofPools('stock_layers')
export const shortagesOf = ofPools('stock_shortages')

export const layersByMovements = statement(
  Type.Object({ movement_id: id(), quantity: integer() }),
  'select movement_id, quantity from stock_layers where business_id = :business_id and movement_id = any(:ids)')

export const variants = statement(
  StockedVariant,
  `select v.id, v.product_id, v.sku, p.name as product_name, p.type, p.costing_method, v.standard_cost, v.cost_per, p.cogs_ledger_id, p.inventory_ledger_id
   from product_variants v join products p on p.business_id = v.business_id and p.id = v.product_id
   where v.business_id = :business_id and p.business_id = :business_id and v.id = any(:ids)`)

export const places = statement(
  StockPlace,
  `select ${columns(StockPlace)} from locations where business_id = :business_id and (id = any(:ids) or is_default)`)

/** Everything that ever moved in these pools, but for corrections. */
export const movementsOf = statement(
  MovementRow,
  `select ${columns(MovementRow, 't')} from stock_movements t
   where t.business_id = :business_id and (t.variant_id, t.location_id) in (select w.variant_id, w.location_id
     from ${wanted}) and t.corrects_movement_id is null
   order by t.effective_date, t.sequence`)

export const movementsByIds = statement(MovementRow, `select ${columns(MovementRow)} from stock_movements where business_id = :business_id and id = any(:ids)`)

export const countLater = statement(
  Type.Object({ count: integer() }),
  `select count(*) as count from stock_movements t
   where t.business_id = :business_id and (t.variant_id, t.location_id) in (select w.variant_id, w.location_id from ${wanted})
     and t.corrects_movement_id is null and t.effective_date >= :since::date`)

const recorded = { movement_id: id(), cause_id: nullable(id()), value: cents(), counter_value: cents() }

/** What each movement carries by now, apart for each receipt that filled it. */
export const recordedValues = statement(
  Type.Object(recorded),
  `select coalesce(t.corrects_movement_id, t.id) as movement_id, t.cause_movement_id as cause_id, sum(t.value)::bigint as value,
    sum(t.counter_value)::bigint as counter_value
   from stock_movements t
   where t.business_id = :business_id and (t.variant_id, t.location_id) in (select w.variant_id, w.location_id from ${wanted}) group by 1, 2`)

/** What has become of movements: their worth with corrections, and what of them came back and was not undone again. */
export const standings = statement(
  Type.Object({ id: id(), quantity: integer(), value: cents(), returned_quantity: integer(), returned_value: cents(), returns_movement_id: nullable(id()) }),
  `select m.id, m.quantity, (m.value + coalesce((select sum(c.value) from stock_movements c
       where c.business_id = :business_id and c.corrects_movement_id = m.id), 0))::bigint as value,
     coalesce(r.quantity, 0)::bigint as returned_quantity, coalesce(r.value, 0)::bigint as returned_value, m.returns_movement_id
   from stock_movements m left join lateral (
     select sum(b.quantity) as quantity, sum(b.value + coalesce((select sum(c.value) from stock_movements c
       where c.business_id = :business_id and c.corrects_movement_id = b.id), 0)) as value
     from stock_movements b where b.business_id = :business_id and b.returns_movement_id = m.id and b.corrects_movement_id is null
       and not exists (select from stock_movements u where u.business_id = :business_id and u.reverses_movement_id = b.id
         and u.corrects_movement_id is null)) r on true
   where m.business_id = :business_id and m.id = any(:ids)`)

const rowsIn = (table: string, parameter: string) => `jsonb_populate_recordset(null::${table}, :${parameter}::jsonb)`

export const insertMovements = command(
  `insert into stock_movements (${columns(MovementRow)})
   select ${columns(MovementRow)} from ${rowsIn('stock_movements', 'movements')} where business_id = :business_id`)

export const savePools = command(
  `update stock_pools p set quantity = r.quantity, value = r.value, last_quantity = r.last_quantity, last_value = r.last_value,
    last_date = r.last_date, linked = r.linked
   from ${rowsIn('stock_pools', 'pools')} r where p.business_id = :business_id and p.variant_id = r.variant_id and p.location_id = r.location_id`)

const saving = (table: string) => command(
  `insert into ${table} (business_id, ${columns(LayerRow)}) select :business_id, ${columns(LayerRow)} from ${rowsIn(table, 'rows')}
   on conflict (business_id, movement_id) do update set quantity = excluded.quantity, value = excluded.value`)
const dropping = (table: string) => command(`delete from ${table} where business_id = :business_id and movement_id = any(:ids)`)

export const saveLayers = saving('stock_layers')
export const dropLayers = dropping('stock_layers')
export const saveShortages = saving('stock_shortages')
export const dropShortages = dropping('stock_shortages')

export const moveLedgers = command(
  `insert into stock_ledgers (business_id, ledger_id, value) select :business_id, * from unnest(:ledger_ids::uuid[], :values::bigint[])
   on conflict (business_id, ledger_id) do update set value = stock_ledgers.value + excluded.value`)
