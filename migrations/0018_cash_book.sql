-- The cash book: what happened on cash ledgers, by the bank's word or by that of a document, and which documents lay claim to it.

-- For the reference below: a ledger that has transactions keeps its currency.
alter table ledgers add constraint ledgers_currency unique (business_id, id, currency);

-- `bank` rows are evidence and post nothing by themselves; `book` rows stand for cash that a document posted without such evidence.
create table transactions (
  business_id uuid not null,
  id uuid not null,
  ledger_id uuid not null,
  -- In cents of the currency; positive for a deposit.
  amount bigint not null,
  currency text not null check (currency in ('USD', 'CAD', 'AUD', 'EUR', 'GBP')),
  datetime date not null,
  kind text not null check (kind in ('bank', 'book')),
  source text not null check (source in ('feed', 'import', 'manual', 'document', 'journal')),
  counterparty text,
  counterparty_key text generated always as (lower(counterparty)) stored,
  counterparty_raw text,
  description text,
  reference text,
  external_id text,
  customer_id uuid,
  vendor_id uuid,
  note text,
  exclude_reason text check (exclude_reason in ('duplicate', 'personal', 'not_ours', 'other')),
  -- The bank row that proves a book row; such a book row is covered.
  bank_transaction_id uuid,
  -- The sum of its claims, without a sign: written in the statement that writes the claims.
  claimed bigint not null,
  status text not null generated always as (
    case when kind = 'book' then 'matched' when exclude_reason is not null then 'excluded' when claimed = 0 then 'unreviewed'
      when claimed = abs(amount) then 'matched' else 'partially_allocated' end) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint transactions_ledger foreign key (business_id, ledger_id, currency) references ledgers (business_id, id, currency),
  constraint transactions_external_id unique (business_id, ledger_id, external_id),
  foreign key (business_id, bank_transaction_id) references transactions (business_id, id),
  check (amount <> 0 and amount between -9007199254740991 and 9007199254740991),
  constraint transactions_claimed check (claimed between 0 and abs(amount)),
  constraint transactions_excluded check (exclude_reason is null or (claimed = 0 and kind = 'bank')),
  check ((kind = 'book') = (source in ('document', 'journal'))),
  check (bank_transaction_id is null or kind = 'book')
) with (fillfactor = 80);
create index transactions_datetime on transactions (business_id, datetime, id);
create index transactions_amount on transactions (business_id, amount, id);
create index transactions_counterparty on transactions (business_id, counterparty_key, id);
create index transactions_counterparty_datetime on transactions (business_id, counterparty_key, datetime, id);
create index transactions_created on transactions (business_id, created_at, id);
create index transactions_ledger_datetime on transactions (business_id, ledger_id, datetime, id);
create index transactions_status on transactions (business_id, status, datetime, id);
create index transactions_kind on transactions (business_id, kind, datetime, id);
create index transactions_source on transactions (business_id, source, datetime, id);
create index transactions_customer on transactions (business_id, customer_id, datetime, id) where customer_id is not null;
create index transactions_vendor on transactions (business_id, vendor_id, datetime, id) where vendor_id is not null;
create index transactions_bank on transactions (business_id, bank_transaction_id) where bank_transaction_id is not null;
-- Behind the summary, which then reads the index alone.
create index transactions_summary on transactions (business_id, ledger_id, status, datetime) include (amount) where bank_transaction_id is null;
call protect('transactions');

-- The words of a transaction, and its business as a word among them, so that a search reads the rows of one business only.
create function transaction_words(p_business_id uuid, p_counterparty text, p_raw text, p_description text, p_reference text, p_note text)
  returns tsvector language sql immutable parallel safe
  as $$ select array_to_tsvector(array[p_business_id::text])
          || to_tsvector('simple', coalesce(p_counterparty, '')) || to_tsvector('simple', coalesce(p_raw, ''))
          || to_tsvector('simple', coalesce(p_description, '')) || to_tsvector('simple', coalesce(p_reference, ''))
          || to_tsvector('simple', coalesce(p_note, '')) $$;
create index transactions_text on transactions
  using gin (transaction_words(business_id, counterparty, counterparty_raw, description, reference, note));

-- Text matching loses its index under row-level security; this keeps to the business that the caller's transaction is in.
create function search_transactions(p_business_id uuid, p_text text) returns setof uuid language sql stable security definer
  set search_path = public, pg_catalog
  as $$ select id from transactions where business_id = p_business_id and p_business_id = current_business()
        and transaction_words(business_id, counterparty, counterparty_raw, description, reference, note)
          @@ (quote_literal(p_business_id)::tsquery && websearch_to_tsquery('simple', p_text)) $$;

-- What a document takes of a transaction, in the transaction's currency and without a sign.
create table transaction_claims (
  business_id uuid not null,
  id uuid not null,
  transaction_id uuid not null,
  document_type text not null check (length(document_type) between 1 and 40),
  document_id uuid not null,
  amount bigint not null check (amount between 1 and 9007199254740991),
  created_at timestamptz(3) not null,
  primary key (business_id, id),
  foreign key (business_id, transaction_id) references transactions (business_id, id)
);
create index transaction_claims_transaction on transaction_claims (business_id, transaction_id, id);
create index transaction_claims_document on transaction_claims (business_id, document_type, document_id, id);
call protect('transaction_claims');
