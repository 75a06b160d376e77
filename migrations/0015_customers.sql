-- Who buys and on what terms: payment terms, customers, whom to write to there, and what was done to be paid.

create table payment_terms (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  kind text not null check (kind in ('due_on_receipt', 'net_days', 'end_of_month', 'day_of_month')),
  days int not null check (days between 0 and 365),
  day int check (day between 1 and 31),
  cutoff_day int check (cutoff_day between 1 and 31),
  discount_percent numeric(7, 4) check (discount_percent between 0 and 100),
  discount_days int check (discount_days between 0 and 365),
  late_fee jsonb,
  is_default boolean not null,
  -- Every business has it from the start.
  system boolean not null,
  archived boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint payment_terms_name unique (business_id, name_key),
  check ((kind = 'day_of_month') = (day is not null)),
  check ((discount_percent is null) = (discount_days is null)),
  check (not (is_default and archived))
);
-- A business has some dozens of them, so the filters simply walk along the sort.
create unique index payment_terms_default on payment_terms (business_id) where is_default;
call protect('payment_terms');

-- What a new business begins with, for those that are there already.
insert into payment_terms (business_id, id, name, kind, days, discount_percent, discount_days, is_default, system, archived, created_at, updated_at, version)
select b.id, gen_random_uuid(), seed.name, seed.kind, seed.days, seed.discount_percent, seed.discount_days, seed.name = 'Net 30', true, false, now(), now(), 1
from businesses b cross join (values
  ('Due on receipt', 'due_on_receipt', 0, null::numeric, null::int),
  ('Net 7', 'net_days', 7, null, null),
  ('Net 15', 'net_days', 15, null, null),
  ('Net 30', 'net_days', 30, null, null),
  ('Net 60', 'net_days', 60, null, null),
  ('End of month', 'end_of_month', 0, null, null),
  ('2% 10 Net 30', 'net_days', 30, 2, 10)
) as seed (name, kind, days, discount_percent, discount_days);

-- A name as it is compared with others: without case, punctuation and the words for a legal form.
create function comparable_name(p_name text) returns text language sql immutable parallel safe as $$
  select nullif(trim(regexp_replace(
    regexp_replace(regexp_replace(lower(p_name), '[.'']', '', 'g'), '[\s!-/:-@\[-`{-~]+', ' ', 'g'),
    '(^| )(the|inc|incorporated|llc|llp|ltd|limited|corp|corporation|co|company|plc|gmbh|ag|sa|pty|bv)(?= |$)', '', 'g')), '')
$$;

