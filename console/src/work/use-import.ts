// One import as it stands, and the kinds that there are: read once, shared by the pages of imports.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'

export type Import = Schemas['Import']
export type ImportKind = Schemas['ImportKind']
export type ImportOptions = Schemas['ImportOptions']
export type ImportProblem = Schemas['ImportProblem']

export const KIND_WORDS: Record<Import['kind'], string> = {
  customers: 'Customers', catalog_items: 'Services', products: 'Products', projects: 'Projects', invoices: 'Invoices',
}

/** Where the records of a kind are looked at. */
export const KIND_PATHS: Record<Import['kind'], string> = {
  customers: '/customers', catalog_items: '/catalog-items', products: '/products', projects: '/projects', invoices: '/invoices',
}

/** What the cache calls their groups. */
export const KIND_GROUPS: Record<Import['kind'], string> = {
  customers: 'customers', catalog_items: 'catalog-items', products: 'products', projects: 'projects', invoices: 'invoices',
}

export function useImportKinds() {
  return useQuery({ queryKey: ['imports', 'kinds'], queryFn: async () => (await dataOf(api.GET('/api/v1/imports/kinds'))).items, staleTime: 300_000 })
}

const keyOf = (import_id: string) => ['imports', 'one', import_id]

/** Asked for again while it runs. */
export function useImport(import_id: string) {
  return useQuery({
    queryKey: keyOf(import_id),
    queryFn: () => dataOf(api.GET('/api/v1/imports/{import_id}', { params: { path: { import_id } } })),
    refetchInterval: ({ state: { data } }) => (data?.status === 'running' ? 1500 : false),
  })
}

/** After a write that answers the import: it is known at once, and the list is read anew. */
export function useKnownImport(): (given: Import) => void {
  const queries = useQueryClient()
  return (given) => {
    queries.setQueryData(keyOf(given.id), given)
    void queries.invalidateQueries({ queryKey: ['imports', 'list'] })
  }
}
