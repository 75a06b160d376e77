// What the demo does not have and the pictures need: a deck and its link, papers, files, a program's access.
import type { Api } from './api.ts'

export type Prepared = { deck_id: string; share_url: string; import_id: string; request_id: string }

type Made = { id: string; job_id: string; url: string }

export async function prepare(api: Api): Promise<Prepared> {
  const year = new Date().getUTCFullYear() - 1
  const deck = await api.post<Made>('/ai-reporting/decks', { template: 'board', period_start: `${year}-01-01`, period_end: `${year}-12-31`, comparison: 'prior_year' })
  await api.ended(deck.job_id)
  const share = await api.post<Made>(`/ai-reporting/decks/${deck.id}/share`, { mode: 'snapshot' })
  const document_id = await api.upload('customers.csv', 'name,email\nHarbor Books,owner@harbor.example\nHill Bakery,hello@hill.example\n')
  const { id: import_id } = await api.post<Made>('/imports', { kind: 'customers', document_id })
  const { id: request_id } = await api.post<Made>('/document-requests', {
    title: 'Papers for the year end', recipients: [{ name: 'Robin Hale', email: 'robin@example.com' }], send: true,
    items: [{ label: 'Bank statement of December', kind: 'statement', required: true }, { label: 'Lease contract', kind: 'contract', required: false }],
  })
  await api.post('/document-requests/templates', { name: 'Year end', title: 'Papers for the year end', items: [{ label: 'Bank statement', kind: 'statement', required: true }] })
  await sold(api)
  const { job_id } = await api.post<Made>('/exports', { kind: 'customers', format: 'csv' })
  await api.ended(job_id)
  return { deck_id: deck.id, share_url: share.url, import_id, request_id }
}

/** What belongs to selling and to programs, one of each. */
async function sold(api: Api): Promise<void> {
  const { items: [customer] } = await api.get<{ items: { id: string }[] }>('/customers?limit=1')
  const customer_id = customer?.id
  const dates = { start_date: `${new Date().getUTCFullYear()}-01-01`, end_date: `${new Date().getUTCFullYear()}-12-31` }
  await api.post('/contracts', { customer_id, title: 'Beans for the year', original_value: 2_400_000, ...dates, renewal_months: 12 })
  await api.post('/projects', { name: 'New counter', code: 'COUNTER', billing_method: 'fixed', budget: { revenue: 2_500_000, cost: 1_600_000 } })
  await api.post('/credit-memos', { customer_id, line_items: [{ description: 'Two bags taken back', unit_price: 4_800 }], finalize: true })
  await api.post('/o2c-webhooks', { url: 'http://127.0.0.1:9/daybook', events: ['invoice.*'], description: 'The warehouse' })
  await api.post('/oauth/clients', { name: 'Shop Connector', redirect_uris: ['https://shop.example.com/callback'], allowed_scopes: ['invoices:read', 'customers:read'] })
  const { items } = await api.get<{ items: { id: string; name: string }[] }>('/ledgers?limit=500')
  const ledger_id = items.find(({ name }) => name === 'Checking')?.id
  const datetime = new Date().toISOString().slice(0, 10)
  for (const [amount, counterparty] of [[-12_840, 'Harbor Print'], [-4_999, 'Cloud Drive'], [86_000, 'Quayside Bistro']] as const) {
    await api.post('/transactions', { ledger_id, amount, datetime, counterparty, description: `Card ${counterparty}` })
  }
}
