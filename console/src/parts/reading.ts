// What several areas read: ledgers with their names, customers, projects and dimensions.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'

export type Ledger = Schemas['Ledger']
type Page<Row> = { items: Row[]; next_cursor: string | null; has_next: boolean }

/** Every page of a list that is short enough to be held whole. */
async function allOf<Row>(read: (cursor: { cursor?: string }) => Promise<Page<Row>>): Promise<Row[]> {
  const found: Row[] = []
  let page = await read({})
  found.push(...page.items)
  while (page.has_next && page.next_cursor !== null) {
    page = await read({ cursor: page.next_cursor })
    found.push(...page.items)
  }
  return found
}

export const ledgerName = ({ number, name }: { number: string | null; name: string }): string => (number === null ? name : `${number} ${name}`)

/** Archived ones too, because old lines stand on them. */
export const useLedgers = () => useQuery({
  queryKey: ['ledgers', 'all'],
  queryFn: () => allOf<Ledger>((cursor) => {
    const query = { limit: 1000, sort_by: 'number', descending: false, archived: 'all', ...cursor } as const
    return dataOf(api.GET('/api/v1/ledgers', { params: { query } }))
  }),
  staleTime: 60_000,
})

/** The name of a ledger by its id; the id itself while the chart is not there yet. */
export function useLedgerNames(): (id: string) => string {
  const { data } = useLedgers()
  const names = new Map(data?.map((ledger) => [ledger.id, ledgerName(ledger)]))
  return (id) => names.get(id) ?? '…'
}

export type Choice = { value: string; label: string }

const choiceOf = ({ id, name }: { id: string; name: string }): Choice => ({ value: id, label: name })
const by_name = { limit: 1000, sort_by: 'name', descending: false } as const

async function readCustomers(): Promise<Choice[]> {
  const customers = await allOf((cursor) => dataOf(api.GET('/api/v1/customers', { params: { query: { ...by_name, status: 'all', ...cursor } } })))
  return customers.map(choiceOf)
}

async function readProjects(): Promise<Choice[]> {
  const projects = await allOf((cursor) => dataOf(api.GET('/api/v1/projects', { params: { query: { ...by_name, ...cursor } } })))
  return projects.map(choiceOf)
}

export const useCustomerChoices = (wanted: boolean) => useQuery({
  queryKey: ['customers', 'choices'],
  queryFn: readCustomers,
  enabled: wanted,
  staleTime: 60_000,
})

export const useProjectChoices = (wanted: boolean) => useQuery({
  queryKey: ['projects', 'choices'],
  queryFn: readProjects,
  enabled: wanted,
  staleTime: 60_000,
})

export type Dimension = { id: string; key: string; name: string; values: (Choice & { archived: boolean })[]; rules: Schemas['DimensionRule'][] }

async function readDimensions(): Promise<Dimension[]> {
  const [dimensions, { rules }] = await Promise.all([
    allOf((cursor) => dataOf(api.GET('/api/v1/accounting-dimensions', { params: { query: { limit: 1000, ...cursor } } }))),
    dataOf(api.GET('/api/v1/accounting-dimensions/rules')),
  ])
  return Promise.all(dimensions.filter(({ archived }) => !archived).map(async ({ id, key, name }) => {
    const path = { dimension_id: id }
    const values = await allOf((cursor) => {
      const params = { path, query: { limit: 1000, ...cursor } }
      return dataOf(api.GET('/api/v1/accounting-dimensions/{dimension_id}/values', { params }))
    })
    return {
      id, key, name,
      values: values.map((value) => ({ value: value.id, label: `${value.code} ${value.name}`, archived: value.archived })),
      rules: rules.filter(({ dimension_id }) => dimension_id === id),
    }
  }))
}

export const useDimensions = (wanted: boolean) => useQuery({
  queryKey: ['accounting-dimensions', 'choices'],
  queryFn: readDimensions,
  enabled: wanted,
  staleTime: 60_000,
})

/** What a ledger asks of a dimension, by the most specific rule there is. */
export function ruleFor({ rules }: Dimension, ledger: Pick<Ledger, 'id' | 'type'>): Schemas['DimensionRule'] | undefined {
  return rules.find(({ ledger_id }) => ledger_id === ledger.id)
    ?? rules.find(({ ledger_id, ledger_type }) => ledger_id === null && ledger_type === ledger.type)
    ?? rules.find(({ ledger_id, ledger_type }) => ledger_id === null && ledger_type === null)
}
