// The hosted pages of the embedded processor for plans: paying for one, the card behind it, and its invoices as files.
import type { Tx } from '../database/transaction.ts'
import { Download } from '../endpoint.ts'
import { formatCents, type Currency } from '../money.ts'
import { Page, page, Redirect, type PageRoute } from '../page.ts'
import { printTable } from '../pdf.ts'
import { notFound } from '../refusal.ts'
import { open } from '../secrets.ts'
import { cardForm, closedPage, requireSandbox } from './sandbox-page.ts'
import { changeCard, paySession, requireSession, type SessionRow } from './sandbox-plan-records.ts'
import * as store from './sandbox-plan-store.ts'
import { PORTAL } from './sandbox-plans.ts'

export const sandboxPlanPages: PageRoute[] = [
  page('GET', '/sandbox/plan/{session_id}', async (tx, { params }) => {
    requireSandbox(tx)
    const session = await requireSession(tx, params['session_id'] ?? '')
    return session.status === 'open' ? form(session, null, {}) : closedPage(session.status === 'complete', session)
  }),
  page('POST', '/sandbox/plan/{session_id}', async (tx, { params, form: fields }) => {
    requireSandbox(tx)
    const { paid, message, session } = await paySession(tx, params['session_id'] ?? '', cardOf(fields))
    if (paid) return new Redirect(session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id))
    return session.status === 'open' ? form(session, message, fields) : closedPage(false, session)
  }, 30),
  page('GET', '/sandbox/portal', async (tx, { query }) => portal(await portalOf(tx, query['of'] ?? ''), null, {})),
  page('POST', '/sandbox/portal', async (tx, { query, form: fields }) => {
    const opened = await portalOf(tx, query['of'] ?? '')
    const { message } = await changeCard(tx, opened.customer, cardOf(fields))
    return message === null ? new Redirect(opened.return_url) : portal(opened, message, fields)
  }, 30),
  page('GET', '/sandbox/plan-invoices/{invoice_id}/pdf', async (tx, { params }) => {
    requireSandbox(tx)
    const invoice = await tx.get(store.findInvoice, { id: params['invoice_id'] ?? '' }, 'Invoice')
    const customer = await tx.get(store.findCustomer, { id: invoice.customer_id }, 'Customer')
    const money = (amount: number) => `${formatCents(amount, invoice.currency as Currency)} ${invoice.currency}`
    const row = (bold: boolean, ...cells: string[]) => ({ cells, bold, indent: 0 })
    const body = await printTable({
      title: `Invoice ${invoice.number}: Daybook for ${customer.name}`,
      columns: [{ label: 'Description', right: false }, { label: 'Period', right: false }, { label: 'Amount', right: true }],
      rows: [
        row(false, invoice.description, `${invoice.period_start.slice(0, 10)} to ${invoice.period_end.slice(0, 10)}`, money(invoice.total)),
        row(true, 'Total', '', money(invoice.total)), row(false, 'Paid', invoice.paid_at?.slice(0, 10) ?? '', money(invoice.amount_paid)),
        ...(invoice.refunded === 0 ? [] : [row(false, 'Refunded', '', money(invoice.refunded))]),
      ],
    })
    return new Download('application/pdf', `${invoice.number}.pdf`, body)
  }),
]

const cardOf = (fields: Record<string, string>) => ({ number: fields['number'] ?? '', expiry: fields['expiry'] ?? '', cvc: fields['cvc'] ?? '' })

function form(session: SessionRow, message: string | null, fields: Record<string, string>): Page {
  const amount = `${formatCents(session.amount, session.currency as Currency)} ${session.currency}`
  return cardForm({ title: `Pay ${amount}`, what: session.description, heading: amount, ...session }, message, fields)
}

type Portal = { customer: string; return_url: string; card: string | null }

/** Whose page this is: only we can write such an address, and it is good for an hour. */
async function portalOf(tx: Tx, sealed: string): Promise<Portal> {
  requireSandbox(tx)
  const given = read(tx, sealed)
  if (!given || given.until <= tx.now) throw notFound('Page')
  const { card_brand, card_last4 } = await tx.get(store.findCustomer, { id: given.customer }, 'Page')
  return { customer: given.customer, return_url: given.return_url, card: card_last4 && `${card_brand} that ends with ${card_last4}` }
}

function read(tx: Tx, sealed: string): { customer: string; return_url: string; until: string } | null {
  try {
    return JSON.parse(open(tx.surroundings.encryption_key, Buffer.from(sealed, 'base64url'), PORTAL))
  } catch {
    return null
  }
}

function portal({ return_url, card }: Portal, message: string | null, fields: Record<string, string>): Page {
  const what = card === null ? 'No card is kept yet.' : `Your card is the ${card}.`
  return cardForm({ title: 'Save this card', what, heading: 'Another card', success_url: return_url, cancel_url: return_url }, message, fields)
}
