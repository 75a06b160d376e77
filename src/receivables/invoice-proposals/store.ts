// The SQL of proposals: which customers, terms and invoices a document could mean.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { cents, id, integer, nullable, oneOf } from '../../foundation/shapes.ts'

const Candidate = Type.Object({ asked: Type.String(), id: id(), name: Type.String(), email: nullable(Type.String()), status: oneOf(['active', 'archived']) })

/** By the name as it is compared: without case, punctuation and legal form. A merged customer stands for the one it became. */
export const customersByName = statement(
  Candidate,
  `select wanted.asked, t.id, t.name, t.email, t.status from unnest(:names::text[]) as wanted (asked)
   join customers c on c.business_id = :business_id and c.comparable_name = comparable_name(wanted.asked)
   join customers t on t.business_id = c.business_id and t.id = c.target_id
   order by t.id limit 1000`)

/** By their own address or that of a contact. */
export const customersByEmail = statement(
  Candidate,
  `select wanted.asked, t.id, t.name, t.email, t.status from unnest(:emails::text[]) as wanted (asked)
   join lateral (
     select c.target_id from customers c where c.business_id = :business_id and c.email_key = lower(wanted.asked)
     union select c.target_id from customer_contacts k join customers c on c.business_id = k.business_id and c.id = k.customer_id
       where k.business_id = :business_id and lower(k.email) = lower(wanted.asked)) f on true
   join customers t on t.business_id = :business_id and t.id = f.target_id
   order by t.id limit 1000`)

export const usableTerms = statement(
  Type.Object({ id: id(), kind: Type.String(), days: integer(0) }),
  'select id, kind, days from payment_terms where business_id = :business_id and not archived and discount_percent is null order by name_key')

export const invoicesByNumber = statement(
  Type.Object({ key: Type.String(), id: id(), number: nullable(Type.String()), customer_id: id(), total: cents() }),
  `select coalesce(number_key) as key, id, number, customer_id, total from invoices where business_id = :business_id and number_key = any(:keys)`)
