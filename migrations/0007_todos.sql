-- Todos: tasks, alone or on a record.
create table todos (
  business_id uuid not null,
  id uuid not null,
  title text not null,
  description text,
  due_date date,
  priority text not null check (priority in ('low', 'normal', 'high', 'urgent')),
  priority_rank int not null generated always as (array_position(array['low', 'normal', 'high', 'urgent'], priority)) stored,
  assignee_id uuid,
  resource_type text,
  resource_id uuid,
  checklist jsonb not null,
  tags text[] not null,
  recurrence jsonb,
  series_id uuid,
  series_start date,
  occurrence int,
  status text not null check (status in ('open', 'in_progress', 'done', 'canceled')),
  source text not null check (source in ('manual', 'close', 'anomaly', 'request', 'intent', 'template')),
  completed_at timestamptz(3),
  completed_by uuid,
  -- The due date whose passing was recorded as todo.overdue; another due date can pass again.
  overdue_on date,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  -- However many complete a recurring todo at once, its next occurrence exists once.
  constraint todos_occurrence unique (business_id, series_id, occurrence),
  check ((resource_type is null) = (resource_id is null)),
  check ((recurrence is null) = (series_id is null)),
  check (recurrence is null or (due_date is not null and series_start is not null and occurrence is not null)),
  check ((status = 'done') = (completed_at is not null))
);

-- One index per sort, and one per filter that picks few out of many, ending in the default sort. Labels, priorities and
-- types of records are looked for while walking along the sort: a page soon fills, and where nothing fits at all, reading
-- the 100,000 todos of a large business takes 50 ms. An index on the labels would cost more: it finds thousands, then sorts them.
create index todos_due on todos (business_id, due_date, id);
create index todos_priority on todos (business_id, priority_rank, id);
create index todos_created on todos (business_id, created_at, id);
create index todos_assignee on todos (business_id, assignee_id, due_date, id) where assignee_id is not null;
create index todos_record on todos (business_id, resource_type, resource_id, due_date, id) where resource_id is not null;
create index todos_source on todos (business_id, source, due_date, id);
create index todos_open on todos (business_id, due_date, id) where status in ('open', 'in_progress');
create index todos_falling_due on todos (due_date, business_id) where status in ('open', 'in_progress') and overdue_on is distinct from due_date;
call protect('todos');

-- Where the clock has something to do. It tells ids of businesses and nothing of what is in them.
create function businesses_with_overdue_todos(p_now timestamptz) returns setof uuid language sql stable security definer set search_path = public, pg_catalog
  as $$ select distinct b.id from todos t join businesses b on b.id = t.business_id
        where t.status in ('open', 'in_progress') and t.overdue_on is distinct from t.due_date
        and t.due_date < p_now::date + 1 and t.due_date < (p_now at time zone b.timezone)::date $$;
