-- Documents: files, their versions, what they are attached to, and links that open one of them to others. The bytes are not here:
-- they lie in the storage under the business and their SHA-256.
create table documents (
  business_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 255),
  description text,
  tags text[] not null,
  folder text,
  document_date date,
  kind text not null check (kind in ('invoice', 'bill', 'receipt', 'statement', 'contract', 'tax', 'report', 'export', 'other')),
  content_type text not null,
  size bigint not null check (size > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  version_number int not null check (version_number >= 1),
  pages int,
  text_status text not null check (text_status in ('pending', 'read', 'none', 'failed')),
  source text not null check (source in ('upload', 'email', 'gmail', 'request', 'generated')),
  uploaded_by uuid,
  duplicate_of uuid,
  retained_until date,
  -- In the bin since then; a job removes it after thirty days.
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  foreign key (business_id, duplicate_of) references documents (business_id, id) on delete set null (duplicate_of)
);
create index documents_created on documents (business_id, created_at, id) where deleted_at is null;
create index documents_name on documents (business_id, name, id) where deleted_at is null;
create index documents_size on documents (business_id, size, id) where deleted_at is null;
create index documents_date on documents (business_id, document_date, id) where deleted_at is null;
create index documents_kind on documents (business_id, kind, created_at, id) where deleted_at is null;
create index documents_folder on documents (business_id, folder, created_at, id) where deleted_at is null and folder is not null;
create index documents_source on documents (business_id, source, created_at, id) where deleted_at is null;
create index documents_tagged on documents (business_id, created_at, id) where deleted_at is null and tags <> '{}';
create index documents_sha256 on documents (business_id, sha256, created_at, id);
create index documents_duplicates on documents (business_id, duplicate_of) where duplicate_of is not null;
create index documents_bin on documents (business_id, deleted_at, id) where deleted_at is not null;
call protect('documents');

-- Every file that a document has been; the last one is what the document shows.
create table document_versions (
  business_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  number int not null check (number >= 1),
  file_name text not null,
  content_type text not null,
  size bigint not null check (size > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  uploaded_by uuid,
  created_at timestamptz(3) not null,
  primary key (business_id, id),
  constraint document_versions_number unique (business_id, document_id, number),
  foreign key (business_id, document_id) references documents (business_id, id) on delete cascade
);
create index document_versions_sha256 on document_versions (business_id, sha256);
call protect('document_versions');

-- The words of a document, its name among them, parted by single spaces.
create table document_texts (
  business_id uuid not null,
  document_id uuid not null,
  words text not null,
  primary key (business_id, document_id),
  foreign key (business_id, document_id) references documents (business_id, id) on delete cascade
);
call protect('document_texts');

-- With the business as a word among them, so that a search reads the documents of one business only.
create function document_words(p_business_id uuid, p_words text) returns tsvector language sql immutable parallel safe
  as $$ select array_to_tsvector(array[p_business_id::text]) || to_tsvector('simple', p_words) $$;
create index document_texts_words on document_texts using gin (document_words(business_id, words));

-- Text matching is not leakproof, so under row-level security it would lose its index: this function looks past the
-- policy and keeps to the business it is given, which the caller's transaction must be in.
create function search_documents(p_business_id uuid, p_words text) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select document_id from document_texts where business_id = p_business_id and p_business_id = current_business() and p_words <> ''
        and document_words(business_id, words) @@ (quote_literal(p_business_id)::tsquery && plainto_tsquery('simple', p_words)) $$;

create table document_attachments (
  business_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  resource_type text not null,
  resource_id uuid not null,
  attached_by uuid,
  created_at timestamptz(3) not null,
  primary key (business_id, id),
  constraint document_attachments_once unique (business_id, document_id, resource_type, resource_id),
  foreign key (business_id, document_id) references documents (business_id, id) on delete cascade
);
create index document_attachments_record on document_attachments (business_id, resource_type, resource_id, created_at, id);
call protect('document_attachments');

-- Links that open one document to whoever has them. Their tokens are found through document_links.
create table document_shares (
  business_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  expires_at timestamptz(3) not null,
  password_hash text,
  allow_download boolean not null,
  revoked_at timestamptz(3),
  -- Wrong passwords since then.
  wrong_tries int not null check (wrong_tries >= 0),
  wrong_since timestamptz(3),
  created_by uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  foreign key (business_id, document_id) references documents (business_id, id) on delete cascade
);
create index document_shares_document on document_shares (business_id, document_id, created_at, id);
call protect('document_shares');

-- Mail that was taken in, by the hash of its message id: each once.
create table document_mails (
  business_id uuid not null,
  message_hash bytea not null,
  received_at timestamptz(3) not null,
  primary key (business_id, message_hash)
);
call protect('document_mails');

-- Bytes that nothing refers to are removed after their row is written here: whoever has just found them in place sees that they go.
create table removed_files (
  business_id uuid not null,
  sha256 text not null,
  removed_at timestamptz(3) not null,
  primary key (business_id, sha256)
);
call protect('removed_files');

-- Where the bin holds something whose time is over. It tells ids of businesses and nothing of what is in them.
create function businesses_with_old_bins(p_before timestamptz) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select distinct business_id from documents where deleted_at is not null and deleted_at < p_before $$;
create index documents_binned on documents (deleted_at) where deleted_at is not null;
