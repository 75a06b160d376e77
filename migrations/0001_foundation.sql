-- The machinery below every group: tenancy, history (audit trail, events, outbox), idempotency, mail, jobs.

grant usage on schema public to daybook_app;
alter default privileges in schema public grant select, insert, update, delete on tables to daybook_app;
alter default privileges in schema public grant usage, select on sequences to daybook_app;

-- The tenant of the running transaction; null where none is set, and null equals no row.
create function current_business() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.business_id', true), '')::uuid $$;

-- Puts a table under row-level security: a transaction sees and writes the rows of its own business only.
create procedure protect(p_table regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', p_table);
  execute format('create policy tenant on %s using (business_id = current_business()) with check (business_id = current_business())', p_table);
end $$;

-- Refuses to change what is written once. The one exception is the end of a whole business, by the function that removes it.
create function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('app.removing_business', true) = to_jsonb(old) ->> 'business_id' and current_user <> 'daybook_app' then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create procedure make_append_only(p_table regclass) language plpgsql as $$
begin
  execute format('revoke update, delete, truncate on %s from daybook_app', p_table);
  execute format('create trigger append_only before update or delete on %s for each row execute function refuse_change()', p_table);
  execute format('create trigger append_only_truncate before truncate on %s for each statement execute function refuse_change()', p_table);
end $$;

-- Where the history of a business stands: the last numbers given and the last hash.
create table business_heads (
  business_id uuid primary key,
  audit_seq bigint not null default 0,
  audit_hash bytea not null default '\x'::bytea,
  event_seq bigint not null default 0
);
call protect('business_heads');

create table audit_trail (
  business_id uuid not null,
  seq bigint not null,
  id uuid not null,
  at timestamptz(3) not null,
  actor_kind text not null check (actor_kind in ('user', 'token', 'grant', 'system', 'public_link')),
  actor_id uuid,
  actor_name text not null,
  on_behalf_of uuid,
  action text not null,
  resource_type text not null,
  resource_id uuid not null,
  resource_label text,
  before jsonb,
  after jsonb,
  reason text,
  request_id text not null,
  ip text,
  prev_hash bytea not null,
  hash bytea not null,
  primary key (business_id, seq),
  unique (business_id, id)
);
create index audit_trail_resource on audit_trail (business_id, resource_type, resource_id, seq);
create index audit_trail_actor on audit_trail (business_id, actor_id, seq);
create index audit_trail_action on audit_trail (business_id, action, seq);
create index audit_trail_request on audit_trail (business_id, request_id);
create index audit_trail_at on audit_trail (business_id, at);
call protect('audit_trail');
call make_append_only('audit_trail');

create table events (
  business_id uuid not null,
  seq bigint not null,
  id uuid not null,
  type text not null,
  occurred_at timestamptz(3) not null,
  resource_type text not null,
  resource_id uuid not null,
  actor jsonb not null,
  data jsonb not null,
  request_id text not null,
  primary key (business_id, seq),
  unique (business_id, id)
);
create index events_type on events (business_id, type, seq);
create index events_resource on events (business_id, resource_type, resource_id, seq);
create index events_occurred on events (business_id, occurred_at);
call protect('events');
call make_append_only('events');

-- Businesses with events that subscribers have not seen. Scanned across businesses, so it is no tenant table.
create table outbox (
  id bigint generated always as identity primary key,
  business_id uuid not null,
  event_seq bigint not null,
  -- Set where a subscriber failed: the rest goes on, this is tried again then.
  not_before timestamptz(3)
);

-- How far each subscriber has read in each business.
create table subscriber_positions (
  business_id uuid not null,
  subscriber text not null,
  seq bigint not null,
  primary key (business_id, subscriber)
);
call protect('subscriber_positions');

-- Appends changes (in order) to the audit trail and the event log. The head is locked from here to the commit, which
-- makes both sequences gap-free and their order the order of commits: call it last.
create function append_history(p_business_id uuid, p_changes jsonb, p_contents text[]) returns void language plpgsql as $$
declare
  v_head business_heads;
  v_hashes bytea[];
  v_hash bytea;
  v_count int := jsonb_array_length(p_changes);
begin
  select * into v_head from business_heads where business_id = p_business_id for update;
  if not found then
    raise exception 'business % has no history', p_business_id;
  end if;
  v_hash := v_head.audit_hash;
  v_hashes := array[v_hash];
  for i in 1..v_count loop
    v_hash := sha256(v_hash || convert_to(p_contents[i], 'UTF8'));
    v_hashes := v_hashes || v_hash;
  end loop;

  with change as (
    select ordinality::int as n, c ->> 'event_id' as event_id, (c ->> 'at')::timestamptz as at, c ->> 'actor_kind' as actor_kind,
      (c ->> 'actor_id')::uuid as actor_id, c ->> 'actor_name' as actor_name, (c ->> 'on_behalf_of')::uuid as on_behalf_of, c ->> 'action' as action,
      c ->> 'resource_type' as resource_type, (c ->> 'resource_id')::uuid as resource_id, c ->> 'resource_label' as resource_label,
      nullif(c -> 'before', 'null') as before, nullif(c -> 'after', 'null') as after, c ->> 'reason' as reason,
      c ->> 'request_id' as request_id, c ->> 'ip' as ip, c -> 'data' as data
    from jsonb_array_elements(p_changes) with ordinality as changes (c, ordinality)
  ), audited as (
    insert into audit_trail (business_id, seq, id, at, actor_kind, actor_id, actor_name, on_behalf_of, action, resource_type, resource_id,
      resource_label, before, after, reason, request_id, ip, prev_hash, hash)
    select p_business_id, v_head.audit_seq + n, event_id::uuid, at, actor_kind, actor_id, actor_name, on_behalf_of, action, resource_type, resource_id,
      resource_label, before, after, reason, request_id, ip, v_hashes[n], v_hashes[n + 1]
    from change
  )
  insert into events (business_id, seq, id, type, occurred_at, resource_type, resource_id, actor, data, request_id)
  select p_business_id, v_head.event_seq + n, event_id::uuid, action, at, resource_type, resource_id,
    jsonb_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name), data, request_id
  from change;

  insert into outbox (business_id, event_seq) values (p_business_id, v_head.event_seq + v_count);
  update business_heads set audit_seq = v_head.audit_seq + v_count, audit_hash = v_hash, event_seq = v_head.event_seq + v_count
    where business_id = p_business_id;
end $$;

-- Answers kept for 24 hours under the caller's key. `scope` is the business, or the user for calls outside any business.
create table idempotency_keys (
  scope uuid not null,
  user_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  status int not null,
  answer bytea not null,
  sealed boolean not null,
  created_at timestamptz(3) not null,
  primary key (scope, user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Mail on its way, and, in the sandbox, mail as sent.
create table mails (
  id uuid primary key,
  business_id uuid,
  recipient text not null,
  subject text not null,
  text_body text not null,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3)
);
create index mails_recipient on mails (recipient, created_at);
create index mails_business on mails (business_id, created_at);

-- The application's role may add jobs, and nothing else, to the job queue.
create function enqueue_job(p_task text, p_payload json, p_job_key text, p_run_at timestamptz, p_max_attempts int, p_queue_name text) returns void
  language sql security definer set search_path = graphile_worker, pg_catalog
  as $$ select graphile_worker.add_job(identifier => p_task, payload => p_payload, job_key => p_job_key, run_at => p_run_at, max_attempts => p_max_attempts, queue_name => p_queue_name) $$;
revoke execute on function enqueue_job from public;
grant execute on function enqueue_job to daybook_app;
