-- Invoices: what customers owe, from draft to settlement. Figures that follow from other rows (total_paid from payments and credits,
-- status from the figures) are kept here in the same transaction, and the constraints below hold what must be true of every row.
create table invoices (
  business_id uuid not null,
  id uuid not null,
  status text not null check (status in ('draft', 'open', 'partially_paid', 'manual_paid', 'processor_paid', 'void')),
  currency text not null check (currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  customer_id uuid not null,
  invoice_date date,
  due_date date,
  -- From when on it is late. A column, because under row-level security an index on coalesce would serve nobody.
  due_on date generated always as (coalesce(due_date, invoice_date)) stored,
  number text check (number = btrim(number) and length(number) between 1 and 40),
  number_key text generated always as (lower(number)) stored,
  description text,
  customer_message text,
  internal_note text,
  purchase_order_number text,
  billing_address jsonb,
  shipping_address jsonb,
  external_id text,
  payment_terms_id uuid,
  fulfillment_location_id uuid,
  project_id uuid,
  contract_id uuid,
  revenue_treatment text check (revenue_treatment in ('earned', 'deferred')),
  dimension_value_ids uuid[] not null,
  attachment_ids uuid[] not null,
  collect_online boolean not null,
  allow_partial_payments boolean not null,
  reminders_paused boolean not null,
  promised_on date,
  tax_mode text not null check (tax_mode in ('exclusive', 'inclusive', 'none')),
  subtotal bigint not null,
  discount_total bigint not null,
  tax_total bigint not null,
  total bigint not null check (total between 0 and 9007199254740991),
  -- Standing payments and credits; the credits alone; what the books have given up.
  total_paid bigint not null,
  total_credited bigint not null,
  written_off bigint not null,
  balance_due bigint not null generated always as (total - total_paid) stored,
  fx_rate text check (fx_rate ~ '^[0-9]{1,12}(\.[0-9]{1,10})?$'),
  base_total bigint,
  -- What the receivable is still carried at.
  base_balance bigint,
  is_opening_balance boolean not null,
  delivered boolean not null,
  delivered_on timestamptz(3),
  paid_on timestamptz(3),
  finalized_at timestamptz(3),
  sent_at timestamptz(3),
  viewed_at timestamptz(3),
  voided_at timestamptz(3),
  send_at timestamptz(3),
  uncollectible boolean not null,
  uncollectible_on date,
  disputed boolean not null,
  origin text not null check (origin in ('manual', 'batch', 'import', 'ai', 'recurring', 'subscription', 'estimate', 'order', 'contract', 'project', 'processor')),
  origin_id uuid,
  ai_job_id uuid,
  recurring_template_id uuid,
  issued_by text not null check (issued_by in ('service', 'processor')),
  processor_invoice_id text,
  processor_sync_status text not null check (processor_sync_status in ('none', 'pending', 'synced', 'failed')),
  -- Raised to make the link that the customer has a dead one.
  link_generation int not null,
  -- The line of the standing entry that payments settle.
  receivable_line_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint invoices_number unique (business_id, number_key),
  constraint invoices_external_id unique (business_id, external_id),
  constraint invoices_customer foreign key (business_id, customer_id) references customers (business_id, id),
  constraint invoices_terms foreign key (business_id, payment_terms_id) references payment_terms (business_id, id),
  constraint invoices_project foreign key (business_id, project_id) references projects (business_id, id),
  constraint invoices_contract foreign key (business_id, contract_id) references contracts (business_id, id),
  constraint invoices_location foreign key (business_id, fulfillment_location_id) references locations (business_id, id),
  constraint invoices_paid check (total_paid between 0 and total and total_credited between 0 and total_paid),
  constraint invoices_written_off check (written_off between 0 and total - total_paid),
  constraint invoices_status check (case status
    when 'draft' then total_paid = 0 and finalized_at is null
    when 'void' then total_paid = 0 and written_off = 0
    when 'open' then total_paid = 0 and total > 0
    when 'partially_paid' then total_paid > 0 and total_paid < total
    else total_paid = total end),
  constraint invoices_finalized check (status = 'draft' or (number is not null and invoice_date is not null and finalized_at is not null))
);
create index invoices_created on invoices (business_id, created_at, id);
create index invoices_updated on invoices (business_id, updated_at, id);
create index invoices_date on invoices (business_id, invoice_date, id);
create index invoices_due on invoices (business_id, due_date, id);
create index invoices_total on invoices (business_id, total, id);
create index invoices_balance on invoices (business_id, balance_due, id);
create index invoices_number_order on invoices (business_id, number_key, id);
create index invoices_status_created on invoices (business_id, status, created_at, id);
create index invoices_customer_created on invoices (business_id, customer_id, created_at, id);
create index invoices_project_created on invoices (business_id, project_id, created_at, id) where project_id is not null;
create index invoices_contract_created on invoices (business_id, contract_id, created_at, id) where contract_id is not null;
create index invoices_template_created on invoices (business_id, recurring_template_id, created_at, id) where recurring_template_id is not null;
create index invoices_ai_job on invoices (business_id, ai_job_id, created_at, id) where ai_job_id is not null;
create index invoices_location on invoices (business_id, fulfillment_location_id) where fulfillment_location_id is not null;
create index invoices_terms on invoices (business_id, payment_terms_id) where payment_terms_id is not null;
-- What is owed today: the working set of aging, collections, matching and reminders.
create index invoices_open on invoices (business_id, customer_id, due_date, id) where status in ('open', 'partially_paid');
create index invoices_open_due on invoices (business_id, due_on, id) where status in ('open', 'partially_paid');
call protect('invoices');

create table invoice_lines (
  business_id uuid not null,
  invoice_id uuid not null,
  position int not null,
  id uuid not null,
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
  quantity_delivered bigint not null check (quantity_delivered between 0 and quantity),
  quantity_credited bigint not null check (quantity_credited between 0 and quantity),
  primary key (business_id, invoice_id, position),
  constraint invoice_lines_id unique (business_id, id),
  foreign key (business_id, invoice_id) references invoices (business_id, id) on delete cascade,
  constraint invoice_lines_variant foreign key (business_id, variant_id) references product_variants (business_id, id),
  constraint invoice_lines_catalog_item foreign key (business_id, catalog_item_id) references catalog_items (business_id, id),
  constraint invoice_lines_location foreign key (business_id, location_id) references locations (business_id, id),
  constraint invoice_lines_ledger foreign key (business_id, ledger_id) references ledgers (business_id, id),
  constraint invoice_lines_tax_code foreign key (business_id, tax_code_id) references tax_codes (business_id, id),
  constraint invoice_lines_project foreign key (business_id, project_id) references projects (business_id, id),
  check (variant_id is null or catalog_item_id is null),
  check (amount = gross - discount)
);
create index invoice_lines_variant on invoice_lines (business_id, variant_id) where variant_id is not null;
create index invoice_lines_catalog_item on invoice_lines (business_id, catalog_item_id) where catalog_item_id is not null;
create index invoice_lines_location on invoice_lines (business_id, location_id) where location_id is not null;
create index invoice_lines_ledger on invoice_lines (business_id, ledger_id) where ledger_id is not null;
create index invoice_lines_tax_code on invoice_lines (business_id, tax_code_id) where tax_code_id is not null;
create index invoice_lines_project on invoice_lines (business_id, project_id) where project_id is not null;
call protect('invoice_lines');

-- A payment is money of one transaction allocated to one invoice; its claim on the transaction has the same id. A reversed one stays.
create table invoice_payments (
  business_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  transaction_id uuid not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  paid_on timestamptz(3) not null,
  -- The day it is posted on.
  posted_on date not null,
  kind text not null check (kind in ('manual', 'processor', 'recovery')),
  method text not null check (method in ('bank_transfer', 'check', 'cash', 'card', 'ach', 'other')),
  reference text,
  note text,
  journal_entry_id uuid not null,
  transaction_amount bigint not null check (transaction_amount > 0),
  fx_rate text check (fx_rate ~ '^[0-9]{1,12}(\.[0-9]{1,10})?$'),
  realized_fx bigint not null,
  base_amount bigint not null,
  processor_charge_id text,
  reversed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  foreign key (business_id, invoice_id) references invoices (business_id, id)
);
create index invoice_payments_invoice on invoice_payments (business_id, invoice_id, created_at, id);
create index invoice_payments_transaction on invoice_payments (business_id, transaction_id);
create index invoice_payments_entry on invoice_payments (business_id, journal_entry_id);
create index invoice_payments_posted on invoice_payments (business_id, posted_on, id) where reversed_at is null;
create unique index invoice_payments_charge on invoice_payments (business_id, processor_charge_id) where processor_charge_id is not null and reversed_at is null;
call protect('invoice_payments');

-- What credit memos settle of an invoice.
create table invoice_credits (
  business_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  credit_memo_id uuid not null,
  number text,
  amount bigint not null check (amount > 0),
  base_amount bigint not null,
  applied_on date not null,
  journal_entry_id uuid not null,
  reversed_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (business_id, id),
  foreign key (business_id, invoice_id) references invoices (business_id, id)
);
create index invoice_credits_invoice on invoice_credits (business_id, invoice_id, created_at, id);
create index invoice_credits_memo on invoice_credits (business_id, credit_memo_id, created_at, id);
create index invoice_credits_entry on invoice_credits (business_id, journal_entry_id);
call protect('invoice_credits');

-- The entries of an invoice by what they are for. `standing` is false of those that were reversed or replaced.
create table invoice_entries (
  business_id uuid not null,
  invoice_id uuid not null,
  entry_id uuid not null,
  role text not null check (role in ('finalization', 'payment', 'write_off', 'recovery', 'delivery', 'related')),
  standing boolean not null,
  primary key (business_id, invoice_id, entry_id),
  foreign key (business_id, invoice_id) references invoices (business_id, id)
);
create unique index invoice_entries_finalization on invoice_entries (business_id, invoice_id) where role = 'finalization' and standing;
create unique index invoice_entries_entry on invoice_entries (business_id, entry_id) where role = 'finalization' and standing;
call protect('invoice_entries');

-- Drafts that were deleted, for those who keep a copy of the invoices.
create table invoice_tombstones (
  business_id uuid not null,
  id uuid not null,
  deleted_at timestamptz(3) not null,
  primary key (business_id, id)
);
create index invoice_tombstones_deleted on invoice_tombstones (business_id, deleted_at, id);
call protect('invoice_tombstones');

-- Deposits that are no receipts from customers: they leave the weekly reconciliation and pay no invoice.
create table cash_receipt_dismissals (
  business_id uuid not null,
  transaction_id uuid not null,
  reason text not null check (reason in ('transfer', 'loan', 'owner', 'refund', 'duplicate', 'not_revenue', 'other')),
  note text,
  dismissed_by uuid,
  dismissed_at timestamptz(3) not null,
  primary key (business_id, transaction_id),
  foreign key (business_id, transaction_id) references transactions (business_id, id) on delete cascade
);
call protect('cash_receipt_dismissals');

-- Somebody has typed a number of this kind: the sequence then looks whether the next ones are used.
alter table numbering_sequences add column typed boolean not null default false;
