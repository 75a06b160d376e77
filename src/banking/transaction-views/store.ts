// The SQL that finds money which is in the books already without its bank row.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'

/** Of each bank row the nearest book row with the same ledger and amount that no bank row proves. */
export const uncoveredLike = statement(
  Type.Object({ transaction_id: id(), book_id: id() }),
  `select distinct on (w.id) w.id as transaction_id, b.id as book_id
   from unnest(:ids::uuid[], :ledger_ids::uuid[], :amounts::bigint[], :dates::date[]) as w (id, ledger_id, amount, datetime)
   join transactions b on b.business_id = :business_id and b.ledger_id = w.ledger_id and b.amount = w.amount
     and b.datetime between w.datetime - 10 and w.datetime + 10 and b.kind = 'book' and b.bank_transaction_id is null
   order by w.id, abs(b.datetime - w.datetime), b.id`)

/** Bank rows whose money somebody may have written into the journal by hand. */
export const postedByHandLike = statement(
  Type.Object({ transaction_id: id() }),
  `select w.id as transaction_id
   from unnest(:ids::uuid[], :ledger_ids::uuid[], :amounts::bigint[], :dates::date[]) as w (id, ledger_id, amount, datetime)
   where exists (select from journal_lines l join journal_entries e on e.business_id = l.business_id and e.id = l.entry_id
     where l.business_id = :business_id and l.ledger_id = w.ledger_id and l.date between w.datetime - 10 and w.datetime + 10 and l.amount = w.amount
       and e.source_type = 'manual' and e.reversed_by_id is null and e.reversal_of_id is null)`)
