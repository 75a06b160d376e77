// The SQL of the reconciliation: what is booked against what posted payouts have carried.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { cents } from '../../foundation/shapes.ts'
import { ReconciliationRow } from './contract.ts'

/** Per charge of the processor: what is booked of it, and what posted payouts have carried of it. */
export const perCharge = `carried as (
    select i.processor_charge_id, i.kind, i.payout_id, i.amount from processor_payout_items i
      join processor_payouts p on p.business_id = i.business_id and p.id = i.payout_id
    where i.business_id = :business_id and p.journal_entry_id is not null
  ), paid_out as (
    select processor_charge_id, max(payout_id::text)::uuid as payout_id,
      coalesce(sum(amount) filter (where kind = 'charge'), 0)::bigint as charged,
      coalesce(-sum(amount) filter (where kind = 'refund'), 0)::bigint as refunded,
      coalesce(-sum(amount) filter (where kind in ('dispute', 'dispute_reversal')), 0)::bigint as disputed
    from carried where processor_charge_id is not null group by processor_charge_id
  ), booked as (
    select c.processor_charge_id,
      case when c.booked then c.settled_amount else 0 end as charged, case when c.booked then coalesce(c.fee, 0) else 0 end as fee,
      (select coalesce(sum(r.settled_amount), 0)::bigint from processor_refunds r
        where r.business_id = c.business_id and r.charge_id = c.id and r.booked) as refunded,
      (select coalesce(sum(d.booked_amount), 0)::bigint from processor_disputes d
        where d.business_id = c.business_id and d.charge_id = c.id) as disputed
    from processor_charges c where c.business_id = :business_id
  ), compared as (
    select coalesce(b.processor_charge_id, p.processor_charge_id) as processor_charge_id, p.payout_id,
      coalesce(b.charged, 0) as charged, coalesce(b.fee, 0) as fee, coalesce(b.refunded, 0) as refunded, coalesce(b.disputed, 0) as disputed,
      coalesce(p.charged, 0) as paid_charged, coalesce(p.refunded, 0) as paid_refunded, coalesce(p.disputed, 0) as paid_disputed
    from booked b full join paid_out p on p.processor_charge_id = b.processor_charge_id
  )`

export const figures = statement(
  Type.Object({ charges: cents(), refunds: cents(), disputes: cents(), fees: cents(), manual_payouts: cents() }),
  `with ${perCharge}
   select coalesce(sum(greatest(charged - paid_charged, 0)), 0)::bigint as charges,
     coalesce(sum(greatest(refunded - paid_refunded, 0)), 0)::bigint as refunds,
     coalesce(sum(greatest(disputed - paid_disputed, 0)), 0)::bigint as disputes,
     coalesce(sum(fee) filter (where paid_charged = 0), 0)::bigint as fees,
     (select coalesce(sum(amount_cents), 0)::bigint from processor_payouts
       where business_id = :business_id and not automatic and journal_entry_id is not null) as manual_payouts
   from compared`)

/** What payouts have carried beyond what is booked: each is missing in, or too much on, the ledger by this much. */
export const causes = statement(
  ReconciliationRow,
  `with ${perCharge}
   select 'unbooked_charge' as cause, processor_charge_id, payout_id, charged - paid_charged as amount from compared where paid_charged > charged
   union all select 'unbooked_refund', processor_charge_id, payout_id, paid_refunded - refunded from compared where paid_refunded > refunded
   union all select 'unbooked_dispute', processor_charge_id, payout_id, paid_disputed - disputed from compared where paid_disputed > disputed
   union all select kind, processor_charge_id, payout_id, -amount from carried where kind in ('adjustment', 'reserve') and amount <> 0
   order by 1, 3, 2 limit 1000`)

export const ledgerBalance = statement(
  Type.Object({ balance: cents() }),
  `select coalesce(sum(debit - credit), 0)::bigint as balance from ledger_months where business_id = :business_id and ledger_id = :ledger_id`)
