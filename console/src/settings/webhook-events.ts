// The events that a webhook can ask for: everything, all of a kind, or single ones.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../api.ts'
import { words } from '../format.ts'

const KINDS = [
  'customer', 'estimate', 'order', 'esign', 'contract', 'change_order', 'subscription', 'invoice', 'credit_memo', 'sales_receipt', 'charge',
  'payout', 'dispute',
]

export function eventWords(name: string): string {
  if (name === '*') return 'Everything from order to cash'
  const [kind = '', what = ''] = name.split('.')
  return what === '*' ? `${words(kind)}: everything` : `${words(kind)}: ${what.replaceAll('_', ' ')}`
}

/** In groups: the kinds first, as most endpoints want whole kinds. */
export function useEventChoices(): { group: string; items: { value: string; label: string }[] }[] {
  const types = useQuery({ queryKey: ['events', 'types'], queryFn: () => dataOf(api.GET('/api/v1/events/types')), staleTime: Infinity })
  const named = (names: string[]) => names.map((value) => ({ value, label: eventWords(value) }))
  const single = (types.data ?? []).map(({ type }) => type).filter((type) => KINDS.includes(type.split('.')[0] ?? ''))
  return [{ group: 'Whole kinds', items: named(['*', ...KINDS.map((kind) => `${kind}.*`)]) }, { group: 'Single events', items: named(single) }]
}
