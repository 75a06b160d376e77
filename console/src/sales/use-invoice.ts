// One invoice, read once for all that show it.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../api.ts'

export const useInvoice = (invoice_id: string | null) => useQuery({
  queryKey: ['invoices', invoice_id],
  queryFn: () => dataOf(api.GET('/api/v1/invoices/{invoice_id}', { params: { path: { invoice_id: invoice_id as string } } })),
  enabled: invoice_id !== null,
})
