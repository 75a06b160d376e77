-- Recurring templates: what makes a document again and again, and every date on which it was its turn.
create table recurring_templates (
  business_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('invoice', 'bill')),
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  status text not null check (status in ('active', 'paused', 'ended')),
  frequency text not null check (frequency in ('daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'annually')),
  start_date date not null,
  end_date date check (end_date >= start_date),
  day_of_month int check (day_of_month between 1 and 31),
  day_of_week int check (day_of_week between 0 and 6),
  days_until_due int not null check (days_until_due between 0 and 365),
  max_occurrences bigint check (max_occurrences >= 1),
  on_generate text not null check (on_generate in ('draft', 'finalize', 'send')),
  price_mode text not null check (price_mode in ('frozen', 'catalog')),
  -- The body from which a document is made, and what one of them came to when the body was last looked at.
  template jsonb not null,
  customer_id uuid generated always as ((template ->> 'customer_id')::uuid) stored,
  prices jsonb not null,
  currency text not null check (currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  amount bigint not null,
  source_invoice_id uuid,
  -- Dates are counted from the anchor, which is the start until the schedule is changed. `last_date` is the last that has come.
  anchor_date date not null,
  last_date date,
  next_date date,
  paused_until date,
  occurrences int not null check (occurrences >= 0),
  occurrences_generated int not null check (occurrences_generated >= 0),
  occurrences_retrying int not null check (occurrences_retrying >= 0),
  last_error text,
  created_by uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint recurring_templates_customer foreign key (business_id, customer_id) references customers (business_id, id),
  check (occurrences >= occurrences_generated + occurrences_retrying),
  check (max_occurrences is null or occurrences_generated + occurrences_retrying <= max_occurrences),
  check (next_date > last_date),
  check (status <> 'ended' or next_date is null),
  check (status = 'paused' or paused_until is null),
  check (kind <> 'invoice' or customer_id is not null)
);
create index recurring_templates_name on recurring_templates (business_id, name_key, id);
create index recurring_templates_created on recurring_templates (business_id, created_at, id);
create index recurring_templates_next on recurring_templates (business_id, next_date, id);
create index recurring_templates_updated on recurring_templates (business_id, updated_at, id);
create index recurring_templates_status on recurring_templates (business_id, status, next_date, id);
create index recurring_templates_party on recurring_templates (business_id, customer_id, next_date, id);
create index recurring_templates_due on recurring_templates (next_date, business_id) where status = 'active';
create index recurring_templates_waking on recurring_templates (paused_until, business_id) where paused_until is not null;
call protect('recurring_templates');

-- One row per template and date, written in the transaction of the document: the key makes each happen once. A failed one with
-- `retry_at` is tried again then.
create table recurring_occurrences (
  business_id uuid not null,
  template_id uuid not null,
  scheduled_date date not null,
  id uuid not null,
  number int not null check (number >= 1),
  status text not null check (status in ('generated', 'skipped', 'failed')),
  document_id uuid,
  attempts int not null check (attempts >= 0),
  error text,
  warning text,
  retry_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (business_id, template_id, scheduled_date),
  constraint recurring_occurrences_number unique (business_id, template_id, number),
  foreign key (business_id, template_id) references recurring_templates (business_id, id) on delete cascade,
  check ((status = 'generated') = (document_id is not null)),
  check ((status = 'failed') = (error is not null)),
  check (status = 'failed' or retry_at is null)
);
create index recurring_occurrences_retry on recurring_occurrences (retry_at, business_id) where retry_at is not null;
call protect('recurring_occurrences');

-- Where the clock has something to do: templates that are due, pauses that are over, failures to try again. It tells ids and nothing of
-- what they stand for. A business that nobody may change is left alone.
create function businesses_with_recurring_due(p_now timestamptz) returns setof uuid language sql stable security definer
  set search_path = public, pg_catalog
  as $$ select b.id from businesses b
        where b.status = 'active' and not (b.plan_tier = 'trial' and coalesce(b.trial_ends_at + interval '14 days' <= p_now, false)) and b.id in (
          select t.business_id from recurring_templates t join businesses at on at.id = t.business_id
          where t.status = 'active' and t.next_date <= (p_now at time zone 'UTC')::date + 1 and t.next_date <= (p_now at time zone at.timezone)::date
          union
          select t.business_id from recurring_templates t join businesses at on at.id = t.business_id
          where t.paused_until is not null and t.paused_until <= (p_now at time zone at.timezone)::date
          union
          select o.business_id from recurring_occurrences o join recurring_templates t on t.business_id = o.business_id and t.id = o.template_id
          where o.retry_at <= p_now and t.status = 'active') $$;

-- The day of a month, or its last where it has no such day.
create function day_in_month(p_month date, p_day int) returns date language sql immutable parallel safe
  as $$ select least(p_month + p_day - 1, (p_month + interval '1 month')::date - 1) $$;

-- The dates of a template from its next one to a day: what the code works out from the same row, for statements over many templates. A test
-- holds the two against each other.
create function recurring_dates(t recurring_templates, p_through date) returns setof date language sql stable parallel safe as $$
  with start as (
    select date_trunc('month', t.anchor_date)::date as month,
      coalesce(t.day_of_month, extract(day from t.start_date)::int) as day,
      t.anchor_date + ((coalesce(t.day_of_week, extract(isodow from t.start_date)::int - 1) - extract(isodow from t.anchor_date)::int + 8) % 7) as weekday,
      case t.frequency when 'daily' then 1 when 'weekly' then 7 when 'biweekly' then 14 end as days,
      case t.frequency when 'monthly' then 1 when 'quarterly' then 3 when 'annually' then 12 end as months
  ), dates as (
    select (case t.frequency when 'daily' then t.anchor_date else s.weekday end) + i * s.days as date
    from start s cross join lateral generate_series(greatest(0, (t.next_date - t.anchor_date) / s.days - 1), (p_through - t.anchor_date) / s.days) as i
    where s.days is not null
    union all
    select day_in_month((s.month + make_interval(months => (day_in_month(s.month, s.day) < t.anchor_date)::int + i * s.months))::date, s.day)
    from start s cross join lateral generate_series(
      greatest(0, ((extract(year from t.next_date) - extract(year from s.month)) * 12 + extract(month from t.next_date) - extract(month from s.month))::int / s.months - 1),
      ((extract(year from p_through) - extract(year from s.month)) * 12 + extract(month from p_through) - extract(month from s.month))::int / s.months) as i
    where s.months is not null
  )
  select date from dates where date between t.next_date and least(t.end_date, p_through) order by date
  limit t.max_occurrences - t.occurrences_generated - t.occurrences_retrying
$$;
