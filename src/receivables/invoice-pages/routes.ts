// The page of an invoice, its PDF and its way to pay: address → operation.
import { outsidePage, page, Redirect, type PageInput, type PageRoute } from '../../foundation/page.ts'
import { invalid } from '../../foundation/refusal.ts'
import { openCheckout } from '../processor-checkouts/operations.ts'
import { showInvoice, showLogo, showPdf } from './operations.ts'
import { readSum } from './rules.ts'

const tokenOf = ({ params }: PageInput): string => params['token'] ?? ''

/** What the form asks to pay: a sum as people write it, or all that is due. */
function asked(input: PageInput) {
  const sum = input.form['sum']
  const amount = sum === undefined ? null : readSum(sum)
  if (sum !== undefined && (amount === null || amount === 0)) throw invalid(`${sum === '' ? 'Nothing' : sum.slice(0, 50)} is no amount: write it as 1234.56.`)
  return { params: { token: tokenOf(input) }, body: amount === null ? {} : { amount } }
}

export const invoicePages: PageRoute[] = [
  page('GET', '/pay/{token}', (tx, input) => showInvoice(tx, tokenOf(input), input.query['paid']), 60),
  page('GET', '/pay/{token}/pdf', (tx, input) => showPdf(tx, tokenOf(input)), 30),
  page('GET', '/pay/{token}/logo', (tx, input) => showLogo(tx, tokenOf(input)), 60),
  outsidePage('POST', '/pay/{token}', {
    read: (tx, input) => openCheckout.read(tx, asked(input)),
    call: openCheckout.call,
    write: async (tx, input, plan, found) => new Redirect((await openCheckout.write(tx, asked(input), plan, found)).checkout_url ?? `/pay/${tokenOf(input)}`),
  }, 30),
]
