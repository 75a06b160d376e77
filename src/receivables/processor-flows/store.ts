// What the flows of the card processor look up.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'

export const invoiceById = statement(
  Type.Object({ id: id(), customer_id: id() }),
  'select id, customer_id from invoices where business_id = :business_id and id = :id')

export const payoutOfCharge = statement(
  Type.Object({ payout_id: id() }),
  `select payout_id from processor_payout_items where business_id = :business_id and processor_charge_id = :processor_charge_id and kind = 'charge' limit 1`)
