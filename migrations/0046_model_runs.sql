-- How often a model was asked for a business, by month: all that ask one count together.
create table model_runs (
  business_id uuid not null references businesses on delete cascade,
  month date not null check (extract(day from month) = 1),
  runs bigint not null check (runs >= 0),
  primary key (business_id, month)
);
call protect('model_runs');
insert into model_runs (business_id, month, runs)
  select business_id, date_trunc('month', created_at at time zone 'UTC')::date, sum(model_runs) from ai_jobs group by 1, 2 having sum(model_runs) > 0;
