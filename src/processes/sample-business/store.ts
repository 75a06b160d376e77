// The SQL of samples: what their books come to.
import { statement } from '../../foundation/database/statement.ts'
import { SampleFigures } from './contract.ts'

/** Money that there is, what is receivable and payable, and the result since the beginning: as the statements count them. */
export const figures = statement(
  SampleFigures,
  `select
     coalesce(sum(m.debit - m.credit) filter (where l.type = 'asset'
       and (l.is_bank or l.role in ('undeposited_funds', 'processor_clearing') or l.cash_flow_class = 'cash')), 0)::bigint as cash,
     coalesce(sum(m.debit - m.credit) filter (where l.type = 'asset' and l.subtype = 'accounts_receivable'), 0)::bigint as receivable,
     coalesce(sum(m.credit - m.debit) filter (where l.type = 'liability' and l.subtype = 'accounts_payable'), 0)::bigint as payable,
     coalesce(sum(m.credit - m.debit) filter (where l.type in ('income', 'expense')), 0)::bigint as net_income
   from ledger_months m join ledgers l on l.business_id = m.business_id and l.id = m.ledger_id
   where m.business_id = :business_id`)
