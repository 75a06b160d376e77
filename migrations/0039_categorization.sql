-- Categories of bank transactions: what the money was for, line by line, and the entry that says so in the books.

-- What of `claimed` a category takes; the rest of it belongs to documents. The status follows from both, so it is made anew.
alter table transactions drop column status;
alter table transactions
  add column categorized bigint not null default 0,
  add column status text not null generated always as (
    case when kind = 'book' then 'matched' when exclude_reason is not null then 'excluded' when claimed = 0 then 'unreviewed'
      when claimed < abs(amount) then 'partially_allocated' when categorized = claimed then 'categorized' else 'matched' end) stored;
alter table transactions add constraint transactions_categorized check (categorized between 0 and claimed and (categorized = 0 or kind = 'bank'));
create index transactions_status on transactions (business_id, status, datetime, id);
create index transactions_summary on transactions (business_id, ledger_id, status, datetime) include (amount) where bank_transaction_id is null;
-- Rows that wait for a category, for whoever walks through them.
create index transactions_waiting on transactions (business_id, id)
  where kind = 'bank' and exclude_reason is null and claimed < abs(amount);
-- Book rows that no bank row proves yet: the same money must not be posted again.
create index transactions_uncovered on transactions (business_id, ledger_id, amount, datetime)
  where kind = 'book' and bank_transaction_id is null;

-- One per transaction at most, so that no transaction is in two entries. Its id is that of its claim.
create table transaction_categories (
  business_id uuid not null,
  id uuid not null,
  transaction_id uuid not null,
  journal_entry_id uuid not null,
  posting_date date not null,
  -- In the currency of the transaction, without a sign.
  amount bigint not null check (amount between 1 and 9007199254740991),
  memo text,
  source text not null check (source in ('person', 'default', 'uncategorized')),
  -- The counterparty default that it was made by.
  default_id uuid,
  created_by uuid,
  created_at timestamptz(3) not null,
  primary key (business_id, id),
  constraint transaction_categories_transaction unique (business_id, transaction_id),
  constraint transaction_categories_entry unique (business_id, journal_entry_id),
  foreign key (business_id, id) references transaction_claims (business_id, id),
  foreign key (business_id, transaction_id) references transactions (business_id, id),
  foreign key (business_id, journal_entry_id) references journal_entries (business_id, id)
);
create index transaction_categories_undecided on transaction_categories (business_id, transaction_id) where source = 'uncategorized';
call protect('transaction_categories');

create table transaction_lines (
  business_id uuid not null,
  transaction_id uuid not null,
  position int not null check (position > 0),
  ledger_id uuid not null,
  -- With tax, in the direction of the transaction: the lines add up to the amount of the category.
  amount bigint not null check (amount <> 0 and amount between -9007199254740991 and 9007199254740991),
  tax_amount bigint not null,
  tax_code_id uuid,
  memo text,
  customer_id uuid,
  vendor_id uuid,
  project_id uuid,
  dimension_value_ids uuid[] not null,
  primary key (business_id, transaction_id, position),
  foreign key (business_id, transaction_id) references transaction_categories (business_id, transaction_id) on delete cascade,
  foreign key (business_id, ledger_id) references ledgers (business_id, id),
  foreign key (business_id, tax_code_id) references tax_codes (business_id, id)
);
create index transaction_lines_ledger on transaction_lines (business_id, ledger_id, transaction_id);
create index transaction_lines_tax_code on transaction_lines (business_id, tax_code_id) where tax_code_id is not null;
call protect('transaction_lines');
