// What will become an invoice by itself: the dates of recurring templates, and drafts that wait to be sent.
import { listQuery, pageOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, integer, nullable, oneOf, optional, shape, text } from '../../foundation/shapes.ts'
import { currency, endpoint } from '../invoices/contract.ts'

export const ScheduledInvoice = shape('ScheduledInvoice', {
  scheduled_date: date(),
  source_type: oneOf(['recurring', 'draft'], { description: 'A recurring template, or a draft with send_at.' }),
  source_id: id(),
  name: nullable(text(0, 2000)),
  customer_id: id(),
  customer_name: nullable(text(0, 200)),
  currency,
  amount: cents({ description: 'Integer cents; of a template what an invoice came to when it was made or last changed.' }),
})

export const HORIZON_DAYS = 90

export const listScheduledInvoices = endpoint({
  id: 'list_scheduled_invoices', method: 'GET', path: '/scheduled', summary: 'List what will become an invoice by itself',
  description: 'The next first. Dates of paused templates are left out.',
  query: listQuery(['scheduled_date'], {
    horizon_days: optional(integer(1, 366, { default: HORIZON_DAYS, description: 'How far to look ahead.' })),
    customer_id: optional(id()),
    descending: optional(boolean({ default: false })),
  }),
  reply: pageOf(ScheduledInvoice),
})
