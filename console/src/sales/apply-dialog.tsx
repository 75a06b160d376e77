// Applying a credit memo: how much of it settles which open invoices of the customer.
import { Button, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { cents, day, money, typed } from '../format.ts'
import { Failure, Loading, say } from '../parts/feedback.tsx'
import { TOUCHED } from './invoice-actions.ts'
import type { Invoice } from './invoice-status.tsx'

export function ApplyDialog({ memo, on_close }: { memo: Schemas['CreditMemo']; on_close: () => void }) {
  const queries = useQueryClient()
  const [amounts, setAmounts] = useState<Record<string, string>>({})
  const open = useQuery({
    queryKey: ['invoices', 'open', memo.customer_id, memo.currency],
    queryFn: () => dataOf(api.GET('/api/v1/invoices', {
      params: {
        query: {
          customer_id: memo.customer_id, currency: memo.currency, has_balance: true, uncollectible: false, status: ['open', 'partially_paid'],
          sort_by: 'due_date', descending: false, limit: 200,
        } as never,
      },
    })),
  })
  const invoices: Invoice[] = open.data?.items ?? []
  const allocations = Object.entries(amounts).flatMap(([invoice_id, text]) => (text.trim() ? [{ invoice_id, amount: cents(text) ?? 0 }] : []))
  const wrong = allocations.some(({ amount }) => amount <= 0)
  const apply = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/credit-memos/{memo_id}/apply', { params: { path: { memo_id: memo.id } }, body: { allocations } })),
    onSuccess({ remaining, currency }) {
      say(`Applied. ${money(remaining, currency)} remains.`)
      on_close()
      for (const group of TOUCHED) void queries.invalidateQueries({ queryKey: [group] })
    },
  })
  return (
    <Modal opened onClose={on_close} size="lg" title="Apply to invoices">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!wrong && allocations.length > 0) apply.mutate()
        }}
      >
        <Stack>
          <Text size="sm">{money(memo.remaining, memo.currency)} remains of this credit memo.</Text>
          {open.isPending && <Loading />}
          {open.isError && <Failure error={open.error} again={() => void open.refetch()} />}
          {open.isSuccess && invoices.length === 0 && <Text size="sm" c="dimmed">The customer has no open invoice in this currency.</Text>}
          {invoices.length > 0 && (
            <Table.ScrollContainer minWidth={420} type="native">
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Invoice</Table.Th><Table.Th>Due</Table.Th><Table.Th className="figures">To pay</Table.Th><Table.Th>Apply</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {invoices.map(({ id, number, due_date, balance_due, currency }) => (
                    <Table.Tr key={id}>
                      <Table.Td>{number}</Table.Td><Table.Td>{day(due_date)}</Table.Td><Table.Td className="figures">{money(balance_due, currency)}</Table.Td>
                      <Table.Td>
                        <TextInput
                          size="xs" aria-label={`Amount for ${number ?? 'the invoice'}`} inputMode="decimal"
                          placeholder={typed(Math.min(balance_due ?? 0, memo.remaining))} value={amounts[id] ?? ''}
                          error={amounts[id]?.trim() && (cents(amounts[id] ?? '') ?? 0) <= 0 ? 'Not an amount.' : null}
                          onChange={({ currentTarget: { value } }) => setAmounts({ ...amounts, [id]: value })}
                        />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
          {apply.isError && <Failure error={apply.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={on_close}>Cancel</Button>
            <Button type="submit" loading={apply.isPending} disabled={allocations.length === 0 || wrong}>Apply</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
