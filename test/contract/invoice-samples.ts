// Calls that work for the endpoints of invoices.
import { newId } from '../../src/foundation/ids.ts'
import { newCustomer } from '../support/customers.ts'
import type { Team } from '../support/people.ts'
import type { Sample } from './samples.ts'

const line_items = [{ description: 'Sample', unit_price: 10_000 }]
export const invoiceBody = async (team: Team) => ({ customer_id: await newCustomer(team.client), line_items })

export async function newInvoice(team: Team, more: object = {}): Promise<string> {
  const { data, detail } = await team.client.post('/invoices', { ...(await invoiceBody(team)), ...more })
  if (!data) throw new Error(`No invoice: ${JSON.stringify(detail)}`)
  return data.id
}

const openOne = async (team: Team) => ({ params: { invoice_id: await newInvoice(team, { finalize: true }) } })

async function paidOne(team: Team) {
  const invoice_id = await newInvoice(team, { finalize: true })
  const { data } = await team.client.post(`/invoices/${invoice_id}/payments`, { amount: 4_000 })
  return { params: { invoice_id, payment_id: data.id as string } }
}

async function unposted(team: Team): Promise<string> {
  const { data } = await team.client.post('/invoices/bulk', { rows: [{ ...(await invoiceBody(team)), external_id: newId(), finalize: true, post_entry: false }] })
  return data.results[0].id
}

export const invoiceSamples: Record<string, (team: Team, plain: Sample) => Promise<Partial<Sample>>> = {
  create_invoice: async (team) => ({ body: await invoiceBody(team) }),
  batch_create_invoices: async (team) => ({ body: { invoices: [await invoiceBody(team), await invoiceBody(team)], finalize: true } }),
  bulk_create_invoices: async (team) => ({ body: { rows: [{ ...(await invoiceBody(team)), external_id: 'sample', finalize: true, payments: [{ amount: 5_000 }] }] } }),
  bulk_pay_invoices: async (team) => ({ body: { payments: [{ invoice_id: await newInvoice(team, { finalize: true }) }] } }),
  update_invoice: async (_team, { params }) => ({ body: { id: params['invoice_id'], description: 'Changed' } }),
  get_invoice_payment_link: openOne,
  void_invoice: openOne,
  deliver_invoice: openOne,
  mark_invoice_paid: openOne,
  mark_invoice_uncollectible: openOne,
  add_invoice_payment: openOne,
  mark_invoice_unpaid: paidOne,
  update_invoice_payment: paidOne,
  remove_invoice_payment: paidOne,
  generate_invoice_journal_entry: async (team) => ({ params: { invoice_id: await unposted(team) } }),
  link_invoice_journal_entry: async (team) => {
    const [entry] = (await team.client.get(`/invoices/${await newInvoice(team, { finalize: true })}`)).data.journal_entries
    return { params: { invoice_id: await newInvoice(team, { finalize: true }) }, body: { journal_entry_id: entry.id } }
  },
}
