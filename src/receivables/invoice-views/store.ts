// The SQL of papers: who issues them. Everything else is read through the groups that keep it.
import { Type } from 'typebox'
import { Address } from '../../access/businesses/contract.ts'
import { statement } from '../../foundation/database/statement.ts'
import { nullable } from '../../foundation/shapes.ts'

export const issuer = statement(
  Type.Object({
    name: Type.String(), legal_name: nullable(Type.String()), country: Type.String(), address: nullable(Address), email: nullable(Type.String()), phone: nullable(Type.String()), website: nullable(Type.String()),
  }),
  'select name, legal_name, country, address, email, phone, website from businesses where id = :business_id')

/** What the business is registered under with those who take its taxes. */
export const registrations = statement(
  Type.Object({ name: Type.String(), registration_number: nullable(Type.String()) }),
  `select name, registration_number from tax_agencies
   where business_id = :business_id and registration_number is not null and not archived order by name limit 4`)
