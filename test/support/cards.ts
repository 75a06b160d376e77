// Card payments in tests: a business that is connected, an invoice with its link, and a customer who pays it.
import { client } from './client.ts'
import { runJobs } from './jobs.ts'
import type { Team } from './people.ts'

/** Connects the business with the embedded processor. */
export async function connect(team: Team): Promise<void> {
  const answer = await team.client.post('/processor/connection', { return_url: 'https://example.com/done', refresh_url: 'https://example.com/again' })
  if (answer.status !== 201) throw new Error(`Not connected: ${JSON.stringify(answer.detail)}`)
}

/** A finalized invoice over this amount. */
export async function newInvoice(team: Team, amount = 100_000, more: object = {}): Promise<{ id: string; token: string; customer_id: string }> {
  const customer = await team.client.post('/customers', { name: `Customer ${Math.random()}`, email: 'customer@example.com' })
  const answer = await team.client.post('/invoices', {
    customer_id: customer.data.id, invoice_date: '2026-03-02', finalize: true, line_items: [{ description: 'Work', quantity: 1, unit_price: amount }], ...more,
  })
  if (answer.status !== 201) throw new Error(`No invoice: ${JSON.stringify(answer.detail)}`)
  return { id: answer.data.id, token: answer.data.hosted_invoice_url.split('/pay/')[1], customer_id: customer.data.id }
}

/** Opens a checkout by the link of the invoice. */
export async function checkout(token: string, amount?: number) {
  return client().post(`/processor/hosted/${token}/checkout`, amount === undefined ? {} : { amount })
}

/** The customer pays the invoice with a good card, and the books hear of it: the charge. */
export async function pay(team: Team, token: string, amount?: number) {
  const opened = await checkout(token, amount)
  if (opened.status !== 201) throw new Error(`No checkout: ${JSON.stringify(opened.detail)}`)
  const paid = await fetch(opened.data.checkout_url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ number: '4242424242424242', expiry: '12/90', cvc: '123' }) })
  if (paid.status !== 303) throw new Error(`Not paid: ${await paid.text()}`)
  await runJobs(team.business_id)
  const { data } = await team.client.get('/processor/charges', { limit: 1 })
  return data.items[0]
}
