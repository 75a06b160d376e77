// How PostgreSQL finds pages of the list of invoices: as the role of requests, under row-level security, with plans made for the values that
// are asked for and with plans made once for all of them. A page that walks along an index reads about as many blocks of any number of invoices.
import { pageStatement, type List } from '../../src/foundation/database/list.ts'
import { invoices } from '../../src/receivables/invoices/store.ts'
import { asOwner } from './books.ts'

export type PagePlan = { asked: string; detail: string; walks: boolean }

type Asked = { sort_by?: string; descending?: boolean; after?: string; filters?: Record<string, string> }

/** 51 rows and what is joined to them take some hundred. */
const MOST_BLOCKS = 1_000

const CUSTOMER = `${'0'.repeat(28)}04d2`
const open = { with_balance: 'true' }
const TODAY = new Date().toISOString().slice(0, 10)

const pages: Asked[] = [
  ...Object.keys(invoices.sorts).flatMap((sort_by) => [true, false].map((descending) => ({ sort_by, descending }))),
  { sort_by: 'invoice_date', after: '2025-03-01' },
  { sort_by: 'customer_name', after: 'customer 05000' },
  { filters: { status: '{open}' } },
  { filters: { status: '{open}' }, descending: false },
  { filters: { status: '{open,partially_paid}' } },
  { filters: { status: '{open,partially_paid}' }, descending: false },
  { filters: { status: '{manual_paid}' } },
  { filters: { status: '{draft}' } },
  { filters: { status: '{void,draft}' } },
  { filters: { status: '{open}' }, sort_by: 'due_date', descending: false },
  { filters: { status: '{open}' }, sort_by: 'total' },
  { filters: { customer_id: CUSTOMER } },
  { filters: { customer_id: CUSTOMER }, sort_by: 'invoice_date' },
  { filters: { customer_id: CUSTOMER }, sort_by: 'due_date' },
  { filters: { customer_id: CUSTOMER, status: '{open}' } },
  { filters: { customer_id: CUSTOMER, ...open }, sort_by: 'due_date', descending: false },
  { filters: { invoice_date_from: '2025-03-01', invoice_date_to: '2025-03-31' } },
  { filters: { invoice_date_from: '2025-03-01', invoice_date_to: '2025-03-31' }, sort_by: 'invoice_date' },
  { filters: { invoice_date_from: '2025-03-01', invoice_date_to: '2025-03-31' }, sort_by: 'total' },
  { filters: { invoice_date_from: '2025-03-01' } },
  { filters: { invoice_date_to: '2024-03-31' } },
  { filters: { due_date_from: '2025-03-01', due_date_to: '2025-03-31' } },
  { filters: { due_date_from: '2025-03-01', due_date_to: '2025-03-31' }, sort_by: 'due_date' },
  { filters: { due_date_to: '2024-03-31' } },
  { filters: { number: 'INV-0500000' } },
  { filters: { number: 'INV-none' } },
  { filters: { search: 'INV-00500' } },
  { filters: { search: 'INV-00500' }, sort_by: 'number' },
  { filters: { search: 'none' } },
  { filters: { is_overdue: TODAY } },
  { filters: { is_overdue: TODAY }, sort_by: 'due_date', descending: false },
  { filters: { is_overdue: TODAY }, sort_by: 'balance_due' },
  { filters: { is_overdue: '2023-01-01' } },
  { filters: { is_overdue: '2023-01-01' }, sort_by: 'due_date', descending: false },
  { filters: { is_not_overdue: TODAY } },
  { filters: { ...open } },
  { filters: { ...open }, descending: false },
  { filters: { ...open }, sort_by: 'due_date', descending: false },
  { filters: { ...open }, sort_by: 'balance_due' },
  { filters: { without_balance: 'true' } },
  { filters: { total_min: '500000', total_max: '500100' } },
  { filters: { total_min: '900000' } },
  { filters: { origin: 'recurring' } },
  { filters: { currency: 'EUR' } },
  { filters: { delivered: 'true' } },
  { filters: { uncollectible: 'true' } },
  { filters: { external_id: 'none' } },
  { filters: { updated_since: '2026-01-01' } },
  { filters: { updated_since: '2099-01-01' } },
]

export function explainPages(database_url: string, business_id: string): Promise<PagePlan[]> {
  return asOwner(database_url, async (client) => {
    await client.query(`set role daybook_app; set app.business_id = '${business_id}'; set timezone = 'UTC'; set statement_timeout = '120s'`)
    const found: PagePlan[] = []
    for (const [index, asked] of pages.entries()) {
      const { sort_by = 'created_at', descending = true, after, filters = {} } = asked
      const statement = pageStatement(invoices as unknown as List, { sort_by, descending, backwards: false, zone: after ? 'values' : 'all', filters: Object.keys(filters) })
      const values: Record<string, string> = { business_id, limit: '51', position_value: after ?? '', position_id: business_id, ...filters }
      await client.query(`prepare page_${index} as ${statement.text}`)
      const plans = []
      for (const mode of ['custom', 'generic'] as const) {
        await client.query(`set plan_cache_mode = force_${mode}_plan`)
        const execute = `explain (analyze, buffers, format json) execute page_${index} (${statement.parameters.map((name) => `'${values[name]}'`).join(', ')})`
        await client.query(execute)
        const { rows: [row] } = await client.query(execute)
        plans.push({ mode, ...read(row['QUERY PLAN'][0]) })
      }
      const said = plans.map(({ mode, ms, blocks, indexes }) => `${mode} ${ms.toFixed(1)} ms, ${blocks} blocks, ${indexes}`)
      const name = [Object.entries(filters).map(([filter, value]) => `${filter}=${value}`).join('&') || 'all', `by ${sort_by}${descending ? ' descending' : ''}${after ? ` from ${after}` : ''}`].join(' ')
      // The service has them made for the values, because how many rows are asked for is one of them.
      found.push({ asked: name, detail: said.join('; '), walks: plans.every(({ mode, blocks }) => mode === 'generic' || blocks <= MOST_BLOCKS) })
    }
    return found
  })
}

type Node = { 'Node Type': string; 'Index Name'?: string; 'Relation Name'?: string; 'Actual Rows': number; 'Shared Hit Blocks': number; 'Shared Read Blocks': number; Plans?: Node[] }

function read({ Plan: plan, 'Execution Time': ms }: { Plan: Node; 'Execution Time': number }): { ms: number; blocks: number; indexes: string } {
  const nodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodes)]
  const told = nodes(plan).flatMap((node) => {
    const scan = node['Index Name'] ?? (node['Node Type'].includes('Seq Scan') ? `every row of ${node['Relation Name']}` : null)
    return scan && !/^(customers|projects)_pkey$/.test(scan) ? [scan] : /Sort/.test(node['Node Type']) ? ['sort'] : []
  })
  return { ms, blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], indexes: [...new Set(told)].join(' + ') }
}
