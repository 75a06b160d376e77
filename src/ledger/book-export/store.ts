// The SQL of the export: the journal some entries at a time, in the order of their numbers.
import { Type } from 'typebox'
import { columns, statement } from '../../foundation/database/statement.ts'
import { date, integer, nullable } from '../../foundation/shapes.ts'
import { ExportEntry, ExportLedger, ExportLine } from './contract.ts'

export const ledgers = statement(ExportLedger, `select ${columns(ExportLedger)} from ledgers where business_id = :business_id`)

export const extent = statement(
  Type.Object({ business_name: Type.String(), journal_number: integer(), first_date: nullable(date()) }),
  `select b.name as business_name, h.number as journal_number,
     (select min(e.date) from journal_entries e where e.business_id = h.business_id and e.number <= h.number) as first_date
   from journal_heads h join businesses b on b.id = h.business_id where h.business_id = :business_id`)

const { lines: _lines, ...facts } = ExportEntry.properties

/** The next entries: at most a thousand, and no more than some thousand lines of them, however long each is. */
export const entriesAfter = statement(
  Type.Object(facts),
  `select number, date, memo, source_type, encode(hash, 'hex') as hash
   from (select *, sum(line_count) over (order by number) - line_count as lines_before
         from (select number, date, memo, source_type, hash, line_count from journal_entries
               where business_id = :business_id and number > :after and number <= :upto and date <= :as_of order by number limit 1000) as next) as counted
   where lines_before < 5000 order by number`)

export const linesOf = statement(
  Type.Object({ entry_number: integer(), ...ExportLine.properties }),
  `select entry_number, ${columns(ExportLine)} from journal_lines
   where business_id = :business_id and entry_number = any(:numbers) order by entry_number, position`)
