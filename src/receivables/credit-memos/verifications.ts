// What must hold of every credit memo: its total, its uses, what the books carry of it, and that no invoice is credited beyond itself.
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
const name = `'Credit memo ' || coalesce(m.number, m.id::text)`

const memos = statement(Count, 'select count(*) as count from credit_memos where business_id = :business_id')
const creditedInvoices = statement(Count, 'select count(distinct invoice_id) as count from credit_memos where business_id = :business_id and invoice_id is not null')
const depositLines = statement(
  Count,
  `select count(*) as count from journal_lines l join ledgers g on g.business_id = l.business_id and g.id = l.ledger_id
   where l.business_id = :business_id and g.role = 'customer_deposits'`)

const mistotalled = statement(
  Type.Object({ name: Type.String(), stated: sum, counted: sum, total }),
  `select ${name} as name, m.total::text as stated, coalesce(l.amount, 0)::text as counted, count(*) over () as total
   from credit_memos m
   left join (select x.credit_memo_id, sum(x.tax_amount) as tax, sum(x.amount + case when d.tax_mode = 'exclusive' then x.tax_amount else 0 end) as amount
              from credit_memo_lines x join credit_memos d on d.business_id = x.business_id and d.id = x.credit_memo_id
              where x.business_id = :business_id group by x.credit_memo_id) l on l.credit_memo_id = m.id
   where m.business_id = :business_id and m.kind = 'credit_note'
     and (m.total, m.tax_total, m.subtotal) is distinct from (coalesce(l.amount, 0), coalesce(l.tax, 0), coalesce(l.amount, 0) - coalesce(l.tax, 0))
   order by m.id limit ${MOST_TOLD}`)

const misused = statement(
  Type.Object({ name: Type.String(), applied: sum, refunded: sum, counted_applied: sum, counted_refunded: sum, total }),
  `select ${name} as name, m.applied_total::text as applied, m.refunded_total::text as refunded, coalesce(a.amount, 0)::text as counted_applied,
     coalesce(r.amount, 0)::text as counted_refunded, count(*) over () as total
   from credit_memos m
   left join (select credit_memo_id, sum(amount) as amount from invoice_credits where business_id = :business_id and reversed_at is null group by credit_memo_id) a on a.credit_memo_id = m.id
   left join (select credit_memo_id, sum(amount) as amount from credit_refunds where business_id = :business_id and reversed_at is null group by credit_memo_id) r on r.credit_memo_id = m.id
   where m.business_id = :business_id and (m.applied_total, m.refunded_total) is distinct from (coalesce(a.amount, 0), coalesce(r.amount, 0))
   order by m.id limit ${MOST_TOLD}`)

/** What is open in the books of a credit note: its receivable line and whatever settles it. */
const untied = statement(
  Type.Object({ name: Type.String(), currency: Type.String(), remaining: sum, remaining_base: sum, open: nullable(sum), open_base: nullable(sum), total }),
  `select name, currency, remaining::text as remaining, remaining_base::text as remaining_base, open::text as open, open_base::text as open_base, count(*) over () as total
   from (select m.id, ${name} as name, m.currency, m.remaining, coalesce(m.base_remaining, 0) as remaining_base,
           -(r.amount + coalesce(s.amount, 0)) as open, -(r.base_amount + coalesce(s.base_amount, 0)) as open_base
         from credit_memos m
         left join journal_lines r on r.business_id = m.business_id and r.id = m.receivable_line_id
         left join (select settles_line_id, sum(amount) as amount, sum(base_amount) as base_amount from journal_lines
                    where business_id = :business_id and settles_line_id is not null group by settles_line_id) s on s.settles_line_id = r.id
         where m.business_id = :business_id and m.kind = 'credit_note' and m.status in ('open', 'closed')) x
   where open is distinct from remaining or open_base is distinct from remaining_base
   order by id limit ${MOST_TOLD}`)

/** Entries by hand may stand on the ledger too, as those that open the books do. */
const undeposited = statement(
  Type.Object({ customer_id: nullable(Type.String()), currency: Type.String(), held: sum, held_base: sum, remaining: sum, remaining_base: sum, total }),
  `select customer_id::text as customer_id, currency, sum(held)::text as held, sum(held_base)::text as held_base, sum(remaining)::text as remaining,
     sum(remaining_base)::text as remaining_base, count(*) over () as total
   from (
     select l.customer_id, l.currency, -l.amount as held, -l.base_amount as held_base, 0::bigint as remaining, 0::bigint as remaining_base
     from journal_lines l
     join journal_entries e on e.business_id = l.business_id and e.id = l.entry_id
     join ledgers g on g.business_id = l.business_id and g.id = l.ledger_id
     where l.business_id = :business_id and g.role = 'customer_deposits' and e.source_type not in ('manual', 'opening', 'reclassification', 'fx_revaluation')
     union all
     select customer_id, currency, 0, 0, remaining, coalesce(base_remaining, 0) from credit_memos where business_id = :business_id and kind <> 'credit_note' and status = 'open'
   ) x
   group by customer_id, currency having sum(held) <> sum(remaining) or sum(held_base) <> sum(remaining_base)
   order by customer_id, currency limit ${MOST_TOLD}`)

