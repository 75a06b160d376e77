-- How far a business has come: the milestones it has reached, the samples that people look around in, and its guided set-up.

-- The first time counts and never moves: what is written here is not changed again.
create table activation_milestones (
  business_id uuid not null,
  id uuid not null,
  milestone text not null check (length(milestone) between 1 and 50),
  reached_at timestamptz(3) not null,
  reached_by uuid,
  primary key (business_id, id),
  constraint activation_milestones_once unique (business_id, milestone)
);
call protect('activation_milestones');

-- Who looks around in which sample. The sample is a business of its own; its end is that of its row there.
create table activation_samples (
  business_id uuid not null,
  user_id uuid not null references users,
  sample_business_id uuid not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (business_id, user_id)
);
call protect('activation_samples');

-- For the job that ends samples.
create index businesses_samples on businesses (created_at) where is_sample;

-- Nothing that happens in a sample is mailed to anybody: neither the mail is kept nor what hangs on it.
create function is_kept_mail() returns trigger language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if exists (select from businesses b where b.id = new.business_id and b.is_sample) then
    return null;
  end if;
  return new;
end $$;
create trigger samples_send_no_mail before insert on mails for each row when (new.business_id is not null) execute function is_kept_mail();

create function is_of_kept_mail() returns trigger language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if not exists (select from mails m where m.id = new.mail_id) then
    return null;
  end if;
  return new;
end $$;
create trigger samples_send_no_mail before insert on mail_attachments for each row execute function is_of_kept_mail();

-- The guided set-up: what people answered, and which steps they ticked off or passed over. Steps that follow from facts are not kept.
create table onboardings (
  business_id uuid not null,
  id uuid not null,
  answers jsonb not null,
  -- By step: {"status": "done" or "skipped", "at": …}.
  steps jsonb not null,
  -- The steps of which it was told that they are done.
  told text[] not null,
  status text not null check (status in ('in_progress', 'finished', 'dismissed')),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint onboardings_one unique (business_id)
);
call protect('onboardings');

-- The ledgers that nothing names: no row of any table through a reference or a column for a ledger, no draft or template in its lines, no setting.
create function unnamed_ledgers(p_business_id uuid) returns setof uuid language plpgsql stable security definer set search_path = public, pg_catalog as $$
declare
  v_place record;
  v_named uuid[];
  v_all uuid[] := '{}';
  v_texts text;
begin
  if p_business_id is distinct from current_business() then
    return;
  end if;
  for v_place in
    select distinct c.oid::regclass as place, a.attname as name
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid = 'uuid'::regtype
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select from pg_attribute b where b.attrelid = c.oid and b.attname = 'business_id')
      and (a.attname like '%ledger_id' or exists (
        select from pg_constraint f cross join lateral unnest(f.conkey, f.confkey) as k (own, other)
        join pg_attribute o on o.attrelid = f.confrelid and o.attnum = k.other and o.attname = 'id'
        where f.contype = 'f' and f.confrelid = 'ledgers'::regclass and f.conrelid = c.oid and k.own = a.attnum))
  loop
    execute format('select array_agg(distinct %1$I) from %2$s where business_id = $1 and %1$I is not null', v_place.name, v_place.place)
      into v_named using p_business_id;
    v_all := v_all || coalesce(v_named, '{}');
  end loop;
  select concat_ws(' ',
    (select settings::text from businesses where id = p_business_id),
    (select string_agg(lines::text, ' ') from journal_drafts where business_id = p_business_id),
    (select string_agg(lines::text, ' ') from journal_templates where business_id = p_business_id),
    (select string_agg(template::text, ' ') from recurring_templates where business_id = p_business_id)) into v_texts;
  return query select l.id from ledgers l
    where l.business_id = p_business_id and l.id <> all (v_all) and strpos(v_texts, l.id::text) = 0;
end $$;
revoke execute on function unnamed_ledgers from public;
grant execute on function unnamed_ledgers to daybook_app;
