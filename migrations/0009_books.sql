-- The books: the chart of accounts, the periods, and the journal with the balances that follow from it.

-- Where the journal of a business stands. Whoever posts, and whoever changes what postings are held against (ledgers,
-- periods, dimensions), locks this row first: so postings of one business come one after another, their numbers have no
-- gap and their hashes form a chain, and nothing slips in behind a close.
create table journal_heads (
  business_id uuid primary key,
  number bigint not null default 0,
  hash bytea not null default '\x'::bytea,
  recorded_at timestamptz(3),
  -- A new value with every change of what postings are held against: a server that remembers the books of a business asks
  -- for this one value. Never a counter: a value that was rolled back must not come again.
  stamp uuid not null default gen_random_uuid()
) with (fillfactor = 50);
call protect('journal_heads');
insert into journal_heads (business_id) select id from businesses;

create function stamp_books() returns trigger language plpgsql as $$
begin
  update journal_heads set stamp = gen_random_uuid() where business_id = current_business();
  return null;
end $$;

create procedure stamps_books(p_table regclass) language plpgsql as $$
begin
  execute format('create trigger stamps_books after insert or update or delete on %s for each statement execute function stamp_books()', p_table);
end $$;

create table ledgers (
  business_id uuid not null,
  id uuid not null,
  number text collate "C" check (length(number) between 1 and 20),
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  type text not null check (type in ('asset', 'liability', 'equity', 'income', 'expense')),
  subtype text not null,
  currency text not null check (currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  parent_id uuid,
  is_bank boolean not null,
  role text,
  archived boolean not null,
  description text,
  posting boolean not null,
  default_tax_code_id uuid,
  cash_flow_class text not null check (cash_flow_class in ('operating', 'investing', 'financing', 'cash', 'non_cash')),
  bank_name text,
  bank_account_last4 text,
  merged_into_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  -- Held at the end of each statement, so that one statement may swap numbers, names or roles.
  constraint ledgers_number unique (business_id, number) deferrable initially immediate,
  constraint ledgers_name unique nulls not distinct (business_id, parent_id, name_key) deferrable initially immediate,
  constraint ledgers_role unique (business_id, role) deferrable initially immediate,
  foreign key (business_id, parent_id) references ledgers (business_id, id),
  foreign key (business_id, merged_into_id) references ledgers (business_id, id),
  check (parent_id <> id and merged_into_id <> id),
  check (role is null or (posting and not archived))
);
-- A business has some hundreds of ledgers, so the filters simply walk along the sort.
create index ledgers_type on ledgers (business_id, type, id);
create index ledgers_created on ledgers (business_id, created_at, id);
call protect('ledgers');
call stamps_books('ledgers');

create table accounting_periods (
  business_id uuid not null,
  id uuid not null,
  fiscal_year int not null,
  sequence int not null check (sequence between 1 and 12),
  name text not null,
  start_date date not null,
  end_date date not null,
  status text not null check (status in ('open', 'soft_closed', 'closed')),
  locks text[] not null check (locks <@ array['receivables', 'payables', 'banking', 'inventory', 'journal']),
  closed_at timestamptz(3),
  closed_by uuid,
  reopen_reason text,
  closing_hash text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint accounting_periods_start unique (business_id, start_date),
  unique (business_id, fiscal_year, sequence),
  check (start_date <= end_date),
  check ((status = 'closed') = (closing_hash is not null))
);
call protect('accounting_periods');
call stamps_books('accounting_periods');

-- What is posted. The facts of an entry never change; beside them stand a few remarks that may: its memo, and whether it was
-- reversed or replaced since.
create table journal_entries (
  business_id uuid not null,
  id uuid not null,
  number bigint not null check (number > 0),
  date date not null,
  recorded_at timestamptz(3) not null,
  memo text,
  source_type text not null,
  source_id uuid,
  currency text not null check (currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  rate numeric not null check (rate > 0),
  is_adjusting boolean not null,
  auto_reverse_on date,
  reversal_of_id uuid,
  mirror_of_id uuid,
  template_id uuid,
  prepared_by uuid,
  approved_by uuid,
  line_count int not null check (line_count >= 2),
  -- The sum of the debits in the base currency.
  total bigint not null check (total between 0 and 9007199254740991),
  previous_hash bytea not null,
  hash bytea not null,
  reversed_by_id uuid,
  -- Replaced by an entry of another date: both it and its reversal are out of the usual lists.
  superseded boolean not null,
  status text not null generated always as (case when reversed_by_id is null then 'posted' else 'reversed' end) stored,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint journal_entries_number unique (business_id, number),
  constraint journal_entries_reversal unique (business_id, reversal_of_id),
  foreign key (business_id, reversal_of_id) references journal_entries (business_id, id),
  foreign key (business_id, mirror_of_id) references journal_entries (business_id, id)
);
create index journal_entries_date on journal_entries (business_id, date, id);
create index journal_entries_recorded on journal_entries (business_id, recorded_at, number);
create index journal_entries_total on journal_entries (business_id, total, id);
create index journal_entries_source on journal_entries (business_id, source_type, source_id, date, id);
create index journal_entries_template on journal_entries (business_id, template_id, date, id) where template_id is not null;
create index journal_entries_adjusting on journal_entries (business_id, date, id) where is_adjusting;
create index journal_entries_reversed on journal_entries (business_id, date, id) where reversed_by_id is not null;
create index journal_entries_mirror on journal_entries (business_id, mirror_of_id) where mirror_of_id is not null;
call protect('journal_entries');

create function refuse_new_facts() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - '{memo,reversed_by_id,superseded,status,updated_at,version}'::text[])
     is distinct from (to_jsonb(old) - '{memo,reversed_by_id,superseded,status,updated_at,version}'::text[])
     or old.reversed_by_id is not null and new.reversed_by_id is distinct from old.reversed_by_id then
    raise exception 'the facts of a posted entry are append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
revoke update, delete, truncate on journal_entries from daybook_app;
grant update (memo, reversed_by_id, superseded, updated_at, version) on journal_entries to daybook_app;
create trigger append_only before delete on journal_entries for each row execute function refuse_change();
create trigger append_only_truncate before truncate on journal_entries for each statement execute function refuse_change();
create trigger facts_stay before update on journal_entries for each row execute function refuse_new_facts();

create table journal_lines (
  business_id uuid not null,
  id uuid not null,
  entry_id uuid not null,
  entry_number bigint not null,
  position int not null,
  date date not null,
  ledger_id uuid not null,
  currency text not null check (currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  amount bigint not null check (amount between -9007199254740991 and 9007199254740991),
  base_amount bigint not null check (base_amount between -9007199254740991 and 9007199254740991),
  rate numeric not null check (rate > 0),
  memo text,
  customer_id uuid,
  vendor_id uuid,
  project_id uuid,
  dimension_value_ids uuid[] not null,
  tax_code_id uuid,
  -- The line of a receivable or payable that this one settles, wholly or in part.
  settles_line_id uuid,
  is_adjusting boolean not null,
  primary key (business_id, id),
  unique (business_id, entry_number, position),
  foreign key (business_id, entry_id) references journal_entries (business_id, id),
  foreign key (business_id, ledger_id) references ledgers (business_id, id),
  foreign key (business_id, settles_line_id) references journal_lines (business_id, id),
  check (amount <> 0 or base_amount <> 0)
);
create index journal_lines_ledger on journal_lines (business_id, ledger_id, date, id);
create index journal_lines_date on journal_lines (business_id, date, id);
create index journal_lines_customer on journal_lines (business_id, customer_id, date, id) where customer_id is not null;
create index journal_lines_vendor on journal_lines (business_id, vendor_id, date, id) where vendor_id is not null;
create index journal_lines_project on journal_lines (business_id, project_id, date, id) where project_id is not null;
create index journal_lines_settles on journal_lines (business_id, settles_line_id) where settles_line_id is not null;
create index journal_lines_adjusting on journal_lines (business_id, date, id) where is_adjusting;
call protect('journal_lines');
call make_append_only('journal_lines');

-- Which lines carry a value of a dimension: an array cannot be searched by index under row-level security.
create table journal_line_dimensions (
  business_id uuid not null,
  value_id uuid not null,
  date date not null,
  line_id uuid not null,
  primary key (business_id, value_id, date, line_id),
  foreign key (business_id, line_id) references journal_lines (business_id, id)
);
call protect('journal_line_dimensions');
call make_append_only('journal_line_dimensions');

-- What the cash basis counts otherwise than the journal: for each entry that opens or settles a receivable or payable, lines
-- (summing to zero) that take out what is not paid yet, or bring in what has been paid. In the base currency.
create table cash_basis_lines (
  business_id uuid not null,
  id uuid not null,
  entry_id uuid not null,
  entry_number bigint not null,
  date date not null,
  -- The open item whose document it belongs to.
  item_line_id uuid not null,
  -- The line of the document that is counted or not yet; null for the other side, on the receivable or payable.
  document_line_id uuid,
  ledger_id uuid not null,
  currency text not null,
  base_amount bigint not null check (base_amount between -9007199254740991 and 9007199254740991),
  customer_id uuid,
  vendor_id uuid,
  project_id uuid,
  dimension_value_ids uuid[] not null,
  is_adjusting boolean not null,
  primary key (business_id, id),
  foreign key (business_id, entry_id) references journal_entries (business_id, id),
  foreign key (business_id, item_line_id) references journal_lines (business_id, id),
  foreign key (business_id, ledger_id) references ledgers (business_id, id)
);
create index cash_basis_lines_ledger on cash_basis_lines (business_id, ledger_id, date, id);
create index cash_basis_lines_entry on cash_basis_lines (business_id, entry_number);
create index cash_basis_lines_item on cash_basis_lines (business_id, item_line_id);
create index cash_basis_lines_date on cash_basis_lines (business_id, date, id);
call protect('cash_basis_lines');
call make_append_only('cash_basis_lines');

-- Balances, exact in the transaction that posts. `amount` is in the currency of the row, the rest in the base currency;
-- cash_debit and cash_credit are what the cash basis adds to debit and credit.
create table ledger_months (
  business_id uuid not null,
  ledger_id uuid not null,
  currency text not null,
  month date not null,
  amount bigint not null,
  debit bigint not null,
  credit bigint not null,
  cash_debit bigint not null,
  cash_credit bigint not null,
  primary key (business_id, ledger_id, currency, month),
  foreign key (business_id, ledger_id) references ledgers (business_id, id),
  constraint ledger_months_range check (
    amount between -9007199254740991 and 9007199254740991 and debit between 0 and 9007199254740991 and credit between 0 and 9007199254740991
    and cash_debit between 0 and 9007199254740991 and cash_credit between 0 and 9007199254740991)
) with (fillfactor = 70);
call protect('ledger_months');

create table ledger_days (
  business_id uuid not null,
  date date not null,
  ledger_id uuid not null,
  currency text not null,
  amount bigint not null,
  debit bigint not null,
  credit bigint not null,
  cash_debit bigint not null,
  cash_credit bigint not null,
  primary key (business_id, date, ledger_id, currency)
) with (fillfactor = 70);
call protect('ledger_days');

-- The same by customer, vendor, project or value of a dimension, for the lines that carry one.
create table analysis_months (
  business_id uuid not null,
  axis text not null check (axis in ('customer', 'vendor', 'project', 'dimension')),
  value_id uuid not null,
  ledger_id uuid not null,
  month date not null,
  debit bigint not null,
  credit bigint not null,
  cash_debit bigint not null,
  cash_credit bigint not null,
  primary key (business_id, axis, value_id, ledger_id, month)
) with (fillfactor = 70);
create index analysis_months_month on analysis_months (business_id, axis, month, ledger_id);
call protect('analysis_months');

-- What was sworn to when a period was closed.
create table period_certificates (
  business_id uuid not null,
  id uuid not null,
  period_id uuid not null,
  -- The last entry that it covers.
  journal_number bigint not null,
  trial_balance jsonb not null,
  tie_outs jsonb not null,
  open_items jsonb not null,
  hash text not null,
  signed_by uuid,
  signed_by_name text not null,
  signed_at timestamptz(3) not null,
  primary key (business_id, id),
  foreign key (business_id, period_id) references accounting_periods (business_id, id)
);
create index period_certificates_period on period_certificates (business_id, period_id, signed_at);
call protect('period_certificates');
call make_append_only('period_certificates');

-- The last fence behind the posting function: whoever writes to the journal, its dates are in periods that take entries …
create function check_entry_dates() returns trigger language plpgsql as $$
declare
  v_date date;
begin
  select e.date into v_date from inserted e
  left join accounting_periods p on p.business_id = e.business_id and p.start_date <= e.date and p.end_date >= e.date
  where p.status is null or p.status = 'closed' limit 1;
  if found then
    raise exception 'no open period for %', v_date using errcode = 'check_violation', constraint = 'journal_entries_period';
  end if;
  return null;
end $$;
create trigger check_dates after insert on journal_entries referencing new table as inserted
  for each statement execute function check_entry_dates();

-- … its lines are whole (all lines of an entry come in one statement), balance, and stand on ledgers that take lines …
-- Row by row through the indexes: the plan is made once per connection, perhaps while the tables are small, and must not read them whole.
create function check_lines() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  v_number bigint;
begin
  select l.entry_number into v_number
  from inserted l
  left join lateral (
    select e.line_count, e.total from journal_entries e
    where e.business_id = l.business_id and e.id = l.entry_id and e.number = l.entry_number and e.date = l.date and e.is_adjusting = l.is_adjusting
    offset 0) e on true
  left join lateral (select true as takes_lines from ledgers g where g.business_id = l.business_id and g.id = l.ledger_id and g.posting and not g.archived offset 0) g on true
  group by l.business_id, l.entry_number
  having count(e.total) <> max(e.line_count) or count(e.total) <> count(*) or count(g.takes_lines) <> count(*)
    or sum(l.base_amount) <> 0 or sum(greatest(l.base_amount, 0)) <> max(e.total)
    or (min(l.currency) = max(l.currency) and sum(l.amount) <> 0)
  limit 1;
  if found then
    raise exception 'entry % does not balance', v_number using errcode = 'check_violation', constraint = 'journal_lines_balance';
  end if;
  return null;
end $$;
create trigger check_lines after insert on journal_lines referencing new table as inserted
  for each statement execute function check_lines();

-- … and no entry is without lines when the transaction ends.
create function check_entry_has_lines() returns trigger language plpgsql as $$
begin
  perform from journal_lines where business_id = new.business_id and entry_number = new.number and position = 1;
  if not found then
    raise exception 'entry % has no lines', new.number using errcode = 'check_violation', constraint = 'journal_entries_lines';
  end if;
  return null;
end $$;
create constraint trigger check_has_lines after insert on journal_entries deferrable initially deferred
  for each row execute function check_entry_has_lines();

create function check_cash_lines() returns trigger language plpgsql as $$
declare
  v_number bigint;
begin
  select entry_number into v_number from inserted group by business_id, entry_number having sum(base_amount) <> 0 limit 1;
  if found then
    raise exception 'the cash basis of entry % does not balance', v_number using errcode = 'check_violation', constraint = 'cash_basis_lines_balance';
  end if;
  return null;
end $$;
create trigger check_lines after insert on cash_basis_lines referencing new table as inserted
  for each statement execute function check_cash_lines();

-- Numbers, seals and writes entries with all their lines, and adds to the balances in the order of their keys. The lock of the journal
-- is taken here at the latest. Whoever has looked at the books without it says by `p_stamp` which books those were: if they have changed
-- since, nothing is written and the caller begins anew. `p_sealed` is what each entry says, but for its number and time.
create function post_entries(p_business_id uuid, p_stamp uuid, p_now timestamptz, p_entries json, p_lines json, p_sealed text[])
  returns table (id uuid, number bigint, recorded_at timestamptz(3), previous_hash text, hash text) language plpgsql as $$
#variable_conflict use_column
declare
  v_head journal_heads;
  v_at timestamptz(3);
  v_time text;
  v_hash bytea;
  v_hashes bytea[];
begin
  select * into v_head from journal_heads where business_id = p_business_id for update;
  if not found then
    raise exception 'business % has no journal', p_business_id;
  end if;
  if v_head.stamp <> p_stamp then
    raise exception 'the books have changed' using errcode = 'serialization_failure';
  end if;
  -- Never before the last entry, whatever the clock says: what was known at a moment is a beginning of the journal.
  v_at := greatest(p_now, v_head.recorded_at);
  v_time := to_char(v_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  v_hash := v_head.hash;
  v_hashes := array[v_hash];
  for i in 1..cardinality(p_sealed) loop
    v_hash := sha256(v_hash || convert_to(format('[%s,"%s",%s', v_head.number + i, v_time, p_sealed[i]), 'UTF8'));
    v_hashes := v_hashes || v_hash;
  end loop;

  with entry as (
    insert into journal_entries (business_id, id, number, date, recorded_at, memo, source_type, source_id, currency, rate, is_adjusting, auto_reverse_on,
      reversal_of_id, mirror_of_id, template_id, prepared_by, approved_by, line_count, total, previous_hash, hash, reversed_by_id, superseded, updated_at, version)
    select p_business_id, e.id, v_head.number + e.place, e.date, v_at, e.memo, e.source_type, e.source_id, e.currency, e.rate, e.is_adjusting, e.auto_reverse_on,
      e.reversal_of_id, e.mirror_of_id, e.template_id, e.prepared_by, e.approved_by, e.line_count, e.total, v_hashes[e.place], v_hashes[e.place + 1], null,
      e.superseded, v_at, 1
    from json_to_recordset(p_entries) as e (place int, id uuid, date date, memo text, source_type text, source_id uuid, currency text, rate numeric,
      is_adjusting boolean, auto_reverse_on date, reversal_of_id uuid, mirror_of_id uuid, template_id uuid, prepared_by uuid, approved_by uuid,
      line_count int, total bigint, superseded boolean)
  ), line as (
    insert into journal_lines (business_id, id, entry_id, entry_number, position, date, ledger_id, currency, amount, base_amount, rate, memo, customer_id,
      vendor_id, project_id, dimension_value_ids, tax_code_id, settles_line_id, is_adjusting)
    select p_business_id, l.id, l.entry_id, v_head.number + l.place, l.position, l.date, l.ledger_id, l.currency, l.amount, l.base_amount, l.rate, l.memo,
      l.customer_id, l.vendor_id, l.project_id, l.dimension_value_ids, l.tax_code_id, l.settles_line_id, l.is_adjusting
    from json_to_recordset(p_lines) as l (place int, id uuid, entry_id uuid, position int, date date, ledger_id uuid, currency text, amount bigint,
      base_amount bigint, rate numeric, memo text, customer_id uuid, vendor_id uuid, project_id uuid, dimension_value_ids uuid[], tax_code_id uuid,
      settles_line_id uuid, is_adjusting boolean)
    returning ledger_id, currency, date, amount, base_amount
  ), months as (
    insert into ledger_months as m (business_id, ledger_id, currency, month, amount, debit, credit, cash_debit, cash_credit)
    select p_business_id, ledger_id, currency, date_trunc('month', date)::date, sum(amount), sum(greatest(base_amount, 0)), sum(greatest(-base_amount, 0)), 0, 0
    from line group by 2, 3, 4 order by 2, 3, 4
    on conflict (business_id, ledger_id, currency, month) do update
      set amount = m.amount + excluded.amount, debit = m.debit + excluded.debit, credit = m.credit + excluded.credit
  ), days as (
    insert into ledger_days as d (business_id, date, ledger_id, currency, amount, debit, credit, cash_debit, cash_credit)
    select p_business_id, date, ledger_id, currency, sum(amount), sum(greatest(base_amount, 0)), sum(greatest(-base_amount, 0)), 0, 0
    from line group by 2, 3, 4 order by 2, 3, 4
    on conflict (business_id, date, ledger_id, currency) do update
      set amount = d.amount + excluded.amount, debit = d.debit + excluded.debit, credit = d.credit + excluded.credit
  )
  update journal_heads set number = v_head.number + cardinality(p_sealed), hash = v_hash, recorded_at = v_at where business_id = p_business_id;

  if p_stamp is not null then
    perform set_config('app.late_values', (
      select json_object_agg(key, value)::text from json_to_recordset(p_entries) as e (place int, id uuid)
      cross join lateral (values
        (format('"@number %s"', e.id), (v_head.number + e.place)::text), (format('"@recorded_at %s"', e.id), format('"%s"', v_time)),
        (format('"@previous_hash %s"', e.id), format('"%s"', encode(v_hashes[e.place], 'hex'))),
        (format('"@hash %s"', e.id), format('"%s"', encode(v_hashes[e.place + 1], 'hex')))) as late (key, value)), true);
  end if;
  return query select e.id, v_head.number + e.place, v_at, encode(v_hashes[e.place], 'hex'), encode(v_hashes[e.place + 1], 'hex')
    from json_to_recordset(p_entries) as e (place int, id uuid) order by e.place;
end $$;

-- Puts in the values that were only known once an earlier statement of the same transaction had run.
create function with_late_values(p_text text) returns text language plpgsql stable as $$
declare
  v_late record;
begin
  for v_late in select key, value from json_each_text(nullif(current_setting('app.late_values', true), '')::json) loop
    p_text := replace(p_text, v_late.key, v_late.value);
  end loop;
  return p_text;
end $$;
