-- Exchange rates of a business: units of to_currency for one unit of from_currency, from that day on until a newer one.
create table fx_rates (
  business_id uuid not null,
  id uuid not null,
  from_currency text not null check (from_currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  to_currency text not null check (to_currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  date date not null,
  rate numeric not null check (rate > 0 and scale(rate) <= 10),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  -- Also the way of the look-up: the newest of a pair on or before a day.
  constraint fx_rates_pair unique (business_id, from_currency, to_currency, date),
  check (from_currency <> to_currency)
);
create index fx_rates_date on fx_rates (business_id, date, id);
create index fx_rates_created on fx_rates (business_id, created_at, id);
create index fx_rates_from on fx_rates (business_id, from_currency, date, id);
create index fx_rates_to on fx_rates (business_id, to_currency, date, id);
call protect('fx_rates');

-- Revaluations of foreign balances at the end of a period: one stands per day, a later run of the same day replaces it.
create table fx_revaluations (
  business_id uuid not null,
  id uuid not null,
  as_of date not null,
  status text not null check (status in ('live', 'replaced')),
  -- What it was limited to; null where it covered all.
  ledger_ids uuid[],
  currencies text[],
  -- In the base currency, gains positive.
  unrealized_gain bigint not null check (unrealized_gain between -9007199254740991 and 9007199254740991),
  realized_gain bigint not null check (realized_gain between -9007199254740991 and 9007199254740991),
  -- The entry of the day and its mirror of the day after; null where every balance stood at its rate already.
  entry_id uuid,
  mirror_id uuid,
  -- What was left on balances of zero; it has no mirror and stays.
  realized_entry_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  foreign key (business_id, entry_id) references journal_entries (business_id, id),
  foreign key (business_id, mirror_id) references journal_entries (business_id, id),
  foreign key (business_id, realized_entry_id) references journal_entries (business_id, id),
  check ((entry_id is null) = (mirror_id is null))
);
create unique index fx_revaluations_live on fx_revaluations (business_id, as_of) where status = 'live';
call protect('fx_revaluations');
