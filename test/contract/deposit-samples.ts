// Calls that work for the endpoints around deposits: suggestions of payments and cash receipts.
import type { Team } from '../support/people.ts'
import { newInvoice } from './invoice-samples.ts'
import type { Sample } from './samples.ts'

const WEEK = '2026-03-09'

async function newDeposit(team: Team, more: object = {}): Promise<string> {
  const { items } = (await team.client.get('/ledgers', { limit: 200 })).data
  const bank = items.find(({ name }: { name: string }) => name === 'Checking')
  const { data, detail } = await team.client.post('/transactions', { ledger_id: bank.id, amount: 10_000, datetime: '2026-03-10', ...more })
  if (!data) throw new Error(`No deposit: ${JSON.stringify(detail)}`)
  return data.id
}

async function withMatch(team: Team): Promise<string> {
  const invoice_id = await newInvoice(team, { finalize: true, invoice_date: '2026-03-01' })
  await newDeposit(team, { description: 'Payment of INV-0001' })
  return invoice_id
}

async function suggested(team: Team): Promise<{ params: Record<string, string> }> {
  const invoice_id = await withMatch(team)
  await team.client.post('/invoices/match', {})
  const { items } = (await team.client.get(`/invoices/${invoice_id}/suggestions`)).data
  return { params: { invoice_id, suggestion_id: items[0].id } }
}

export const depositSamples: Record<string, (team: Team, plain: Sample) => Promise<Partial<Sample>>> = {
  match_payments: async (team) => {
    await withMatch(team)
    return {}
  },
  list_payment_suggestions: suggested,
  list_invoice_suggestions: suggested,
  accept_payment_suggestion: suggested,
  reject_payment_suggestion: suggested,
  list_deposit_candidates: async (team) => ({ query: { invoice_id: await withMatch(team) } }),
  get_cash_receipts_week: async (team) => {
    await newDeposit(team)
    return { query: { week_start: WEEK } }
  },
  dismiss_cash_receipt: async (team) => ({ body: { transaction_id: await newDeposit(team), reason: 'loan' } }),
  restore_cash_receipt: async (team) => {
    const transaction_id = await newDeposit(team)
    await team.client.post('/invoices/cash-receipts/dismiss', { transaction_id, reason: 'loan' })
    return { body: { transaction_id } }
  },
}

/** For the path parameter. */
export const newSuggestion = async (team: Team): Promise<string> => (await suggested(team)).params['suggestion_id'] as string
