-- What is sold without stock, the jobs it is done for, and the contracts it is agreed in.

-- The words of a record, and its business as a word among them, so that a search reads the records of one business only. Signs part words.
create function record_words(p_business_id uuid, variadic p_texts text[]) returns tsvector language sql immutable parallel safe
  as $$ select array_to_tsvector(array[p_business_id::text])
          || to_tsvector('simple', regexp_replace(array_to_string(p_texts, ' '), '[^[:alnum:]]+', ' ', 'g')) $$;
-- Finds the records in which each word of a text begins a word; none, where the text has no words.
create function words_beginning(p_business_id uuid, p_text text) returns tsquery language sql immutable parallel safe
  as $$ select quote_literal(p_business_id)::tsquery && string_agg(quote_literal(word) || ':*', ' & ')::tsquery
        from unnest(tsvector_to_array(to_tsvector('simple', regexp_replace(p_text, '[^[:alnum:]]+', ' ', 'g')))) as word $$;

create table catalog_items (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  code text check (length(code) between 1 and 40),
  code_key text collate "C" generated always as (lower(code)) stored,
  description text,
  kind text not null check (kind in ('service', 'fee', 'time')),
  unit text,
  income_ledger_id uuid,
  expense_ledger_id uuid,
  tax_code_id uuid,
  deferred boolean not null,
  recognition jsonb,
  archived boolean not null,
  last_sold_on date,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint catalog_items_code unique (business_id, code_key),
  constraint catalog_items_income_ledger foreign key (business_id, income_ledger_id) references ledgers (business_id, id),
  constraint catalog_items_expense_ledger foreign key (business_id, expense_ledger_id) references ledgers (business_id, id),
  constraint catalog_items_tax_code foreign key (business_id, tax_code_id) references tax_codes (business_id, id)
);
create index catalog_items_name on catalog_items (business_id, name_key, id);
create index catalog_items_archived on catalog_items (business_id, archived, name_key, id);
create index catalog_items_kind on catalog_items (business_id, kind, name_key, id);
create index catalog_items_codes on catalog_items (business_id, code_key, id);
create index catalog_items_created on catalog_items (business_id, created_at, id);
create index catalog_items_updated on catalog_items (business_id, updated_at, id);
create index catalog_items_sold on catalog_items (business_id, last_sold_on, id);
create index catalog_items_income on catalog_items (business_id, income_ledger_id) where income_ledger_id is not null;
create index catalog_items_expense on catalog_items (business_id, expense_ledger_id) where expense_ledger_id is not null;
create index catalog_items_tax on catalog_items (business_id, tax_code_id) where tax_code_id is not null;
create index catalog_items_text on catalog_items using gin (record_words(business_id, name, code, description));
call protect('catalog_items');

