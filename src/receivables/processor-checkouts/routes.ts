// Checkouts over HTTP: contract → operation; and the form of the hosted invoice page that leads to the processor.
import { onOutside } from '../../foundation/endpoint.ts'
import { outsidePage, Redirect, type PageInput, type PageRoute } from '../../foundation/page.ts'
import * as contract from './contract.ts'
import { openCheckout } from './operations.ts'

export const processorCheckoutRoutes = [
  onOutside(contract.openCheckout, openCheckout),
]

/** The field `amount` is in cents; left empty, all that is due is paid. */
const asked = ({ params, form }: PageInput) => {
  const amount = /^\d{1,15}$/.test(form['amount'] ?? '') ? Number(form['amount']) : 0
  return { params: { token: params['token'] ?? '' }, body: amount > 0 ? { amount } : {} }
}

export const processorCheckoutPages: PageRoute[] = [
  outsidePage('POST', '/pay/{token}/checkout', {
    read: (tx, input) => openCheckout.read(tx, asked(input)),
    call: openCheckout.call,
    write: async (tx, input, plan, found) => new Redirect((await openCheckout.write(tx, asked(input), plan, found)).checkout_url ?? `/pay/${input.params['token']}`),
  }, 30),
]
