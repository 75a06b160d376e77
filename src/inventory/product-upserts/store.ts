// The SQL of what many products refer to.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { id, nullable } from '../../foundation/shapes.ts'

export const taxCodes = statement(Type.Object({ id: id() }), 'select id from tax_codes where business_id = :business_id and id = any(:ids)')
export const barcodes = statement(
  Type.Object({ id: id(), barcode: nullable(Type.String()) }),
  'select id, barcode from product_variants where business_id = :business_id and barcode = any(:barcodes)')
