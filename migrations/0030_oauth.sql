-- Apps of others that act for a person: the apps, what each person has consented to, and the tokens that follow from it.
-- All of it is looked up before a business is known, and one consent may reach several, so these are shared tables.

create table oauth_clients (
  id uuid primary key,
  owner_id uuid not null references users,
  name text not null,
  description text,
  logo_document_id uuid,
  homepage_url text,
  privacy_url text,
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 10),
  type text not null check (type in ('confidential', 'public')),
  allowed_scopes text[] not null,
  status text not null check (status in ('active', 'disabled', 'deleted')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null
);
create index oauth_clients_owner on oauth_clients (owner_id, created_at, id) where status <> 'deleted';

-- At most two, so that one can be replaced without a moment in which neither works.
create table oauth_client_secrets (
  id uuid primary key,
  client_id uuid not null references oauth_clients,
  secret_hash bytea not null unique,
  last4 text not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index oauth_client_secrets_client on oauth_client_secrets (client_id, created_at);

-- What an app has asked for, between its redirect to us and the person's decision.
create table oauth_requests (
  id uuid primary key,
  client_id uuid not null references oauth_clients,
  redirect_uri text not null,
  scopes text[] not null,
  state text,
  code_challenge text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  decided_at timestamptz(3)
);
create index oauth_requests_expiry on oauth_requests (expires_at);

-- One person's consent to one app. This row alone decides whether its tokens work: to revoke it is to end them all.
create table oauth_grants (
  id uuid primary key,
  client_id uuid not null references oauth_clients,
  user_id uuid not null references users,
  business_ids uuid[] not null,
  scopes text[] not null,
  status text not null check (status in ('active', 'revoked')),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_by uuid references users,
  revoke_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  check ((status = 'revoked') = (revoked_at is not null))
);
create unique index oauth_grants_one_active on oauth_grants (user_id, client_id) where status = 'active';
create index oauth_grants_user on oauth_grants (user_id, created_at, id);
create index oauth_grants_user_used on oauth_grants (user_id, last_used_at, id);
create index oauth_grants_client on oauth_grants (client_id, status);
create index oauth_grants_businesses on oauth_grants using gin (business_ids);

create table oauth_codes (
  id uuid primary key,
  code_hash bytea not null unique,
  grant_id uuid not null references oauth_grants,
  redirect_uri text not null,
  code_challenge text not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index oauth_codes_expiry on oauth_codes (expires_at);

-- A token ends by time, by `ended_at`, or with its grant. A refresh token that was rotated stays known: its second use gives a thief away.
create table oauth_tokens (
  token_hash bytea primary key,
  kind text not null check (kind in ('access', 'refresh')),
  grant_id uuid not null references oauth_grants,
  code_id uuid not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  rotated_at timestamptz(3),
  ended_at timestamptz(3)
);
create index oauth_tokens_grant on oauth_tokens (grant_id, kind, expires_at);
create index oauth_tokens_code on oauth_tokens (code_id);
create index oauth_tokens_expiry on oauth_tokens (expires_at);

-- What an app did, counted by day: written now and then by each server, never in the course of a request.
create table oauth_activity (
  id uuid primary key,
  grant_id uuid not null references oauth_grants,
  day date not null,
  operation text not null,
  business_id uuid,
  requests int not null,
  writes int not null,
  refusals int not null,
  unique nulls not distinct (grant_id, day, operation, business_id)
);
create index oauth_activity_day on oauth_activity (grant_id, day, id);
create index oauth_activity_age on oauth_activity (day);
create index oauth_activity_business on oauth_activity (business_id);

-- Whatever changes what an app may do raises the number by which servers remember its people (see 0002). A new grant or token is remembered by nobody.
create function stamp_grant_owner() returns trigger language plpgsql as $$
begin
  perform stamp_access(array(select user_id from oauth_grants where id = case when tg_op = 'DELETE' then old.grant_id else new.grant_id end));
  return null;
end $$;

create function stamp_granters() returns trigger language plpgsql as $$
begin
  perform stamp_access(array(select user_id from oauth_grants where client_id = new.id and status = 'active'));
  return null;
end $$;

create trigger stamp after delete or update of client_id, user_id, business_ids, scopes, status on oauth_grants for each row execute function stamp_user();
create trigger stamp after update of token_hash, kind, grant_id, scopes, expires_at, ended_at on oauth_tokens for each row execute function stamp_grant_owner();
create trigger stamp_deleted after delete on oauth_tokens for each row when (old.expires_at > now()) execute function stamp_grant_owner();
create trigger stamp after update of status, allowed_scopes on oauth_clients for each row execute function stamp_granters();

-- A business that is gone is in no consent; one that reached nothing else ends.
create function forget_business_in_grants() returns trigger language plpgsql as $$
begin
  update oauth_grants set business_ids = array_remove(business_ids, old.id), version = version + 1,
    status = case when business_ids = array[old.id] then 'revoked' else status end,
    revoked_at = case when business_ids = array[old.id] then coalesce(revoked_at, now()) else revoked_at end,
    revoke_reason = case when business_ids = array[old.id] then coalesce(revoke_reason, 'Its last business is gone.') else revoke_reason end
  where business_ids @> array[old.id];
  return null;
end $$;

create trigger forget_in_grants after delete on businesses for each row execute function forget_business_in_grants();

alter table user_events drop constraint user_events_type_check;
alter table user_events add constraint user_events_type_check check (type in ('user.created', 'user.verified', 'user.signed_in', 'user.sign_in_failed',
  'user.password_changed', 'user.two_factor_enabled', 'user.two_factor_disabled', 'user.email_changed', 'user.closed',
  'api_token.created', 'api_token.rotated', 'api_token.revoked', 'api_token.expiring',
  'oauth_client.created', 'oauth_client.updated', 'oauth_client.disabled', 'oauth_client.deleted',
  'oauth_grant.created', 'oauth_grant.widened', 'oauth_grant.revoked', 'oauth_grant.business_removed', 'oauth_grant.reuse_detected'));
