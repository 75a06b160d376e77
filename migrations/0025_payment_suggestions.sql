-- What deposits probably pay: suggestions made by the matcher, waiting for somebody's yes or no.

-- Deposits of which something is left, whoever looks for them.
create index transactions_open_deposits on transactions (business_id, datetime, id)
  where kind = 'bank' and amount > 0 and exclude_reason is null and claimed < amount;
create index transactions_open_deposits_amount on transactions (business_id, amount, id)
  where kind = 'bank' and amount > 0 and exclude_reason is null and claimed < amount;

create table payment_match_runs (
  business_id uuid not null,
  id uuid not null,
  scanned int not null check (scanned >= 0),
  created int not null check (created >= 0),
  updated int not null check (updated >= 0),
  auto_accepted int not null check (auto_accepted >= 0),
  run_by uuid,
  created_at timestamptz(3) not null,
  primary key (business_id, id)
);
call protect('payment_match_runs');

-- A pending one is worth something only as long as its deposit and its invoices are what they were: what was claimed and paid of them then
-- is kept beside, and whoever reads compares. The next run of the matcher writes down which have been overtaken.
create table payment_suggestions (
  business_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  transaction_id uuid not null,
  -- In order: together with the transaction they are what is not proposed again once it was rejected.
  invoice_ids uuid[] not null check (cardinality(invoice_ids) between 1 and 20),
  currency text not null,
  total bigint not null check (total > 0),
  confidence int not null check (confidence between 0 and 100),
  reasons text[] not null,
  status text not null check (status in ('pending', 'accepted', 'rejected', 'superseded')),
  -- The deposit as it was.
  transaction_amount bigint not null,
  transaction_claimed bigint not null,
  decision_reason text,
  decided_by uuid,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  foreign key (business_id, run_id) references payment_match_runs (business_id, id),
  foreign key (business_id, transaction_id) references transactions (business_id, id) on delete cascade
);
create index payment_suggestions_created on payment_suggestions (business_id, created_at, id);
create index payment_suggestions_confidence on payment_suggestions (business_id, confidence, id);
create index payment_suggestions_status_created on payment_suggestions (business_id, status, created_at, id);
create index payment_suggestions_status_confidence on payment_suggestions (business_id, status, confidence, id);
create index payment_suggestions_transaction on payment_suggestions (business_id, transaction_id, status, id);
create index payment_suggestions_run on payment_suggestions (business_id, run_id);
create unique index payment_suggestions_pending on payment_suggestions (business_id, transaction_id, invoice_ids) where status = 'pending';
call protect('payment_suggestions');

create table payment_suggestion_allocations (
  business_id uuid not null,
  suggestion_id uuid not null,
  position int not null,
  invoice_id uuid not null,
  amount bigint not null check (amount > 0),
  -- What was paid of the invoice then.
  invoice_paid bigint not null,
  primary key (business_id, suggestion_id, position),
  foreign key (business_id, suggestion_id) references payment_suggestions (business_id, id) on delete cascade,
  foreign key (business_id, invoice_id) references invoices (business_id, id)
);
create index payment_suggestion_allocations_invoice on payment_suggestion_allocations (business_id, invoice_id, suggestion_id);
call protect('payment_suggestion_allocations');
