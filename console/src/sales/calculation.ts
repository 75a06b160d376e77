// What an invoice comes to while it is typed: the service itself is asked, by a dry run of the save, so that the page never reckons otherwise.
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { completeLines, creationOf, updateOf, type Draft } from './draft.ts'
import type { Invoice } from './invoice-status.tsx'

export type Calculation = { result: Invoice | null; lines: ReadonlyMap<string, Schemas['LineItem']>; error: unknown; working: boolean }

const dry = { dry_run: true }

export function useCalculation(draft: Draft, invoice: Invoice | null): Calculation {
  const { keys, line_items } = useMemo(() => completeLines(draft), [draft])
  // Which rows they are on the page matters to the page alone.
  const asked = JSON.stringify({ keys, body: invoice ? updateOf(draft, invoice) : creationOf(draft) })
  const [settled] = useDebouncedValue(asked, 350)
  const answer = useQuery({
    queryKey: ['invoices', 'calculation', invoice?.id ?? 'new', settled],
    async queryFn() {
      const { keys: rows, body } = JSON.parse(settled) as { keys: string[]; body: Schemas['NewInvoice'] & Schemas['InvoiceUpdate'] }
      const result = invoice
        ? await dataOf(api.PUT('/api/v1/invoices/{invoice_id}', { params: { path: { invoice_id: invoice.id }, query: dry }, body }))
        : await dataOf(api.POST('/api/v1/invoices', { params: { query: dry }, body }))
      return {
        result,
        lines: new Map(
          rows.map((key, place) => [key, result.line_items?.[place]] as const).filter((pair): pair is [string, Schemas['LineItem']] => pair[1] !== undefined)
        ),
      }
    },
    enabled: draft.customer_id !== null && (line_items.length > 0 || invoice !== null),
    placeholderData: keepPreviousData, retry: false, gcTime: 10_000,
  })
  const known = draft.customer_id === null || answer.isError ? null : answer.data ?? null
  return { result: known?.result ?? null, lines: known?.lines ?? new Map(), error: answer.error, working: answer.isFetching || asked !== settled }
}
