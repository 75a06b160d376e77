-- Credit memos: what customers have to their credit. A credit note takes something back that was invoiced; overpayments and deposits are
-- money that no invoice has taken yet. What of them settles invoices stands in invoice_credits.
create table credit_memos (
  business_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('credit_note', 'overpayment', 'deposit')),
  status text not null check (status in ('draft', 'open', 'closed', 'void')),
  customer_id uuid not null,
  number text check (length(number) between 1 and 100),
  number_key text generated always as (lower(number)) stored,
  credit_date date not null,
  currency text not null check (currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  fx_rate text check (fx_rate ~ '^[0-9]{1,12}(\.[0-9]{1,10})?$'),
  -- The invoice that is credited, and the contract that it billed when the note was finalized.
  invoice_id uuid,
  contract_id uuid,
  order_id uuid,
  -- Of money: where it came in. The transaction of a memo that was voided may be gone.
  transaction_id uuid,
  deposit_ledger_id uuid,
  reason text check (reason in ('return', 'discount', 'error', 'goodwill', 'early_payment', 'processor_refund', 'other')),
  description text,
  tax_mode text not null check (tax_mode in ('exclusive', 'inclusive', 'none')),
  subtotal bigint not null,
  tax_total bigint not null,
  total bigint not null check (total between 0 and 9007199254740991),
  applied_total bigint not null check (applied_total >= 0),
  refunded_total bigint not null check (refunded_total >= 0),
  remaining bigint not null generated always as (total - applied_total - refunded_total) stored,
  base_total bigint,
  -- What the credit is still carried at, in the base currency.
  base_remaining bigint,
  journal_entry_id uuid,
  -- Of a credit note: the line of its entry that applications and refunds settle.
  receivable_line_id uuid,
  finalized_at timestamptz(3),
  voided_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint credit_memos_number unique (business_id, number_key),
  constraint credit_memos_customer foreign key (business_id, customer_id) references customers (business_id, id),
  constraint credit_memos_invoice foreign key (business_id, invoice_id) references invoices (business_id, id),
  constraint credit_memos_contract foreign key (business_id, contract_id) references contracts (business_id, id),
  constraint credit_memos_used check (applied_total + refunded_total <= total),
  constraint credit_memos_status check (case status
    when 'draft' then applied_total + refunded_total = 0 and number is null and finalized_at is null
    when 'void' then applied_total + refunded_total = 0
    when 'open' then applied_total + refunded_total < total
    else applied_total + refunded_total = total end),
  constraint credit_memos_finalized check (status = 'draft' or (number is not null and finalized_at is not null and journal_entry_id is not null)),
  check (kind = 'credit_note' or (invoice_id is null and receivable_line_id is null))
);
create index credit_memos_created on credit_memos (business_id, created_at, id);
create index credit_memos_updated on credit_memos (business_id, updated_at, id);
create index credit_memos_date on credit_memos (business_id, credit_date, id);
create index credit_memos_number_order on credit_memos (business_id, number_key, id);
create index credit_memos_total on credit_memos (business_id, total, id);
create index credit_memos_remaining on credit_memos (business_id, remaining, id);
create index credit_memos_status_created on credit_memos (business_id, status, created_at, id);
create index credit_memos_kind_created on credit_memos (business_id, kind, created_at, id);
create index credit_memos_customer_created on credit_memos (business_id, customer_id, created_at, id);
create index credit_memos_invoice_created on credit_memos (business_id, invoice_id, created_at, id) where invoice_id is not null;
create index credit_memos_contract on credit_memos (business_id, contract_id) where contract_id is not null;
create index credit_memos_order_created on credit_memos (business_id, order_id, created_at, id) where order_id is not null;
-- What can still be used.
create index credit_memos_open on credit_memos (business_id, customer_id, credit_date, id) where status = 'open';
call protect('credit_memos');

create table credit_memo_lines (
  business_id uuid not null,
  credit_memo_id uuid not null,
  position int not null,
  id uuid not null,
  -- The line that is credited, how many of its units, and how many of them came back into stock.
  invoice_line_id uuid,
  quantity_credited bigint not null check (quantity_credited >= 0),
  restock boolean not null,
  quantity_returned bigint not null check (quantity_returned between 0 and quantity_credited),
  variant_id uuid,
  catalog_item_id uuid,
  quantity bigint not null check (quantity >= 0),
  description text,
  unit_price bigint check (unit_price >= 0),
  price_source text not null check (price_source in ('catalog', 'override')),
  note text,
  deferred boolean not null,
  location_id uuid,
  ledger_id uuid,
  tax_code_id uuid,
  discount_percent numeric(7, 4) check (discount_percent between 0 and 100),
  discount_amount bigint check (discount_amount >= 0),
  service_date date,
  service_end_date date,
  project_id uuid,
  dimension_value_ids uuid[] not null,
  gross bigint not null,
  discount bigint not null,
  amount bigint not null,
  tax_amount bigint not null,
  tax_components jsonb not null,
  primary key (business_id, credit_memo_id, position),
  constraint credit_memo_lines_id unique (business_id, id),
  foreign key (business_id, credit_memo_id) references credit_memos (business_id, id) on delete cascade,
  constraint credit_memo_lines_invoice_line foreign key (business_id, invoice_line_id) references invoice_lines (business_id, id),
  constraint credit_memo_lines_variant foreign key (business_id, variant_id) references product_variants (business_id, id),
  constraint credit_memo_lines_catalog_item foreign key (business_id, catalog_item_id) references catalog_items (business_id, id),
  constraint credit_memo_lines_location foreign key (business_id, location_id) references locations (business_id, id),
  constraint credit_memo_lines_ledger foreign key (business_id, ledger_id) references ledgers (business_id, id),
  constraint credit_memo_lines_tax_code foreign key (business_id, tax_code_id) references tax_codes (business_id, id),
  constraint credit_memo_lines_project foreign key (business_id, project_id) references projects (business_id, id),
  check (variant_id is null or catalog_item_id is null),
  check (amount = gross - discount),
  check (invoice_line_id is not null or quantity_credited = 0)
);
create index credit_memo_lines_invoice_line on credit_memo_lines (business_id, invoice_line_id) where invoice_line_id is not null;
create index credit_memo_lines_variant on credit_memo_lines (business_id, variant_id) where variant_id is not null;
create index credit_memo_lines_catalog_item on credit_memo_lines (business_id, catalog_item_id) where catalog_item_id is not null;
create index credit_memo_lines_location on credit_memo_lines (business_id, location_id) where location_id is not null;
create index credit_memo_lines_ledger on credit_memo_lines (business_id, ledger_id) where ledger_id is not null;
create index credit_memo_lines_tax_code on credit_memo_lines (business_id, tax_code_id) where tax_code_id is not null;
create index credit_memo_lines_project on credit_memo_lines (business_id, project_id) where project_id is not null;
call protect('credit_memo_lines');