create table customers (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  comparable_name text generated always as (comparable_name(name)) stored,
  email text,
  email_key text generated always as (lower(email)) stored,
  phone text,
  website text,
  tax_number text,
  tax_number_key text generated always as (nullif(regexp_replace(lower(tax_number), '[^a-z0-9]+', '', 'g'), '')) stored,
  billing_address jsonb,
  shipping_address jsonb,
  currency text not null check (currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  payment_terms_id uuid,
  default_tax_code_id uuid,
  -- In the base currency.
  credit_limit bigint check (credit_limit between 0 and 9007199254740991),
  language text not null,
  parent_id uuid,
  external_id text,
  notes text,
  reminders_paused boolean not null,
  status text not null check (status in ('active', 'archived')),
  -- Always one that is not merged itself: whoever reads follows one step.
  merged_into uuid,
  -- The customer that counts: sums and external ids of a merged one are those of the other.
  target_id uuid not null generated always as (coalesce(merged_into, id)) stored,
  processor_customer_id text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint customers_external_id unique (business_id, external_id),
  constraint customers_payment_terms foreign key (business_id, payment_terms_id) references payment_terms (business_id, id),
  constraint customers_default_tax_code foreign key (business_id, default_tax_code_id) references tax_codes (business_id, id),
  constraint customers_parent foreign key (business_id, parent_id) references customers (business_id, id),
  constraint customers_merged_into foreign key (business_id, merged_into) references customers (business_id, id),
  check (parent_id <> id and merged_into <> id),
  check (merged_into is null or status = 'archived')
);
create index customers_name on customers (business_id, name_key, id);
create index customers_created on customers (business_id, created_at, id);
create index customers_updated on customers (business_id, updated_at, id);
create index customers_status_name on customers (business_id, status, name_key, id);
create index customers_status_created on customers (business_id, status, created_at, id);
create index customers_currency on customers (business_id, currency, name_key, id);
create index customers_email on customers (business_id, email_key, name_key, id) where email_key is not null;
create index customers_tax_number on customers (business_id, tax_number_key) where tax_number_key is not null;
create index customers_comparable_name on customers (business_id, comparable_name) where comparable_name is not null;
create index customers_parent on customers (business_id, parent_id, name_key, id) where parent_id is not null;
create index customers_target on customers (business_id, target_id);
create index customers_merged_into on customers (business_id, merged_into) where merged_into is not null;
create index customers_payment_terms on customers (business_id, payment_terms_id) where payment_terms_id is not null;
create index customers_default_tax_code on customers (business_id, default_tax_code_id) where default_tax_code_id is not null;
call protect('customers');

-- The words by which a customer is found, and its business as a word among them, so that a search reads those of one business only.
create function customer_words(p_business_id uuid, p_text text) returns tsvector language sql immutable parallel safe
  as $$ select array_to_tsvector(array[p_business_id::text] || array_remove(regexp_split_to_array(lower(p_text), '[\s!-/:-@\[-`{-~]+'), '')) $$;
create index customers_words on customers using gin (
  customer_words(business_id, name || ' ' || coalesce(email, '') || ' ' || coalesce(tax_number, '') || ' ' || coalesce(external_id, '')));

-- Text matching is not leakproof, so under row-level security it would lose its index: this function looks past the policy and
-- keeps to the business it is given, which the caller's transaction must be in. Every word that is looked for may be the beginning of one.
create function search_customers(p_business_id uuid, p_text text) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select id from customers where business_id = p_business_id and p_business_id = current_business()
        and customer_words(business_id, name || ' ' || coalesce(email, '') || ' ' || coalesce(tax_number, '') || ' ' || coalesce(external_id, '')) @@ (
          select quote_literal(p_business_id)::tsquery && string_agg(quote_literal(word) || ':*', ' & ')::tsquery
          from regexp_split_to_table(lower(p_text), '[\s!-/:-@\[-`{-~]+') as word where word <> '') $$;

create table customer_contacts (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  email text,
  phone text,
  role text,
  receives text[] not null check (receives <@ array['invoices', 'statements', 'reminders']),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  foreign key (business_id, customer_id) references customers (business_id, id) on delete cascade
);
create index customer_contacts_name on customer_contacts (business_id, customer_id, name_key, id);
create index customer_contacts_created on customer_contacts (business_id, customer_id, created_at, id);
call protect('customer_contacts');

create table collection_activities (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  kind text not null check (kind in ('call', 'email', 'promise', 'dispute', 'note')),
  invoice_ids uuid[] not null,
  promised_on date,
  note text,
  author_id uuid,
  author_name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  foreign key (business_id, customer_id) references customers (business_id, id),
  check ((kind = 'promise') = (promised_on is not null))
);
create index collection_activities_created on collection_activities (business_id, customer_id, created_at, id);
create index collection_activities_kind on collection_activities (business_id, customer_id, kind, created_at, id);
call protect('collection_activities');

-- What a customer owes and has to their credit, in the base currency, with that of the customers merged into them.
create view customer_figures with (security_invoker = true) as
select c.business_id, c.target_id as customer_id,
  coalesce(sum(a.debit - a.credit) filter (where l.role = 'accounts_receivable'), 0)::bigint as open_balance,
  0::bigint as overdue_balance,
  0::bigint as unapplied_credit,
  coalesce(sum(a.credit - a.debit) filter (where l.role = 'customer_deposits'), 0)::bigint as deposit_balance,
  null::date as last_payment_on
from customers c
left join (
  analysis_months a join (
    select g.business_id, g.id, coalesce(t.role, g.role) as role
    from ledgers g left join ledgers t on t.business_id = g.business_id and t.id = g.merged_into_id
  ) l on l.business_id = a.business_id and l.id = a.ledger_id and l.role in ('accounts_receivable', 'customer_deposits')
) on a.business_id = c.business_id and a.axis = 'customer' and a.value_id = c.id
group by c.business_id, c.target_id;
