// One credit memo: what it takes back, what it settles, and what remains of it.
import { Anchor, Button, Paper, SimpleGrid, Stack, Table } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money, words } from '../format.ts'
import { Fact } from '../parts/fact.tsx'
import { Failure, Loading, say, sayFailed } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { mayWrite } from '../parts/roles.ts'
import { useBusiness, useSession } from '../session.tsx'
import { ApplyDialog } from './apply-dialog.tsx'
import { MemoStatus } from './credit-status.tsx'
import { TOUCHED } from './invoice-actions.ts'
import { Section } from './invoice-money.tsx'

type Memo = Schemas['CreditMemo']

export function CreditMemoPage() {
  const { memo_id } = useParams({ strict: false }) as { memo_id: string }
  const { membership } = useSession()
  const { base_currency } = useBusiness()
  const queries = useQueryClient()
  const [applying, setApplying] = useState(false)
  const read = useQuery({
    queryKey: ['credit-memos', memo_id], queryFn: () => dataOf(api.GET('/api/v1/credit-memos/{memo_id}', { params: { path: { memo_id } } })),
  })
  const finalize = useMutation({
    mutationFn: () => dataOf(api.PUT('/api/v1/credit-memos/{memo_id}/finalize', { params: { path: { memo_id } }, body: {} })),
    onSuccess({ number }) {
      say(`${number ?? 'It'} is booked.`)
      for (const group of TOUCHED) void queries.invalidateQueries({ queryKey: [group] })
    },
    onError: sayFailed,
  })
  if (read.isPending) return <Loading />
  if (read.isError) return <Page title="Credit memo"><Failure error={read.error} again={() => void read.refetch()} /></Page>
  const memo = read.data
  const writes = mayWrite(membership?.role)
  return (
    <Page
      title={memo.number ?? 'Draft of a credit memo'}
      actions={writes && (
        <>
          {memo.status === 'draft' && <Button loading={finalize.isPending} onClick={() => finalize.mutate()}>Finalize</Button>}
          {memo.status === 'open' && <Button onClick={() => setApplying(true)}>Apply to invoices</Button>}
        </>
      )}
    >
      <MemoFacts memo={memo} />
      {memo.line_items && memo.line_items.length > 0 && (
        <Section title="Lines" names={['What', 'Quantity', 'Amount']} empty="">
          {memo.line_items.map(({ id, description, quantity, amount }) => (
            <Table.Tr key={id}>
              <Table.Td>{description}</Table.Td><Table.Td>{quantity}</Table.Td><Table.Td className="figures">{money(amount, memo.currency)}</Table.Td>
            </Table.Tr>
          ))}
        </Section>
      )}
      <Applications memo={memo} writes={writes} />
      <Section title="Journal entries" names={['Date', 'Entry', 'What for', 'Amount']} empty="Nothing has been booked.">
        {memo.journal_entries?.map(({ id, date, memo: text, role, total }) => (
          <Table.Tr key={id}>
            <Table.Td>{day(date)}</Table.Td><Table.Td><Anchor component={Link} to={`/journal/${id}`} size="sm">{text ?? 'Entry'}</Anchor></Table.Td>
            <Table.Td>{words(role)}</Table.Td><Table.Td className="figures">{money(total, base_currency)}</Table.Td>
          </Table.Tr>
        ))}
      </Section>
      {applying && <ApplyDialog memo={memo} on_close={() => setApplying(false)} />}
    </Page>
  )
}

function MemoFacts({ memo }: { memo: Memo }) {
  const { currency } = memo
  return (
    <Paper withBorder p="md" component="section" aria-label="At a glance">
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md" verticalSpacing="sm">
        <Fact name="Remaining"><strong>{money(memo.remaining, currency)}</strong></Fact>
        <Fact name="Status"><MemoStatus memo={memo} /></Fact>
        <Fact name="Customer"><Anchor component={Link} to={`/customers/${memo.customer_id}`}>{memo.customer_name}</Anchor></Fact>
        <Fact name="Kind">{words(memo.kind)}</Fact>
        <Fact name="Total">{money(memo.total, currency)}</Fact>
        <Fact name="Of which tax">{money(memo.tax_total, currency)}</Fact>
        <Fact name="Date">{day(memo.credit_date)}</Fact>
        {memo.reason && <Fact name="Why">{words(memo.reason)}</Fact>}
        {memo.invoice_id && (
          <Fact name="Takes back"><Anchor component={Link} to={`/invoices/${memo.invoice_id}`}>{memo.invoice_number ?? 'Invoice'}</Anchor></Fact>
        )}
        {memo.refunded_total > 0 && <Fact name="Refunded">{money(memo.refunded_total, currency)}</Fact>}
        {memo.description && <Fact name="Description">{memo.description}</Fact>}
      </SimpleGrid>
    </Paper>
  )
}

function Applications({ memo, writes }: { memo: Memo; writes: boolean }) {
  const queries = useQueryClient()
  const path = { memo_id: memo.id }
  const list = useQuery({
    queryKey: ['credit-memos', memo.id, 'applications'],
    queryFn: () => dataOf(api.GET('/api/v1/credit-memos/{memo_id}/applications', { params: { path, query: { limit: 500 } } })),
  })
  const undo = useMutation({
    mutationFn: (application_id: string) => dataOf(
      api.DELETE('/api/v1/credit-memos/{memo_id}/applications/{application_id}', { params: { path: { ...path, application_id } } })
    ),
    onSuccess() {
      say('Taken back.')
      for (const group of TOUCHED) void queries.invalidateQueries({ queryKey: [group] })
    },
    onError: sayFailed,
  })
  if (list.isPending) return <Loading />
  if (list.isError) return <Failure error={list.error} again={() => void list.refetch()} />
  const items: Schemas['CreditApplication'][] = list.data.items
  return (
    <Stack>
      <Section title="Settles" names={['Date', 'Invoice', '', 'Amount', '']} empty="It settles no invoice yet.">
        {items.map(({ id, applied_on, invoice_id, invoice_number, journal_entry_id, amount, currency }) => (
          <Table.Tr key={id}>
            <Table.Td>{day(applied_on)}</Table.Td>
            <Table.Td><Anchor component={Link} to={`/invoices/${invoice_id}`} size="sm">{invoice_number ?? 'Invoice'}</Anchor></Table.Td>
            <Table.Td><Anchor component={Link} to={`/journal/${journal_entry_id}`} size="sm">Entry</Anchor></Table.Td>
            <Table.Td className="figures">{money(amount, currency)}</Table.Td>
            <Table.Td ta="right">
              {writes && (
                <Button
                  size="compact-xs" variant="subtle" color="red" loading={undo.isPending}
                  aria-label={`Take back what settles ${invoice_number ?? 'the invoice'}`} onClick={() => undo.mutate(id)}
                >
                  Take back
                </Button>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Section>
    </Stack>
  )
}
