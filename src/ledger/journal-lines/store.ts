// The SQL of lines by themselves.
import { list } from '../../foundation/database/list.ts'
import { columns } from '../../foundation/database/statement.ts'
import { JournalLine } from '../journal/contract.ts'
import { ListedLine } from './contract.ts'

const own = columns(JournalLine, 't').replace('t.debit, t.credit', 'greatest(t.amount, 0) as debit, greatest(-t.amount, 0) as credit')

export const lines = list({
  item: ListedLine,
  select: `${own}, t.entry_number, t.date, e.memo as entry_memo, e.source_type, e.source_id, t.is_adjusting, g.number as ledger_number, g.name as ledger_name`,
  from: `journal_lines t join journal_entries e on e.business_id = t.business_id and e.id = t.entry_id
    join ledgers g on g.business_id = t.business_id and g.id = t.ledger_id`,
  where: 't.business_id = :business_id and e.business_id = :business_id and g.business_id = :business_id',
  sorts: { date: { column: 't.date', type: 'date' } },
  filters: {
    ledger_id: 't.ledger_id = :ledger_id',
    customer_id: 't.customer_id = :customer_id',
    vendor_id: 't.vendor_id = :vendor_id',
    project_id: 't.project_id = :project_id',
    dimension_value_id: 't.id in (select v.line_id from journal_line_dimensions v where v.business_id = :business_id and v.value_id = :dimension_value_id)',
    start_date: 't.date >= :start_date',
    end_date: 't.date <= :end_date',
    adjusting: 't.is_adjusting',
    unadjusting: 'not t.is_adjusting',
    standing: 'not e.superseded',
  },
})
