-- Decks: slides made from figures of the books, as they were known at one moment.
create table decks (
  business_id uuid not null,
  id uuid not null,
  title text not null,
  template text not null check (template in ('board', 'monthly_review', 'cash', 'investor', 'sales', 'custom')),
  period_start date not null,
  period_end date not null,
  comparison text not null check (comparison in ('none', 'prior_period', 'prior_year', 'budget')),
  basis text not null check (basis in ('accrual', 'cash')),
  audience text,
  instructions text,
  filters jsonb not null,
  status text not null check (status in ('generating', 'ready', 'failed')),
  -- Null until the first figures are there.
  data_as_of timestamptz(3),
  -- The last entry of the journal that the figures know of: a later one makes the deck stale.
  journal_number bigint,
  -- No reference: jobs are forgotten, decks are not.
  job_id uuid,
  generated_by text check (generated_by in ('rules', 'model')),
  -- Of the last generation or refresh that failed; a refresh that fails leaves the deck ready.
  error text,
  created_by uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  check (period_end >= period_start),
  check ((data_as_of is null) = (journal_number is null)),
  check (status <> 'ready' or data_as_of is not null and generated_by is not null),
  check (status <> 'failed' or error is not null)
);
create index decks_created on decks (business_id, created_at, id);
create index decks_title on decks (business_id, title, id);
create index decks_period_end on decks (business_id, period_end, id);
create index decks_status on decks (business_id, status, created_at, id);
create index decks_template on decks (business_id, template, created_at, id);
create index decks_period_start on decks (business_id, period_start, created_at, id);
call protect('decks');

-- The words of a title, with the business as a word among them, so that a search reads the decks of one business only.
create function deck_words(p_business_id uuid, p_title text) returns tsvector language sql immutable parallel safe
  as $$ select array_to_tsvector(array[p_business_id::text]) || to_tsvector('simple', p_title) $$;
create index decks_words on decks using gin (deck_words(business_id, title));

create function search_decks(p_business_id uuid, p_text text) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select id from decks where business_id = p_business_id and p_business_id = current_business()
        and deck_words(business_id, title) @@ (quote_literal(p_business_id)::tsquery && websearch_to_tsquery('simple', p_text)) $$;

create table deck_slides (
  business_id uuid not null,
  id uuid not null,
  deck_id uuid not null,
  position int not null check (position between 1 and 60),
  kind text not null check (kind in ('title', 'summary', 'metrics', 'chart', 'table', 'narrative', 'custom')),
  title text not null,
  hidden boolean not null,
  speaker_notes text,
  data_as_of timestamptz(3) not null,
  -- With their bindings, figures and texts: they are written and read as one.
  blocks jsonb not null check (jsonb_typeof(blocks) = 'array'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  -- Looked at when the transaction ends: slides change places with one another.
  constraint deck_slides_position unique (business_id, deck_id, position) deferrable initially deferred,
  foreign key (business_id, deck_id) references decks (business_id, id) on delete cascade
);
call protect('deck_slides');
