-- Dimensions: the business's own axes of analysis, their values, and which ledgers need them.
create table accounting_dimensions (
  business_id uuid not null,
  id uuid not null,
  key text not null collate "C" check (key ~ '^[a-z][a-z0-9_-]{1,39}$'),
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  description text,
  position int not null check (position >= 1),
  archived boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint accounting_dimensions_key unique (business_id, key)
);
-- A business has a handful of dimensions, so the filters simply walk along the sort.
create index accounting_dimensions_position on accounting_dimensions (business_id, position, id);
create index accounting_dimensions_name on accounting_dimensions (business_id, name_key, id);
call protect('accounting_dimensions');
call stamps_books('accounting_dimensions');

create table dimension_values (
  business_id uuid not null,
  id uuid not null,
  dimension_id uuid not null,
  code text not null collate "C" check (length(code) between 1 and 30),
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  parent_id uuid,
  valid_from date,
  valid_to date,
  archived boolean not null,
  -- Always one that is not merged itself: whoever reads follows one step.
  merged_into_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  -- So that parents, merges and defaults cannot lead into another dimension.
  unique (business_id, dimension_id, id),
  constraint dimension_values_code unique (business_id, dimension_id, code),
  foreign key (business_id, dimension_id) references accounting_dimensions (business_id, id),
  foreign key (business_id, dimension_id, parent_id) references dimension_values (business_id, dimension_id, id),
  foreign key (business_id, dimension_id, merged_into_id) references dimension_values (business_id, dimension_id, id),
  check (parent_id <> id and merged_into_id <> id),
  check (merged_into_id is null or archived),
  check (valid_from <= valid_to)
);
create index dimension_values_name on dimension_values (business_id, dimension_id, name_key, id);
create index dimension_values_parent on dimension_values (business_id, dimension_id, parent_id) where parent_id is not null;
create index dimension_values_merged on dimension_values (business_id, dimension_id, merged_into_id) where merged_into_id is not null;
call protect('dimension_values');
call stamps_books('dimension_values');

-- What the ledgers of a business ask of a dimension: a ledger, a type of ledgers, or all of them.
create table dimension_rules (
  business_id uuid not null,
  dimension_id uuid not null,
  ledger_id uuid,
  ledger_type text check (ledger_type in ('asset', 'liability', 'equity', 'income', 'expense')),
  target text not null generated always as (coalesce(ledger_id::text, ledger_type, 'all')) stored,
  mode text not null check (mode in ('required', 'optional', 'forbidden')),
  default_value_id uuid,
  primary key (business_id, dimension_id, target),
  foreign key (business_id, dimension_id) references accounting_dimensions (business_id, id),
  foreign key (business_id, dimension_id, default_value_id) references dimension_values (business_id, dimension_id, id),
  -- Of a ledger that is gone nothing is asked any more.
  foreign key (business_id, ledger_id) references ledgers (business_id, id) on delete cascade,
  check (ledger_id is null or ledger_type is null),
  check (mode <> 'forbidden' or default_value_id is null)
);
create index dimension_rules_ledger on dimension_rules (business_id, ledger_id) where ledger_id is not null;
create index dimension_rules_default on dimension_rules (business_id, dimension_id, default_value_id) where default_value_id is not null;
call protect('dimension_rules');
call stamps_books('dimension_rules');

-- An entry that moves amounts to another value of a dimension is the entry of one of these (its source_id). Its lines with
-- that value count from then on; those without it only take out what other lines have brought.
create table reclassifications (
  business_id uuid not null,
  id uuid not null,
  dimension_id uuid not null,
  to_value_id uuid not null,
  primary key (business_id, id)
);
call protect('reclassifications');
call make_append_only('reclassifications');

-- The lines that it has moved: while its entry stands, moving them again would count them twice.
create table reclassified_lines (
  business_id uuid not null,
  dimension_id uuid not null,
  line_id uuid not null,
  reclassification_id uuid not null,
  primary key (business_id, dimension_id, line_id, reclassification_id),
  foreign key (business_id, line_id) references journal_lines (business_id, id),
  foreign key (business_id, reclassification_id) references reclassifications (business_id, id)
);
call protect('reclassified_lines');
call make_append_only('reclassified_lines');
