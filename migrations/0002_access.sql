-- Who there is and what they may enter: users, their sessions and tokens, businesses and memberships. Read across
-- businesses at every request, so these are shared tables, not tenant tables.

create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text not null,
  status text not null check (status in ('unverified', 'active', 'locked', 'closed')),
  email_verified_at timestamptz(3),
  avatar_document_id uuid,
  locale text,
  timezone text,
  date_format text,
  default_business_id uuid,
  two_factor_enabled boolean not null default false,
  totp_secret bytea,
  totp_last_step bigint,
  totp_pending bytea,
  totp_pending_until timestamptz(3),
  password_changed_at timestamptz(3) not null,
  last_sign_in_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null
);
create unique index users_email on users (lower(email));

create table sessions (
  id uuid primary key,
  user_id uuid not null references users,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  reauthenticated_at timestamptz(3) not null,
  ip text,
  user_agent text,
  ended_at timestamptz(3)
);
create index sessions_user on sessions (user_id, created_at);

create table businesses (
  id uuid primary key,
  name text not null,
  legal_name text,
  entity_type text not null check (entity_type in ('sole_proprietor', 'partnership', 'llc', 'corporation', 'nonprofit', 'other')),
  industry text,
  tax_id bytea,
  tax_id_last4 text,
  country text not null check (country ~ '^[A-Z]{2}$'),
  timezone text not null,
  base_currency text not null check (base_currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  fiscal_year_start_month int not null check (fiscal_year_start_month between 1 and 12),
  books_start_date date not null,
  default_basis text not null check (default_basis in ('accrual', 'cash')),
  address jsonb,
  phone text,
  email text,
  website text,
  logo_document_id uuid,
  plan_tier text not null check (plan_tier in ('grandfathered', 'trial', 'self_directed', 'managed')),
  trial_ends_at timestamptz(3),
  status text not null check (status in ('active', 'archived', 'pending_deletion')),
  status_before_deletion text,
  deletion_at timestamptz(3),
  is_sample boolean not null default false,
  settings jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null
);
create index businesses_deletion on businesses (deletion_at) where deletion_at is not null;

create table memberships (
  business_id uuid not null references businesses on delete cascade,
  user_id uuid not null references users,
  role text not null check (role in ('owner', 'admin', 'accountant', 'bookkeeper', 'approver', 'viewer')),
  status text not null check (status in ('active', 'suspended')),
  source text not null default 'direct' check (source in ('direct', 'firm')),
  firm_id uuid,
  last_seen_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, user_id)
);
create index memberships_user on memberships (user_id, business_id);

create table api_tokens (
  id uuid primary key,
  user_id uuid not null references users,
  name text not null,
  token_prefix text not null,
  scopes text[] not null,
  business_ids uuid[],
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_ip text,
  revoked_at timestamptz(3),
  revoked_by uuid references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null
);
create index api_tokens_user on api_tokens (user_id, created_at);

-- The secrets of a token: one, or two while an old one still works after a rotation.
create table api_token_secrets (
  token_hash bytea primary key,
  token_id uuid not null references api_tokens,
  valid_until timestamptz(3)
);
create index api_token_secrets_token on api_token_secrets (token_id);

-- Counts the changes of what a user may enter and do. A server that remembers a caller asks for this one number instead of
-- reading everything again; whatever changes the answer must change the number, so triggers do it.
create table access_stamps (
  user_id uuid primary key,
  stamp bigint not null
);

-- In the order of ids, so that two changes that concern the same people do not wait for each other in a circle.
create function stamp_access(p_users uuid[]) returns void language sql as $$
  insert into access_stamps (user_id, stamp) select id, 1 from (select distinct unnest(p_users) as id order by id) as users
  on conflict (user_id) do update set stamp = access_stamps.stamp + 1
$$;

create function stamp_user() returns trigger language plpgsql as $$
begin
  perform stamp_access(array[case when tg_op = 'DELETE' then old.user_id else new.user_id end]);
  return null;
end $$;

create function stamp_self() returns trigger language plpgsql as $$
begin
  perform stamp_access(array[new.id]);
  return null;
end $$;

create function stamp_token_owner() returns trigger language plpgsql as $$
begin
  perform stamp_access(array(select user_id from api_tokens where id = case when tg_op = 'DELETE' then old.token_id else new.token_id end));
  return null;
end $$;

create function stamp_members() returns trigger language plpgsql as $$
begin
  perform stamp_access(array(select user_id from memberships where business_id = new.id));
  return null;
end $$;

create trigger stamp after insert or update of name, email, email_verified_at, two_factor_enabled, status on users for each row execute function stamp_self();
create trigger stamp after delete or update of token_hash, expires_at, reauthenticated_at, ended_at on sessions for each row execute function stamp_user();
create trigger stamp after delete or update of scopes, business_ids, expires_at, revoked_at on api_tokens for each row execute function stamp_user();
create trigger stamp after delete or update of token_hash, token_id, valid_until on api_token_secrets for each row execute function stamp_token_owner();
create trigger stamp after insert or delete or update of role, status on memberships for each row execute function stamp_user();
create trigger stamp after update of timezone, base_currency, plan_tier, trial_ends_at, status, settings on businesses for each row execute function stamp_members();
