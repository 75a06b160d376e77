-- Exports: data that somebody takes away as a file, made by a long job and kept for some days.
create table exports (
  business_id uuid not null,
  id uuid not null,
  kind text not null,
  title text not null,
  format text not null check (format in ('csv', 'xlsx', 'pdf', 'json', 'jsonl', 'hledger', 'beancount')),
  filters jsonb not null,
  -- Null where a kind has no columns to choose from.
  columns jsonb,
  status text not null check (status in ('queued', 'running', 'ready', 'failed', 'canceled', 'expired')),
  -- No reference: jobs are forgotten after a time.
  job_id uuid,
  rows bigint check (rows >= 0),
  -- The state of the business that the file shows.
  as_of timestamptz(3),
  -- No reference: a document can be removed for good.
  document_id uuid,
  file_name text,
  size bigint,
  error text,
  expires_at timestamptz(3),
  created_by uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  check ((status = 'ready') <= (document_id is not null and expires_at is not null and as_of is not null)),
  check ((status = 'failed') = (error is not null))
);
create index exports_created on exports (business_id, created_at, id);
create index exports_kind on exports (business_id, kind, created_at, id);
create index exports_status on exports (business_id, status, created_at, id);
create index exports_creator on exports (business_id, created_by, created_at, id);
create index exports_due on exports (expires_at, business_id) where status = 'ready';
call protect('exports');

-- The file while it is written: each part commits with the progress of the job.
create table export_parts (
  business_id uuid not null,
  export_id uuid not null,
  position int not null,
  content bytea not null,
  primary key (business_id, export_id, position),
  foreign key (business_id, export_id) references exports (business_id, id) on delete cascade
);
call protect('export_parts');

-- Asked across businesses, by the clock.
create function businesses_with_old_exports(p_now timestamptz) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select distinct business_id from exports where status = 'ready' and expires_at <= p_now $$;

create function forget_old_exports(p_now timestamptz) returns void language sql security definer set search_path = public, pg_catalog
  as $$ delete from exports where created_at < p_now - interval '90 days' and status in ('failed', 'canceled', 'expired') $$;
revoke execute on function businesses_with_old_exports, forget_old_exports from public;
grant execute on function businesses_with_old_exports, forget_old_exports to daybook_app;
