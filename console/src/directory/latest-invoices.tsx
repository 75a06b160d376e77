// The latest invoices of something: a customer, a contract or a project.
import { Button, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'
import { day, money } from '../format.ts'
import { Loaded, Section, To } from '../parts/details.tsx'
import { SmallTable } from '../parts/sub-records.tsx'
import { InvoiceStatus } from '../sales/invoice-status.tsx'

const SHOWN = 10
const columns = ['Number', 'Date', 'Due', 'Status', 'Total', 'To pay'].map((heading) => ({ heading, figures: heading === 'Total' || heading === 'To pay' }))

export function LatestInvoices(of: { customer_id?: string; contract_id?: string; project_id?: string }) {
  const invoices = useQuery({
    queryKey: ['invoices', 'of', of],
    queryFn: () => dataOf(api.GET('/api/v1/invoices', { params: { query: { ...of, limit: SHOWN, sort_by: 'created_at', descending: true } } })),
  })
  const all = of.customer_id && (
    <Button size="xs" variant="default" component={Link} to="/invoices" search={{ customer_id: of.customer_id } as never}>All invoices</Button>
  )
  return (
    <Section title="Latest invoices" actions={all}>
      <Loaded query={invoices}>
        {({ items }) => (items.length === 0 ? <Text size="sm" c="dimmed">There is no invoice yet.</Text> : (
          <SmallTable label="Latest invoices" columns={columns}>
            {items.map((invoice) => (
              <Table.Tr key={invoice.id}>
                <Table.Td><To path={`/invoices/${invoice.id}`}>{invoice.number ?? 'Draft'}</To></Table.Td>
                <Table.Td>{day(invoice.invoice_date)}</Table.Td>
                <Table.Td>{day(invoice.due_date)}</Table.Td>
                <Table.Td><InvoiceStatus invoice={invoice} /></Table.Td>
                <Table.Td className="figures">{money(invoice.total, invoice.currency)}</Table.Td>
                <Table.Td className="figures">{money(invoice.balance_due, invoice.currency)}</Table.Td>
              </Table.Tr>
            ))}
          </SmallTable>
        ))}
      </Loaded>
    </Section>
  )
}
