-- What a customer receives: links that open one document without an account, richer mail, and the logo that stands on both.

-- The public links of documents, by the hash of their token. Found before the tenant is known, so this is a shared table. The token
-- itself is made from the key of the installation whenever it is shown, and is kept nowhere.
create table document_links (
  token_hash bytea primary key,
  business_id uuid not null,
  document_type text not null,
  document_id uuid not null,
  generation int not null check (generation >= 1),
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  unique (business_id, document_type, document_id, generation)
);
create unique index document_links_current on document_links (business_id, document_type, document_id) where revoked_at is null;

-- Mail to more than one, in two forms, under a name, with an answer that goes elsewhere, and the job that follows its acceptance.
alter table mails
  add column also_to text[] not null default '{}',
  add column cc text[] not null default '{}',
  add column bcc text[] not null default '{}',
  add column reply_to text,
  add column sender_name text,
  add column html_body text,
  add column on_sent jsonb;

create table mail_attachments (
  mail_id uuid not null references mails on delete cascade,
  position int not null,
  file_name text not null,
  content_type text not null,
  -- Empty once a mail server has taken it.
  content bytea not null,
  primary key (mail_id, position)
);

-- The picture on documents and hosted pages, one per business.
create table business_logos (
  business_id uuid primary key,
  content_type text not null check (content_type in ('image/png', 'image/jpeg')),
  content bytea not null check (length(content) <= 524288),
  width int not null,
  height int not null,
  updated_at timestamptz(3) not null
);
call protect('business_logos');