const overcredited = statement(
  Type.Object({ name: Type.String(), currency: Type.String(), invoiced: sum, credited: sum, total }),
  `select 'Invoice ' || coalesce(i.number, i.id::text) as name, i.currency, i.total::text as invoiced, c.total::text as credited, count(*) over () as total
   from (select invoice_id, sum(total) as total from credit_memos where business_id = :business_id and invoice_id is not null and status <> 'void' group by invoice_id) c
   join invoices i on i.business_id = :business_id and i.id = c.invoice_id
   where c.total > i.total
   order by i.id limit ${MOST_TOLD}`)

const miscredited = statement(
  Type.Object({ name: Type.String(), position: Type.Integer(), stated: sum, counted: sum, total }),
  `select 'Invoice ' || coalesce(i.number, i.id::text) as name, l.position, l.quantity_credited::text as stated, coalesce(c.quantity, 0)::text as counted, count(*) over () as total
   from invoice_lines l
   join invoices i on i.business_id = l.business_id and i.id = l.invoice_id
   left join (select x.invoice_line_id, sum(x.quantity_credited) as quantity, sum(x.amount) as amount
              from credit_memo_lines x join credit_memos m on m.business_id = x.business_id and m.id = x.credit_memo_id
              where x.business_id = :business_id and x.invoice_line_id is not null and m.status in ('open', 'closed') group by x.invoice_line_id) c on c.invoice_line_id = l.id
   where l.business_id = :business_id and (l.quantity_credited <> coalesce(c.quantity, 0) or coalesce(c.amount, 0) > l.amount)
   order by l.invoice_id, l.position limit ${MOST_TOLD}`)

export const creditMemoVerifications: Verification[] = [
  verificationOf({
    claim: 'The total of every credit note is that of its lines and their tax',
    counted: memos,
    found: mistotalled,
    sentence: ({ name: who, stated, counted }) => `${who} says ${units(stated)}; its lines come to ${units(counted)}, or its subtotal or tax is another`,
  }),
  verificationOf({
    claim: 'What is used of every credit memo is the sum of its standing applications and refunds',
    counted: memos,
    found: misused,
    sentence: ({ name: who, applied, refunded, counted_applied, counted_refunded }) =>
      `${who} says ${units(applied)} applied and ${units(refunded)} refunded; its applications are ${units(counted_applied)}, its refunds ${units(counted_refunded)}`,
  }),
  verificationOf({
    claim: 'Every credit note is open in the books for what remains of it, in both currencies',
    counted: memos,
    found: untied,
    sentence: ({ name: who, currency, remaining, remaining_base, open, open_base }, base) =>
      `${who}: ${units(remaining)} ${currency} (${units(remaining_base)} ${base}) remains; in the books ${units(open ?? 'nothing')} (${units(open_base ?? 'nothing')}) is open`,
  }),
  verificationOf({
    claim: 'What the books hold for customers is what remains of their deposits and overpayments, in both currencies',
    counted: depositLines,
    found: undeposited,
    sentence: ({ customer_id, currency, held, held_base, remaining, remaining_base }, base) =>
      `customer ${customer_id ?? 'without a name'}: the books hold ${units(held)} ${currency} (${units(held_base)} ${base}); ${units(remaining)} (${units(remaining_base)}) remains`,
  }),
  verificationOf({
    claim: 'The credit notes of an invoice are together no more than the invoice',
    counted: creditedInvoices,
    found: overcredited,
    sentence: ({ name: who, currency, invoiced, credited }) => `${who} over ${units(invoiced)} ${currency} is credited with ${units(credited)}`,
  }),
  verificationOf({
    claim: 'Every line of an invoice says how many of its units are credited, and no more is than it has',
    counted: creditedInvoices,
    found: miscredited,
    sentence: ({ name: who, position, stated, counted }) => `line ${position} of ${who} says ${stated} units; its credit notes say ${counted}, or more than its amount`,
  }),
]
