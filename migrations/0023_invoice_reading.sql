-- Documents that are read into draft invoices: each reading is a job, and each document of it a row with what was found.

create table ai_jobs (
  business_id uuid not null,
  id uuid not null,
  status text not null check (status in ('processing', 'completed')),
  -- What most of the documents were read by; the name of the model where one was asked.
  engine text not null check (engine in ('rules', 'model')),
  model text,
  -- What was asked for besides the documents.
  customer_id uuid,
  create_customers boolean not null,
  hint text,
  document_count int not null check (document_count between 1 and 20),
  -- Documents that were put to the model: what the budget of the month counts.
  model_runs int not null check (model_runs >= 0),
  created_by uuid,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3),
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint ai_jobs_customer foreign key (business_id, customer_id) references customers (business_id, id) on delete set null (customer_id),
  check ((status = 'completed') = (completed_at is not null))
);
create index ai_jobs_created on ai_jobs (business_id, created_at);
create index ai_jobs_customer on ai_jobs (business_id, customer_id) where customer_id is not null;
call protect('ai_jobs');

-- A document that waits has its content; once it was read only what was found is kept.
create table invoice_readings (
  business_id uuid not null,
  id uuid not null,
  ai_job_id uuid not null,
  -- Which document of the job, and which part of it: an e-mail has several.
  position int not null check (position >= 0),
  part int not null check (part >= 0),
  status text not null check (status in ('waiting', 'read')),
  file_name text not null,
  content_hash bytea not null check (length(content_hash) = 32),
  content bytea,
  -- The answer for this document, as it was given.
  result jsonb,
  invoice_id uuid,
  created_at timestamptz(3) not null,
  primary key (business_id, id),
  unique (business_id, ai_job_id, position, part),
  foreign key (business_id, ai_job_id) references ai_jobs (business_id, id),
  constraint invoice_readings_invoice foreign key (business_id, invoice_id) references invoices (business_id, id) on delete set null (invoice_id),
  check ((status = 'waiting') = (content is not null)),
  check ((status = 'read') = (result is not null))
);
-- Whether a file was seen before: those that became an invoice, and those that are being read.
create index invoice_readings_file on invoice_readings (business_id, content_hash) where invoice_id is not null or status = 'waiting';
create index invoice_readings_invoice on invoice_readings (business_id, invoice_id) where invoice_id is not null;
call protect('invoice_readings');

alter table invoices add constraint invoices_ai_job foreign key (business_id, ai_job_id) references ai_jobs (business_id, id);
