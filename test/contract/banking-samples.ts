// Calls that work for the endpoints that review bank transactions, and for the embedded bank.
import { chartOf } from '../support/books.ts'
import type { Team } from '../support/people.ts'
import type { Sample } from './samples.ts'

async function newRow(team: Team): Promise<{ transaction_id: string; rent: string; checking: string }> {
  const { named } = await chartOf(team.business_id)
  const { data, detail } = await team.client.post('/transactions', { ledger_id: named('Checking'), amount: -12_000, datetime: '2026-03-10', counterparty: 'Sample landlord' })
  if (!data) throw new Error(`No transaction: ${JSON.stringify(detail)}`)
  return { transaction_id: data.id, rent: named('Rent'), checking: named('Checking') }
}

async function categorized(team: Team): Promise<string> {
  const { transaction_id, rent } = await newRow(team)
  await team.client.put(`/transactions/${transaction_id}/categorize`, { ledger_id: rent })
  return transaction_id
}

/** A row with a default that counts for it. */
async function proposed(team: Team): Promise<{ transaction_id: string; suggestion_id: string }> {
  const { transaction_id, rent } = await newRow(team)
  await team.client.post('/counterparty-defaults', { counterparty: 'Sample landlord', ledger_id: rent })
  const { data } = await team.client.get(`/transactions/${transaction_id}`)
  return { transaction_id, suggestion_id: data.suggestion.id }
}

export const bankingSamples: Record<string, (team: Team, plain: Sample) => Promise<Partial<Sample>>> = {
  categorize_transaction: async (team) => {
    const { transaction_id, rent } = await newRow(team)
    return { params: { transaction_id }, body: { ledger_id: rent, memo: 'Rent' } }
  },
  split_transaction: async (team) => {
    const { transaction_id, rent } = await newRow(team)
    return { params: { transaction_id }, body: { lines: [{ ledger_id: rent, percent: '50' }, { ledger_id: rent, percent: '50', memo: 'The other half' }] } }
  },
  accept_transaction_suggestion: async (team) => {
    const { transaction_id, suggestion_id } = await proposed(team)
    return { params: { transaction_id }, body: { suggestion_id } }
  },
  undo_transaction: async (team) => ({ params: { transaction_id: await categorized(team) } }),
  bulk_categorize_transactions: async (team) => {
    const { transaction_id, rent } = await newRow(team)
    return { body: { transactions: [{ transaction_id, ledger_id: rent }] } }
  },
  bulk_undo_transactions: async (team) => ({ body: { transaction_ids: [await categorized(team)] } }),
  auto_categorize_transactions: async (team) => {
    await proposed(team)
    return {}
  },
  post_uncategorized_transactions: async (team) => {
    await newRow(team)
    return {}
  },
  sandbox_bank_days: async (team) => ({ params: { ledger_id: (await newRow(team)).checking } }),
}
