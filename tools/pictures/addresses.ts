// Every page of the console by its address: those that need a record get the first that there is.
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Api } from './api.ts'
import type { Prepared } from './records.ts'

export type Address = { name: string; path: string; open: boolean }

const CONSOLE = resolve(import.meta.dirname, '../../console/src')

/** Where a record for each page with a parameter is found. */
const LISTS: Record<string, string> = {
  '/journal/$entry_id': '/journal-entries', '/transactions/$transaction_id': '/transactions', '/periods/$period_id': '/accounting-periods',
  '/dashboards/$dashboard_id': '/dashboards', '/customers/$customer_id': '/customers', '/recurring/$template_id': '/recurring',
  '/contracts/$contract_id': '/contracts', '/projects/$project_id': '/projects', '/products/$product_id': '/inventory/products',
  '/catalog-items/$item_id': '/catalog-items', '/papers/templates/$template_id': '/document-requests/templates', '/invoices/$invoice_id': '/invoices?status=open',
  '/credit-memos/$memo_id': '/credit-memos', '/settings/webhooks/$webhook_id': '/o2c-webhooks', '/settings/audit/$entry_id': '/audit-trail',
  '/settings/tokens/$token_id': '/api-tokens', '/settings/apps/$grant_id': '/oauth/grants', '/settings/clients/$client_id': '/oauth/clients',
  '/documents/$document_id': '/documents', '/todos/$todo_id': '/todos', '/notes/$note_id': '/notes', '/jobs/$job_id': '/jobs',
}
const EDITED: Record<string, string> = { '/journal/$entry_id/edit': '/journal-entries?status=draft', '/invoices/$invoice_id/edit': '/invoices?status=draft' }
const REPORTS = ['profit-and-loss', 'balance-sheet', 'cash-flow', 'trial-balance']
/** Pages that only lead on. */
const ELSEWHERE = ['/invoices/collections', '/$', '/reports/explain']

export async function addressesOf(api: Api, { deck_id, import_id, request_id }: Prepared): Promise<{ addresses: Address[]; missing: string[] }> {
  const known: Record<string, string> = { '/decks/$deck_id': deck_id, '/imports/$import_id': import_id, '/papers/$request_id': request_id }
  const addresses: Address[] = []
  const missing: string[] = []
  for (const { path, open } of await pages()) {
    if (path === '/reports/$report') addresses.push(...REPORTS.map((report) => ({ name: `reports-${report}`, path: `/reports/${report}`, open })))
    else if (!path.includes('$')) addresses.push({ name: path === '/' ? 'home' : path.slice(1).replaceAll('/', '-'), path, open })
    else {
      const base = path.replace(/\/edit$/, '')
      const id = known[base] ?? await firstOf(api, EDITED[path] ?? LISTS[base])
      const name = path.slice(1).replaceAll('/', '-').replaceAll(/\$\w+/g, 'one')
      if (id) addresses.push({ name, path: path.replace(/\$\w+/, id), open })
      else missing.push(path)
    }
  }
  return { addresses, missing }
}

async function firstOf(api: Api, list: string | undefined): Promise<string | null> {
  if (!list) return null
  const found = await api.get<{ items?: { id: string }[] } | { id: string }[]>(list)
  const [first] = Array.isArray(found) ? found : found.items ?? []
  return first?.id ?? null
}

async function pages(): Promise<{ path: string; open: boolean }[]> {
  const entries = await readdir(CONSOLE, { withFileTypes: true })
  const texts = await Promise.all(entries.filter((entry) => entry.isDirectory()).map(({ name }) => readFile(join(CONSOLE, name, 'area.ts'), 'utf8').catch(() => '')))
  return texts.flatMap((text) => [...text.matchAll(/path: '([^']+)'[^}]*?(open: true)?\s*}/g)])
    .map(([, path = '', open]) => ({ path, open: open !== undefined })).filter(({ path }) => !ELSEWHERE.includes(path))
}
