-- The card processor: what a business knows of its side of invoices, and the embedded processor that stands in for a real one.

-- Which business an account of the processor belongs to: asked for by an event, before the tenant is known.
create table processor_accounts (
  account_id text primary key,
  business_id uuid not null references businesses on delete cascade
);
create index processor_accounts_business on processor_accounts (business_id);

create table processor_connections (
  business_id uuid not null,
  id uuid not null,
  status text not null check (status in ('pending', 'active', 'restricted', 'disconnected')),
  account_id text not null,
  livemode boolean not null,
  charges_enabled boolean not null,
  payouts_enabled boolean not null,
  requirements text[] not null,
  payout_mode text not null check (payout_mode in ('automatic', 'manual')),
  -- Where payouts arrive; where it is empty, the first bank ledger of the chart.
  bank_ledger_id uuid,
  fee_recognition text not null check (fee_recognition in ('payout', 'charge')),
  sync_invoices boolean not null,
  methods text[] not null,
  connected_at timestamptz(3),
  disconnected_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint processor_connections_one unique (business_id),
  foreign key (business_id, bank_ledger_id) references ledgers (business_id, id),
  check (payout_mode = 'automatic' or fee_recognition = 'charge')
);
call protect('processor_connections');

-- A page at the processor on which one invoice can be paid; of the open ones of an invoice there is one.
create table processor_checkouts (
  business_id uuid not null,
  id uuid not null,
  processor_checkout_id text not null,
  invoice_id uuid not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('open', 'complete', 'expired')),
  url text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint processor_checkouts_processor_id unique (business_id, processor_checkout_id)
);
create unique index processor_checkouts_open on processor_checkouts (business_id, invoice_id) where status = 'open';
create index processor_checkouts_invoice on processor_checkouts (business_id, invoice_id, created_at, id);
call protect('processor_checkouts');

create table processor_payouts (
  business_id uuid not null,
  id uuid not null,
  processor_payout_id text not null,
  status text not null check (status in ('pending', 'in_transit', 'paid', 'failed', 'canceled')),
  amount_cents bigint not null,
  currency text not null,
  gross_amount_cents bigint,
  fee_amount_cents bigint,
  arrival_date date not null,
  automatic boolean not null,
  failure_reason text,
  processor_dashboard_url text,
  -- The book row of the cash book that stands for the deposit, and its entry.
  transaction_id uuid,
  journal_entry_id uuid,
  -- Why it is not posted although it is paid.
  posting_problem text,
  bank_deposit_match_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint processor_payouts_processor_id unique (business_id, processor_payout_id),
  constraint processor_payouts_match unique (business_id, bank_deposit_match_id)
);
create index processor_payouts_created on processor_payouts (business_id, created_at, id);
create index processor_payouts_arrival on processor_payouts (business_id, arrival_date, id);
create index processor_payouts_amount on processor_payouts (business_id, amount_cents, id);
create index processor_payouts_status on processor_payouts (business_id, status, created_at, id);
create index processor_payouts_unmatched on processor_payouts (business_id, created_at, id) where bank_deposit_match_id is null;
call protect('processor_payouts');

create table processor_charges (
  business_id uuid not null,
  id uuid not null,
  processor_charge_id text not null,
  invoice_id uuid,
  customer_id uuid,
  -- The payment of the invoice that stands for it; empty while none does.
  payment_id uuid,
  -- What was more than the invoice could take.
  credit_memo_id uuid,
  amount bigint not null,
  currency text not null,
  settled_amount bigint,
  settled_currency text,
  fee bigint,
  refunded bigint not null check (refunded between 0 and amount),
  status text not null check (status in ('pending', 'succeeded', 'failed', 'refunded', 'partially_refunded', 'disputed')),
  failure_reason text,
  card_brand text,
  card_last4 text,
  payout_id uuid,
  charged_at timestamptz(3) not null,
  -- Success was told to the books.
  booked boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint processor_charges_processor_id unique (business_id, processor_charge_id),
  foreign key (business_id, payout_id) references processor_payouts (business_id, id)
);
create index processor_charges_created on processor_charges (business_id, created_at, id);
create index processor_charges_amount on processor_charges (business_id, amount, id);
create index processor_charges_status on processor_charges (business_id, status, created_at, id);
create index processor_charges_customer on processor_charges (business_id, customer_id, created_at, id) where customer_id is not null;
create index processor_charges_invoice on processor_charges (business_id, invoice_id, created_at, id) where invoice_id is not null;
create index processor_charges_payout on processor_charges (business_id, payout_id, created_at, id) where payout_id is not null;
call protect('processor_charges');

create table processor_refunds (
  business_id uuid not null,
  id uuid not null,
  -- Empty until the processor has taken it.
  processor_refund_id text,
  charge_id uuid not null,
  amount bigint not null check (amount > 0),
  settled_amount bigint,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  reason text,
  failure_reason text,
  -- The credit that it settles.
  credit_memo_id uuid,
  -- Told to the books, and not taken back since.
  booked boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint processor_refunds_processor_id unique (business_id, processor_refund_id),
  foreign key (business_id, charge_id) references processor_charges (business_id, id)
);
create index processor_refunds_charge on processor_refunds (business_id, charge_id, created_at, id);
call protect('processor_refunds');

