// What forms of sales let people choose from: tax codes, payment terms, accounts for money, things that are sold.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { money } from '../format.ts'

const LONG = 300_000
const NONE: never[] = []

export const useTaxCodes = (): Schemas['TaxCode'][] => useQuery({
  queryKey: ['tax', 'codes', 'choices'], staleTime: LONG,
  queryFn: () => dataOf(api.GET('/api/v1/tax/codes', { params: { query: { limit: 500 } } })),
}).data?.items ?? NONE

export const useTerms = (): Schemas['PaymentTerm'][] => useQuery({
  queryKey: ['payment-terms', 'choices'], staleTime: LONG,
  queryFn: () => dataOf(api.GET('/api/v1/payment-terms', { params: { query: { limit: 500 } } })),
}).data?.items ?? NONE

export const useBankLedgers = (): Schemas['Ledger'][] => useQuery({
  queryKey: ['ledgers', 'banks'], staleTime: LONG,
  queryFn: () => dataOf(api.GET('/api/v1/ledgers', { params: { query: { limit: 200, is_bank: true } } })),
}).data?.items ?? NONE

/** Something that is sold: the service knows its price. */
export type Offer = { kind: 'catalog' | 'variant'; id: string; name: string; price: number | null; title: string }

export function useOffers(typed: string, currency: string, enabled: boolean): Offer[] {
  const search = typed.trim().slice(0, 100)
  const some = search ? { limit: 8 } : { limit: 5 }
  const items = useQuery({
    queryKey: ['catalog-items', 'pick', search], staleTime: 60_000, enabled, placeholderData: (before) => before,
    queryFn: () => dataOf(api.GET('/api/v1/catalog-items', { params: { query: { ...some, ...(search ? { search } : {}) } } })),
  }).data?.items ?? NONE
  const products = useQuery({
    queryKey: ['inventory', 'pick', search], staleTime: 60_000, enabled, placeholderData: (before) => before,
    queryFn: () => dataOf(api.GET('/api/v1/inventory/products', { params: { query: { ...some, status: 'active', ...(search ? { q: search } : {}) } } })),
  }).data?.items ?? NONE
  const titled = (name: string, code: string | null, price: number | null) =>
    [name, code, price === null ? null : money(price, currency)].filter(Boolean).join(' · ')
  return [
    ...items.map(({ id, name, code, prices }: Schemas['CatalogItem']): Offer => {
      const price = prices.find((one) => one.currency === currency)?.unit_price ?? null
      return { kind: 'catalog', id, name, price, title: titled(name, code, price) }
    }),
    ...products.flatMap(({ name: product, variants }: Schemas['Product']) => {
      const sold = variants.filter(({ status }) => status === 'active')
      return sold.map(({ id, name, sku, price }): Offer => {
        const full = name === product || !name ? product : `${product}, ${name}`
        return { kind: 'variant', id, name: full, price, title: titled(full, sku, price) }
      })
    }),
  ]
}
