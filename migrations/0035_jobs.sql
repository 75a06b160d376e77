-- Long work that people wait for: how far it is, and where a worker goes on when another one has died.
create table jobs (
  business_id uuid not null,
  id uuid not null,
  kind text not null,
  title text not null,
  -- What it works on: one job of a kind and subject at a time.
  subject text not null,
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  done bigint not null check (done >= 0),
  total bigint check (total >= done),
  phase text,
  input jsonb not null,
  -- Where the last chunk that committed left off.
  checkpoint jsonb,
  result jsonb,
  error text,
  cancelable boolean not null,
  cancel_requested boolean not null,
  -- Null where the service itself began it.
  created_by uuid,
  -- Everybody who asked for it while it ran: it is theirs too.
  askers uuid[] not null,
  -- No reference: what is older is forgotten first.
  retry_of uuid,
  -- The worker that has it, and until when it may be silent; for a job that waits, by when a worker should have taken it.
  runner uuid,
  lease_until timestamptz(3),
  -- Workers that died over the same chunk.
  losses int not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  check ((status in ('succeeded', 'failed', 'canceled')) = (finished_at is not null)),
  check ((status in ('queued', 'running')) = (lease_until is not null)),
  check ((status = 'running') = (runner is not null)),
  check ((status = 'failed') = (error is not null)),
  check (result is null or status = 'succeeded')
);
create unique index jobs_once on jobs (business_id, kind, subject) where status in ('queued', 'running');
create unique index jobs_retried_once on jobs (business_id, retry_of) where retry_of is not null;
create index jobs_created on jobs (business_id, created_at, id);
create index jobs_kind on jobs (business_id, kind, created_at, id);
create index jobs_status on jobs (business_id, status, created_at, id);
create index jobs_creator on jobs (business_id, created_by, created_at, id);
create index jobs_lease on jobs (lease_until, business_id) where lease_until is not null;
create index jobs_finished on jobs (finished_at) where finished_at is not null;
call protect('jobs');

-- Progress never goes back, and a job ends once.
create function refuse_job_return() returns trigger language plpgsql as $$
begin
  if new.done < old.done then
    raise exception 'the progress of a job never goes back' using errcode = 'restrict_violation';
  end if;
  if old.finished_at is not null and (new.status, new.finished_at) is distinct from (old.status, old.finished_at) then
    raise exception 'a job ends once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger no_return before update on jobs for each row execute function refuse_job_return();

-- What followers of a job are told, so that one who comes back misses nothing; kept for a day.
create table job_events (
  business_id uuid not null,
  job_id uuid not null,
  seq int not null,
  event text not null,
  data jsonb not null,
  at timestamptz(3) not null,
  primary key (business_id, job_id, seq),
  foreign key (business_id, job_id) references jobs (business_id, id) on delete cascade
);
create index job_events_age on job_events (at);
call protect('job_events');

-- Asked across businesses, by the clock.
create function businesses_with_lost_jobs(p_now timestamptz) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select distinct business_id from jobs where lease_until < p_now $$;

create function forget_old_jobs(p_now timestamptz) returns void language sql security definer set search_path = public, pg_catalog
  as $$ delete from job_events where at < p_now - interval '24 hours';
        delete from jobs where finished_at < p_now - interval '90 days' $$;
revoke execute on function businesses_with_lost_jobs, forget_old_jobs from public;
grant execute on function businesses_with_lost_jobs, forget_old_jobs to daybook_app;
