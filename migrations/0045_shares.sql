-- Links that open one deck or one dashboard to whoever has them. Their tokens are found through document_links.
create table shares (
  business_id uuid not null,
  id uuid not null,
  subject_type text not null check (subject_type in ('deck', 'dashboard')),
  subject_id uuid not null,
  title text not null,
  mode text not null check (mode in ('live', 'snapshot')),
  -- What it showed when the link was made.
  snapshot jsonb check ((snapshot is not null) = (mode = 'snapshot')),
  expires_at timestamptz(3) not null,
  password_hash text,
  allow_download boolean not null,
  allow_chat boolean not null,
  view_count bigint not null check (view_count >= 0),
  last_viewed_at timestamptz(3),
  revoked_at timestamptz(3),
  -- Wrong passwords since then.
  wrong_tries int not null check (wrong_tries >= 0),
  wrong_since timestamptz(3),
  created_by uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id)
);
create index shares_subject on shares (business_id, subject_type, subject_id, created_at, id);
-- What is open to the world, for those who keep watch over it.
create index shares_open on shares (business_id, created_at, id) where revoked_at is null;
create index document_shares_open on document_shares (business_id, created_at, id) where revoked_at is null;
call protect('shares');
