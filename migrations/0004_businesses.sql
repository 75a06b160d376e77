-- Businesses: the numbers of their documents, the order of their people, and their end.

create index memberships_created on memberships (business_id, created_at, user_id);
create index memberships_role on memberships (business_id, role, created_at, user_id);
create index memberships_status on memberships (business_id, status, created_at, user_id);
create index users_default_business on users (default_business_id) where default_business_id is not null;

-- How documents of a kind are numbered. The row is locked while a number is drawn, up to the commit.
create table numbering_sequences (
  business_id uuid not null,
  kind text not null,
  id uuid not null,
  prefix text not null,
  suffix text not null,
  padding int not null check (padding between 1 and 10),
  reset text not null check (reset in ('never', 'yearly', 'monthly')),
  last_assigned text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, kind),
  unique (business_id, id)
);
call protect('numbering_sequences');

-- How far a prefix and suffix were used, by the month of the document. A reset window is a set of months, so what is used stays
-- known when the prefix or the reset is changed and changed back. `starts_at` is where the numbers were told to go on.
create table numbering_marks (
  business_id uuid not null,
  kind text not null,
  prefix text not null,
  suffix text not null,
  month date not null,
  highest_used bigint not null check (highest_used >= 0),
  starts_at bigint not null check (starts_at >= 1),
  primary key (business_id, kind, prefix, suffix, month),
  foreign key (business_id, kind) references numbering_sequences
);
call protect('numbering_marks');

-- Removes a business whose time has come, with every row of it in every table; false where it is not due. Tables that are
-- referred to go after those that refer to them.
create function remove_business(p_business_id uuid, p_now timestamptz) returns boolean language plpgsql security definer
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
  v_left := array(
    select c.oid::regclass from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition);
  while cardinality(v_left) > 0 loop
    select t into v_next from unnest(v_left) t
    where not exists (select from pg_constraint f where f.contype = 'f' and f.confrelid = t and f.conrelid <> t and f.conrelid = any (v_left))
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
  perform set_config('app.removing_business', '', true);
  return true;
end $$;
revoke execute on function remove_business from public;
grant execute on function remove_business to daybook_app;
