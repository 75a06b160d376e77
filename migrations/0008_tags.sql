-- Tags: free labels on records.
create table tags (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  -- Names are unique and sorted without regard to case. A column, because under row-level security an index on an
  -- expression would not serve the comparison with a cursor.
  name_key text not null generated always as (lower(name)) stored,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  group_name text,
  usage_count int not null check (usage_count >= 0),
  archived boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint tags_name unique (business_id, name_key)
);
-- A business has at most some hundreds of tags, so the filters simply walk along the sort.
create index tags_usage on tags (business_id, usage_count, id);
call protect('tags');

-- Which record carries which tag. `group_name` repeats the tag's, so that the database itself can hold a record to one tag of a group.
create table tag_assignments (
  business_id uuid not null,
  tag_id uuid not null,
  resource_type text not null,
  resource_id uuid not null,
  group_name text,
  created_at timestamptz(3) not null,
  primary key (business_id, tag_id, resource_type, resource_id),
  foreign key (business_id, tag_id) references tags (business_id, id) on delete cascade,
  constraint tag_assignments_group unique (business_id, resource_type, resource_id, group_name)
);
create index tag_assignments_tag on tag_assignments (business_id, tag_id, created_at, resource_id);
call protect('tag_assignments');
