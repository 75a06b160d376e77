-- Dashboards: boards of figures that are worked out whenever they are looked at. Nothing of the figures is kept here.
create table dashboards (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  -- A private one is seen by its owner alone.
  visibility text not null check (visibility in ('private', 'business')),
  filters jsonb not null check (jsonb_typeof(filters) = 'object'),
  owner_id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id)
);
create index dashboards_updated on dashboards (business_id, updated_at, id);
create index dashboards_name on dashboards (business_id, name, id);
create index dashboards_visibility_updated on dashboards (business_id, visibility, updated_at, id);
create index dashboards_visibility_name on dashboards (business_id, visibility, name, id);
create index dashboards_owner_updated on dashboards (business_id, owner_id, updated_at, id);
create index dashboards_owner_name on dashboards (business_id, owner_id, name, id);
call protect('dashboards');

-- The words of a name, with the business as a word among them, so that a search reads the dashboards of one business only.
create function dashboard_words(p_business_id uuid, p_name text) returns tsvector language sql immutable parallel safe
  as $$ select array_to_tsvector(array[p_business_id::text]) || to_tsvector('simple', p_name) $$;
create index dashboards_words on dashboards using gin (dashboard_words(business_id, name));

create function search_dashboards(p_business_id uuid, p_text text) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select id from dashboards where business_id = p_business_id and p_business_id = current_business()
        and dashboard_words(business_id, name) @@ (quote_literal(p_business_id)::tsquery && websearch_to_tsquery('simple', p_text)) $$;

-- Rows of their own, so that people who change different ones do not undo each other's work.
create table dashboard_widgets (
  business_id uuid not null,
  id uuid not null,
  dashboard_id uuid not null,
  kind text not null check (kind in ('metric', 'line', 'bar', 'table', 'aging', 'text')),
  title text not null,
  query jsonb check (jsonb_typeof(query) = 'object'),
  text text,
  x int not null check (x between 0 and 11),
  y int not null check (y between 0 and 1000),
  w int not null check (w between 1 and 12),
  h int not null check (h between 1 and 20),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  foreign key (business_id, dashboard_id) references dashboards (business_id, id) on delete cascade,
  check (x + w <= 12),
  check ((text is not null) = (kind = 'text')),
  check (kind = 'text' or query is not null)
);
create index dashboard_widgets_board on dashboard_widgets (business_id, dashboard_id, y, x, id);
call protect('dashboard_widgets');

-- Which dashboard somebody sees first. It may be one of those that come with the service, which have no row.
create table dashboard_defaults (
  business_id uuid not null,
  user_id uuid not null,
  dashboard_id uuid not null,
  updated_at timestamptz(3) not null,
  primary key (business_id, user_id)
);
create index dashboard_defaults_board on dashboard_defaults (business_id, dashboard_id);
call protect('dashboard_defaults');
