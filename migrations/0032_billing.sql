-- Daybook's own plan of a business: what it pays for, what the processor told us of it, and the part of the embedded processor that sells plans.

-- From when a paid plan no longer lets anything be changed: it was canceled, or is overdue beyond its grace. Empty: it goes on.
alter table businesses add column plan_ends_at timestamptz(3);
create index businesses_trial_ends on businesses (trial_ends_at) where plan_tier = 'trial';
create index businesses_plan_ends on businesses (plan_ends_at) where plan_ends_at is not null;
drop trigger stamp on businesses;
create trigger stamp after update of timezone, base_currency, plan_tier, trial_ends_at, plan_ends_at, status, settings on businesses
  for each row execute function stamp_members();

-- The same as the code says of one business: lack of a plan has made it read-only.
create function plan_is_over(p_plan_tier text, p_trial_ends_at timestamptz, p_plan_ends_at timestamptz, p_now timestamptz) returns boolean
  language sql immutable parallel safe
  as $$ select case p_plan_tier when 'trial' then coalesce(p_trial_ends_at + interval '14 days' <= p_now, false)
          when 'grandfathered' then false else coalesce(p_plan_ends_at <= p_now, false) end $$;

create or replace function businesses_with_recurring_due(p_now timestamptz) returns setof uuid language sql stable security definer
  set search_path = public, pg_catalog
  as $$ select b.id from businesses b
        where b.status = 'active' and not plan_is_over(b.plan_tier, b.trial_ends_at, b.plan_ends_at, p_now) and b.id in (
          select t.business_id from recurring_templates t join businesses at on at.id = t.business_id
          where t.status = 'active' and t.next_date <= (p_now at time zone 'UTC')::date + 1 and t.next_date <= (p_now at time zone at.timezone)::date
          union
          select t.business_id from recurring_templates t join businesses at on at.id = t.business_id
          where t.paused_until is not null and t.paused_until <= (p_now at time zone at.timezone)::date
          union
          select o.business_id from recurring_occurrences o join recurring_templates t on t.business_id = o.business_id and t.id = o.template_id
          where o.retry_at <= p_now and t.status = 'active') $$;

create or replace function businesses_with_invoices_to_send(p_now timestamptz) returns setof uuid language sql stable security definer
  set search_path = public, pg_catalog
  as $$ select distinct i.business_id from invoices i join businesses b on b.id = i.business_id
        where i.status = 'draft' and i.send_at <= p_now and b.status = 'active'
          and not plan_is_over(b.plan_tier, b.trial_ends_at, b.plan_ends_at, p_now) $$;

create or replace function businesses_with_reminders(p_now timestamptz) returns setof uuid language sql stable security definer
  set search_path = public, pg_catalog
  as $$ select b.id from businesses b
        where b.status = 'active' and not plan_is_over(b.plan_tier, b.trial_ends_at, b.plan_ends_at, p_now)
          and jsonb_typeof(b.settings -> 'sales' -> 'reminder_days') = 'array' and b.settings -> 'sales' -> 'reminder_days' <> '[]'
          and extract(hour from p_now at time zone b.timezone) >= 8 $$;

-- Which business a customer of the processor is: asked for by an event, before the tenant is known.
create table billing_customers (
  customer_id text primary key,
  business_id uuid not null references businesses on delete cascade
);
create index billing_customers_business on billing_customers (business_id);

