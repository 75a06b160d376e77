-- Tax: who levies it, at which rates, how rates go together, the codes that lines carry, and who is exempt.
-- A business has some dozens of each, so the filters of the lists simply walk along the sort.
create table tax_agencies (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  country text not null check (country ~ '^[A-Z]{2}$'),
  region text,
  registration_number text,
  filing_frequency text not null check (filing_frequency in ('monthly', 'quarterly', 'annually')),
  basis text not null check (basis in ('accrual', 'cash')),
  due_day int not null check (due_day between 1 and 31),
  first_period_start date,
  -- What is owed to it once a return is filed.
  payable_ledger_id uuid not null,
  archived boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint tax_agencies_payable_ledger foreign key (business_id, payable_ledger_id) references ledgers (business_id, id)
);
create index tax_agencies_name on tax_agencies (business_id, name_key, id);
create index tax_agencies_created on tax_agencies (business_id, created_at, id);
create index tax_agencies_ledger on tax_agencies (business_id, payable_ledger_id);
call protect('tax_agencies');

create table tax_rates (
  business_id uuid not null,
  id uuid not null,
  agency_id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  -- How much of it a purchase gives back.
  recoverable_percent numeric(7, 4) not null check (recoverable_percent between 0 and 100),
  archived boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  foreign key (business_id, agency_id) references tax_agencies (business_id, id)
);
create index tax_rates_name on tax_rates (business_id, name_key, id);
create index tax_rates_created on tax_rates (business_id, created_at, id);
create index tax_rates_agency on tax_rates (business_id, agency_id, name_key, id);
call protect('tax_rates');

-- What a rate is from a date on, until its next version.
create table tax_rate_versions (
  business_id uuid not null,
  rate_id uuid not null,
  valid_from date not null,
  percent numeric(7, 4) not null check (percent between 0 and 100),
  primary key (business_id, rate_id, valid_from),
  foreign key (business_id, rate_id) references tax_rates (business_id, id) on delete cascade
);
call protect('tax_rate_versions');

create table tax_groups (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  archived boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id)
);
create index tax_groups_name on tax_groups (business_id, name_key, id);
create index tax_groups_created on tax_groups (business_id, created_at, id);
call protect('tax_groups');

create table tax_group_components (
  business_id uuid not null,
  group_id uuid not null,
  position int not null check (position between 1 and 10),
  rate_id uuid not null,
  -- Taxes the tax of the components before it too.
  compound boolean not null,
  primary key (business_id, group_id, position),
  unique (business_id, group_id, rate_id),
  foreign key (business_id, group_id) references tax_groups (business_id, id) on delete cascade,
  foreign key (business_id, rate_id) references tax_rates (business_id, id)
);
create index tax_group_components_rate on tax_group_components (business_id, rate_id);
call protect('tax_group_components');

create table tax_codes (
  business_id uuid not null,
  id uuid not null,
  code text not null check (length(code) between 1 and 10),
  code_key text not null generated always as (lower(code)) stored,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  treatment text not null check (treatment in ('taxable', 'zero_rated', 'exempt', 'out_of_scope', 'reverse_charge')),
  rate_id uuid,
  group_id uuid,
  boxes jsonb not null,
  archived boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint tax_codes_code unique (business_id, code_key),
  foreign key (business_id, rate_id) references tax_rates (business_id, id),
  foreign key (business_id, group_id) references tax_groups (business_id, id),
  check (num_nonnulls(rate_id, group_id) = case when treatment in ('taxable', 'reverse_charge') then 1 else 0 end)
);
create index tax_codes_name on tax_codes (business_id, name_key, id);
create index tax_codes_created on tax_codes (business_id, created_at, id);
create index tax_codes_rate on tax_codes (business_id, rate_id) where rate_id is not null;
create index tax_codes_group on tax_codes (business_id, group_id) where group_id is not null;
call protect('tax_codes');

create table tax_exemptions (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  -- Empty: every agency.
  agency_ids uuid[] not null,
  certificate_number text,
  valid_from date not null,
  valid_to date,
  document_id uuid,
  archived boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  check (valid_to >= valid_from)
);
create index tax_exemptions_created on tax_exemptions (business_id, created_at, id);
create index tax_exemptions_valid on tax_exemptions (business_id, valid_from, id);
create index tax_exemptions_customer on tax_exemptions (business_id, customer_id, created_at, id);
call protect('tax_exemptions');

-- Whether a code was used, and on which dates: what was used does not change any more.
create index journal_lines_tax_code on journal_lines (business_id, tax_code_id, date, id) where tax_code_id is not null;

-- The plain codes that a new business begins with, for those that are there already.
insert into tax_codes (business_id, id, code, name, treatment, boxes, archived, created_at, updated_at, version)
select b.id, gen_random_uuid(), plain.code, plain.name, plain.treatment,
  '{"sales_net": null, "sales_tax": null, "purchases_net": null, "purchases_tax": null}', false, now(), now(), 1
from businesses b cross join (
  values ('EXEMPT', 'Exempt', 'exempt'), ('ZERO', 'Zero rated', 'zero_rated'), ('OUT', 'Out of scope', 'out_of_scope')
) as plain (code, name, treatment);

-- A code that stands on a posted line cannot be deleted, nor posted once it is gone, whoever comes first.
alter table journal_lines add constraint journal_lines_tax_code foreign key (business_id, tax_code_id) references tax_codes (business_id, id);
