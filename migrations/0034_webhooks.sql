-- Webhooks: addresses of the business's own systems, and what is sent to them.

-- An id of version 7 for rows that a statement makes many of at once.
create function time_ordered_id(p_at timestamptz) returns uuid language sql volatile parallel safe
  as $$ select encode(set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid()) placing substring(int8send(floor(extract(epoch from p_at) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid $$;

create table webhooks (
  business_id uuid not null,
  id uuid not null,
  url text not null,
  events text[] not null,
  description text,
  enabled boolean not null,
  status text not null check (status in ('healthy', 'failing', 'disabled')),
  disabled_reason text check (disabled_reason in ('by_hand', 'gone', 'failures')),
  -- Both sealed.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  -- When the failures began that no success has interrupted.
  failing_since timestamptz(3),
  -- What happened up to here is not sent by itself.
  after_sequence bigint not null,
  -- The row stays as long as its deliveries do.
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  check (enabled = (status <> 'disabled')),
  check ((disabled_reason is not null) = (status = 'disabled')),
  check ((previous_secret is null) = (previous_secret_until is null))
);
create index webhooks_created on webhooks (business_id, created_at, id) where deleted_at is null;
create index webhooks_enabled on webhooks (business_id, enabled, created_at, id) where deleted_at is null;
call protect('webhooks');

-- One row per event and endpoint, with the log of its attempts.
create table webhook_deliveries (
  business_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  -- The message's own id: that of the event, or one made for a test.
  event_id uuid not null,
  sequence bigint,
  type text not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'dead', 'dropped')),
  attempt_count int not null,
  -- The latest of them, oldest first.
  attempts jsonb not null,
  -- A replay begins a new round of tries.
  round_tries int not null,
  round_started_at timestamptz(3) not null,
  next_attempt_at timestamptz(3),
  delivered_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (business_id, id),
  unique (business_id, webhook_id, event_id),
  foreign key (business_id, webhook_id) references webhooks,
  check ((status in ('pending', 'failed')) = (next_attempt_at is not null))
);
create index webhook_deliveries_created on webhook_deliveries (business_id, webhook_id, created_at, id);
create index webhook_deliveries_status on webhook_deliveries (business_id, webhook_id, status, created_at, id);
create index webhook_deliveries_type on webhook_deliveries (business_id, webhook_id, type, created_at, id);
create index webhook_deliveries_due on webhook_deliveries (business_id, webhook_id, next_attempt_at) where next_attempt_at is not null;
call protect('webhook_deliveries');

-- When each endpoint is next to be served, and who serves it. Scanned across businesses, so it is no tenant table.
create table webhook_lanes (
  business_id uuid not null,
  webhook_id uuid not null,
  due_at timestamptz(3),
  failing boolean not null,
  lease_id uuid,
  leased_until timestamptz(3),
  primary key (business_id, webhook_id),
  check ((lease_id is null) = (leased_until is null))
);
create index webhook_lanes_due on webhook_lanes (failing, due_at) where due_at is not null;
