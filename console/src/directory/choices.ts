// What the forms of this area let people choose from.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../api.ts'
import { words } from '../format.ts'
import { ledgerName, useLedgers } from '../parts/reading.ts'
import type { Choice } from '../parts/record-values.ts'
import { useTaxCodes, useTerms } from '../sales/choices.ts'
import { useBusiness } from '../session.tsx'

export const choicesOf = (names: readonly string[]): Choice[] => names.map((value) => ({ value, label: words(value) }))

export const labelOf = (choices: readonly Choice[], value: string): string => choices.find((choice) => choice.value === value)?.label ?? words(value)

export const CURRENCIES = ['USD', 'CAD', 'AUD', 'EUR', 'GBP'] as const
export const CURRENCY_CHOICES: Choice[] = CURRENCIES.map((value) => ({ value, label: value }))

export const useTermChoices = (): Choice[] => useTerms().map(({ id, name }) => ({ value: id, label: name }))
export const useTaxChoices = (): Choice[] => useTaxCodes().map(({ id, code, name }) => ({ value: id, label: code === name ? code : `${code}, ${name}` }))

/** Ledgers of these types that lines can be put on. */
export function useLedgerChoices(types: readonly string[]): Choice[] {
  const ledgers = useLedgers().data ?? []
  return ledgers.filter(({ type, archived, posting }) => types.includes(type) && !archived && posting).map((ledger) => ({
    value: ledger.id, label: ledgerName(ledger),
  }))
}

export function usePeople(): Choice[] {
  const { id: business_id } = useBusiness()
  const members = useQuery({
    queryKey: ['members', 'choices'],
    queryFn: () => dataOf(api.GET('/api/v1/businesses/{business_id}/members', { params: { path: { business_id }, query: { limit: 1000 } } })),
    staleTime: 60_000, retry: false,
  })
  return members.data?.items.map(({ user_id, name }) => ({ value: user_id, label: name })) ?? []
}

export function useContractChoices(): Choice[] {
  const contracts = useQuery({
    queryKey: ['contracts', 'choices'],
    queryFn: () => dataOf(api.GET('/api/v1/contracts', { params: { query: { limit: 1000 } } })), staleTime: 60_000,
  })
  return contracts.data?.items.map(({ id, number, title }) => ({ value: id, label: `${number}, ${title}` })) ?? []
}

export function useLocationChoices(): Choice[] {
  const locations = useQuery({
    queryKey: ['inventory', 'locations', 'choices'],
    queryFn: () => dataOf(api.GET('/api/v1/inventory/locations', { params: { query: { limit: 1000, status: 'active' } } })), staleTime: 60_000,
  })
  return locations.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
}

export type NamedVariant = { id: string; sku: string; name: string; product_id: string; stocked: boolean; active: boolean }
export const NO_VARIANTS: ReadonlyMap<string, NamedVariant> = new Map()

/** Variants by their ids, where a record names nothing else of them. */
export const useVariants = (wanted: boolean) => useQuery({
  queryKey: ['inventory', 'variants', 'choices'], enabled: wanted, staleTime: 60_000,
  async queryFn(): Promise<ReadonlyMap<string, NamedVariant>> {
    const { items } = await dataOf(api.GET('/api/v1/inventory/products', { params: { query: { limit: 1000 } } }))
    return new Map(items.flatMap(({ id: product_id, name: product, type, variants }) => variants.map(({ id, sku, name, status }) => {
      const full = name === product || !name ? product : `${product}, ${name}`
      return [id, { id, sku, name: full, product_id, stocked: type === 'stocked', active: status === 'active' }] as const
    })))
  },
})

export const PRODUCT_TYPES: Choice[] = [
  { value: 'stocked', label: 'Stocked' }, { value: 'non_stocked', label: 'Not stocked' }, { value: 'service', label: 'Service' },
  { value: 'kit', label: 'Kit' },
]

export const COSTING: Choice[] = [{ value: 'fifo', label: 'First in, first out' }, { value: 'weighted_average', label: 'Weighted average' }]
