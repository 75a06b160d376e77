-- Entries that people write: drafts on their way into the journal, templates that make entries, files of entries, and how all
-- of them are found.

-- What is not posted yet. It may change, and need not balance; its lines are kept as they were written.
create table journal_drafts (
  business_id uuid not null,
  id uuid not null,
  date date not null,
  memo text,
  status text not null check (status in ('draft', 'pending_approval')),
  currency text not null check (currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  rate numeric check (rate > 0),
  is_adjusting boolean not null,
  auto_reverse_on date,
  template_id uuid,
  prepared_by uuid,
  -- The sum of the debits in the base currency, as far as it is known.
  total bigint not null check (total between 0 and 9007199254740991),
  lines jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id)
);
create index journal_drafts_date on journal_drafts (business_id, date, id);
create index journal_drafts_status on journal_drafts (business_id, status, date, id);
create index journal_drafts_total on journal_drafts (business_id, total, id);
create index journal_drafts_created on journal_drafts (business_id, created_at, id);
create index journal_drafts_template on journal_drafts (business_id, template_id, date, id) where template_id is not null;
create index journal_drafts_adjusting on journal_drafts (business_id, date, id) where is_adjusting;
call protect('journal_drafts');

-- A saved entry, or one that comes again: then `next_date` is the next day on which it is due, until there is none.
create table journal_templates (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  memo text,
  currency text not null check (currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  is_adjusting boolean not null,
  frequency text check (frequency in ('daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'annually')),
  start_date date,
  end_date date,
  day_of_month int check (day_of_month between 1 and 31),
  max_occurrences int check (max_occurrences >= 1),
  auto_post boolean not null,
  lines jsonb not null,
  -- How many occurrences have come and gone, and when the next one is due.
  occurrences int not null,
  last_date date,
  next_date date,
  created_by uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  check (frequency is null or start_date is not null),
  check (next_date is null or frequency is not null)
);
create index journal_templates_name on journal_templates (business_id, name_key, id);
create index journal_templates_created on journal_templates (business_id, created_at, id);
create index journal_templates_next on journal_templates (business_id, next_date, id);
create index journal_templates_due on journal_templates (next_date, business_id) where next_date is not null;
call protect('journal_templates');

-- The key makes each occurrence happen once, however many workers see that it is due. `entry_id` is null where there was
-- nothing to enter.
create table journal_template_runs (
  business_id uuid not null,
  template_id uuid not null,
  date date not null,
  entry_id uuid,
  created_at timestamptz(3) not null,
  primary key (business_id, template_id, date),
  foreign key (business_id, template_id) references journal_templates (business_id, id) on delete cascade
);
call protect('journal_template_runs');

-- Where the clock has something to do. It tells ids and nothing of what they stand for.
create function journal_templates_due(p_now timestamptz) returns table (business_id uuid, template_id uuid) language sql stable security definer
  set search_path = public, pg_catalog
  as $$ select t.business_id, t.id from journal_templates t join businesses b on b.id = t.business_id
        where t.next_date <= p_now::date + 1 and t.next_date <= (p_now at time zone b.timezone)::date and b.status = 'active'
        order by t.next_date, t.business_id, t.id $$;

-- Businesses whose last period ends within so many days.
create function businesses_running_out_of_periods(p_now timestamptz, p_days int) returns setof uuid language sql stable security definer
  set search_path = public, pg_catalog
  as $$ select b.id from businesses b
        cross join lateral (select p.end_date from accounting_periods p where p.business_id = b.id order by p.start_date desc limit 1) as last
        where b.status = 'active' and last.end_date < (p_now at time zone b.timezone)::date + p_days $$;

-- Files of entries that were brought in.
create table journal_imports (
  business_id uuid not null,
  id uuid not null,
  file_name text not null,
  content_hash text not null,
  posted boolean not null,
  entry_count int not null,
  line_count int not null,
  first_number bigint,
  last_number bigint,
  created_by uuid,
  created_at timestamptz(3) not null,
  primary key (business_id, id)
);
create index journal_imports_content on journal_imports (business_id, content_hash);
call protect('journal_imports');

-- Behind the sorts and filters of the list of entries. Entries of one call share their moment, so the id must be in the index.
create index journal_entries_created on journal_entries (business_id, recorded_at, id);
create index journal_entries_source_type on journal_entries (business_id, source_type, date, id);
create index journal_entries_source_id on journal_entries (business_id, source_id, date, id) where source_id is not null;

-- The words of an entry: its memo, its number, and its business, so that a search reads the entries of one business only.
create function entry_words(p_business_id uuid, p_number bigint, p_memo text) returns tsvector language sql immutable parallel safe
  as $$ select array_to_tsvector(array[p_business_id::text]) || to_tsvector('simple', coalesce(p_memo, '')) || to_tsvector('simple', coalesce(p_number::text, '')) $$;
create index journal_entries_text on journal_entries using gin (entry_words(business_id, number, memo));
create index journal_drafts_text on journal_drafts using gin (entry_words(business_id, null, memo));

-- Looks past the policy, which would cost it its index, and keeps to the business it is given, which must be that of the transaction.
create function search_journal(p_business_id uuid, p_text text) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select id from journal_entries where business_id = p_business_id and p_business_id = current_business()
        and entry_words(business_id, number, memo) @@ (quote_literal(p_business_id)::tsquery && websearch_to_tsquery('simple', p_text))
        union all
        select id from journal_drafts where business_id = p_business_id and p_business_id = current_business()
        and entry_words(business_id, null, memo) @@ (quote_literal(p_business_id)::tsquery && websearch_to_tsquery('simple', p_text)) $$;
