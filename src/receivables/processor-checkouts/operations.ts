// What can be done with checkouts: whoever has the link of an invoice opens one, the processor says what became of it.
import type { Surroundings } from '../../foundation/database/context.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx, PublicTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Checkout, NewCheckout } from '../../foundation/processor/processor.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { openLink } from '../../workspace/document-links/operations.ts'
import { loadInvoices, type Loaded } from '../invoices/operations.ts'
import { nameOf } from '../invoices/rules.ts'
import { activeConnection } from '../processor-connections/operations.ts'
import { checkoutResource, type CheckoutRow, type HostedCheckout } from './contract.ts'
import { amountToPay, unpayableReason } from './rules.ts'
import * as store from './store.ts'

type Plan = { wanted: NewCheckout; open: CheckoutRow | null }
type Asked = { params: { token: string }; body: { amount?: number } }

/** Opens a checkout for the invoice that a link shows, in three steps. */
export const openCheckout = {
  async read(tx: PublicTx, { params: { token }, body: { amount: asked } }: Asked): Promise<Plan> {
    const { tx: inside, loaded } = await linkedInvoice(tx, token)
    const { invoice, names } = loaded
    const connection = await activeConnection(inside)
    const reason = unpayableReason(invoice, connection !== null)
    if (reason !== null || !connection) throw invalid(reason ?? 'This cannot be paid online.')
    const amount = amountToPay(invoice, asked)
    const open = await inside.find(store.openOfInvoice, { invoice_id: invoice.id })
    const page = `${tx.surroundings.public_url}/pay/${token}`
    const wanted = {
      account: connection.account_id, reference: invoice.id, amount, currency: invoice.currency, description: nameOf(invoice),
      customer_email: names.customer_email,
      success_url: `${page}?paid=${amount}`, cancel_url: page, idempotency_key: newId(),
    }
    return { wanted, open: open && open.amount === amount && open.expires_at > tx.now ? open : null }
  },
  async call({ processor }: Surroundings, { wanted, open }: Plan): Promise<Checkout> {
    const known = open && await processor.readCheckout(wanted.account, open.processor_checkout_id)
    return known?.status === 'open' ? known : processor.createCheckout(wanted)
  },
  async write(tx: PublicTx, { params: { token } }: Asked, { wanted: { amount, currency } }: Plan, found: Checkout | null): Promise<HostedCheckout> {
    if (!found) return { checkout_url: null, session_id: null, amount, currency, expires_at: null }
    const { tx: inside, loaded } = await linkedInvoice(tx, token)
    await keep(inside, loaded.invoice.id, found)
    return { checkout_url: found.url, session_id: found.id, amount, currency, expires_at: found.expires_at }
  },
}

/** Whether the customer can pay this invoice online now, and if not, why. */
export async function onlinePayment(tx: BusinessTx, { invoice }: Pick<Loaded, 'invoice'>): Promise<{ payable: boolean; reason: string | null }> {
  const reason = unpayableReason(invoice, (await activeConnection(tx)) !== null)
  return { payable: reason === null, reason }
}

/** Nobody pays this invoice online any more: an open checkout ends, here at once and at the processor by a job. */
export async function endCheckout(tx: BusinessTx, invoice_id: string): Promise<void> {
  const open = await tx.find(store.lockOpenOfInvoice, { invoice_id })
  if (open) expire(tx, open)
}

/** What the processor says of a checkout now; one that nobody here has opened is none of ours. */
export async function applyCheckout(tx: BusinessTx, found: Pick<Checkout, 'id' | 'status'>): Promise<CheckoutRow | null> {
  const before = await tx.find(store.checkoutByProcessorId, { processor_checkout_id: found.id })
  if (!before || before.status === found.status || before.status === 'complete' || found.status === 'open') return before
  return close(tx, before, found.status)
}

export function openCheckouts(tx: BusinessTx): Promise<CheckoutRow[]> {
  return tx.many(store.openCheckouts)
}

async function linkedInvoice(tx: PublicTx, token: string): Promise<{ tx: BusinessTx; loaded: Loaded }> {
  const link = await openLink(tx, token)
  if (link.document_type !== 'invoice') throw notFound('Document')
  const loaded = (await loadInvoices(link.tx, [link.document_id])).get(link.document_id)
  if (!loaded) throw notFound('Document')
  return { tx: link.tx, loaded }
}

/** One is open at a time: the one before ends, here at once and at the processor by a job. */
async function keep(tx: BusinessTx, invoice_id: string, { id, url, amount, currency, expires_at }: Checkout): Promise<void> {
  await tx.exclusive(`checkout of invoice ${invoice_id}`)
  const before = await tx.find(store.lockOpenOfInvoice, { invoice_id })
  if (before?.processor_checkout_id === id) return
  if (before) expire(tx, before)
  const checkout: CheckoutRow = {
    id: newId(), business_id: tx.business_id, processor_checkout_id: id, invoice_id, amount, currency, status: 'open', url: url ?? '', expires_at,
    created_at: tx.now, updated_at: tx.now, version: 1,
  }
  tx.queue(store.insertCheckout, checkout)
  tx.record(checkoutResource, 'checkout.opened', { before: null, after: checkout })
}

function expire(tx: BusinessTx, open: CheckoutRow): void {
  close(tx, open, 'expired')
  tx.enqueue('processor.expire_checkout', { business_id: tx.business_id, processor_checkout_id: open.processor_checkout_id })
}

function close(tx: BusinessTx, before: CheckoutRow, status: CheckoutRow['status']): CheckoutRow {
  const after = changed(before, { status }, tx.now)
  tx.queue(store.updateCheckout, after)
  tx.record(checkoutResource, status === 'complete' ? 'checkout.completed' : 'checkout.expired', { before, after })
  return after
}
