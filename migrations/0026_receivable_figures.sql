-- What the figures about receivables need: the open invoices in one narrow index, credits by day, and which invoices were told to be late.

-- Aging and collections read every open invoice: here they find all they need without visiting the rows.
create index invoices_figures on invoices (business_id, customer_id)
  include (currency, due_date, invoice_date, base_balance, receivable_line_id, uncollectible, disputed, promised_on)
  where status in ('open', 'partially_paid');

create index invoice_credits_applied on invoice_credits (business_id, applied_on) where reversed_at is null;

-- The due date of an invoice whose passing was recorded as invoice.overdue; another due date can pass again.
create table invoice_overdue_notes (
  business_id uuid not null,
  invoice_id uuid not null,
  due_on date not null,
  overdue_noted_on date not null,
  primary key (business_id, invoice_id),
  foreign key (business_id, invoice_id) references invoices (business_id, id) on delete cascade
);
call protect('invoice_overdue_notes');

-- Where the clock has something to do. It tells ids of businesses and nothing of what is in them. Each business is asked by itself, so that
-- the first invoice found ends the search there.
create function businesses_with_overdue_invoices(p_now timestamptz) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select b.id from businesses b where exists (
          select from invoices i left join invoice_overdue_notes n on n.business_id = i.business_id and n.invoice_id = i.id
          where i.business_id = b.id and i.status in ('open', 'partially_paid') and not i.uncollectible
          and coalesce(i.due_date, i.invoice_date) < (p_now at time zone b.timezone)::date and n.due_on is distinct from coalesce(i.due_date, i.invoice_date)) $$;
