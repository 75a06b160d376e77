-- What belongs to a person's identity beside the user and the session: mail tokens, failed sign-ins, the second factor, the security log.

-- Secrets sent by mail, each good once. `email` is the address that the token speaks for: where it was sent, or, for a
-- change, the address it would set.
create table mail_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users,
  purpose text not null check (purpose in ('verify_email', 'reset_password', 'change_email', 'undo_email')),
  email text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index mail_tokens_user on mail_tokens (user_id, purpose, created_at);
create index mail_tokens_expiry on mail_tokens (expires_at);

-- Failed ones only. The account is the hash of the address that was typed, so that an unknown address is counted like a known one.
create table sign_in_attempts (
  id uuid primary key,
  account_hash bytea not null,
  ip text,
  at timestamptz(3) not null
);
create index sign_in_attempts_account on sign_in_attempts (account_hash, at);
create index sign_in_attempts_address on sign_in_attempts (ip, at);
create index sign_in_attempts_at on sign_in_attempts (at);

-- A sign-in whose password was right and whose second factor is awaited.
create table two_factor_challenges (
  token_hash bytea primary key,
  user_id uuid not null references users,
  tries int not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index two_factor_challenges_user on two_factor_challenges (user_id);
create index two_factor_challenges_expiry on two_factor_challenges (expires_at);

create table recovery_codes (
  user_id uuid not null references users,
  code_hash bytea not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

-- The security log of a user: written once, never changed.
create table user_events (
  id uuid primary key,
  user_id uuid not null references users,
  type text not null check (type in ('user.created', 'user.verified', 'user.signed_in', 'user.sign_in_failed', 'user.password_changed',
    'user.two_factor_enabled', 'user.two_factor_disabled', 'user.email_changed', 'user.closed',
    'api_token.created', 'api_token.rotated', 'api_token.revoked', 'api_token.expiring')),
  at timestamptz(3) not null,
  ip text,
  user_agent text,
  request_id text not null,
  detail jsonb not null
);
create index user_events_at on user_events (user_id, at, id);
create index user_events_type on user_events (user_id, type, at, id);
call make_append_only('user_events');
