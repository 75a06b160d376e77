// The SQL of catalog items and their prices.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { changing, deletion, insertions, updatings } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { boolean, id } from '../../foundation/shapes.ts'
import { CatalogItem, CatalogItemRow, MOST_PRICED } from './contract.ts'

constraintMeans('catalog_items_code', 'Another catalog item has this code: choose another one.')
constraintMeans('catalog_items_income_ledger', 'A catalog item earns on this ledger: choose another one there first, or archive the ledger.')
constraintMeans('catalog_items_expense_ledger', 'A catalog item is bought on this ledger: choose another one there first, or archive the ledger.')
constraintMeans('catalog_items_tax_code', 'A catalog item has this tax code: choose another one there first, or archive the code.')

export const insertItems = insertions('catalog_items', CatalogItemRow)
export const updateItems = updatings('catalog_items', changing(CatalogItemRow, 'last_sold_on'))
export const deleteItem = deletion('catalog_items')

/** The prices of these items as they are from now on. */
export const savePrices = command(
  `with given as (
     select i.id as item_id, p.currency, p.unit_price from jsonb_to_recordset(:rows::jsonb) as i (id uuid, prices jsonb)
     cross join lateral jsonb_to_recordset(i.prices) as p (currency text, unit_price bigint)
   ), gone as (
     delete from catalog_item_prices t where t.business_id = :business_id
       and t.item_id in (select id from jsonb_to_recordset(:rows::jsonb) as i (id uuid))
       and not exists (select from given g where g.item_id = t.item_id and g.currency = t.currency)
   )
   insert into catalog_item_prices as t (business_id, item_id, currency, unit_price) select :business_id, item_id, currency, unit_price from given
   on conflict (business_id, item_id, currency) do update set unit_price = excluded.unit_price where t.unit_price <> excluded.unit_price`)

const selected = `${columns(CatalogItemRow, 't')},
  coalesce((select jsonb_agg(jsonb_build_object('currency', p.currency, 'unit_price', p.unit_price)
              order by array_position(array['USD', 'CAD', 'AUD', 'EUR', 'GBP'], p.currency))
            from catalog_item_prices p where p.business_id = t.business_id and p.item_id = t.id), '[]') as prices`

const filters = {
  kind: 't.kind = :kind',
  archived: 't.archived = :archived::boolean',
  currency: 't.id in (select c.item_id from catalog_item_prices c where c.business_id = :business_id and c.currency = :currency)',
  code: 't.code_key = lower(trim(:code))',
  search: 't.id in (select search_catalog_items(:business_id, :search))',
  tag_id: `t.id in (select a.resource_id from tag_assignments a where a.business_id = :business_id and a.tag_id = :tag_id and a.resource_type = 'catalog_item')`,
  updated_since: 't.updated_at >= :updated_since',
}

export const items = list({
  item: CatalogItem,
  select: selected,
  from: 'catalog_items t',
  where: 't.business_id = :business_id',
  sorts: {
    name: { column: 't.name_key', type: 'text' },
    code: { column: 't.code_key', type: 'text', nullable: true },
    created_at: { column: 't.created_at', type: 'timestamptz' },
    last_sold_on: { column: 't.last_sold_on', type: 'date', nullable: true },
  },
  filters,
})

const own = `select ${selected} from catalog_items t where t.business_id = :business_id`

export const findItem = statement(CatalogItem, `${own} and t.id = :id`)
export const itemsByIds = statement(CatalogItem, `${own} and t.id = any(:ids) order by t.id`)

// Locked by one statement and read by the next: prices that others have written meanwhile are seen only by what begins after the lock.
const locked = 'select t.id, t.version from catalog_items t where t.business_id = :business_id'
const { id: item_id, version } = CatalogItemRow.properties
const Locked = Type.Object({ id: item_id, version })

export const lockItem = statement(Locked, `${locked} and t.id = :id for update`)
export const lockItems = statement(Locked, `${locked} and t.id = any(:ids) order by t.id for update`)
export const lockItemsByCode = statement(Locked, `${locked} and t.code_key = any(:code_keys) order by t.id for update`)

const type = { archived: 'boolean', tag_id: 'uuid', updated_since: 'timestamptz' } as Record<string, string>
const given = Object.entries(filters).map(([name, condition]) => `(:${name}::${type[name] ?? 'text'} is null or ${condition})`)

/** One more than may be changed at once, so that too many are seen. */
export const lockItemsByFilter = statement(Locked, `${locked} and ${given.join(' and ')} order by t.id limit ${MOST_PRICED + 1} for update`)

/** Dates never go back, and a row that need not change is not locked. */
export const noteSold = command(
  `update catalog_items t set last_sold_on = :date
   from (select id from catalog_items where business_id = :business_id and id = any(:ids) and (last_sold_on is null or last_sold_on < :date) order by id for update) as sold
   where t.business_id = :business_id and t.id = sold.id`)

export const taxCodes = statement(
  Type.Object({ id: id(), code: Type.String(), archived: boolean() }),
  'select id, code, archived from tax_codes where business_id = :business_id and id = any(:ids)')
