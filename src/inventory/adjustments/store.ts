// The SQL of adjustments.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { cents, id } from '../../foundation/shapes.ts'
import { AdjustmentLine, AdjustmentRow } from './contract.ts'

export const insertAdjustment = insertion('stock_adjustments', AdjustmentRow)
export const updateAdjustment = updating(
  'stock_adjustments', 'kind', 'reason', 'adjusted_on', 'ledger_id', 'note', 'project_id', 'dimension_value_ids', 'number', 'status', 'total_value', 'entry_id')
export const deleteAdjustment = deletion('stock_adjustments')
export const findAdjustment = selectionById('stock_adjustments', AdjustmentRow)
export const lockAdjustment = selectionById('stock_adjustments', AdjustmentRow, true)

export const adjustments = list({
  item: AdjustmentRow,
  from: 'stock_adjustments t',
  where: 't.business_id = :business_id',
  sorts: {
    created_at: { column: 't.created_at', type: 'timestamptz' },
    adjusted_on: { column: 't.adjusted_on', type: 'date' },
    total_value: { column: 't.total_value', type: 'bigint' },
  },
  filters: {
    status: 't.status = :status',
    kind: 't.kind = :kind',
    reason: 't.reason = :reason',
    variant_id: 't.id in (select l.adjustment_id from stock_adjustment_lines l where l.business_id = :business_id and l.variant_id = :variant_id)',
    location_id: 't.id in (select l.adjustment_id from stock_adjustment_lines l where l.business_id = :business_id and l.location_id = :location_id)',
    from: 't.adjusted_on >= :from',
    to: 't.adjusted_on <= :to',
  },
})

export const linesOf = statement(
  Type.Object({ adjustment_id: id(), ...AdjustmentLine.properties }),
  `select adjustment_id, ${columns(AdjustmentLine)}
   from stock_adjustment_lines where business_id = :business_id and adjustment_id = any(:ids) order by adjustment_id, position`)

export const insertLines = command(
  `insert into stock_adjustment_lines (business_id, adjustment_id, position, ${columns(AdjustmentLine)})
   select :business_id, :id, r.position, ${columns(AdjustmentLine, 'r')}
   from jsonb_populate_recordset(null::stock_adjustment_lines, :lines::jsonb) r`)
export const deleteLines = command('delete from stock_adjustment_lines where business_id = :business_id and adjustment_id = :id')
export const saveValues = command(
  `update stock_adjustment_lines l set value = g.value from unnest(:ids::uuid[], :values::bigint[]) as g (id, value)
   where l.business_id = :business_id and l.id = g.id`)

/** By how much pools were written down, what was written up again not counted. */
export const writtenDown = statement(
  Type.Object({ variant_id: id(), location_id: id(), value: cents() }),
  `select m.variant_id, m.location_id, (-sum(m.value))::bigint as value from stock_movements m
   where m.business_id = :business_id and m.variant_id = any(:variant_ids) and m.type = 'revaluation' and m.effective_date between :start_date::date
     and :end_date::date
   group by m.variant_id, m.location_id`)