-- At most one price per currency.
create table catalog_item_prices (
  business_id uuid not null,
  item_id uuid not null,
  currency text not null check (currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  unit_price bigint not null check (unit_price between 0 and 9007199254740991),
  primary key (business_id, item_id, currency),
  foreign key (business_id, item_id) references catalog_items (business_id, id) on delete cascade
);
create index catalog_item_prices_currency on catalog_item_prices (business_id, currency, item_id);
call protect('catalog_item_prices');

create table projects (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  code text not null check (length(code) between 1 and 12),
  code_key text not null collate "C" generated always as (lower(code)) stored,
  customer_id uuid,
  contract_id uuid,
  billing_method text not null check (billing_method in ('fixed', 'time_and_materials', 'non_billable')),
  start_date date,
  end_date date,
  manager_id uuid,
  budget jsonb not null,
  default_rate bigint check (default_rate between 0 and 9007199254740991),
  percent_complete numeric check (percent_complete between 0 and 100),
  parent_id uuid,
  status text not null check (status in ('planned', 'active', 'on_hold', 'completed', 'archived')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint projects_code unique (business_id, code_key),
  constraint projects_of_customer foreign key (business_id, customer_id) references customers (business_id, id),
  foreign key (business_id, parent_id) references projects (business_id, id),
  check (parent_id <> id),
  check (start_date <= end_date)
);
create index projects_name on projects (business_id, name_key, id);
create index projects_codes on projects (business_id, code_key, id);
create index projects_created on projects (business_id, created_at, id);
create index projects_updated on projects (business_id, updated_at, id);
create index projects_end on projects (business_id, end_date, id);
create index projects_status on projects (business_id, status, name_key, id);
create index projects_customer on projects (business_id, customer_id, name_key, id) where customer_id is not null;
create index projects_contract on projects (business_id, contract_id, name_key, id) where contract_id is not null;
create index projects_manager on projects (business_id, manager_id, name_key, id) where manager_id is not null;
create index projects_parent on projects (business_id, parent_id, name_key, id) where parent_id is not null;
create index projects_text on projects using gin (record_words(business_id, name, code));
call protect('projects');

create table project_tasks (
  business_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  billable boolean not null,
  rate bigint check (rate between 0 and 9007199254740991),
  budget_minutes int check (budget_minutes >= 0),
  closed boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  foreign key (business_id, project_id) references projects (business_id, id) on delete cascade
);
create index project_tasks_name on project_tasks (business_id, project_id, name_key, id);
create index project_tasks_created on project_tasks (business_id, project_id, created_at, id);
call protect('project_tasks');

-- Who works on a project, at which rates from which day on.
create table project_members (
  business_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  user_id uuid not null,
  "from" date not null,
  rate bigint check (rate between 0 and 9007199254740991),
  cost_rate bigint check (cost_rate between 0 and 9007199254740991),
  primary key (business_id, id),
  constraint project_members_day unique (business_id, project_id, user_id, "from"),
  foreign key (business_id, project_id) references projects (business_id, id) on delete cascade
);
create index project_members_from on project_members (business_id, project_id, "from", id);
call protect('project_members');

create table contracts (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  title text not null,
  number text not null,
  currency text not null check (currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  original_value bigint not null check (original_value between 0 and 9007199254740991),
  change_total bigint not null,
  -- What it is worth with its changes.
  value bigint not null check (value between 0 and 9007199254740991),
  billing_type text not null check (billing_type in ('fixed', 'milestone', 'time_and_materials', 'retainer')),
  start_date date not null,
  end_date date,
  auto_renew boolean not null,
  renewal_months int check (renewal_months between 1 and 120),
  notice_days int check (notice_days between 0 and 3660),
  retention_percent numeric check (retention_percent between 0 and 100),
  allow_overbilling boolean not null,
  document_ids uuid[] not null,
  project_id uuid,
  signed_on date,
  status text not null check (status in ('draft', 'active', 'completed', 'terminated')),
  terminated_on date,
  termination_reason text,
  renewed_from_id uuid,
  renewed_by_id uuid,
  billed_amount bigint not null check (billed_amount between 0 and 9007199254740991),
  credited_amount bigint not null check (credited_amount between 0 and 9007199254740991),
  paid_amount bigint not null check (paid_amount between 0 and 9007199254740991),
  retained_amount bigint not null check (retained_amount between 0 and 9007199254740991),
  billing_status text not null check (billing_status in ('not_started', 'active', 'complete')),
  billing_started_on date,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint contracts_number unique (business_id, number),
  constraint contracts_renewal unique (business_id, renewed_from_id),
  constraint contracts_of_customer foreign key (business_id, customer_id) references customers (business_id, id),
  foreign key (business_id, project_id) references projects (business_id, id),
  foreign key (business_id, renewed_from_id) references contracts (business_id, id),
  foreign key (business_id, renewed_by_id) references contracts (business_id, id),
  check (value = original_value + change_total),
  check (start_date <= end_date),
  check ((status = 'terminated') = (terminated_on is not null)),
  -- Nothing billed and nothing begun are one and the same.
  check ((billed_amount = 0) = (billing_status = 'not_started') and (billed_amount = 0) = (billing_started_on is null)),
  check (status <> 'draft' or billed_amount = 0),
  constraint contracts_overbilled check (billed_amount <= value or allow_overbilling)
);
create index contracts_created on contracts (business_id, created_at, id);
create index contracts_updated on contracts (business_id, updated_at, id);
create index contracts_start on contracts (business_id, start_date, id);
create index contracts_end on contracts (business_id, end_date, id);
create index contracts_value on contracts (business_id, value, id);
create index contracts_billed on contracts (business_id, billed_amount, id);
create index contracts_status on contracts (business_id, status, created_at, id);
create index contracts_billing on contracts (business_id, billing_status, created_at, id);
create index contracts_customer on contracts (business_id, customer_id, created_at, id);
create index contracts_project on contracts (business_id, project_id, created_at, id) where project_id is not null;
create index contracts_text on contracts using gin (record_words(business_id, number, title));
call protect('contracts');
-- The two refer to each other, so one of them waits for the end of the transaction where a whole business goes.
alter table projects add constraint projects_contract foreign key (business_id, contract_id) references contracts (business_id, id) deferrable initially immediate;

create table contract_milestones (
  business_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  name text not null,
  amount bigint not null check (amount between 0 and 9007199254740991),
  -- Of the contract's value, where the amount follows from it.
  percent numeric check (percent > 0 and percent <= 100),
  due_on date,
  done_on date,
  -- The invoice that it is on.
  invoice_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  foreign key (business_id, contract_id) references contracts (business_id, id) on delete cascade
);
create index contract_milestones_contract on contract_milestones (business_id, contract_id, due_on, id);
create index contract_milestones_invoice on contract_milestones (business_id, invoice_id) where invoice_id is not null;
call protect('contract_milestones');

-- These look past the policy, which would cost them their index, and keep to the business they are given, which must be that of the transaction.
create function search_catalog_items(p_business_id uuid, p_text text) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select id from catalog_items where business_id = p_business_id and p_business_id = current_business()
        and record_words(business_id, name, code, description) @@ words_beginning(p_business_id, p_text) $$;
create function search_projects(p_business_id uuid, p_text text) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select id from projects where business_id = p_business_id and p_business_id = current_business()
        and record_words(business_id, name, code) @@ words_beginning(p_business_id, p_text) $$;
create function search_contracts(p_business_id uuid, p_text text) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select id from contracts where business_id = p_business_id and p_business_id = current_business()
        and record_words(business_id, number, title) @@ words_beginning(p_business_id, p_text) $$;

-- As before, but that references which can wait make no circle.
create or replace function remove_business(p_business_id uuid, p_now timestamptz) returns boolean language plpgsql security definer
  set search_path = public, pg_catalog as $$
declare
  v_left regclass[];
  v_next regclass;
begin
  perform from businesses where id = p_business_id and status = 'pending_deletion' and deletion_at <= p_now for update;
  if not found then
    return false;
  end if;
  perform set_config('app.removing_business', p_business_id::text, true);
  set constraints all deferred;
  v_left := array(
    select c.oid::regclass from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition);
  while cardinality(v_left) > 0 loop
    select t into v_next from unnest(v_left) t
    where not exists (select from pg_constraint f where f.contype = 'f' and not f.condeferrable and f.confrelid = t and f.conrelid <> t and f.conrelid = any (v_left))
    limit 1;
    if not found then
      raise exception 'These tables refer to each other in a circle: %', v_left;
    end if;
    execute format('delete from %s where business_id = $1', v_next) using p_business_id;
    v_left := array_remove(v_left, v_next);
  end loop;
  update users set default_business_id = null where default_business_id = p_business_id;
  delete from idempotency_keys where scope = p_business_id;
  delete from businesses where id = p_business_id;
  set constraints all immediate;
  perform set_config('app.removing_business', '', true);
  return true;
end $$;
