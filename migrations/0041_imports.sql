-- Imports: files of records on their way in, row by row.
create table imports (
  business_id uuid not null,
  id uuid not null,
  kind text not null,
  document_id uuid not null,
  file_name text not null,
  -- Of the bytes that were read: the document may have other versions since.
  sha256 text not null,
  status text not null check (status in ('uploaded', 'mapped', 'running', 'completed', 'completed_with_errors', 'failed', 'canceled', 'rolled_back')),
  columns jsonb not null,
  suggested_mapping jsonb not null,
  mapping jsonb not null,
  options jsonb not null,
  counts jsonb not null,
  -- Somebody said that the same file may come in again.
  confirm_duplicate boolean not null,
  error text,
  -- No reference: jobs are forgotten sooner.
  job_id uuid,
  created_by uuid,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  rolled_back_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  check ((status = 'rolled_back') = (rolled_back_at is not null)),
  check (status not in ('uploaded', 'mapped') or started_at is null)
);
create index imports_created on imports (business_id, created_at, id);
create index imports_kind on imports (business_id, kind, created_at, id);
create index imports_status on imports (business_id, status, created_at, id);
create index imports_file on imports (business_id, sha256, kind);
call protect('imports');

create table import_rows (
  business_id uuid not null,
  id uuid not null,
  import_id uuid not null,
  -- As a spreadsheet counts: the header is row 1.
  row_number int not null check (row_number > 1),
  -- The first row that says the same key: rows of one unit are one record.
  unit int not null check (unit <= row_number),
  cells jsonb not null,
  status text not null check (status in ('pending', 'created', 'updated', 'skipped', 'error')),
  record_id uuid,
  problems jsonb not null,
  primary key (business_id, id),
  constraint import_rows_number unique (business_id, import_id, row_number),
  constraint import_rows_import foreign key (business_id, import_id) references imports (business_id, id) on delete cascade,
  check ((status = 'error') = (problems <> '[]'::jsonb)),
  check (status in ('pending', 'error') or record_id is not null)
);
create index import_rows_pending on import_rows (business_id, import_id, unit, row_number) where status = 'pending';
create index import_rows_refused on import_rows (business_id, import_id, row_number, id) where status = 'error';
create index import_rows_created on import_rows (business_id, import_id, record_id) where status = 'created';
call protect('import_rows');