-- One row per business, made when there is first something to say.
create table billing_accounts (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  customer_id text,
  subscription_id text,
  billing_interval text check (billing_interval in ('month', 'year')),
  status text not null check (status in ('none', 'active', 'past_due', 'canceled')),
  current_period_start timestamptz(3),
  current_period_end timestamptz(3),
  cancel_at_period_end boolean not null,
  past_due_since timestamptz(3),
  -- A change that was asked for and has not come yet.
  pending_plan text check (pending_plan in ('self_directed', 'managed')),
  pending_interval text check (pending_interval in ('month', 'year')),
  pending_at timestamptz(3),
  card_brand text,
  card_last4 text,
  card_exp text,
  next_amount bigint,
  currency text,
  trial_ending_told boolean not null,
  -- As its history was told last.
  access text not null check (access in ('full', 'read_only')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint billing_accounts_one unique (business_id),
  check ((pending_plan is null) = (pending_at is null) and (pending_plan is null) = (pending_interval is null))
);
call protect('billing_accounts');

-- A page at the processor on which a plan is paid for; of the open ones of a business there is one.
create table billing_sessions (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  session_id text not null,
  kind text not null check (kind in ('migration', 'checkout')),
  target_plan text not null check (target_plan in ('self_directed', 'managed')),
  billing_interval text not null check (billing_interval in ('month', 'year')),
  status text not null check (status in ('open', 'completed', 'expired')),
  checkout_url text not null,
  subscription_id text,
  -- What came of the payment; a second one goes back.
  outcome text check (outcome in ('applied', 'refunding', 'refunded')),
  -- The processor has said how it ended.
  settled boolean not null,
  expires_at timestamptz(3) not null,
  completed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint billing_sessions_session unique (business_id, session_id)
);
create unique index billing_sessions_open on billing_sessions (business_id) where status = 'open';
create index billing_sessions_unsettled on billing_sessions (business_id, id) where not settled;
call protect('billing_sessions');

-- What Daybook has billed the business for.
create table billing_invoices (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  processor_invoice_id text not null,
  subscription_id text,
  number text,
  status text not null check (status in ('open', 'paid', 'void', 'uncollectible', 'refunded')),
  description text not null,
  subtotal bigint not null,
  tax bigint not null,
  total bigint not null,
  amount_paid bigint not null,
  currency text not null,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  issued_at timestamptz(3) not null,
  paid_at timestamptz(3),
  attempts int not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint billing_invoices_processor_id unique (business_id, processor_invoice_id)
);
create index billing_invoices_issued on billing_invoices (business_id, issued_at, id);
create index billing_invoices_status on billing_invoices (business_id, status, issued_at, id);
call protect('billing_invoices');

-- What the processor told us of the plan, as it was signed, once each.
create table billing_events (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  processor_event_id text not null,
  type text not null,
  object_id text,
  body text not null,
  signature text not null,
  outcome text not null check (outcome in ('pending', 'processed', 'ignored')),
  processed_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (business_id, id),
  constraint billing_events_processor_id unique (business_id, processor_event_id)
);
call protect('billing_events');

-- Where the clock has something to tell of plans: a trial about to end, access that has ended or come back. It tells ids and nothing of
-- what they stand for.
create function businesses_with_billing_news(p_now timestamptz) returns setof uuid language sql stable security definer
  set search_path = public, pg_catalog
  as $$ select b.id from businesses b left join billing_accounts a on a.business_id = b.id
        where b.plan_tier = 'trial' and b.status = 'active' and not b.is_sample and not coalesce(a.trial_ending_told, false)
          and b.trial_ends_at > p_now and b.trial_ends_at <= p_now + interval '7 days'
        union
        select b.id from businesses b left join billing_accounts a on a.business_id = b.id
        where b.plan_tier = 'trial' and b.trial_ends_at <= p_now - interval '14 days' and coalesce(a.access, 'full') = 'full'
        union
        select b.id from businesses b left join billing_accounts a on a.business_id = b.id
        where b.plan_ends_at <= p_now and plan_is_over(b.plan_tier, b.trial_ends_at, b.plan_ends_at, p_now) and coalesce(a.access, 'full') = 'full'
        union
        select b.id from businesses b join billing_accounts a on a.business_id = b.id
        where a.access = 'read_only' and not plan_is_over(b.plan_tier, b.trial_ends_at, b.plan_ends_at, p_now) $$;
create index billing_accounts_read_only on billing_accounts (business_id) where access = 'read_only';

-- Whether the processor is still going to charge for this business.
create function has_running_plan(p_business_id uuid) returns boolean language sql stable security definer set search_path = public, pg_catalog
  as $$ select exists (select from billing_accounts where business_id = p_business_id and p_business_id = current_business()
          and status in ('active', 'past_due') and not cancel_at_period_end) $$;

-- The embedded processor sells plans too: customers, sessions, subscriptions and invoices of its own.
create table sandbox_plan_customers (
  id text primary key,
  name text not null,
  email text,
  reference text not null,
  -- A credit that the next invoices use up.
  credit bigint not null check (credit >= 0),
  card_brand text,
  card_last4 text,
  card_exp text,
  idempotency_key text not null unique,
  created_at timestamptz(3) not null
);

create table sandbox_plan_sessions (
  id text primary key,
  customer_id text not null references sandbox_plan_customers,
  plan text not null,
  billing_interval text not null,
  amount bigint not null,
  currency text not null,
  description text not null,
  success_url text not null,
  cancel_url text not null,
  status text not null check (status in ('open', 'complete', 'expired')),
  subscription_id text,
  idempotency_key text not null unique,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);

create table sandbox_plan_subscriptions (
  id text primary key,
  customer_id text not null references sandbox_plan_customers,
  status text not null check (status in ('active', 'past_due', 'canceled')),
  plan text not null,
  billing_interval text not null,
  -- Periods are counted from here, so that a short month shifts none of those after it.
  anchor_at timestamptz(3) not null,
  period int not null,
  current_period_start timestamptz(3) not null,
  current_period_end timestamptz(3) not null,
  cancel_at_period_end boolean not null,
  pending_plan text,
  pending_interval text,
  ended_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index sandbox_plan_subscriptions_due on sandbox_plan_subscriptions (current_period_end) where status <> 'canceled';

create table sandbox_plan_invoices (
  id text primary key,
  customer_id text not null references sandbox_plan_customers,
  subscription_id text not null references sandbox_plan_subscriptions,
  number text not null,
  status text not null check (status in ('open', 'paid', 'void')),
  description text not null,
  total bigint not null,
  amount_paid bigint not null,
  currency text not null,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  attempts int not null,
  refunded bigint not null,
  paid_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index sandbox_plan_invoices_customer on sandbox_plan_invoices (customer_id, created_at, id);
create index sandbox_plan_invoices_subscription on sandbox_plan_invoices (subscription_id, created_at, id);

-- How far the clock of a sandbox was moved ahead; every process of it follows.
create table sandbox_clock (
  one boolean primary key default true check (one),
  ahead_ms bigint not null check (ahead_ms >= 0)
);
insert into sandbox_clock (ahead_ms) values (0);
