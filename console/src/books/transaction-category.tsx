// What a transaction was taken for, and the ways to say so, to say otherwise and to take it back.
import { Alert, Anchor, Button, Group, Table, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { day, money } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Section } from '../parts/details.tsx'
import { Failure, say } from '../parts/feedback.tsx'
import { useLedgerNames } from '../parts/reading.ts'
import { useMayWrite } from '../parts/roles.ts'
import { SmallTable } from '../parts/sub-records.tsx'
import { useTaxCodes } from '../sales/choices.ts'
import { accept, nameOf, undo } from './categorizing.ts'
import { CategoryDrawer } from './category-drawer.tsx'
import { CustomerLink, ProjectLink } from './party-link.tsx'
import { postingChanges } from './posting-changes.ts'
import type { Transaction } from './transaction-status.tsx'

const TOUCHED = ['transactions', 'journal-entries', 'ledgers', 'reports', 'accounting-periods']
const SOURCES = {
  person: 'Chosen by a person.', default: 'Chosen by what always holds for this counterparty.',
  uncategorized: 'Booked so that the bank ties; still to be decided.',
}

export function TransactionCategory({ transaction }: { transaction: Transaction }) {
  const { id, kind, status, lines, suggestion, category_source, unallocated_amount, possible_duplicate_of, datetime } = transaction
  const queries = useQueryClient()
  const writes = useMayWrite()
  const ledgerOf = useLedgerNames()
  const [opened, open] = useState(false)
  const shown = (now: Transaction, words: string) => {
    queries.setQueryData(['transactions', id], now)
    open(false)
    say(words)
    void postingChanges(queries)
  }
  const take = useMutation({
    mutationFn: (suggestion_id: string) => accept(transaction, suggestion_id), onSuccess: (now) => shown(now, `${nameOf(now)} is booked.`),
  })
  const open_to_choice = kind === 'bank' && status !== 'excluded' && (unallocated_amount > 0 || lines.length > 0)
  if (!open_to_choice && lines.length === 0) return null
  const waits = lines.length === 0 || category_source === 'uncategorized'
  return (
    <Section title="What it was for" actions={writes && open_to_choice && (
      <Group gap="xs">
        {lines.length > 0 && (
          <ActionButton<{ reversal_date?: string }>
            small button="Undo" words="Its entry is reversed, and the transaction waits again." touched={TOUCHED} done={`${nameOf(transaction)} waits again.`}
            fields={[{ name: 'reversal_date', label: 'Reverse on', kind: 'date', words: `Only where ${day(datetime)} is closed.` }]}
            run={({ reversal_date }) => undo(id, reversal_date ?? null)}
          />
        )}
        <Button size="xs" variant={waits ? 'filled' : 'default'} onClick={() => open(true)}>{waits ? 'Choose a category' : 'Change the category'}</Button>
      </Group>
    )}>
      {possible_duplicate_of && waits && (
        <Alert color="yellow" title="The same money may be in the books already">
          <Anchor component={Link} to={`/transactions/${possible_duplicate_of}`} size="sm">Look at the other one</Anchor>
        </Alert>
      )}
      {suggestion && waits && (
        <Alert color="blue" title={`Proposed: ${ledgerOf(suggestion.ledger_id)}`}>
          <Group justify="space-between">
            <Text size="sm">{suggestion.reason}</Text>
            {writes && <Button size="xs" loading={take.isPending} onClick={() => take.mutate(suggestion.id)}>Accept</Button>}
          </Group>
        </Alert>
      )}
      {take.isError && <Failure error={take.error} />}
      {lines.length === 0 ? <Text size="sm" c="dimmed">Nobody has said it yet.</Text> : <Lines transaction={transaction} ledgerOf={ledgerOf} />}
      {category_source && <Text size="xs" c="dimmed">{SOURCES[category_source]}</Text>}
      <CategoryDrawer transaction={opened ? transaction : null} close={() => open(false)} on_done={(now) => shown(now, `${nameOf(now)} is booked.`)} />
    </Section>
  )
}

function Lines({ transaction: { lines, currency }, ledgerOf }: { transaction: Transaction; ledgerOf: (id: string) => string }) {
  const codes = useTaxCodes()
  const columns = [
    { heading: 'Ledger', figures: false }, { heading: 'For', figures: false }, { heading: 'Tax within it', figures: true },
    { heading: 'Amount', figures: true },
  ]
  return (
    <SmallTable label="What it was for" columns={columns}>
      {lines.map(({ ledger_id, amount, tax_amount, tax_code_id, memo, customer_id, project_id }, place) => (
        <Table.Tr key={place}>
          <Table.Td>
            <Anchor component={Link} to="/reports/general-ledger" search={{ ledger_id, period: 'all_time' } as never} size="sm">{ledgerOf(ledger_id)}</Anchor>
          </Table.Td>
          <Table.Td>
            {customer_id && <CustomerLink customer_id={customer_id} />}
            {project_id && <ProjectLink project_id={project_id} />}
            {memo}
          </Table.Td>
          <Table.Td className="figures">
            {tax_code_id && `${codes.find((code) => code.id === tax_code_id)?.code ?? ''} ${money(tax_amount, currency)}`}
          </Table.Td>
          <Table.Td className="figures">{money(amount, currency)}</Table.Td>
        </Table.Tr>
      ))}
    </SmallTable>
  )
}
