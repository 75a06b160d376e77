// One bank transaction: what is known of it, what documents have claimed of it, and whether it counts.
import { Anchor, Button, Group, Menu, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'
import { day, money, words } from '../format.ts'
import { Fact } from '../parts/fact.tsx'
import { Failure, Loading, say } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { RecordNotes } from '../parts/record-notes.tsx'
import { useLedgerNames } from '../parts/reading.ts'
import { useSession } from '../session.tsx'
import { DocumentLink } from './documents.tsx'
import { CustomerLink } from './party-link.tsx'
import { postingChanges } from './posting-changes.ts'
import { TransactionCategory } from './transaction-category.tsx'
import { readTransaction, TransactionStatus, type Transaction } from './transaction-status.tsx'

const REASONS = ['duplicate', 'personal', 'not_ours', 'other'] as const

export function TransactionPage() {
  const { transaction_id = '' } = useParams({ strict: false }) as { transaction_id?: string }
  const nameOf = useLedgerNames()
  const found = useQuery({ queryKey: ['transactions', transaction_id], queryFn: () => readTransaction(transaction_id) })
  if (found.isPending) return <Loading what="Loading the transaction" />
  if (found.isError) return <Failure error={found.error} again={() => void found.refetch()} />
  const { counterparty, counterparty_raw, amount, currency, datetime, ledger_id, status, kind, source, reference, description, note } = found.data
  const { exclude_reason, customer_id, bank_transaction_id, journal_entry_ids } = found.data
  return (
    <Page title={counterparty ?? counterparty_raw ?? 'Bank transaction'}>
      <Group gap="xl" align="flex-start">
        <Fact name={amount > 0 ? 'Money in' : 'Money out'}><Text span fw={600} className="figures">{money(amount, currency)}</Text></Fact>
        <Fact name="Date">{day(datetime)}</Fact>
        <Fact name="Ledger">
          <Anchor
            component={Link} to="/reports/general-ledger" search={{ ledger_id, start_date: datetime, end_date: datetime } as never} inherit
          >
            {nameOf(ledger_id)}
          </Anchor>
        </Fact>
        <Fact name="Status"><TransactionStatus status={status} />{exclude_reason && ` ${words(exclude_reason)}`}</Fact>
        <Fact name="Row">{kind === 'bank' ? 'What the bank says' : 'What the books say'}, {words(source).toLowerCase()}</Fact>
        {reference && <Fact name="Reference">{reference}</Fact>}
        {customer_id && <Fact name="Customer"><CustomerLink customer_id={customer_id} /></Fact>}
        {bank_transaction_id && (
          <Fact name="Proven by">
            <Anchor component={Link} to={`/transactions/${bank_transaction_id}`} inherit>The row of the bank</Anchor>
          </Fact>
        )}
        {journal_entry_ids.map((id, place) => (
          <Fact key={id} name="Booked in">
            <Anchor component={Link} to={`/journal/${id}`} inherit>Entry{place > 0 ? ` ${place + 1}` : ''}</Anchor>
          </Fact>
        ))}
      </Group>
      {description && <Text>{description}</Text>}
      {note && <Text size="sm" c="dimmed">{note}</Text>}
      <TransactionCategory transaction={found.data} />
      <Claims transaction={found.data} />
      <Exclusion transaction={found.data} />
      <RecordNotes resource_type="transaction" resource_id={transaction_id} />
    </Page>
  )
}

function Claims({ transaction: { matches, currency } }: { transaction: Transaction }) {
  if (matches.length === 0) return null
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">Documents</Title>
      <Paper withBorder maw={480}>
        <Table>
          <Table.Thead>
            <Table.Tr><Table.Th scope="col">Document</Table.Th><Table.Th scope="col" className="figures">Of this transaction</Table.Th></Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {matches.map(({ type, id, amount }) => (
              <Table.Tr key={id}>
                <Table.Td><DocumentLink source_type={type} source_id={id} /></Table.Td>
                <Table.Td className="figures">{money(amount, currency)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </Stack>
  )
}

/** Rows of the bank that no document has claimed can be left out; what the books say cannot. */
function Exclusion({ transaction: { id, kind, status, matches, lines } }: { transaction: Transaction }) {
  const queries = useQueryClient()
  const { membership } = useSession()
  const params = { path: { transaction_id: id } }
  const act = useMutation({
    mutationFn: (reason: (typeof REASONS)[number] | null) => (reason === null
      ? dataOf(api.PUT('/api/v1/transactions/{transaction_id}/restore', { params }))
      : dataOf(api.PUT('/api/v1/transactions/{transaction_id}/exclude', { params, body: { reason } }))),
    onSuccess: (changed) => {
      queries.setQueryData(['transactions', id], changed)
      say(changed.status === 'excluded' ? 'The transaction is left out.' : 'The transaction counts again.')
      void postingChanges(queries)
    },
  })
  if (membership?.role === 'viewer' || kind === 'book' || ((matches.length > 0 || lines.length > 0) && status !== 'excluded')) return null
  return (
    <Stack gap="xs" align="flex-start">
      {act.isError && <Failure error={act.error} />}
      {status === 'excluded' ? <Button variant="default" loading={act.isPending} onClick={() => act.mutate(null)}>Take it back</Button> : (
        <Menu>
          <Menu.Target><Button variant="default" loading={act.isPending}>Leave it out of the books</Button></Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>Because it is</Menu.Label>
            {REASONS.map((reason) => <Menu.Item key={reason} onClick={() => act.mutate(reason)}>{words(reason)}</Menu.Item>)}
          </Menu.Dropdown>
        </Menu>
      )}
    </Stack>
  )
}
