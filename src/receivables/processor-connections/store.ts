// The SQL of connections with the card processor.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { insertion, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { boolean, cents, nullable } from '../../foundation/shapes.ts'
import { ConnectionRow } from './contract.ts'

constraintMeans('processor_connections_one', 'The business is being connected by somebody else. Look again in a moment.')

export const insertConnection = insertion('processor_connections', ConnectionRow)
const fixed = ['id', 'business_id', 'created_at', 'updated_at', 'version']
export const updateConnection = updating('processor_connections', ...Object.keys(ConnectionRow.properties).filter((name) => !fixed.includes(name)))

const ofBusiness = `select ${columns(ConnectionRow)} from processor_connections where business_id = :business_id`
export const findConnection = statement(ConnectionRow, ofBusiness)
export const lockConnection = statement(ConnectionRow, `${ofBusiness} for update`)

/** An account belongs to one business for good: its events come for years. */
export const insertAccount = command(
  'insert into processor_accounts (account_id, business_id) values (:account_id, :business_id) on conflict (account_id) do nothing')

export const business = statement(
  Type.Object({ name: Type.String(), country: Type.String(), email: nullable(Type.String()) }),
  'select name, country, email from businesses where id = :business_id')

/** What the processor holds of charges that it has not paid out, and whether somebody is about to pay. */
export const unsettled = statement(
  Type.Object({ held: cents(), open_checkouts: boolean() }),
  `select coalesce((select sum(settled_amount) from processor_charges
       where business_id = :business_id and booked and payout_id is null and status in ('succeeded', 'partially_refunded', 'disputed')), 0)::bigint as held,
     exists (select from processor_checkouts where business_id = :business_id and status = 'open' and expires_at > :now) as open_checkouts`)
