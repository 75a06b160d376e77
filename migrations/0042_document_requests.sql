-- Document requests: asking people for papers through a link that needs no account.
create table document_requests (
  business_id uuid not null,
  id uuid not null,
  title text not null check (length(title) between 1 and 200),
  message text,
  due_date date,
  -- Days from the due date on which people are reminded; negative ones lie before it. Without a due date they count from the sending.
  reminder_days int[] not null,
  recurrence jsonb,
  resource_type text,
  resource_id uuid,
  template_id uuid,
  status text not null check (status in ('draft', 'sent', 'partially_received', 'received', 'completed', 'canceled')),
  series_id uuid,
  series_start date,
  occurrence int,
  -- When the one that follows it is made and sent; null where none follows, or where it is there already.
  next_on date,
  next_reminder_on date,
  sent_at timestamptz(3),
  sent_by uuid,
  links_expire_at timestamptz(3),
  last_reminded_at timestamptz(3),
  completed_at timestamptz(3),
  canceled_at timestamptz(3),
  created_by uuid,
  -- The due date whose passing was told; another one can pass again.
  overdue_on date,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  -- However many workers look at the clock, each occurrence exists once.
  constraint document_requests_occurrence unique (business_id, series_id, occurrence),
  check ((resource_type is null) = (resource_id is null)),
  check ((series_id is null) = (occurrence is null) and (series_id is null) = (series_start is null)),
  check ((status = 'draft') = (sent_at is null))
);
create index document_requests_due on document_requests (business_id, due_date, id);
create index document_requests_created on document_requests (business_id, created_at, id);
create index document_requests_status on document_requests (business_id, status, due_date, id);
create index document_requests_record on document_requests (business_id, resource_type, resource_id, due_date, id) where resource_id is not null;
create index document_requests_template on document_requests (business_id, template_id, due_date, id) where template_id is not null;
create index document_requests_reminding on document_requests (next_reminder_on, business_id)
  where status in ('sent', 'partially_received') and next_reminder_on is not null;
create index document_requests_recurring on document_requests (next_on, business_id) where next_on is not null;
create index document_requests_falling_due on document_requests (due_date, business_id)
  where status in ('sent', 'partially_received') and overdue_on is distinct from due_date;
call protect('document_requests');

-- Whom it is sent to. The link of each opens by link_id, which is another one after each sending.
create table document_request_recipients (
  business_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  position int not null,
  name text not null,
  email text not null,
  user_id uuid,
  link_id uuid,
  viewed_at timestamptz(3),
  submitted_at timestamptz(3),
  primary key (business_id, id),
  constraint document_request_recipients_once unique (business_id, request_id, email),
  foreign key (business_id, request_id) references document_requests (business_id, id) on delete cascade
);
create index document_request_recipients_email on document_request_recipients (business_id, email, request_id);
create unique index document_request_recipients_link on document_request_recipients (business_id, link_id) where link_id is not null;
call protect('document_request_recipients');

create table document_request_items (
  business_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  position int not null,
  label text not null,
  kind text not null check (kind in ('invoice', 'bill', 'receipt', 'statement', 'contract', 'tax', 'report', 'export', 'other')),
  required boolean not null,
  period text,
  note text,
  status text not null check (status in ('open', 'received', 'accepted', 'rejected', 'waived')),
  reason text,
  decided_at timestamptz(3),
  decided_by uuid,
  primary key (business_id, id),
  foreign key (business_id, request_id) references document_requests (business_id, id) on delete cascade
);
create index document_request_items_request on document_request_items (business_id, request_id, position, id);
call protect('document_request_items');

create table document_request_files (
  business_id uuid not null,
  id uuid not null,
  item_id uuid not null,
  document_id uuid not null,
  -- Who sent it through a link; null where somebody inside supplied it.
  recipient_id uuid,
  submitted_at timestamptz(3),
  rejected_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (business_id, id),
  constraint document_request_files_once unique (business_id, item_id, document_id),
  foreign key (business_id, item_id) references document_request_items (business_id, id) on delete cascade,
  foreign key (business_id, document_id) references documents (business_id, id) on delete cascade,
  foreign key (business_id, recipient_id) references document_request_recipients (business_id, id) on delete set null (recipient_id)
);
create index document_request_files_document on document_request_files (business_id, document_id);
create index document_request_files_recipient on document_request_files (business_id, recipient_id) where recipient_id is not null;
call protect('document_request_files');

-- What is asked for again and again. A request made from one does not change with it.
create table document_request_templates (
  business_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  title text not null check (length(title) between 1 and 200),
  message text,
  items jsonb not null,
  due_in_days int check (due_in_days between 0 and 365),
  reminder_days int[] not null,
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id)
);
create index document_request_templates_name on document_request_templates (business_id, name, id) where archived_at is null;
create index document_request_templates_created on document_request_templates (business_id, created_at, id) where archived_at is null;
call protect('document_request_templates');

-- Where the clock has something to do; not where links are dead because nothing can be changed. It tells ids of businesses and nothing of what is in them.
create function businesses_with_due_document_requests(p_now timestamptz) returns setof uuid
  language sql stable security definer set search_path = public, pg_catalog
  as $$ select distinct b.id from businesses b join (
          select r.business_id, r.next_reminder_on as day from document_requests r
            where r.status in ('sent', 'partially_received') and r.next_reminder_on < p_now::date + 2
          union all
          select r.business_id, r.next_on from document_requests r where r.next_on < p_now::date + 2
          union all
          select r.business_id, r.due_date + 1 from document_requests r
            where r.status in ('sent', 'partially_received') and r.overdue_on is distinct from r.due_date and r.due_date < p_now::date + 1
        ) due on due.business_id = b.id
        where b.status = 'active' and not plan_is_over(b.plan_tier, b.trial_ends_at, b.plan_ends_at, p_now)
          and due.day <= (p_now at time zone b.timezone)::date $$;
