// The SQL of products.
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { changing, deletion, insertions, selectionById, updatings } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { ProductRow } from './contract.ts'

constraintMeans('products_external', 'Another product has this external_id: choose another one.')

export const insertProducts = insertions('products', ProductRow, 'products')
export const updateProducts = updatings('products', changing(ProductRow, 'tracking'), 'products')
export const deleteProduct = deletion('products')
export const findProduct = selectionById('products', ProductRow)
export const lockProduct = selectionById('products', ProductRow, true)
export const lockProducts = statement(
  ProductRow,
  `select ${columns(ProductRow)}
   from products where business_id = :business_id and (id = any(:ids) or external_id = any(:external_ids)) order by id for update`)

const filters = {
  type: 't.type = :type',
  status: 't.status = :status',
  category: 't.category = :category',
  tag: ':tag = any(t.tags)',
  location_id: `exists (select from product_variants v join stock_pools s on s.business_id = v.business_id and s.variant_id = v.id
    where v.business_id = :business_id and s.business_id = :business_id and v.product_id = t.id and s.location_id = :location_id and s.quantity <> 0)`,
  has_stock: `:has_stock = exists (select from product_variants v join stock_pools s on s.business_id = v.business_id and s.variant_id = v.id
    where v.business_id = :business_id and s.business_id = :business_id and v.product_id = t.id and s.quantity <> 0)`,
  q: `position(lower(:q) in t.name_key) > 0 or exists (select from product_variants v where v.business_id = :business_id and v.product_id = t.id
    and (position(lower(:q) in v.sku_key) > 0 or position(lower(:q) in lower(v.barcode)) > 0))`,
  updated_since: 't.updated_at >= :updated_since',
}

export const products = list({
  item: ProductRow,
  from: 'products t join product_variants d on d.business_id = t.business_id and d.product_id = t.id and d.is_default',
  where: 't.business_id = :business_id and d.business_id = :business_id',
  sorts: {
    name: { column: 't.name_key', type: 'text' },
    sku: { column: 'd.sku_key', type: 'text' },
    created_at: { column: 't.created_at', type: 'timestamptz' },
  },
  filters,
})

/** By stock, which is worked out for all products. */
export const productsByStock = list({
  item: ProductRow,
  from: `products t left join (select v.product_id, sum(s.quantity)::bigint as on_hand, sum(s.value)::bigint as value
    from stock_pools s join product_variants v on v.business_id = s.business_id and v.id = s.variant_id
    where s.business_id = :business_id and v.business_id = :business_id group by v.product_id) f on f.product_id = t.id`,
  where: 't.business_id = :business_id',
  sorts: { on_hand: { column: 'coalesce(f.on_hand, 0)', type: 'bigint' }, value: { column: 'coalesce(f.value, 0)', type: 'bigint' } },
  filters,
})
