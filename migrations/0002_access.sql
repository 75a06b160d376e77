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
