// The SQL by which the names and codes in files find records: each says under which text, in lower case, it was found.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'

const Found = Type.Object({ asked: Type.String(), id: id() })

export const paymentTerms = statement(
  Found, 'select name_key as asked, id from payment_terms where business_id = :business_id and name_key = any(:keys) and not archived')

export const taxCodes = statement(
  Found,
  `select k.asked, t.id from unnest(:keys::text[]) as k (asked) join tax_codes t on t.business_id = :business_id and not t.archived
     and (t.code_key = k.asked or t.name_key = k.asked)`)

/** A number is exact, so it goes before a name. */
export const ledgers = statement(
  Found,
  `select k.asked, l.id from unnest(:keys::text[]) as k (asked) join ledgers l on l.business_id = :business_id and not l.archived
     and (lower(l.number) = k.asked or (lower(l.name) = k.asked
       and not exists (select from ledgers n where n.business_id = l.business_id and not n.archived and lower(n.number) = k.asked)))`)

export const catalogItems = statement(
  Found, 'select coalesce(code_key) as asked, id from catalog_items where business_id = :business_id and code_key = any(:keys) and not archived')

export const variants = statement(
  Found, `select sku_key as asked, id from product_variants where business_id = :business_id and sku_key = any(:keys) and status = 'active'`)

export const projects = statement(
  Found, `select code_key as asked, id from projects where business_id = :business_id and code_key = any(:keys) and status <> 'archived'`)

/** Records that the rows of a file are known again by, archived ones too. */
export const itemsByCode = statement(
  Found, 'select coalesce(code_key) as asked, id from catalog_items where business_id = :business_id and code_key = any(:keys)')

export const projectsByCode = statement(Found, 'select code_key as asked, id from projects where business_id = :business_id and code_key = any(:keys)')

export const productsBySku = statement(
  Found, 'select sku_key as asked, product_id as id from product_variants where business_id = :business_id and sku_key = any(:keys)')

export const productsByExternalId = statement(
  Found, 'select coalesce(external_id) as asked, id from products where business_id = :business_id and external_id = any(:keys)')
