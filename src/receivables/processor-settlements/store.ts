// The SQL behind the payouts that invoices and the processor's pages show.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { cents, date, id, nullable } from '../../foundation/shapes.ts'

export const payoutsByIds = statement(
  Type.Object({
    id: id(), processor_payout_id: Type.String(), status: Type.String(), amount_cents: cents(), gross_amount_cents: nullable(cents()),
    fee_amount_cents: nullable(cents()),
    processor_dashboard_url: nullable(Type.String()), arrival_date: nullable(date()), automatic: Type.Boolean(),
    bank_deposit_match_id: nullable(id()), journal_entry_id: nullable(id()),
    bank_description: nullable(Type.String()), bank_date: nullable(date()), bank_amount: nullable(cents()),
  }),
  `select p.id, p.processor_payout_id, p.status, p.amount_cents, p.gross_amount_cents, p.fee_amount_cents,
     p.processor_dashboard_url, p.arrival_date, p.automatic, p.bank_deposit_match_id,
     p.journal_entry_id, coalesce(b.description, b.counterparty) as bank_description, b.datetime as bank_date, abs(b.amount) as bank_amount
   from processor_payouts p left join transactions b on b.business_id = p.business_id and b.id = p.bank_deposit_match_id
   where p.business_id = :business_id and p.id = any(:ids)`)

/** What each payout carried: a line per charge, with the invoice that it paid. */
export const chargesOfPayouts = statement(
  Type.Object({
    payout_id: id(), amount_cents: cents(), processor_charge_id: nullable(Type.String()), service_invoice_id: nullable(id()),
    invoice_number: nullable(Type.String()), customer_name: nullable(Type.String()),
  }),
  `select i.payout_id, i.amount as amount_cents, i.processor_charge_id, c.invoice_id as service_invoice_id, v.number as invoice_number, u.name as customer_name
   from processor_payout_items i
     left join processor_charges c on c.business_id = i.business_id and c.processor_charge_id = i.processor_charge_id
     left join invoices v on v.business_id = c.business_id and v.id = c.invoice_id
     left join customers u on u.business_id = c.business_id and u.id = c.customer_id
   where i.business_id = :business_id and i.payout_id = any(:ids) and i.kind = 'charge' order by i.payout_id, i.position`)

/** The payout that holds the charge that settled an invoice last. */
export const payoutsOfInvoices = statement(
  Type.Object({ invoice_id: id(), payout_id: id() }),
  `select distinct on (asked.invoice_id) asked.invoice_id, p.id as payout_id from unnest(:invoice_ids::uuid[]) as asked (invoice_id)
     join processor_charges c on c.business_id = :business_id and c.invoice_id = asked.invoice_id and c.payment_id is not null
     join processor_payouts p on p.business_id = :business_id and p.id = c.payout_id
   order by asked.invoice_id, c.charged_at desc, c.id desc`)
