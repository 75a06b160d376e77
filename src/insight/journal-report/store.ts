// The SQL of the journal as a report.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { boolean, cents, id, integer, nullable } from '../../foundation/shapes.ts'
import { analysis } from '../../ledger/journal/contract.ts'
import { currency } from '../../ledger/ledgers/contract.ts'
import { JournalReportFacts } from './contract.ts'

const facts = `select t.id, t.number, t.date, t.recorded_at as posted_at, t.memo, t.source_type, t.source_id, t.is_adjusting,
    t.reversal_of_id, t.reversed_by_id, t.superseded, t.total
  from journal_entries t where t.business_id = :business_id`

const dated = 't.date between :start_date and :end_date and (:adjusting or not t.is_adjusting)'

export const entriesAfter = statement(
  JournalReportFacts, `${facts} and t.number > :number and t.number <= :last and ${dated} order by t.number limit :limit`)
export const entriesBefore = statement(
  JournalReportFacts, `${facts} and t.number < :number and t.number >= :first and ${dated} order by t.number desc limit :limit`)
export const entriesByNumber = statement(JournalReportFacts, `${facts} and t.number = any(:numbers) order by t.number`)

/**
 * Where the entries of some dates begin and end among the numbers: a walk by number then passes over few others. Fenced off, since
 * walking along the numbers to find the lowest could pass over all of them.
 */
export const numbersOfRange = statement(
  Type.Object({ first: nullable(integer()), last: nullable(integer()), count: integer() }),
  `select min(x.number) as first, max(x.number) as last, count(*) as count
   from (select t.number from journal_entries t where t.business_id = :business_id and ${dated} and t.number <= :last_number offset 0) as x`)

const Line = Type.Object({
  id: id(), entry_id: id(), cash_basis: boolean(), ledger_id: id(), memo: nullable(Type.String()), currency, amount: cents(), base_amount: cents(), ...analysis,
})

const tags = 'l.customer_id, l.vendor_id, l.project_id, l.dimension_value_ids'

/** In the order of their positions, what the cash basis adds behind them. */
export const linesOfEntries = statement(
  Line,
  `select x.id, x.entry_id, x.cash_basis, x.ledger_id, x.memo, x.currency, x.amount, x.base_amount,
     x.customer_id, x.vendor_id, x.project_id, x.dimension_value_ids
   from (select l.id, l.entry_id, l.entry_number, l.position, false as cash_basis, l.ledger_id, l.memo, l.currency, l.amount, l.base_amount, ${tags}
         from journal_lines l where l.business_id = :business_id and l.entry_number = any(:numbers)
         union all
         select l.id, l.entry_id, l.entry_number, null, true, l.ledger_id, null, l.currency, l.base_amount, l.base_amount, ${tags}
         from cash_basis_lines l where l.business_id = :business_id and l.entry_number = any(:numbers) and :cash) as x
   order by x.entry_number, x.cash_basis, x.position, x.id`)
