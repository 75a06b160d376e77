// The invoices for the plan, each with its PDF at the card processor.
import { Button, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money, words } from '../format.ts'
import { Loaded } from '../parts/details.tsx'
import { sayFailed } from '../parts/feedback.tsx'
import { Rows } from '../parts/rows.tsx'

type Invoice = Schemas['BillingInvoice']

export function PlanInvoices() {
  const invoices = useQuery({
    queryKey: ['billing', 'invoices'], queryFn: () => dataOf(api.GET('/api/v1/billing/invoices', { params: { query: { limit: 100 } } })),
  })
  const open = useMutation({
    mutationFn: (invoice_id: string) => dataOf(api.GET('/api/v1/billing/invoices/{invoice_id}/pdf', { params: { path: { invoice_id } } })),
    onSuccess: ({ url }) => void window.open(url, '_blank', 'noopener'), onError: sayFailed,
  })
  return (
    <Loaded query={invoices}>
      {({ items }: { items: Invoice[] }) => (items.length === 0 ? <Text size="sm" c="dimmed">There are none yet: nothing was paid for.</Text> : (
        <Rows
          label="Invoices for the plan" rows={items} id={({ id }) => id}
          columns={[
            { title: 'Date', cell: ({ issued_at }) => day(issued_at) },
            { title: 'Number', cell: ({ number }) => number },
            { title: 'For', wraps: true, cell: ({ description }) => description },
            {
              title: 'Status', wraps: true,
              cell: ({ status, attempts }) => `${words(status)}${status === 'open' && attempts > 0 ? `, the card was tried ${attempts} times` : ''}`,
            },
            { title: 'Total', figures: true, cell: ({ total, currency }) => money(total, currency) },
            {
              title: 'PDF',
              cell: ({ id, number }) => (
                <Button size="compact-xs" variant="default" aria-label={`Open the PDF of ${number ?? 'the invoice'}`} onClick={() => open.mutate(id)}>
                  Open
                </Button>
              ),
            },
          ]}
        />
      ))}
    </Loaded>
  )
}