create table processor_disputes (
  business_id uuid not null,
  id uuid not null,
  processor_dispute_id text not null,
  charge_id uuid not null,
  amount bigint not null,
  settled_amount bigint,
  fee bigint not null,
  status text not null check (status in ('open', 'won', 'lost')),
  reason text,
  due_by timestamptz(3),
  -- The payment stands reversed because of it.
  booked boolean not null,
  closed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint processor_disputes_processor_id unique (business_id, processor_dispute_id),
  foreign key (business_id, charge_id) references processor_charges (business_id, id)
);
create index processor_disputes_created on processor_disputes (business_id, created_at, id);
create index processor_disputes_amount on processor_disputes (business_id, amount, id);
create index processor_disputes_status on processor_disputes (business_id, status, created_at, id);
create index processor_disputes_charge on processor_disputes (business_id, charge_id, created_at, id);
call protect('processor_disputes');

-- One movement of the processor's balance within a payout: net = amount − fee.
create table processor_payout_items (
  business_id uuid not null,
  payout_id uuid not null,
  position int not null,
  processor_item_id text not null,
  kind text not null check (kind in ('charge', 'refund', 'dispute', 'dispute_reversal', 'fee', 'adjustment', 'reserve')),
  amount bigint not null,
  fee bigint not null,
  net bigint not null,
  processor_charge_id text,
  primary key (business_id, payout_id, position),
  constraint processor_payout_items_once unique (business_id, processor_item_id),
  foreign key (business_id, payout_id) references processor_payouts (business_id, id) on delete cascade,
  check (net = amount - fee)
);
create index processor_payout_items_charge on processor_payout_items (business_id, processor_charge_id) where processor_charge_id is not null;
call protect('processor_payout_items');

-- What the processor told us, as it was signed, once each.
create table processor_events (
  business_id uuid not null,
  id uuid not null,
  processor_event_id text not null,
  type text not null,
  subject text check (subject in ('account', 'checkout', 'charge', 'dispute', 'payout')),
  object_id text,
  body text not null,
  signature text not null,
  outcome text not null check (outcome in ('pending', 'processed', 'ignored', 'failed')),
  detail text,
  attempts int not null,
  processed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint processor_events_processor_id unique (business_id, processor_event_id)
);
create index processor_events_created on processor_events (business_id, created_at, id);
create index processor_events_type on processor_events (business_id, type, created_at, id);
create index processor_events_outcome on processor_events (business_id, outcome, created_at, id);
call protect('processor_events');

-- The embedded processor. It is an outside party that happens to live in the same database: it knows accounts, not businesses.
create table sandbox_accounts (
  id text primary key,
  name text not null,
  currency text not null,
  reference text not null,
  idempotency_key text not null unique,
  created_at timestamptz(3) not null
);

create table sandbox_checkouts (
  id text primary key,
  account text,
  reference text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  description text not null,
  customer_email text,
  success_url text not null,
  cancel_url text not null,
  status text not null check (status in ('open', 'complete', 'expired')),
  charge_id text,
  idempotency_key text not null unique,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);

create table sandbox_charges (
  id text primary key,
  account text,
  checkout_id text not null references sandbox_checkouts,
  reference text not null,
  status text not null check (status in ('succeeded', 'failed')),
  failure_reason text,
  amount bigint not null,
  currency text not null,
  settled_amount bigint,
  settled_currency text,
  fee bigint,
  card_brand text not null,
  card_last4 text not null,
  created_at timestamptz(3) not null
);
create index sandbox_charges_checkout on sandbox_charges (checkout_id);

create table sandbox_refunds (
  id text primary key,
  charge_id text not null references sandbox_charges,
  reference text,
  amount bigint not null check (amount > 0),
  settled_amount bigint not null,
  idempotency_key text not null unique,
  created_at timestamptz(3) not null
);
create index sandbox_refunds_charge on sandbox_refunds (charge_id, created_at, id);

create table sandbox_disputes (
  id text primary key,
  charge_id text not null references sandbox_charges,
  amount bigint not null,
  settled_amount bigint not null,
  fee bigint not null,
  status text not null check (status in ('open', 'won', 'lost')),
  due_by timestamptz(3) not null,
  created_at timestamptz(3) not null
);
create index sandbox_disputes_charge on sandbox_disputes (charge_id);

create table sandbox_payouts (
  id text primary key,
  account text not null,
  status text not null check (status in ('paid', 'failed')),
  amount bigint not null check (amount > 0),
  currency text not null,
  arrival_date date not null,
  failure_reason text,
  created_at timestamptz(3) not null
);
create index sandbox_payouts_account on sandbox_payouts (account, created_at, id);

-- What moved the balance of an account; it is paid out once it has a payout.
create table sandbox_movements (
  id text primary key,
  account text,
  kind text not null check (kind in ('charge', 'refund', 'dispute', 'dispute_reversal')),
  amount bigint not null,
  fee bigint not null,
  charge_id text not null references sandbox_charges,
  payout_id text references sandbox_payouts,
  created_at timestamptz(3) not null
);
create index sandbox_movements_unpaid on sandbox_movements (account, id) where payout_id is null;
create index sandbox_movements_payout on sandbox_movements (payout_id, id);
