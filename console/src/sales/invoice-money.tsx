// What settles an invoice and what it did to the books: payments, credits and journal entries, each with where it leads.
import { Anchor, Button, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { day, money, words } from '../format.ts'
import { mayWrite } from '../parts/roles.ts'
import { useBusiness, useSession } from '../session.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { removePayment } from './invoice-actions.ts'
import type { Invoice } from './invoice-status.tsx'

export function InvoiceMoney({ invoice }: { invoice: Invoice }) {
  const { currency, payments, credits_applied, journal_entries } = invoice
  const { membership } = useSession()
  const { base_currency } = useBusiness()
  const [removed, setRemoved] = useState<string | null>(null)
  if (invoice.status === 'draft') return null
  return (
    <Stack>
      <Section
        title="Payments" names={['Date', 'How', 'Reference', '', 'Amount', '']}
        empty={invoice.status === 'void' ? 'Nothing is to be paid any more.' : 'Nothing has been paid yet.'}
      >
        {payments?.map(({ id, posted_on, method, kind, reference, journal_entry_id, transaction_id, amount }) => (
          <Table.Tr key={id}>
            <Table.Td>{day(posted_on)}</Table.Td>
            <Table.Td>{words(method)}{kind === 'recovery' ? ' (recovery)' : ''}</Table.Td>
            <Table.Td>{reference}</Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <Anchor component={Link} to={`/journal/${journal_entry_id}`} size="sm">Entry</Anchor>{' · '}
              <Anchor component={Link} to={`/transactions/${transaction_id}`} size="sm">Bank</Anchor>
            </Table.Td>
            <Table.Td className="figures">{money(amount, currency)}</Table.Td>
            <Table.Td ta="right">
              {kind !== 'processor' && mayWrite(membership?.role) && (
                <Button size="compact-xs" variant="subtle" color="red" aria-label={`Remove the payment of ${day(posted_on)}`} onClick={() => setRemoved(id)}>
                  Remove
                </Button>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Section>
      {credits_applied && credits_applied.length > 0 && (
        <Section title="Credits" names={['Date', 'Credit memo', 'Amount']} empty="">
          {credits_applied.map(({ application_id, applied_on, credit_memo_id, number, amount }) => (
            <Table.Tr key={application_id}>
              <Table.Td>{day(applied_on)}</Table.Td>
              <Table.Td><Anchor component={Link} to={`/credit-memos/${credit_memo_id}`} size="sm">{number ?? 'Credit memo'}</Anchor></Table.Td>
              <Table.Td className="figures">{money(amount, currency)}</Table.Td>
            </Table.Tr>
          ))}
        </Section>
      )}
      <Section
        title="Journal entries" names={['Date', 'Entry', 'What for', 'Amount']}
        empty={invoice.status === 'void' ? 'Its entries were reversed; the journal keeps them.' : 'Nothing has been booked.'}
      >
        {journal_entries?.map(({ id, date, role, memo, total }) => (
          <Table.Tr key={id}>
            <Table.Td>{day(date)}</Table.Td>
            <Table.Td><Anchor component={Link} to={`/journal/${id}`} size="sm">{memo ?? 'Entry'}</Anchor></Table.Td>
            <Table.Td>{words(role)}</Table.Td>
            <Table.Td className="figures">{money(total, base_currency)}</Table.Td>
          </Table.Tr>
        ))}
      </Section>
      {removed && <ActionDialog action={removePayment(removed)} invoice={invoice} on_close={() => setRemoved(null)} />}
    </Stack>
  )
}

const FIGURES = 'Amount'

export function Section({ title, names, empty, children }: { title: string; names: string[]; empty: string; children: ReactNode[] | undefined }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="xs">{title}</Title>
      {!children?.length ? <Text size="sm" c="dimmed">{empty}</Text> : (
        <Table.ScrollContainer minWidth={540} type="native" tabIndex={0}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                {names.map((name, place) => (
                  name ? <Table.Th key={place} {...(name === FIGURES ? { className: 'figures' } : {})}>{name}</Table.Th> : <Table.Td key={place} />
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>{children}</Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  )
}
