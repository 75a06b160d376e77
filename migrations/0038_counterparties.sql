-- Counterparties: what their transactions usually are, what people chose for them lately, and how raw bank text becomes their name.

create table counterparty_defaults (
  business_id uuid not null,
  id uuid not null,
  counterparty text not null,
  -- The name as it is compared: without case, accents and punctuation. Written by the code that compares.
  counterparty_key text not null check (counterparty_key <> ''),
  direction text not null check (direction in ('in', 'out', 'any')),
  bank_ledger_id uuid,
  ledger_id uuid not null,
  tax_code_id uuid,
  customer_id uuid,
  vendor_id uuid,
  project_id uuid,
  dimension_value_ids uuid[] not null,
  tag_ids uuid[] not null,
  memo text,
  auto_apply boolean not null,
  source text not null check (source in ('manual', 'learned')),
  applied_count int not null check (applied_count >= 0),
  corrected_count int not null check (corrected_count >= 0),
  last_applied_at timestamptz(3),
  -- Behind the rule that corrections in a row switch it off.
  corrections_in_row int not null default 0,
  applied_since_correction int not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint counterparty_defaults_place unique nulls not distinct (business_id, counterparty_key, direction, bank_ledger_id),
  constraint counterparty_defaults_ledger foreign key (business_id, ledger_id) references ledgers (business_id, id),
  constraint counterparty_defaults_bank_ledger foreign key (business_id, bank_ledger_id) references ledgers (business_id, id),
  constraint counterparty_defaults_tax_code foreign key (business_id, tax_code_id) references tax_codes (business_id, id),
  constraint counterparty_defaults_customer foreign key (business_id, customer_id) references customers (business_id, id)
);
create index counterparty_defaults_counterparty on counterparty_defaults (business_id, counterparty_key, id);
create index counterparty_defaults_created on counterparty_defaults (business_id, created_at, id);
create index counterparty_defaults_applied on counterparty_defaults (business_id, applied_count, id);
create index counterparty_defaults_direction on counterparty_defaults (business_id, direction, counterparty_key, id);
create index counterparty_defaults_source on counterparty_defaults (business_id, source, counterparty_key, id);
create index counterparty_defaults_auto_apply on counterparty_defaults (business_id, auto_apply, counterparty_key, id);
create index counterparty_defaults_ledger on counterparty_defaults (business_id, ledger_id, counterparty_key, id);
create index counterparty_defaults_bank_ledger on counterparty_defaults (business_id, bank_ledger_id) where bank_ledger_id is not null;
create index counterparty_defaults_tax_code on counterparty_defaults (business_id, tax_code_id) where tax_code_id is not null;
create index counterparty_defaults_customer on counterparty_defaults (business_id, customer_id) where customer_id is not null;
call protect('counterparty_defaults');

-- What people chose last for a counterparty, and how often in a row: the memory that learning has.
create table counterparty_choices (
  business_id uuid not null,
  counterparty_key text not null,
  direction text not null check (direction in ('in', 'out')),
  choice jsonb not null,
  run int not null check (run >= 1),
  updated_at timestamptz(3) not null,
  primary key (business_id, counterparty_key, direction)
);
call protect('counterparty_choices');

create table counterparty_aliases (
  business_id uuid not null,
  id uuid not null,
  pattern text not null,
  -- As it is compared with bank text; a regular expression as it is written.
  pattern_key text not null check (pattern_key <> ''),
  match_type text not null check (match_type in ('exact', 'starts_with', 'contains', 'regex')),
  counterparty text not null,
  counterparty_key text not null,
  customer_id uuid,
  vendor_id uuid,
  enabled boolean not null,
  hit_count int not null check (hit_count >= 0),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint counterparty_aliases_pattern unique (business_id, match_type, pattern_key),
  constraint counterparty_aliases_customer foreign key (business_id, customer_id) references customers (business_id, id),
  check (customer_id is null or vendor_id is null)
);
create index counterparty_aliases_counterparty on counterparty_aliases (business_id, counterparty_key, id);
create index counterparty_aliases_hits on counterparty_aliases (business_id, hit_count, id);
create index counterparty_aliases_enabled on counterparty_aliases (business_id, enabled, counterparty_key, id);
create index counterparty_aliases_customer on counterparty_aliases (business_id, customer_id, counterparty_key, id) where customer_id is not null;
create index counterparty_aliases_vendor on counterparty_aliases (business_id, vendor_id, counterparty_key, id) where vendor_id is not null;
call protect('counterparty_aliases');
