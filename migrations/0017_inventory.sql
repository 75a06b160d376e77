-- Inventory: what is kept (products and their variants), where (locations), and every movement of it with its cost.

create table products (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  type text not null check (type in ('stocked', 'non_stocked', 'service', 'kit')),
  tracking text not null check (tracking in ('none')),
  costing_method text not null check (costing_method in ('fifo', 'weighted_average')),
  unit text not null,
  category text,
  description text,
  options jsonb not null,
  income_ledger_id uuid,
  cogs_ledger_id uuid,
  inventory_ledger_id uuid,
  tax_code_id uuid,
  tags text[] not null,
  external_id text,
  status text not null check (status in ('active', 'archived')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint products_external unique (business_id, external_id),
  foreign key (business_id, income_ledger_id) references ledgers (business_id, id),
  foreign key (business_id, cogs_ledger_id) references ledgers (business_id, id),
  foreign key (business_id, inventory_ledger_id) references ledgers (business_id, id),
  foreign key (business_id, tax_code_id) references tax_codes (business_id, id)
);
create index products_name on products (business_id, name_key, id);
create index products_created on products (business_id, created_at, id);
create index products_updated on products (business_id, updated_at, id);
create index products_category on products (business_id, category, name_key, id) where category is not null;
call protect('products');

create table product_variants (
  business_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  name text not null,
  sku text not null,
  sku_key text not null generated always as (lower(sku)) stored,
  barcode text,
  option_values jsonb not null,
  price bigint not null check (price between 0 and 9007199254740991),
  standard_cost bigint check (standard_cost between 0 and 9007199254740991),
  cost_per bigint not null check (cost_per between 1 and 1000000),
  weight_grams bigint check (weight_grams >= 0),
  volume_ml bigint check (volume_ml >= 0),
  pack_quantity bigint not null check (pack_quantity >= 1),
  is_default boolean not null,
  status text not null check (status in ('active', 'archived')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  -- Held at the end of each statement, so that one statement may swap them.
  constraint product_variants_sku unique (business_id, sku_key) deferrable initially immediate,
  constraint product_variants_barcode unique (business_id, barcode) deferrable initially immediate,
  foreign key (business_id, product_id) references products (business_id, id)
);
create index product_variants_product on product_variants (business_id, product_id, created_at, id);
create unique index product_variants_default on product_variants (business_id, product_id) where is_default;
call protect('product_variants');

-- What a kit is put together from when it is sold.
create table kit_components (
  business_id uuid not null,
  product_id uuid not null,
  variant_id uuid not null,
  quantity bigint not null check (quantity between 1 and 1000000000),
  position int not null,
  primary key (business_id, product_id, variant_id),
  foreign key (business_id, product_id) references products (business_id, id) on delete cascade,
  foreign key (business_id, variant_id) references product_variants (business_id, id)
);
create index kit_components_variant on kit_components (business_id, variant_id);
call protect('kit_components');

create table locations (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  code text not null,
  code_key text not null generated always as (lower(code)) stored,
  type text not null check (type in ('warehouse', 'store', 'third_party', 'consignment', 'vehicle')),
  address jsonb,
  is_default boolean not null,
  negative_stock text check (negative_stock in ('block', 'allow')),
  inventory_ledger_id uuid,
  sells boolean not null,
  receives boolean not null,
  status text not null check (status in ('active', 'archived')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint locations_name unique (business_id, name_key),
  constraint locations_code unique (business_id, code_key),
  foreign key (business_id, inventory_ledger_id) references ledgers (business_id, id),
  check (not is_default or status = 'active')
);
create unique index locations_default on locations (business_id) where is_default;
create index locations_created on locations (business_id, created_at, id);
call protect('locations');
insert into locations (business_id, id, name, code, type, is_default, sells, receives, status, created_at, updated_at, version)
  select id, gen_random_uuid(), 'Main', 'MAIN', 'warehouse', true, true, true, 'active', now(), now(), 1 from businesses;
insert into numbering_sequences (business_id, kind, id, prefix, suffix, padding, reset, created_at, updated_at, version)
  select id, 'adjustment', gen_random_uuid(), 'ADJ-', '', 4, 'never', now(), now(), 1 from businesses;

-- Where the stock ledger of a business stands. Locked behind the pools and before the journal, so movements are numbered in
-- the order in which they become visible.
create table stock_heads (
  business_id uuid primary key,
  sequence bigint not null default 0
) with (fillfactor = 50);
call protect('stock_heads');
insert into stock_heads (business_id) select id from businesses;

-- The stock ledger. Quantity and value are signed; stock on a date is the sum of the quantities up to it, its worth the sum of
-- the values. A correction has no quantity: it names the movement whose cost it changes and, where a receipt filled what had
-- been sold short, that receipt as its cause.
create table stock_movements (
  business_id uuid not null,
  id uuid not null,
  sequence bigint not null check (sequence > 0),
  variant_id uuid not null,
  location_id uuid not null,
  type text not null check (type in ('opening', 'purchase_receipt', 'purchase_return', 'sale', 'sale_return', 'adjustment_in', 'adjustment_out',
    'count_gain', 'count_loss', 'scrap', 'transfer_out', 'transfer_in', 'production_issue', 'production_output', 'production_cost', 'revaluation', 'correction')),
  quantity bigint not null check (quantity between -1000000000 and 1000000000),
  value bigint not null check (value between -9007199254740991 and 9007199254740991),
  effective_date date not null,
  recorded_at timestamptz(3) not null,
  source_type text not null,
  source_id uuid not null,
  source_line_id uuid not null,
  ordinal int not null check (ordinal > 0),
  -- How much of the document's line it stands for, signed like the line: for a kit the kits, not the parts.
  line_quantity bigint not null,
  entry_id uuid,
  estimated boolean not null,
  corrects_movement_id uuid,
  cause_movement_id uuid,
  -- The issue whose units come back; of a reversal, the movement that is undone.
  returns_movement_id uuid,
  reverses_movement_id uuid,
  -- The worth it brings itself; null where the cost follows from what was there before.
  given_value bigint,
  -- What a unit is taken to cost where nothing is known of the pool, as it was when this was recorded.
  standard_cost bigint,
  cost_per bigint not null,
  stock_ledger_id uuid not null,
  counter_ledger_id uuid not null,
  -- What the other side of the entry takes; what is missing to the value goes to inventory_adjustment.
  counter_value bigint not null,
  customer_id uuid,
  project_id uuid,
  dimension_value_ids uuid[] not null,
  primary key (business_id, id),
  constraint stock_movements_sequence unique (business_id, sequence),
  foreign key (business_id, variant_id) references product_variants (business_id, id),
  foreign key (business_id, location_id) references locations (business_id, id),
  foreign key (business_id, entry_id) references journal_entries (business_id, id),
  foreign key (business_id, corrects_movement_id) references stock_movements (business_id, id),
  foreign key (business_id, cause_movement_id) references stock_movements (business_id, id),
  foreign key (business_id, returns_movement_id) references stock_movements (business_id, id),
  foreign key (business_id, reverses_movement_id) references stock_movements (business_id, id),
  foreign key (business_id, stock_ledger_id) references ledgers (business_id, id),
  foreign key (business_id, counter_ledger_id) references ledgers (business_id, id),
  check ((type = 'correction') = (corrects_movement_id is not null)),
  check ((quantity = 0) = (type in ('correction', 'revaluation', 'production_cost')))
);
-- Each part of a document moves stock once.
create unique index stock_movements_once on stock_movements (business_id, source_type, source_id, source_line_id, ordinal, variant_id, location_id,
  coalesce(returns_movement_id, reverses_movement_id, '00000000-0000-0000-0000-000000000000')) where corrects_movement_id is null;
create unique index stock_movements_reversal on stock_movements (business_id, reverses_movement_id) where reverses_movement_id is not null and corrects_movement_id is null;
create index stock_movements_pool on stock_movements (business_id, variant_id, location_id, effective_date, sequence);
create index stock_movements_variant on stock_movements (business_id, variant_id, sequence, id);
create index stock_movements_location on stock_movements (business_id, location_id, sequence, id);
create index stock_movements_date on stock_movements (business_id, effective_date, sequence);
create index stock_movements_recorded on stock_movements (business_id, recorded_at);
create index stock_movements_source on stock_movements (business_id, source_id, sequence, id);
create index stock_movements_entry on stock_movements (business_id, entry_id) where entry_id is not null;
create index stock_movements_corrected on stock_movements (business_id, corrects_movement_id) where corrects_movement_id is not null;
create index stock_movements_returned on stock_movements (business_id, returns_movement_id) where returns_movement_id is not null;
call protect('stock_movements');
call make_append_only('stock_movements');

-- What a variant's stock at a location comes to. `linked` pools exchange units by returns, so their costs hang together.
create table stock_pools (
  business_id uuid not null,
  variant_id uuid not null,
  location_id uuid not null,
  quantity bigint not null default 0,
  value bigint not null default 0 check (value between -9007199254740991 and 9007199254740991),
  -- Units and worth of the last movement whose cost is known: the last unit cost.
  last_quantity bigint not null default 0,
  last_value bigint not null default 0,
  last_date date,
  linked boolean not null default false,
  primary key (business_id, variant_id, location_id),
  foreign key (business_id, variant_id) references product_variants (business_id, id) on delete cascade,
  foreign key (business_id, location_id) references locations (business_id, id) on delete cascade,
  check (quantity <> 0 or value = 0),
  check (quantity <= 0 or value >= 0)
) with (fillfactor = 70);
create index stock_pools_location on stock_pools (business_id, location_id, variant_id);
call protect('stock_pools');

-- What is left of each receipt, oldest first. Under weighted_average the worth stands in the pool and a layer tells quantities only.
create table stock_layers (
  business_id uuid not null,
  movement_id uuid not null,
  variant_id uuid not null,
  location_id uuid not null,
  date date not null,
  sequence bigint not null,
  quantity bigint not null check (quantity > 0),
  value bigint not null check (value >= 0),
  primary key (business_id, movement_id),
  foreign key (business_id, movement_id) references stock_movements (business_id, id),
  foreign key (business_id, variant_id, location_id) references stock_pools (business_id, variant_id, location_id)
) with (fillfactor = 70);
create index stock_layers_pool on stock_layers (business_id, variant_id, location_id, date, sequence);
call protect('stock_layers');

-- What was issued before it was there, at the cost it was taken to have, until a receipt fills it.
create table stock_shortages (
  business_id uuid not null,
  movement_id uuid not null,
  variant_id uuid not null,
  location_id uuid not null,
  date date not null,
  sequence bigint not null,
  quantity bigint not null check (quantity > 0),
  value bigint not null check (value >= 0),
  primary key (business_id, movement_id),
  foreign key (business_id, movement_id) references stock_movements (business_id, id),
  foreign key (business_id, variant_id, location_id) references stock_pools (business_id, variant_id, location_id)
);
create index stock_shortages_pool on stock_shortages (business_id, variant_id, location_id, date, sequence);
call protect('stock_shortages');

-- What the stock is worth per ledger that it stands on.
create table stock_ledgers (
  business_id uuid not null,
  ledger_id uuid not null,
  value bigint not null,
  primary key (business_id, ledger_id),
  foreign key (business_id, ledger_id) references ledgers (business_id, id)
) with (fillfactor = 70);
call protect('stock_ledgers');

create table stock_adjustments (
  business_id uuid not null,
  id uuid not null,
  number text,
  kind text not null check (kind in ('quantity', 'value')),
  reason text not null check (reason in ('damage', 'theft', 'expired', 'found', 'sample', 'internal_use', 'write_down', 'correction', 'other')),
  adjusted_on date not null,
  ledger_id uuid,
  note text,
  project_id uuid,
  dimension_value_ids uuid[] not null,
  source text not null check (source in ('count', 'import', 'manual')),
  status text not null check (status in ('draft', 'posted', 'reversed')),
  total_value bigint not null,
  entry_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint stock_adjustments_number unique (business_id, number),
  foreign key (business_id, ledger_id) references ledgers (business_id, id),
  foreign key (business_id, entry_id) references journal_entries (business_id, id),
  check (status = 'draft' or number is not null)
);
create index stock_adjustments_created on stock_adjustments (business_id, created_at, id);
create index stock_adjustments_date on stock_adjustments (business_id, adjusted_on, id);
create index stock_adjustments_total on stock_adjustments (business_id, total_value, id);
create index stock_adjustments_status on stock_adjustments (business_id, status, created_at, id);
call protect('stock_adjustments');

create table stock_adjustment_lines (
  business_id uuid not null,
  id uuid not null,
  adjustment_id uuid not null,
  position int not null,
  variant_id uuid not null,
  location_id uuid not null,
  quantity bigint not null,
  unit_cost bigint check (unit_cost between 0 and 9007199254740991),
  cost_per bigint not null check (cost_per between 1 and 1000000),
  -- Asked for where the adjustment is of values; else what the quantity turned out to be worth.
  value bigint not null,
  primary key (business_id, id),
  foreign key (business_id, adjustment_id) references stock_adjustments (business_id, id) on delete cascade,
  foreign key (business_id, variant_id) references product_variants (business_id, id),
  foreign key (business_id, location_id) references locations (business_id, id)
);
create index stock_adjustment_lines_adjustment on stock_adjustment_lines (business_id, adjustment_id, position);
create index stock_adjustment_lines_variant on stock_adjustment_lines (business_id, variant_id, adjustment_id);
create index stock_adjustment_lines_location on stock_adjustment_lines (business_id, location_id, adjustment_id);
call protect('stock_adjustment_lines');
