// The SQL of variants.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { deletion, selectionById } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { cents, id, integer, list, nullable, oneOf } from '../../foundation/shapes.ts'
import { PRODUCT_TYPES, ProductOfVariant, VariantRow } from './contract.ts'

constraintMeans('product_variants_sku', 'Another variant has this sku: choose another one.')
constraintMeans('product_variants_barcode', 'Another variant has this barcode: choose another one.')
constraintMeans('stock_movements_business_id_variant_id_fkey', 'The variant is used: archive it instead.')
constraintMeans('product_variants_default', 'Another variant has become the default of this product meanwhile: try again.')

const rowsIn = `jsonb_populate_recordset(null::product_variants, :variants::jsonb)`
const changing = Object.keys(VariantRow.properties).filter((column) => !['id', 'business_id', 'product_id', 'created_at'].includes(column))

export const insertVariants = command(
  `insert into product_variants (${columns(VariantRow)}) select ${columns(VariantRow)} from ${rowsIn} where business_id = :business_id`)
export const updateVariants = command(
  `update product_variants t set ${changing.map((column) => `${column} = r.${column}`).join(', ')}
   from ${rowsIn} r where t.business_id = :business_id and t.id = r.id`)
/** The index on the default is held row by row, so the flag is taken away first. */
export const clearDefault = command(
  'update product_variants set is_default = false where business_id = :business_id and product_id = any(:product_ids) and is_default',
)
export const deleteVariant = deletion('product_variants')
export const dropEmptyPools = command('delete from stock_pools where business_id = :business_id and variant_id = any(:ids) and last_date is null')
export const deleteOfProduct = command('delete from product_variants where business_id = :business_id and product_id = :product_id')
export const findVariant = selectionById('product_variants', VariantRow)

const ofProducts = (end: string) => `select ${columns(VariantRow)} from product_variants
  where business_id = :business_id and product_id = any(:product_ids) order by product_id, created_at, id${end}`
export const variantsOf = statement(VariantRow, ofProducts(''))
export const lockVariantsOf = statement(VariantRow, ofProducts(' for update'))

const product = `select ${columns(ProductOfVariant)} from products where business_id = :business_id and id = :id`
export const findProduct = statement(ProductOfVariant, product)
export const lockProduct = statement(ProductOfVariant, `${product} for update`)

const found = Type.Object({ ...VariantRow.properties, product_name: Type.String(), product_type: oneOf(PRODUCT_TYPES), unit: Type.String() })
const joined = `select ${columns(VariantRow, 'v')}, p.name as product_name, p.type as product_type, p.unit
  from product_variants v join products p on p.business_id = v.business_id and p.id = v.product_id
    where v.business_id = :business_id and p.business_id = :business_id`
export const bySku = statement(found, `${joined} and v.sku_key = lower(:sku)`)
export const byBarcode = statement(found, `${joined} and v.barcode = :barcode`)

/** Those of these skus, barcodes that exist, whoever has them. */
export const bySkus = statement(VariantRow, `select ${columns(VariantRow)} from product_variants where business_id = :business_id and sku_key = any(:skus)`)

export const figures = statement(
  Type.Object({ variant_id: id(), on_hand: integer(), value: cents() }),
  `select variant_id, sum(quantity)::bigint as on_hand, sum(value)::bigint as value from stock_pools
   where business_id = :business_id and variant_id = any(:ids) group by variant_id`)

/** How many kits the stock of their components makes, all locations together. */
export const kitsAvailable = statement(
  Type.Object({ product_id: id(), available: integer() }),
  `select k.product_id, min(floor(coalesce(s.on_hand, 0)::numeric / k.quantity))::bigint as available
   from kit_components k left join (select variant_id, sum(quantity) as on_hand from stock_pools where business_id = :business_id group by variant_id) s
     on s.variant_id = k.variant_id
   where k.business_id = :business_id and k.product_id = any(:product_ids) group by k.product_id`)

/** moved: it has stock movements. filled: it is on hand somewhere. kits: names of the kits in use that contain it. drafted: a draft names it. */
export const useOfVariants = statement(
  Type.Object({ id: id(), moved: Type.Boolean(), filled: Type.Boolean(), kits: list(Type.String()), in_kit: Type.Boolean(), drafted: Type.Boolean() }),
  `select v.id,
     exists (select from stock_pools s where s.business_id = :business_id and s.variant_id = v.id and s.last_date is not null) as moved,
     exists (select from stock_pools s where s.business_id = :business_id and s.variant_id = v.id and s.quantity <> 0) as filled,
     array(select p.name from kit_components k join products p on p.business_id = k.business_id and p.id = k.product_id
       where k.business_id = :business_id and k.variant_id = v.id and p.status = 'active' order by p.name) as kits,
     exists (select from kit_components k where k.business_id = :business_id and k.variant_id = v.id) as in_kit,
     exists (select from stock_adjustment_lines l where l.business_id = :business_id and l.variant_id = v.id) as drafted
   from product_variants v where v.business_id = :business_id and v.id = any(:ids)`)

export const Sellable = Type.Object({
  id: id(), name: Type.String(), product_id: id(), product_name: Type.String(), sku: Type.String(), price: cents(), type: oneOf(PRODUCT_TYPES),
  status: oneOf(['active', 'archived']), income_ledger_id: nullable(id()), tax_code_id: nullable(id()),
})

export const sellable = statement(
  Sellable,
  `select v.id, v.name, v.product_id, p.name as product_name, v.sku, v.price, p.type,
     case when p.status = 'archived' then 'archived' else v.status end as status, p.income_ledger_id, p.tax_code_id
   from product_variants v join products p on p.business_id = v.business_id and p.id = v.product_id
   where v.business_id = :business_id and p.business_id = :business_id and v.id = any(:ids)`)
