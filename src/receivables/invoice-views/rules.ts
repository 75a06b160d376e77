// What a customer is shown of an invoice, put together from what is kept.
import { addCents } from '../../foundation/money.ts'
import { percentText } from '../../foundation/wording.ts'
import type { InvoiceRow } from '../invoices/contract.ts'
import type { LineRow, Loaded } from '../invoices/operations.ts'
import { balanceOf, daysOverdue, isPaid } from '../invoices/rules.ts'
import { netOf } from '../sales-lines/rules.ts'
import type { InvoiceView, InvoiceViewLine } from './contract.ts'

/** What the invoice itself does not say. */
export type Circumstances = {
  business: InvoiceView['business']
  customer: { name: string; email: string | null; tax_number: string | null; billing_address: InvoiceView['customer']['address']; shipping_address: InvoiceView['customer']['address'] }
  terms: string | null
  footer: string | null
  pay_url: string | null
  today: string
}

export function viewOf({ invoice, lines, payments, credits }: Loaded, { business, customer, terms, footer, pay_url, today }: Circumstances): InvoiceView {
  const state = stateOf(invoice, today)
  const mark = { draft: 'DRAFT', void: 'VOID' }[state as string] as InvoiceView['mark'] | undefined
  return {
    invoice_id: invoice.id,
    number: invoice.number,
    mark: mark ?? null,
    state,
    currency: invoice.currency,
    business,
    // Once it is finalized the addresses are its own: the customer may move.
    customer: {
      name: customer.name, email: customer.email, tax_number: customer.tax_number,
      address: invoice.billing_address ?? (state === 'draft' ? customer.billing_address : null),
      shipping_address: invoice.shipping_address ?? (state === 'draft' ? customer.shipping_address : null),
    },
    invoice_date: invoice.invoice_date,
    due_date: invoice.due_date,
    terms,
    purchase_order_number: invoice.purchase_order_number || null,
    lines: lines.map(lineOf),
    prices_include_tax: invoice.tax_mode === 'inclusive' && invoice.tax_total !== 0,
    subtotal: invoice.subtotal,
    discount_total: invoice.discount_total,
    taxes: taxesOf(invoice, lines),
    total: invoice.total,
    payments: payments.filter(({ reversed_at }) => reversed_at === null)
      .map(({ posted_on, method, reference, amount }) => ({ date: posted_on, method: method.replace('_', ' '), reference: reference || null, amount })),
    credits: credits.filter(({ reversed_at }) => reversed_at === null).map(({ applied_on, number, amount }) => ({ date: applied_on, number, amount })),
    balance_due: balanceOf(invoice),
    message: invoice.customer_message || null,
    footer,
    pay_url: state === 'due' || state === 'overdue' ? pay_url : null,
    paid_on: isPaid(invoice.status) ? invoice.paid_on : null,
    updated_at: invoice.updated_at,
  }
}

export function stateOf(invoice: InvoiceRow, today: string): InvoiceView['state'] {
  if (invoice.status === 'draft' || invoice.status === 'void') return invoice.status
  if (isPaid(invoice.status)) return 'paid'
  if (invoice.uncollectible) return 'written_off'
  return daysOverdue(invoice, today) > 0 ? 'overdue' : 'due'
}

function lineOf(line: LineRow): InvoiceViewLine {
  const { note, service_date, service_end_date, quantity, unit_price, discount, amount, tax_components } = line
  return {
    description: line.description || line.variant_name || 'Item', note: note || null, service_date, service_end_date, quantity, unit_price: unit_price ?? 0, discount, amount,
    taxed: tax_components.map(({ rate }) => percentText(rate)).join(' + '),
  }
}

/** By component, in the order in which they first come up. */
function taxesOf({ tax_mode }: Pick<InvoiceRow, 'tax_mode'>, lines: readonly LineRow[]): InvoiceView['taxes'] {
  const parts = lines.flatMap((line) => line.tax_components.map(({ rate_id, name, rate, amount }) => ({ key: `${rate_id} ${rate}`, name, percent: rate, net: netOf(line, tax_mode), amount })))
  return [...Map.groupBy(parts, ({ key }) => key).values()].flatMap((same) => {
    const [first] = same
    return first ? [{ name: first.name, percent: first.percent, net: addCents(...same.map(({ net }) => net)), amount: addCents(...same.map(({ amount }) => amount)) }] : []
  })
}
