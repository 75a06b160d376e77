// What must hold of every invoice: its total is that of its lines, what settles it adds up, and the books carry what is left.
import { Type } from 'typebox'
import { Count } from '../../foundation/database/rows.ts'
import { statement } from '../../foundation/database/statement.ts'
import { nullable } from '../../foundation/shapes.ts'
import type { Verification } from '../../foundation/verification.ts'
import { verificationOf } from '../../ledger/book-verification/operations.ts'
import { MOST_TOLD, units } from '../../ledger/book-verification/rules.ts'

const total = Type.Integer()
/** Sums come as text. */
const sum = Type.String()
const name = `'Invoice ' || coalesce(i.number, i.id::text)`

const invoices = statement(Count, 'select count(*) as count from invoices where business_id = :business_id')
const payments = statement(Count, 'select count(*) as count from invoice_payments where business_id = :business_id and reversed_at is null')

const mistotalled = statement(
  Type.Object({ name: Type.String(), stated: sum, counted: sum, total }),
  `select ${name} as name, i.total::text as stated, coalesce(l.amount, 0)::text as counted, count(*) over () as total
   from invoices i
   left join (select x.invoice_id, sum(x.amount) as net, sum(x.tax_amount) as tax, sum(x.discount) as discount,
                sum(x.amount + case when d.tax_mode = 'exclusive' then x.tax_amount else 0 end) as amount
              from invoice_lines x join invoices d on d.business_id = x.business_id and d.id = x.invoice_id
              where x.business_id = :business_id group by x.invoice_id) l on l.invoice_id = i.id
   where i.business_id = :business_id
     and (i.total, i.subtotal, i.tax_total, i.discount_total) is distinct from
       (coalesce(l.amount, 0), coalesce(l.amount, 0) - coalesce(l.tax, 0), coalesce(l.tax, 0), coalesce(l.discount, 0))
   order by i.id limit ${MOST_TOLD}`)

const missettled = statement(
  Type.Object({ name: Type.String(), paid: sum, credited: sum, counted_payments: sum, counted_credits: sum, total }),
  `select ${name} as name, i.total_paid::text as paid, i.total_credited::text as credited, coalesce(p.amount, 0)::text as counted_payments,
     coalesce(c.amount, 0)::text as counted_credits, count(*) over () as total
   from invoices i
   left join (select invoice_id, sum(amount) as amount from invoice_payments where business_id = :business_id and reversed_at is null group by invoice_id) p on p.invoice_id = i.id
   left join (select invoice_id, sum(amount) as amount from invoice_credits where business_id = :business_id and reversed_at is null group by invoice_id) c on c.invoice_id = i.id
   where i.business_id = :business_id
     and (i.total_paid <> coalesce(p.amount, 0) + coalesce(c.amount, 0) or i.total_credited <> coalesce(c.amount, 0))
   order by i.id limit ${MOST_TOLD}`)

const misstated = statement(
  Type.Object({ name: Type.String(), status: Type.String(), entries: Type.Integer(), total }),
  `select ${name} as name, i.status, coalesce(e.count, 0)::int as entries, count(*) over () as total
   from invoices i
   left join (select l.invoice_id, count(*) filter (where l.role = 'finalization' and j.status = 'posted') as finalizations, count(*) filter (where l.role <> 'related') as count
              from invoice_entries l join journal_entries j on j.business_id = l.business_id and j.id = l.entry_id
              where l.business_id = :business_id and l.standing group by l.invoice_id) e on e.invoice_id = i.id
   where i.business_id = :business_id and not case i.status
     when 'draft' then i.total_paid = 0 and coalesce(e.count, 0) = 0
     when 'void' then i.total_paid = 0 and coalesce(e.count, 0) = 0
     when 'open' then i.total_paid = 0 and i.total > 0 and coalesce(e.finalizations, 0) = (i.receivable_line_id is not null)::int
     when 'partially_paid' then i.total_paid > 0 and i.total_paid < i.total and coalesce(e.finalizations, 0) = 1
     else i.total_paid = i.total and coalesce(e.finalizations, 0) = (i.total > 0)::int end
   order by i.id limit ${MOST_TOLD}`)

