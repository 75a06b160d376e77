-- Managerial keys: how the ledgers are regrouped for management, a value per ledger and key.
create table managerial_key_types (
  business_id uuid not null,
  id uuid not null,
  key text not null collate "C" check (key ~ '^[a-z][a-z0-9_-]{1,39}$'),
  name text not null,
  description text,
  value_kind text not null check (value_kind in ('list', 'text')),
  -- [{value, label, position}] in their order; empty where the value is free text.
  allowed_values jsonb not null check ((value_kind = 'text') = (allowed_values = '[]')),
  required boolean not null,
  system boolean not null,
  position int not null check (position >= 1),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id),
  constraint managerial_key_types_key unique (business_id, key)
);
call protect('managerial_key_types');

create table managerial_key_mappings (
  business_id uuid not null,
  ledger_id uuid not null,
  key_type_id uuid not null,
  value text not null,
  primary key (business_id, key_type_id, ledger_id),
  foreign key (business_id, key_type_id) references managerial_key_types (business_id, id) on delete cascade,
  -- A ledger that is gone is regrouped no more.
  constraint managerial_key_mappings_ledger foreign key (business_id, ledger_id) references ledgers (business_id, id) on delete cascade
);
create index managerial_key_mappings_of_ledger on managerial_key_mappings (business_id, ledger_id);
call protect('managerial_key_mappings');

-- Businesses that are there already get what a new one starts with.
insert into managerial_key_types
  (business_id, id, key, name, description, value_kind, allowed_values, required, system, position, created_at, updated_at, version)
select b.id, gen_random_uuid(), t.key, t.name, t.description, 'list', t.allowed_values::jsonb, false, true, t.position, now(), now(), 1
from businesses b cross join (values
  (1, 'function', 'Function', 'What the money is earned or spent for.',
   '[{"value": "revenue", "label": "Revenue", "position": 1},
     {"value": "cost_of_sales", "label": "Cost of sales", "position": 2},
     {"value": "sales_and_marketing", "label": "Sales and marketing", "position": 3},
     {"value": "research_and_development", "label": "Research and development", "position": 4},
     {"value": "general_and_administrative", "label": "General and administrative", "position": 5},
     {"value": "other", "label": "Other", "position": 6}]'),
  (2, 'cost_behavior', 'Cost behavior', 'How a cost follows the volume of business.',
   '[{"value": "variable", "label": "Variable", "position": 1},
     {"value": "semi_variable", "label": "Semi-variable", "position": 2},
     {"value": "fixed", "label": "Fixed", "position": 3}]'),
  (3, 'ebitda', 'EBITDA', 'What counts before interest, taxes, depreciation and amortization.',
   '[{"value": "operating", "label": "Operating", "position": 1},
     {"value": "adjustment", "label": "Adjustment", "position": 2},
     {"value": "depreciation", "label": "Depreciation", "position": 3},
     {"value": "amortization", "label": "Amortization", "position": 4},
     {"value": "interest", "label": "Interest", "position": 5},
     {"value": "taxes", "label": "Taxes", "position": 6}]'),
  (4, 'board_line', 'Board line', 'The line of the report to the board.',
   '[{"value": "revenue", "label": "Revenue", "position": 1},
     {"value": "cost_of_revenue", "label": "Cost of revenue", "position": 2},
     {"value": "people", "label": "People", "position": 3},
     {"value": "sales_and_marketing", "label": "Sales and marketing", "position": 4},
     {"value": "technology", "label": "Technology", "position": 5},
     {"value": "facilities", "label": "Facilities", "position": 6},
     {"value": "professional_fees", "label": "Professional fees", "position": 7},
     {"value": "other_operating", "label": "Other operating", "position": 8},
     {"value": "financing", "label": "Financing", "position": 9},
     {"value": "taxes", "label": "Taxes", "position": 10}]')
) as t (position, key, name, description, allowed_values);
