-- History travels once: what is hashed is what the rows are made of, and a record is sent beside it only where the change does not show it whole.
drop function append_history(uuid, jsonb, text[]);

-- Appends changes (in order) to the audit trail and the event log. The head is locked from here to the commit, which
-- makes both sequences gap-free and their order the order of commits: call it last. Data is null where the change is the whole record.
create function append_history(p_business_id uuid, p_event_ids uuid[], p_contents text[], p_data text[]) returns void language plpgsql as $$
declare
  v_head business_heads;
  v_hashes bytea[];
  v_hash bytea;
  v_count int := cardinality(p_contents);
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
    select ordinality::int as n, event_id, (c ->> 'at')::timestamptz as at, c ->> 'actor_kind' as actor_kind,
      (c ->> 'actor_id')::uuid as actor_id, c ->> 'actor_name' as actor_name, (c ->> 'on_behalf_of')::uuid as on_behalf_of, c ->> 'action' as action,
      c ->> 'resource_type' as resource_type, (c ->> 'resource_id')::uuid as resource_id, c ->> 'resource_label' as resource_label,
      nullif(c -> 'before', 'null') as before, nullif(c -> 'after', 'null') as after, c ->> 'reason' as reason,
      c ->> 'request_id' as request_id, c ->> 'ip' as ip, data::jsonb as data
    from unnest(p_event_ids, p_contents::jsonb[], p_data) with ordinality as changes (event_id, c, data, ordinality)
  ), audited as (
    insert into audit_trail (business_id, seq, id, at, actor_kind, actor_id, actor_name, on_behalf_of, action, resource_type, resource_id,
      resource_label, before, after, reason, request_id, ip, prev_hash, hash)
    select p_business_id, v_head.audit_seq + n, event_id, at, actor_kind, actor_id, actor_name, on_behalf_of, action, resource_type, resource_id,
      resource_label, before, after, reason, request_id, ip, v_hashes[n], v_hashes[n + 1]
    from change
  )
  insert into events (business_id, seq, id, type, occurred_at, resource_type, resource_id, actor, data, request_id)
  select p_business_id, v_head.event_seq + n, event_id, action, at, resource_type, resource_id,
    jsonb_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name), coalesce(data, after, before), request_id
  from change;

  insert into outbox (business_id, event_seq) values (p_business_id, v_head.event_seq + v_count);
  update business_heads set audit_seq = v_head.audit_seq + v_count, audit_hash = v_hash, event_seq = v_head.event_seq + v_count
    where business_id = p_business_id;
end $$;
