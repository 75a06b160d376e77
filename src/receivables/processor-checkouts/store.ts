// The SQL of checkouts.
import { insertion, updating } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { CheckoutRow } from './contract.ts'

const selected = `select ${columns(CheckoutRow)} from processor_checkouts where business_id = :business_id`

export const insertCheckout = insertion('processor_checkouts', CheckoutRow)
export const updateCheckout = updating('processor_checkouts', 'status')
export const checkoutByProcessorId = statement(CheckoutRow, `${selected} and processor_checkout_id = :processor_checkout_id for update`)
export const openCheckouts = statement(CheckoutRow, `${selected} and status = 'open' order by id`)
export const openOfInvoice = statement(CheckoutRow, `${selected} and invoice_id = :invoice_id and status = 'open'`)
export const lockOpenOfInvoice = statement(CheckoutRow, `${selected} and invoice_id = :invoice_id and status = 'open' for update`)