-- Money that went back to the customer; its claim on the transaction has the same id. One that was taken back stays.
create table credit_refunds (
  business_id uuid not null,
  id uuid not null,
  credit_memo_id uuid not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  base_amount bigint not null,
  method text not null check (method in ('bank', 'processor')),
  refunded_on date not null,
  transaction_id uuid not null,
  transaction_amount bigint not null check (transaction_amount > 0),
  realized_fx bigint not null,
  reference text,
  note text,
  processor_refund_id text,
  journal_entry_id uuid not null,
  reversed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  foreign key (business_id, credit_memo_id) references credit_memos (business_id, id)
);
create index credit_refunds_memo on credit_refunds (business_id, credit_memo_id, created_at, id);
create index credit_refunds_transaction on credit_refunds (business_id, transaction_id);
create unique index credit_refunds_processor on credit_refunds (business_id, processor_refund_id) where processor_refund_id is not null and reversed_at is null;
call protect('credit_refunds');

-- A credit that settles an invoice belongs to a memo.
alter table invoice_credits add constraint invoice_credits_credit_memo foreign key (business_id, credit_memo_id) references credit_memos (business_id, id);

-- What customers owe and have to their credit on a day, in the base currency, each with those merged into them. What is owed is what the
-- receivable says before unused credit notes are taken off it. A filter on customer_id reaches every part.
drop view customer_figures;
create function customer_figures(p_business_id uuid, p_today date)
  returns table (customer_id uuid, open_balance bigint, overdue_balance bigint, unapplied_credit bigint, deposit_balance bigint, last_payment_on date)
  language sql stable
as $$
  select f.customer_id, coalesce(sum(f.receivable), 0)::bigint + coalesce(sum(f.unapplied), 0)::bigint, coalesce(sum(f.overdue), 0)::bigint,
    coalesce(sum(f.unapplied), 0)::bigint, coalesce(sum(f.deposits), 0)::bigint, max(f.paid_on)
  from (
    select c.target_id as customer_id, 0::bigint as receivable, 0::bigint as overdue, 0::bigint as unapplied, 0::bigint as deposits, null::date as paid_on
    from customers c where c.business_id = p_business_id
    union all
    select c.target_id, case l.role when 'accounts_receivable' then a.debit - a.credit else 0 end, 0, 0,
      case l.role when 'customer_deposits' then a.credit - a.debit else 0 end, null
    from customers c
    join analysis_months a on a.business_id = c.business_id and a.axis = 'customer' and a.value_id = c.id
    join (select g.id, coalesce(t.role, g.role) as role from ledgers g left join ledgers t on t.business_id = g.business_id and t.id = g.merged_into_id
          where g.business_id = p_business_id) l on l.id = a.ledger_id and l.role in ('accounts_receivable', 'customer_deposits')
    where c.business_id = p_business_id
    union all
    select c.target_id, 0, coalesce(i.base_balance, 0), 0, 0, null
    from customers c join invoices i on i.business_id = c.business_id and i.customer_id = c.id
    where c.business_id = p_business_id and i.status in ('open', 'partially_paid') and not i.uncollectible and coalesce(i.due_date, i.invoice_date) < p_today
    union all
    select c.target_id, 0, 0, coalesce(m.base_remaining, 0), 0, null
    from customers c join credit_memos m on m.business_id = c.business_id and m.customer_id = c.id
    where c.business_id = p_business_id and m.status = 'open' and m.kind = 'credit_note'
    union all
    select c.target_id, 0, 0, 0, 0, m.credit_date
    from customers c join credit_memos m on m.business_id = c.business_id and m.customer_id = c.id
    where c.business_id = p_business_id and m.status in ('open', 'closed') and m.kind <> 'credit_note'
    union all
    select c.target_id, 0, 0, 0, 0, p.posted_on
    from customers c
    join invoices i on i.business_id = c.business_id and i.customer_id = c.id
    join invoice_payments p on p.business_id = i.business_id and p.invoice_id = i.id and p.reversed_at is null
    where c.business_id = p_business_id
  ) f
  group by f.customer_id
$$;
