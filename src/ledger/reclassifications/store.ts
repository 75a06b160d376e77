// The SQL of reclassifications.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { command } from '../../foundation/database/statement.ts'
import { cents, id, list as listOf, nullable } from '../../foundation/shapes.ts'
import { currency } from '../ledgers/contract.ts'

const Line = Type.Object({
  id: id(),
  ledger_id: id(),
  currency,
  amount: cents(),
  base_amount: cents(),
  customer_id: nullable(id()),
  vendor_id: nullable(id()),
  project_id: nullable(id()),
  dimension_value_ids: listOf(id()),
})

/** Lines that can be moved. A list, because any part of the filter may be absent and each part has its index. */
export const lines = list({
  item: Line,
  from: 'journal_lines t',
  where: 't.business_id = :business_id',
  sorts: { date: { column: 't.date', type: 'date' } },
  filters: {
    ledger_ids: 't.ledger_id = any(:ledger_ids)',
    start_date: 't.date >= :start_date',
    end_date: 't.date <= :end_date',
    customer_id: 't.customer_id = :customer_id',
    vendor_id: 't.vendor_id = :vendor_id',
    project_id: 't.project_id = :project_id',
    from_value_id: `exists (select from journal_line_dimensions d
      where d.business_id = :business_id and d.value_id = :from_value_id and d.date = t.date and d.line_id = t.id)`,
    without_value_of: `not exists (select from unnest(t.dimension_value_ids) as carried (id)
      join dimension_values v on v.business_id = :business_id and v.id = carried.id where v.dimension_id = :without_value_of)`,
    apart_from_values: 'not t.dimension_value_ids && :apart_from_values::uuid[]',
    // What an entry that still stands has moved (on whichever date it stands by now) is where it belongs, and what only takes out is not to be moved at all.
    unmoved_in: `not exists (
        select from reclassified_lines r
        join journal_entries e on e.business_id = r.business_id and e.source_type = 'reclassification' and e.source_id = r.reclassification_id
        where r.business_id = :business_id and r.dimension_id = :unmoved_in and r.line_id = t.id and e.reversed_by_id is null and e.reversal_of_id is null)
      and not exists (
        select from journal_entries e join reclassifications c on c.business_id = e.business_id and c.id = e.source_id
        where e.business_id = :business_id and e.id = t.entry_id and e.source_type = 'reclassification' and c.dimension_id = :unmoved_in
          and c.to_value_id <> all(t.dimension_value_ids))`,
  },
})

export const insertReclassification = command(
  'insert into reclassifications (business_id, id, dimension_id, to_value_id) values (:business_id, :id, :dimension_id, :to_value_id)')

export const insertMovedLines = command(
  `insert into reclassified_lines (business_id, dimension_id, line_id, reclassification_id)
   select :business_id, :dimension_id, line_id, :id from unnest(:line_ids::uuid[]) as line_id`)
