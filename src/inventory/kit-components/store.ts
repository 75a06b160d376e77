// The SQL of kit components.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { id, oneOf } from '../../foundation/shapes.ts'
import { PRODUCT_TYPES } from '../variants/contract.ts'
import { KitComponent } from './contract.ts'

const Kit = Type.Object({ id: id(), name: Type.String(), type: oneOf(PRODUCT_TYPES) })
const kit = 'select id, name, type from products where business_id = :business_id and id = :id'
export const findKit = statement(Kit, kit)
export const lockKit = statement(Kit, `${kit} for update`)

export const componentsOf = statement(
  KitComponent,
  `select k.variant_id, v.sku, v.name, k.quantity from kit_components k join product_variants v on v.business_id = k.business_id and v.id = k.variant_id
   where k.business_id = :business_id and v.business_id = :business_id and k.product_id = :id order by k.position`)

/** Held until the end, so that none of them is archived or becomes a kit meanwhile. */
export const lockParts = statement(
  Type.Object({ id: id(), sku: Type.String(), name: Type.String(), type: oneOf(PRODUCT_TYPES), status: Type.String() }),
  `select v.id, v.sku, v.name, p.type, case when p.status = 'archived' then 'archived' else v.status end as status
   from product_variants v join products p on p.business_id = v.business_id and p.id = v.product_id
   where v.business_id = :business_id and p.business_id = :business_id and v.id = any(:ids) order by p.id, v.id for share`)

export const deleteComponents = command('delete from kit_components where business_id = :business_id and product_id = :id')
export const insertComponents = command(
  `insert into kit_components (business_id, product_id, variant_id, quantity, position)
   select :business_id, :id, variant_id, quantity, position
   from unnest(:variant_ids::uuid[], :quantities::bigint[]) with ordinality as given (variant_id, quantity, position)`)
