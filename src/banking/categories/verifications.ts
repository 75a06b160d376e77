// What must hold of categories: each is in the books by one entry that stands, over its amount, and its lines add up to it.
import { Type } from 'typebox'
import { Count } from '../../foundation/database/rows.ts'
import { statement } from '../../foundation/database/statement.ts'
import type { Verification } from '../../foundation/verification.ts'
import { verificationOf } from '../../ledger/book-verification/operations.ts'
import { MOST_TOLD, units } from '../../ledger/book-verification/rules.ts'

const categories = statement(Count, 'select count(*) as count from transaction_categories where business_id = :business_id')

const Found = Type.Object({ id: Type.String(), amount: Type.String(), claimed: Type.String(), lines: Type.String(), posted: Type.String(), total: Type.Integer() })

/** The entry has other lines on the cash ledger never: a category of the ledger itself is refused. */
const untrue = statement(
  Found,
  `select t.id::text as id, c.amount::text as amount, t.categorized::text as claimed, coalesce(n.amount, 0)::text as lines, coalesce(p.amount, 0)::text as posted,
     count(*) over () as total
   from transaction_categories c
   join transactions t on t.business_id = c.business_id and t.id = c.transaction_id
   left join lateral (select sum(amount) as amount from transaction_lines n where n.business_id = :business_id and n.transaction_id = c.transaction_id) n on true
   left join lateral (select sum(l.amount) as amount from journal_lines l join journal_entries e on e.business_id = l.business_id and e.id = l.entry_id
     where l.business_id = :business_id and l.entry_id = c.journal_entry_id and l.ledger_id = t.ledger_id and e.reversed_by_id is null
       and e.source_type = 'transaction' and e.source_id = t.id and e.date = c.posting_date) p on true
   where c.business_id = :business_id and (t.categorized <> c.amount or n.amount is distinct from c.amount or p.amount is distinct from sign(t.amount) * c.amount)
   order by t.id limit ${MOST_TOLD}`)

const entries = statement(Count, `select count(*) as count from journal_entries where business_id = :business_id and source_type = 'transaction'`)

const strays = statement(
  Type.Object({ id: Type.String(), number: Type.String(), total: Type.Integer() }),
  `select coalesce(e.source_id, e.id)::text as id, e.number::text as number, count(*) over () as total from journal_entries e
   left join transaction_categories c on c.business_id = e.business_id and c.journal_entry_id = e.id
   where e.business_id = :business_id and e.source_type = 'transaction' and e.reversed_by_id is null and e.reversal_of_id is null and c.id is null
   order by e.number limit ${MOST_TOLD}`)

export const categoryVerifications: Verification[] = [
  verificationOf({
    claim: 'Every categorized transaction is in the books once, over what its category and its lines say',
    counted: categories,
    found: untrue,
    sentence: ({ id, amount, claimed, lines, posted }) =>
      `transaction ${id} has a category over ${units(amount)}: it says ${units(claimed)}, the lines add up to ${units(lines)}, and ${units(posted)} is posted`,
  }),
  verificationOf({
    claim: 'Every entry of a transaction that stands is that of its category',
    counted: entries,
    found: strays,
    sentence: ({ id, number }) => `entry ${number} of transaction ${id} stands without a category`,
  }),
]
