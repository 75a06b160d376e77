// Calls that work for the endpoints of credit memos.
import { newId } from '../../src/foundation/ids.ts'
import { newCustomer } from '../support/customers.ts'
import { sql, type Team } from '../support/people.ts'
import { newInvoice } from './invoice-samples.ts'
import type { Sample } from './samples.ts'

const noteBody = async (team: Team) => ({ customer_id: await newCustomer(team.client), line_items: [{ description: 'Sample', unit_price: 5_000 }] })

async function newMemo(team: Team, body: object): Promise<{ id: string; customer_id: string }> {
  const { data, detail } = await team.client.post('/credit-memos', body)
  if (!data) throw new Error(`No credit memo: ${JSON.stringify(detail)}`)
  return data
}

const openOne = async (team: Team) => ({ params: { memo_id: (await newMemo(team, { ...(await noteBody(team)), finalize: true })).id } })

/** An open credit, and an invoice of the same customer. */
async function withInvoice(team: Team) {
  const { id, customer_id } = await newMemo(team, { ...(await noteBody(team)), finalize: true })
  return { memo_id: id, customer_id, invoice_id: await newInvoice(team, { customer_id, finalize: true }) }
}

const bankLedger = async ({ business_id }: Team): Promise<string> => (await sql(`select id from ledgers where business_id = $1 and name = 'Checking'`, [business_id]))[0].id

export const creditIds: Record<string, (team: Team) => Promise<string>> = {
  memo_id: async (team) => (await newMemo(team, await noteBody(team))).id,
  application_id: async () => newId(),
  refund_id: async () => newId(),
}

export const creditSamples: Record<string, (team: Team, plain: Sample) => Promise<Partial<Sample>>> = {
  create_credit_memo: async (team) => ({ body: { ...(await noteBody(team)), finalize: true } }),
  create_credit_memo_from_invoice: async (team) => ({ body: { invoice_id: await newInvoice(team, { finalize: true }), mode: 'amount', amount: 2_500, finalize: true, apply: true } }),
  void_credit_memo: openOne,
  apply_credit_memo: async (team) => {
    const { memo_id, invoice_id } = await withInvoice(team)
    return { params: { memo_id }, body: { allocations: [{ invoice_id, amount: 4_000 }] } }
  },
  auto_apply_credit_memos: async (team) => ({ body: { customer_id: (await withInvoice(team)).customer_id } }),
  remove_credit_application: async (team) => {
    const { memo_id, invoice_id } = await withInvoice(team)
    await team.client.post(`/credit-memos/${memo_id}/apply`, { allocations: [{ invoice_id, amount: 4_000 }] })
    const { data } = await team.client.get(`/credit-memos/${memo_id}/applications`)
    return { params: { memo_id, application_id: data.items[0].id as string } }
  },
  refund_credit_memo: async (team) => ({ ...(await openOne(team)), body: { amount: 1_000, method: 'bank', ledger_id: await bankLedger(team) } }),
  remove_credit_refund: async (team) => {
    const { params } = await openOne(team)
    const { data } = await team.client.post(`/credit-memos/${params.memo_id}/refund`, { amount: 1_000, method: 'bank', ledger_id: await bankLedger(team) })
    return { params: { ...params, refund_id: data.id as string } }
  },
}
