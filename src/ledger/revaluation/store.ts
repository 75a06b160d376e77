// The SQL of foreign balances and their revaluations.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { Count, insertion, updating } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { cents, date, id } from '../../foundation/shapes.ts'
import { currency } from '../ledgers/contract.ts'
import { FxRevaluation } from './contract.ts'

constraintMeans('fx_revaluations_live', 'Another revaluation of this day was posted meanwhile.')

export const insertRevaluation = insertion('fx_revaluations', FxRevaluation)
export const updateRevaluation = updating('fx_revaluations', 'status')

export const liveRevaluation = statement(
  FxRevaluation,
  `select ${columns(FxRevaluation)} from fx_revaluations where business_id = :business_id and as_of = :as_of and status = 'live'`)

/** Foreign balances at the end of a day, without the revaluation that stands for it; what that one posted is told beside. */
export const foreignBalances = statement(
  Type.Object({ ledger_id: id(), currency, amount: cents(), base_amount: cents(), booked: cents() }),
  `with moved as (
     select ledger_id, currency, amount, debit - credit as base_amount, 0 as booked from ledger_months
     where business_id = :business_id and month < date_trunc('month', :as_of::date)::date and currency <> :base_currency
     union all
     select ledger_id, currency, amount, debit - credit, 0 from ledger_days
     where business_id = :business_id and date between date_trunc('month', :as_of::date)::date and :as_of::date and currency <> :base_currency
     union all
     select l.ledger_id, l.currency, 0, -l.base_amount, l.base_amount
     from fx_revaluations r
     join journal_entries e on e.business_id = r.business_id and e.id = r.entry_id and e.reversed_by_id is null
     join journal_lines l on l.business_id = e.business_id and l.entry_number = e.number
     where r.business_id = :business_id and r.as_of = :as_of::date and r.status = 'live' and l.currency <> :base_currency
   )
   select ledger_id, currency, sum(amount)::bigint as amount, sum(base_amount)::bigint as base_amount, sum(booked)::bigint as booked
   from moved group by ledger_id, currency
   having sum(amount) <> 0 or sum(base_amount) <> 0 or sum(booked) <> 0`)

export const countRevaluations = statement(Count, 'select count(*) as count from fx_revaluations where business_id = :business_id')

/** Revaluations whose entry stands without being undone by its mirror, line by line, on the day after. */
export const withoutMirror = statement(
  Type.Object({ as_of: date() }),
  `select r.as_of from fx_revaluations r
   join journal_entries e on e.business_id = r.business_id and e.id = r.entry_id
   left join journal_entries m on m.business_id = r.business_id and m.id = r.mirror_id and m.mirror_of_id = e.id and m.date = r.as_of + 1
   where r.business_id = :business_id and (
     m.id is null or (m.reversed_by_id is null) <> (e.reversed_by_id is null) or (r.status = 'replaced' and e.reversed_by_id is null)
     or exists (
       select from journal_lines l where l.business_id = r.business_id and l.entry_number in (e.number, m.number)
       group by l.ledger_id, l.currency having sum(l.base_amount) <> 0 or sum(l.amount) <> 0))
   order by r.as_of`)

/** Days on which more than one revaluation stands in the journal. */
export const standingTwice = statement(
  Type.Object({ as_of: date() }),
  `select date as as_of from journal_entries
   where business_id = :business_id and source_type = 'fx_revaluation' and auto_reverse_on is not null and reversed_by_id is null and reversal_of_id is null
   group by date having count(*) > 1 order by date`)
