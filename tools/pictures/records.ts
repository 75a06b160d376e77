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
  const { job_id } = await api.post<Made>('/exports', { kind: 'customers', format: 'csv' })
  await api.ended(job_id)
  return { deck_id: deck.id, share_url: share.url, import_id, request_id }
}
