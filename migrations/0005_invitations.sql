-- Invitations: the way into a business. Found by their token before anyone knows which business it is, so this is a shared
-- table; whatever a business asks of it names the business.
create table invitations (
  id uuid primary key,
  kind text not null check (kind in ('business_member')),
  business_id uuid not null references businesses on delete cascade,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'admin', 'accountant', 'bookkeeper', 'approver', 'viewer')),
  name text,
  message text,
  token_hash bytea not null,
  -- One whose time is over says so when it is read; it is marked only when another one takes its place.
  status text not null check (status in ('pending', 'accepted', 'declined', 'revoked', 'expired')),
  expires_at timestamptz(3) not null,
  invited_by uuid not null references users,
  sent_at timestamptz(3) not null,
  send_count int not null check (send_count between 1 and 5),
  accepted_by uuid references users,
  accepted_at timestamptz(3),
  bounced boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null
);
create unique index invitations_token on invitations (token_hash);
create unique index invitations_pending on invitations (business_id, kind, email) where status = 'pending';
create index invitations_created on invitations (business_id, created_at, id);
create index invitations_expiry on invitations (business_id, expires_at, id);
create index invitations_address on invitations (email, created_at, id);

-- Tokens that are about to expire are told of once.
alter table api_tokens add expiry_notified_at timestamptz(3);
create index api_tokens_expiring on api_tokens (expires_at) where revoked_at is null and expiry_notified_at is null;

-- The mailbox of the sandbox is searched by address, however it is written.
create index mails_address on mails (lower(recipient), created_at, id);

-- What programs did is looked for among what people did.
create index audit_trail_actor_kind on audit_trail (business_id, actor_kind, seq);
