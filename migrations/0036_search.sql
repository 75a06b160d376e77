-- The search index: the words of every record that can be found. It follows the event log, so it may lag behind by a moment or miss
-- a change; whoever searches holds each hit against the record itself. Words are compared by equality and range only, because text
-- matching would lose its index under row-level security.
create table search_entries (
  business_id uuid not null,
  type text not null,
  id uuid not null,
  title text not null,
  amount bigint,
  date date,
  status text,
  archived boolean not null,
  customer_id uuid,
  vendor_id uuid,
  -- The newer, the earlier among equals.
  sorted_on date not null,
  -- Of all that is known of it: what has not changed is not written again.
  fingerprint text not null,
  primary key (business_id, type, id)
);
create index search_entries_customer on search_entries (business_id, customer_id, sorted_on, id) where customer_id is not null;
call protect('search_entries');

create table search_words (
  business_id uuid not null,
  type text not null,
  id uuid not null,
  word text collate "C" not null,
  -- 1 in the title or the number, 2 elsewhere.
  weight smallint not null check (weight in (1, 2)),
  sorted_on date not null,
  primary key (business_id, type, id, word),
  foreign key (business_id, type, id) references search_entries (business_id, type, id) on delete cascade
);
create index search_words_newest on search_words (business_id, word, type, weight, sorted_on desc, id);
call protect('search_words');

-- Each word once: what a prefix can stand for. A word that no record has any longer stays until the index is built anew.
create table search_vocabulary (
  business_id uuid not null,
  word text collate "C" not null,
  primary key (business_id, word)
);
call protect('search_vocabulary');

-- Words of names with each of their letters left out in turn: two words that differ by a slip share a key.
create table search_typos (
  business_id uuid not null,
  key text collate "C" not null,
  word text collate "C" not null,
  primary key (business_id, key, word)
);
call protect('search_typos');

-- Businesses that are older than the index: it is built by a job, and meanwhile follows what happens from now on.
create table search_backlogs (
  business_id uuid not null primary key,
  asked_at timestamptz(3)
);
call protect('search_backlogs');
insert into search_backlogs (business_id) select id from businesses;
insert into subscriber_positions (business_id, subscriber, seq) select business_id, 'search.index', event_seq from business_heads;

create function businesses_to_index(p_now timestamptz) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select business_id from search_backlogs where asked_at is null or asked_at < p_now - interval '1 day' order by business_id limit 50 $$;
revoke execute on function businesses_to_index from public;
grant execute on function businesses_to_index to daybook_app;

-- What a person opened last, from the search or anywhere.
create table search_recent (
  business_id uuid not null,
  user_id uuid not null,
  type text not null,
  id uuid not null,
  opened_at timestamptz(3) not null,
  primary key (business_id, user_id, type, id)
);
create index search_recent_opened on search_recent (business_id, user_id, opened_at, id);
call protect('search_recent');

create table saved_searches (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  q text,
  filters jsonb not null,
  shared boolean not null,
  author_id uuid not null,
  author_name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id)
);
create index saved_searches_created on saved_searches (business_id, created_at, id);
call protect('saved_searches');
