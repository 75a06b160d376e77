// Reading an invoice as its customer sees it.
import { findLogo } from '../../access/business-logo/operations.ts'
import { getSettings } from '../../access/business-settings/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { customersByIds } from '../../directory/customers/operations.ts'
import { termsByIds } from '../../directory/payment-terms/operations.ts'
import { linkToken } from '../../workspace/document-links/operations.ts'
import type { Loaded } from '../invoices/operations.ts'
import type { InvoiceView } from './contract.ts'
import { viewOf } from './rules.ts'
import * as store from './store.ts'

export async function viewInvoice(tx: BusinessTx, loaded: Loaded): Promise<InvoiceView> {
  const { invoice, names } = loaded
  const [issuer, registrations, logo, settings, customers, terms] = await Promise.all([
    tx.get(store.issuer, {}, 'Business'),
    tx.many(store.registrations),
    findLogo(tx),
    getSettings(tx),
    customersByIds(tx, [invoice.customer_id]),
    invoice.payment_terms_id ? termsByIds(tx, [invoice.payment_terms_id]) : new Map<string, never>(),
  ])
  const customer = customers.get(invoice.customer_id)
  return viewOf(loaded, {
    business: {
      name: issuer.legal_name ?? issuer.name, country: issuer.country, address: issuer.address, email: issuer.email, phone: issuer.phone, website: issuer.website,
      tax_numbers: registrations.map(({ name, registration_number }) => `${name} ${registration_number}`), logo,
    },
    customer: {
      name: customer?.name ?? names.customer_name ?? '', email: customer?.email ?? null, tax_number: customer?.tax_number ?? null,
      billing_address: customer?.billing_address ?? null, shipping_address: customer?.shipping_address ?? null,
    },
    terms: terms.get(invoice.payment_terms_id ?? '')?.name ?? null,
    footer: settings.sales.invoice_footer,
    pay_url: hostedUrl(tx, loaded),
    today: tx.today,
  })
}

/** Where its customer sees it; null while there is nothing to see, or where nobody knows how this server is reached. */
export function hostedUrl(tx: BusinessTx, { invoice }: Pick<Loaded, 'invoice'>): string | null {
  if (invoice.finalized_at === null || invoice.status === 'void' || tx.surroundings.public_url === '') return null
  return `${tx.surroundings.public_url}/pay/${linkToken(tx, 'invoice', invoice.id, invoice.link_generation)}`
}
