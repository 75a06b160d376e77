// One invoice: what was sold, what is owed, what was paid, and all that happened to it.
import { Alert, Anchor, Grid, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { day, moment, money, words } from '../format.ts'
import { Fact } from '../parts/fact.tsx'
import { Failure, Loading } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useTerms } from './choices.ts'
import { InvoiceBar } from './invoice-bar.tsx'
import { InvoiceLines } from './invoice-lines.tsx'
import { InvoiceMoney } from './invoice-money.tsx'
import { InvoiceStatus, nameOf, type Invoice } from './invoice-status.tsx'
import { InvoiceTimeline } from './invoice-timeline.tsx'
import { useInvoice } from './use-invoice.ts'

export function InvoicePage() {
  const { invoice_id } = useParams({ strict: false }) as { invoice_id: string }
  const read = useInvoice(invoice_id)
  if (read.isPending) return <Loading />
  if (read.isError) return <Page title="Invoice"><Failure error={read.error} again={() => void read.refetch()} /></Page>
  const invoice = read.data
  return (
    <Page title={nameOf(invoice)} actions={<InvoiceBar invoice={invoice} />}>
      {invoice.disputed && <Alert color="orange" title="Disputed">The customer disputes a card payment of this invoice.</Alert>}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            <Facts invoice={invoice} />
            <InvoiceLines invoice={invoice} />
            <InvoiceMoney invoice={invoice} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}><InvoiceTimeline invoice={invoice} /></Grid.Col>
      </Grid>
    </Page>
  )
}

function Facts({ invoice }: { invoice: Invoice }) {
  const { currency } = invoice
  const texts = [['Description', invoice.description], ['Printed on the invoice', invoice.customer_message], ['Internal note', invoice.internal_note]] as const
  const term = useTerms().find(({ id }) => id === invoice.payment_terms_id)
  return (
    <Paper withBorder p="md" component="section" aria-label="At a glance">
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md" verticalSpacing="sm">
        <Fact name="To pay">
          <Text fw={700} size="lg" component="span">{invoice.status === 'void' ? 'Nothing' : money(invoice.balance_due, currency)}</Text>
        </Fact>
        <Fact name="Status"><InvoiceStatus invoice={invoice} full /></Fact>
        <Fact name="Customer"><Anchor component={Link} to={`/customers/${invoice.customer_id}`}>{invoice.customer_name}</Anchor></Fact>
        <Fact name="Terms">{term?.name ?? 'None'}</Fact>
        <Fact name="Date">{day(invoice.invoice_date) || 'When finalized'}</Fact>
        <Fact name="Due">{day(invoice.due_date) || 'When finalized'}</Fact>
        <Fact name="Sent">{moment(invoice.sent_at) || 'Not sent'}</Fact>
        <Fact name="Viewed by the customer">{moment(invoice.viewed_at) || 'Not yet'}</Fact>
        {invoice.send_at && <Fact name="Will be sent">{moment(invoice.send_at)}</Fact>}
        {invoice.delivered && <Fact name="Delivered">{day(invoice.delivered_on)}</Fact>}
        {invoice.purchase_order_number && <Fact name="Purchase order">{invoice.purchase_order_number}</Fact>}
        {invoice.project_id && (
          <Fact name="Project"><Anchor component={Link} to={`/projects/${invoice.project_id}`}>{invoice.project_name ?? 'Project'}</Anchor></Fact>
        )}
        {invoice.contract_id && <Fact name="Contract"><Anchor component={Link} to={`/contracts/${invoice.contract_id}`}>Show the contract</Anchor></Fact>}
        {invoice.recurring_template_id && (
          <Fact name="Recurring"><Anchor component={Link} to={`/recurring/${invoice.recurring_template_id}`}>Show the template</Anchor></Fact>
        )}
        {invoice.written_off > 0 && <Fact name="Written off">{money(invoice.written_off, currency)}</Fact>}
        {invoice.fx_rate && <Fact name="Exchange rate">{invoice.fx_rate}</Fact>}
        {invoice.origin !== 'manual' && <Fact name="Came from">{words(invoice.origin)}</Fact>}
      </SimpleGrid>
      {texts.map(([name, text]) => text && (
        <div key={name}>
          <Text size="xs" c="dimmed" mt="sm">{name}</Text>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>{text}</Text>
        </div>
      ))}
    </Paper>
  )
}
