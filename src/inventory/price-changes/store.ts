// The SQL of price changes.
import { Type } from 'typebox'
import { columns, statement } from '../../foundation/database/statement.ts'
import { cents, id, integer } from '../../foundation/shapes.ts'
import { VariantRow } from '../variants/contract.ts'

export const lockVariants = statement(
  VariantRow, `select ${columns(VariantRow)} from product_variants where business_id = :business_id and id = any(:ids) order by id for update`,
)

export const costs = statement(
  Type.Object({ variant_id: id(), quantity: integer(), value: cents() }),
  `select variant_id, sum(quantity)::bigint as quantity, sum(value)::bigint as value from stock_pools
   where business_id = :business_id and variant_id = any(:ids) and quantity > 0 group by variant_id`)
