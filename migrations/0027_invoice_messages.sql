-- Mail about an invoice: asked for by a person, waiting for its time, or a reminder that the clock has sent.
create table invoice_messages (
  business_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  kind text not null check (kind in ('invoice', 'reminder', 'receipt')),
  -- waiting: to be written. mailed: on its way. sent: a mail server has taken it. failed, canceled: `problem` says why.
  status text not null check (status in ('waiting', 'mailed', 'sent', 'failed', 'canceled')),
  -- Of a reminder by the clock: how many days after the due date.
  offset_days int,
  recipients text[] not null,
  cc text[] not null,
  bcc text[] not null,
  subject text,
  message text,
  attach_pdf boolean not null,
  include_payment_link boolean not null,
  send_at timestamptz(3),
  mail_id uuid,
  sent_at timestamptz(3),
  problem text,
  created_by uuid,
  created_at timestamptz(3) not null,
  primary key (business_id, id),
  foreign key (business_id, invoice_id) references invoices (business_id, id) on delete cascade
);
create index invoice_messages_invoice on invoice_messages (business_id, invoice_id, created_at, id);
-- Each day of reminding comes once.
create unique index invoice_messages_offset on invoice_messages (business_id, invoice_id, offset_days) where offset_days is not null;
call protect('invoice_messages');
create index invoices_send_at on invoices (send_at) where status = 'draft' and send_at is not null;

-- Where the clock has mail to write: drafts whose time has come, and, in the morning of the business, customers to remind. It tells ids
-- and nothing of what they stand for. A business that nobody may change is left alone.
create function businesses_with_invoices_to_send(p_now timestamptz) returns setof uuid language sql stable security definer
  set search_path = public, pg_catalog
  as $$ select distinct i.business_id from invoices i join businesses b on b.id = i.business_id
        where i.status = 'draft' and i.send_at <= p_now and b.status = 'active'
          and not (b.plan_tier = 'trial' and coalesce(b.trial_ends_at + interval '14 days' <= p_now, false)) $$;

create function businesses_with_reminders(p_now timestamptz) returns setof uuid language sql stable security definer
  set search_path = public, pg_catalog
  as $$ select b.id from businesses b
        where b.status = 'active' and not (b.plan_tier = 'trial' and coalesce(b.trial_ends_at + interval '14 days' <= p_now, false))
          and jsonb_typeof(b.settings -> 'sales' -> 'reminder_days') = 'array' and b.settings -> 'sales' -> 'reminder_days' <> '[]'
          and extract(hour from p_now at time zone b.timezone) >= 8 $$;
