-- Notes: comments on any record.
create table notes (
  business_id uuid not null,
  id uuid not null,
  resource_type text not null,
  resource_id uuid not null,
  parent_id uuid,
  body text not null,
  pinned boolean not null,
  author_id uuid not null,
  author_name text not null,
  mentions uuid[] not null,
  edited_at timestamptz(3),
  deleted boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  foreign key (business_id, parent_id) references notes (business_id, id),
  check (deleted = (body = ''))
);
create index notes_created on notes (business_id, created_at, id);
create index notes_record on notes (business_id, resource_type, resource_id, created_at, id);
create index notes_author on notes (business_id, author_id, created_at, id);
create index notes_parent on notes (business_id, parent_id) where parent_id is not null;
create index notes_mentioning on notes (business_id, created_at, id) where mentions <> '{}';
call protect('notes');

-- The words of a note, and its business as a word among them, so that a search reads the notes of one business only.
create function note_words(p_business_id uuid, p_body text) returns tsvector language sql immutable parallel safe
  as $$ select array_to_tsvector(array[p_business_id::text]) || to_tsvector('simple', p_body) $$;
create index notes_text on notes using gin (note_words(business_id, body));

-- Text matching is not leakproof, so under row-level security it would lose its index: this function looks past the
-- policy and keeps to the business it is given, which the caller's transaction must be in.
create function search_notes(p_business_id uuid, p_text text) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select id from notes where business_id = p_business_id and p_business_id = current_business()
        and note_words(business_id, body) @@ (quote_literal(p_business_id)::tsquery && websearch_to_tsquery('simple', p_text)) $$;
