-- Notifications: what a person is told, in the feed, by mail and in a digest, and how they want to be told.

-- The person whom the running transaction reads for; null where none is set, and null equals no row.
create function current_person() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.user_id', true), '')::uuid $$;

-- Puts a table under row-level security by person: a feed crosses businesses, so a transaction sees the rows of the person it reads for,
-- and, where it works inside a business, the rows of that business, because what is resolved there is resolved for everybody.
create procedure protect_person(p_table regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', p_table);
  execute format('create policy person on %s using (user_id = current_person() or business_id = current_business())
    with check (user_id = current_person() or business_id = current_business())', p_table);
end $$;

-- Counts the changes of a person's feed. Whoever changes a row of the feed holds this row first, so that the numbers become visible in
-- their own order: a stream that has seen a number has seen all before it.
create table notification_feeds (
  user_id uuid primary key references users,
  change_seq bigint not null
) with (fillfactor = 50);

-- One row per recipient; those of one notification share its id. Read, pinned, snoozed and dismissed are the recipient's own, resolved
-- is the same in all of them.
create table notifications (
  user_id uuid not null references users,
  id uuid not null,
  business_id uuid,
  firm_id uuid,
  scope text not null check (scope in ('me', 'business', 'firm')),
  scope_id uuid not null,
  topic text not null check (topic in ('invoice', 'bill', 'payment', 'bank', 'reconciliation', 'period', 'approval', 'inventory', 'document_request',
    'client_message', 'task', 'report', 'anomaly', 'cash', 'billing', 'security', 'integration', 'system')),
  severity text not null check (severity in ('info', 'warning', 'critical')),
  title text not null,
  body text,
  action_url text,
  resource_type text,
  resource_id uuid,
  -- What made it: a rule, and the event of the business or of the person that the rule heard.
  rule text not null,
  event_seq bigint,
  event_id uuid,
  -- False where the person wants it by mail or digest only.
  in_app boolean not null,
  -- Still to be told in a digest.
  in_digest boolean not null,
  mailed_at timestamptz(3),
  read_at timestamptz(3),
  snoozed_until timestamptz(3),
  dismissed_at timestamptz(3),
  resolved_at timestamptz(3),
  pinned_at timestamptz(3),
  -- The change that pinned it, which orders the pins; and the last pin that was taken away, with the change that took it away: a walk
  -- through the feed goes by the pins of the moment at which it began.
  pin_seq bigint,
  was_pin_seq bigint,
  unpin_seq bigint,
  change_seq bigint not null,
  created_at timestamptz(3) not null,
  -- The same under another name: the orders by business, topic and severity are over this one, so that no other index seems to have them.
  filed_at timestamptz(3) generated always as (created_at) stored,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (user_id, id),
  check ((pinned_at is null) = (pin_seq is null)),
  check (business_id is not null or scope = 'me')
);
-- An event makes at most one row per rule and recipient.
create unique index notifications_event on notifications (business_id, event_seq, rule, user_id) where event_seq is not null;
create unique index notifications_person_event on notifications (user_id, event_id, rule) where event_id is not null;
create index notifications_of_business on notifications (business_id, id);
create index notifications_matter on notifications (business_id, rule, resource_id) where resolved_at is null;
-- The orders of the feed: all, what is not over, what is unread, what is over, one business, one topic, one severity, the pins.
create index notifications_feed on notifications (user_id, created_at, id);
create index notifications_active on notifications (user_id, created_at, id) where dismissed_at is null and resolved_at is null;
create index notifications_unread on notifications (user_id, created_at, id) where read_at is null and dismissed_at is null and resolved_at is null;
create index notifications_over on notifications (user_id, created_at, id) where dismissed_at is not null or resolved_at is not null;
create index notifications_business_feed on notifications (user_id, business_id, filed_at, id);
create index notifications_topic on notifications (user_id, topic, filed_at, id);
create index notifications_severity on notifications (user_id, severity, filed_at, id);
create index notifications_pins on notifications (user_id, pin_seq) where pin_seq is not null;
create index notifications_unpinned on notifications (user_id, unpin_seq) where unpin_seq is not null;
create index notifications_snoozed on notifications (user_id, snoozed_until) where snoozed_until is not null;
create index notifications_changes on notifications (user_id, change_seq);
create index notifications_digest on notifications (user_id, created_at, id) where in_digest;
call protect_person('notifications');

-- Mail that waits for the end of somebody's quiet hours.
create table notification_holds (
  user_id uuid not null references users,
  notification_id uuid not null,
  due_at timestamptz(3) not null,
  primary key (user_id, notification_id)
);
create index notification_holds_due on notification_holds (due_at, user_id, notification_id);

-- What a person has set; null goes by the next wider rule: this topic in this business, this topic, the default.
create table notification_preferences (
  user_id uuid not null references users,
  topic text not null,
  business_id uuid,
  in_app boolean,
  email boolean,
  digest boolean,
  min_severity text check (min_severity in ('info', 'warning', 'critical')),
  updated_at timestamptz(3) not null,
  constraint notification_preferences_one unique nulls not distinct (user_id, topic, business_id)
);

create table notification_settings (
  user_id uuid primary key references users,
  frequency text not null check (frequency in ('off', 'daily', 'weekly')),
  hour int not null check (hour between 0 and 23),
  weekday int not null check (weekday between 0 and 6),
  quiet_from text check (quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  quiet_to text check (quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- Null: that of the profile.
  timezone text,
  -- When the next digest is due; null while there is nothing to tell.
  digest_at timestamptz(3),
  last_digest_on date,
  tested_at timestamptz(3),
  updated_at timestamptz(3) not null,
  version int not null,
  check ((quiet_from is null) = (quiet_to is null))
);
create index notification_settings_digest on notification_settings (digest_at, user_id) where digest_at is not null;

-- Events of a person's security log that were told, so that each is told once.
create table notified_user_events (
  event_id uuid primary key,
  created_at timestamptz(3) not null
);
create index notified_user_events_age on notified_user_events (created_at);
create index user_events_recent on user_events (at);

-- Headers beside the usual ones, such as those by which a mail program unsubscribes.
alter table mails add column headers jsonb;

-- What happened before there were notifications is not told now.
insert into subscriber_positions (business_id, subscriber, seq) select business_id, 'notifications', event_seq from business_heads
  on conflict (business_id, subscriber) do nothing;