/** What is open in the books of an invoice: its receivable line and whatever settles it. */
const untied = statement(
  Type.Object({ name: Type.String(), currency: Type.String(), owed: sum, owed_base: sum, open: nullable(sum), open_base: nullable(sum), total }),
  `select name, currency, owed::text as owed, owed_base::text as owed_base, open::text as open, open_base::text as open_base, count(*) over () as total
   from (select i.id, ${name} as name, i.currency, i.total - i.total_paid - i.written_off as owed, coalesce(i.base_balance, 0) as owed_base,
           r.amount + coalesce(s.amount, 0) as open, r.base_amount + coalesce(s.base_amount, 0) as open_base
         from invoices i
         left join journal_lines r on r.business_id = i.business_id and r.id = i.receivable_line_id
         left join (select settles_line_id, sum(amount) as amount, sum(base_amount) as base_amount from journal_lines
                    where business_id = :business_id and settles_line_id is not null group by settles_line_id) s on s.settles_line_id = r.id
         where i.business_id = :business_id and i.receivable_line_id is not null) x
   where open is distinct from owed or open_base is distinct from owed_base
   order by id limit ${MOST_TOLD}`)

/** A standing payment has its claim on the transaction, and an entry of its date that nothing has reversed. */
const unfounded = statement(
  Type.Object({ name: Type.String(), amount: sum, currency: Type.String(), total }),
  `select ${name} as name, p.amount::text as amount, p.currency, count(*) over () as total
   from invoice_payments p
   join invoices i on i.business_id = p.business_id and i.id = p.invoice_id
   left join journal_entries e on e.business_id = p.business_id and e.id = p.journal_entry_id
   left join transaction_claims c on c.business_id = p.business_id and c.id = p.id
   where p.business_id = :business_id and p.reversed_at is null
     and (e.status is distinct from 'posted' or e.date is distinct from p.posted_on or c.transaction_id is distinct from p.transaction_id or c.amount is distinct from p.transaction_amount)
   order by p.id limit ${MOST_TOLD}`)

export const invoiceVerifications: Verification[] = [
  verificationOf({
    claim: 'The total of every invoice is that of its lines and their tax',
    counted: invoices,
    found: mistotalled,
    sentence: ({ name: who, stated, counted }) => `${who} says ${units(stated)}; its lines come to ${units(counted)}, or its subtotal, tax or discount is another`,
  }),
  verificationOf({
    claim: 'What is paid of every invoice is the sum of its standing payments and credits',
    counted: invoices,
    found: missettled,
    sentence: ({ name: who, paid, credited, counted_payments, counted_credits }) =>
      `${who} says that ${units(paid)} is paid, ${units(credited)} of it by credits; its payments are ${units(counted_payments)}, its credits ${units(counted_credits)}`,
  }),
  verificationOf({
    claim: 'The status of every invoice follows from its figures, and it has the one entry that it should',
    counted: invoices,
    found: misstated,
    sentence: ({ name: who, status, entries }) => `${who} is ${status.replace('_', ' ')}, which neither its figures nor its ${entries} standing entries say`,
  }),
  verificationOf({
    claim: 'Every invoice is open in the books for its balance less what is written off, in both currencies',
    counted: invoices,
    found: untied,
    sentence: ({ name: who, currency, owed, owed_base, open, open_base }, base) =>
      `${who}: ${units(owed)} ${currency} (${units(owed_base)} ${base}) is owed; in the books ${units(open ?? 'nothing')} (${units(open_base ?? 'nothing')}) is open`,
  }),
  verificationOf({
    claim: 'Every standing payment has its part of a transaction and one standing entry of its date',
    counted: payments,
    found: unfounded,
    sentence: ({ name: who, amount, currency }) => `the payment of ${units(amount)} ${currency} on ${who} has no such transaction or entry`,
  }),
]
