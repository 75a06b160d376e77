// The SQL of events about plans.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { EventRow } from './contract.ts'

const names = Object.keys(EventRow.properties)

/** The same event again is no row. */
export const insertEvent = command(
  `insert into billing_events (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})
   on conflict on constraint billing_events_processor_id do nothing`)

export const pendingEvent = statement(
  Type.Object({ id: id() }),
  `select id from billing_events where business_id = :business_id and id = :id and outcome = 'pending'`)
export const closeEvent = command(
  `update billing_events set outcome = 'processed', processed_at = :now where business_id = :business_id and id = :id and outcome = 'pending'`)

export const businessOfCustomer = statement(
  Type.Object({ id: id(), timezone: Type.String(), base_currency: Type.String() }),
  'select b.id, b.timezone, b.base_currency from billing_customers c join businesses b on b.id = c.business_id where c.customer_id = :customer_id')
