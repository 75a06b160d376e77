// One category for many transactions, or for each what is proposed: first what would happen to each, then, when that is agreed to, what did.
import { Badge, Button, Group, Modal, Radio, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../api.ts'
import { day, money } from '../format.ts'
import { Failure, say } from '../parts/feedback.tsx'
import { useLedgerNames } from '../parts/reading.ts'
import { categorizeMany, nameOf, undoMany } from './categorizing.ts'
import { bulkLine, newLine, suggestedLine, type CategoryLine as Line } from './category-draft.ts'
import { CategoryLine } from './category-line.tsx'
import { postingChanges } from './posting-changes.ts'
import type { Transaction } from './transaction-status.tsx'

type Done = { id: string; name: string }
type BulkCategorizeProps = { transactions: Transaction[]; count: number; on_done: (done: Done[]) => void }

export function BulkCategorize({ transactions, count, on_done }: BulkCategorizeProps) {
  const [held, hold] = useState<Transaction[] | null>(null)
  return (
    <>
      <Button size="xs" disabled={count === 0} onClick={() => hold(transactions)}>{count === 0 ? 'Categorize the chosen' : `Categorize ${count}`}</Button>
      {held && <BulkRun transactions={held} on_done={on_done} close={() => hold(null)} />}
    </>
  )
}

function BulkRun({ transactions, on_done, close }: { transactions: Transaction[]; on_done: (done: Done[]) => void; close: () => void }) {
  const queries = useQueryClient()
  const proposed = transactions.filter(({ suggestion }) => suggestion !== null)
  const [by, setBy] = useState<'proposal' | 'one'>(proposed.length > 0 ? 'proposal' : 'one')
  const [line, setLine] = useState(() => newLine())
  const wanted = by === 'proposal' ? proposed : transactions
  const bodies = wanted.map((row) => bulkLine(row.id, by === 'proposal' && row.suggestion ? suggestedLine(row.suggestion) : line))
  const attempt = useMutation({ mutationFn: () => categorizeMany(bodies, true) })
  const possible = bodies.filter((_, place) => attempt.data?.results[place]?.status === 'ok')
  const perform = useMutation({
    mutationFn: () => categorizeMany(possible, false),
    onSuccess: ({ results }) => {
      const ids = new Set(possible.filter((_, place) => results[place]?.status === 'ok').map(({ transaction_id }) => transaction_id))
      on_done(wanted.filter(({ id }) => ids.has(id)).map((row) => ({ id: row.id, name: nameOf(row) })))
      void postingChanges(queries)
    },
  })
  const back = useMutation({
    mutationFn: () => undoMany(possible.map(({ transaction_id }) => transaction_id)),
    onSuccess: ({ succeeded }) => {
      say(`${succeeded} wait again.`)
      close()
      void postingChanges(queries)
    },
  })
  const change = (changed: Partial<Line>) => {
    setLine({ ...line, ...changed })
    attempt.reset()
  }
  const ready = by === 'proposal' ? proposed.length > 0 : line.ledger_id !== null
  return (
    <Modal opened onClose={close} size="xl" title={`Categorize ${transactions.length}`} closeOnClickOutside={false}>
      <Stack>
        {!perform.isSuccess && (
          <>
            <Radio.Group
              label="As" value={by}
              onChange={(value) => {
                setBy(value as typeof by)
                attempt.reset()
              }}
            >
              <Stack gap={6} mt={6}>
                <Radio
                  value="proposal" disabled={proposed.length === 0}
                  label={`What is proposed for each (${proposed.length} of ${transactions.length} have something)`}
                />
                <Radio value="one" label="One category for all" />
              </Stack>
            </Radio.Group>
            {by === 'one' && <CategoryLine line={line} place={0} several={false} problem={undefined} change={change} remove={() => undefined} />}
          </>
        )}
        <Text size="sm" role="status">
          {perform.isSuccess
            ? `${perform.data.succeeded} of ${possible.length} are booked.`
            : attempt.isSuccess
              ? `It would work for ${possible.length} of ${wanted.length}. Nothing has been changed yet.`
              : 'Nothing has happened yet. Look first at what would happen.'}
        </Text>
        {attempt.isSuccess && <Results rows={wanted} bodies={bodies} tried={attempt.data} {...(perform.isSuccess ? { done: perform.data, possible } : {})} />}
        {[attempt, perform, back].map(({ error }, place) => error && <Failure key={place} error={error} />)}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>{perform.isSuccess ? 'Close' : 'Cancel'}</Button>
          {perform.isSuccess && <Button variant="default" loading={back.isPending} onClick={() => back.mutate()}>Undo all of it</Button>}
          {!attempt.isSuccess && <Button disabled={!ready} loading={attempt.isPending} onClick={() => attempt.mutate()}>Show what would happen</Button>}
          {attempt.isSuccess && !perform.isSuccess && (
            <Button disabled={possible.length === 0} loading={perform.isPending} onClick={() => perform.mutate()}>Book {possible.length}</Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

type ResultsProps = {
  rows: Transaction[]
  bodies: { transaction_id: string; ledger_id: string }[]
  tried: Schemas['BulkResult']
  done?: Schemas['BulkResult']
  possible?: { transaction_id: string }[]
}

function Results({ rows, bodies, tried, done, possible = [] }: ResultsProps) {
  const ledgerOf = useLedgerNames()
  const finished = new Map(possible.map(({ transaction_id }, place) => [transaction_id, done?.results[place]]))
  return (
    <ScrollArea.Autosize mah="40dvh" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Results' }}>
      <Table aria-label="Results" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Transaction</Table.Th><Table.Th className="figures">Amount</Table.Th><Table.Th>For</Table.Th><Table.Th>Result</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, place) => {
            const result = finished.get(row.id) ?? tried.results[place]
            const good = result?.status === 'ok'
            return (
              <Table.Tr key={row.id}>
                <Table.Td>{nameOf(row)}, {day(row.datetime)}</Table.Td>
                <Table.Td className="figures">{money(row.amount, row.currency)}</Table.Td>
                <Table.Td>{ledgerOf(bodies[place]?.ledger_id ?? '')}</Table.Td>
                <Table.Td>
                  <Badge miw="max-content" variant="light" color={good ? 'green' : 'red'}>
                    {good ? (finished.has(row.id) ? 'Booked' : 'Would work') : 'Not possible'}
                  </Badge>
                  {result?.detail && <Text size="xs">{result.detail}</Text>}
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  )
}
