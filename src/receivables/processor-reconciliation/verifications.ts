// What must hold of the clearing ledger: what charges, refunds, disputes and payouts have posted there is what they say themselves.
import { Type } from 'typebox'
import { Count } from '../../foundation/database/rows.ts'
import { statement } from '../../foundation/database/statement.ts'
import type { Verification } from '../../foundation/verification.ts'
import { verificationOf } from '../../ledger/book-verification/operations.ts'
import { units } from '../../ledger/book-verification/rules.ts'
import { perCharge } from './store.ts'

const charges = statement(Count, 'select count(*) as count from processor_charges where business_id = :business_id and booked')

/** Lines that something at the processor has posted. Others, by hand or of payments into the ledger, are for the reconciliation to show. */
const posted = `select coalesce(sum(l.amount), 0) as amount
   from journal_lines l
   join journal_entries e on e.business_id = l.business_id and e.id = l.entry_id
   join ledgers g on g.business_id = l.business_id and g.id = l.ledger_id
   left join ledgers t on t.business_id = g.business_id and t.id = g.merged_into_id
   where l.business_id = :business_id and coalesce(t.role, g.role) = 'processor_clearing' and case e.source_type
     when 'processor_charge' then true
     when 'processor_payout' then true
     when 'invoice_payment' then exists (select from invoice_payments p
       where p.business_id = l.business_id and p.id = e.source_id and p.processor_charge_id is not null)
     when 'credit_refund' then exists (select from credit_refunds r where r.business_id = l.business_id and r.id = e.source_id and r.method = 'processor')
     when 'credit_memo' then exists (select from transaction_claims c
       join transactions b on b.business_id = c.business_id and b.id = c.transaction_id and b.kind = 'book'
       join processor_charges h on h.business_id = b.business_id and left(h.processor_charge_id, 100) = b.reference
       where c.business_id = l.business_id and c.id = e.source_id)
     else false end`

/** What is booked and not in a posted payout, less fees that were booked with the charge, and less what payouts have carried that is not booked. */
const unexplained = statement(
  Type.Object({ posted: Type.String(), held: Type.String(), total: Type.Integer() }),
  `with ${perCharge}, held as (
     select coalesce(sum((charged - paid_charged) - (refunded - paid_refunded) - (disputed - paid_disputed)
         - case when n.fee_recognition = 'charge' and paid_charged = 0 then fee else 0 end), 0)
       - (select coalesce(sum(amount), 0) from carried where kind in ('adjustment', 'reserve'))
       - (select coalesce(sum(amount_cents), 0) from processor_payouts
         where business_id = :business_id and not automatic and journal_entry_id is not null) as amount
     from compared cross join processor_connections n where n.business_id = :business_id
   ), posted as (${posted})
   select posted.amount::text as posted, held.amount::text as held, 1 as total from held, posted where posted.amount <> held.amount`)

export const processorVerifications: Verification[] = [
  verificationOf({
    claim: 'What the card processor holds by the books is its charges less refunds, disputes and fees that no posted payout has carried',
    counted: charges,
    found: unexplained,
    sentence: ({ posted: booked, held }, base) => `the books say ${units(booked)} ${base}; charges, refunds, disputes and payouts come to ${units(held)}`,
  }),
]
