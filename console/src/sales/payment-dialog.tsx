// Recording a payment: money that came for an invoice, new or out of a deposit that the bank already shows.
import { Button, Group, Modal, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { cents, day, money, typed, words } from '../format.ts'
import { Failure, say } from '../parts/feedback.tsx'
import { useBankLedgers } from './choices.ts'
import { TOUCHED } from './invoice-actions.ts'
import type { Invoice } from './invoice-status.tsx'

const METHODS = ['bank_transfer', 'check', 'cash', 'card', 'ach', 'other'] as const
type Method = (typeof METHODS)[number]

const today = () => new Intl.DateTimeFormat('sv-SE').format(new Date())

export function PaymentDialog({ invoice, on_close }: { invoice: Invoice; on_close: () => void }) {
  const queries = useQueryClient()
  const banks = useBankLedgers()
  const [form, setForm] = useState({
    amount: typed(invoice.balance_due), paid_on: today(), method: 'bank_transfer' as Method, reference: '', note: '', transaction_id: null as string | null,
    deposit_ledger_id: null as string | null,
  })
  const change = (changed: Partial<typeof form>) => setForm({ ...form, ...changed })
  const deposits: Schemas['DepositCandidate'][] = useQuery({
    queryKey: ['invoices', 'deposit-candidates', invoice.id],
    queryFn: () => dataOf(api.GET('/api/v1/invoices/deposit-candidates', { params: { query: { invoice_id: invoice.id, limit: 50 } } })),
  }).data?.items ?? []
  const amount = cents(form.amount)
  const record = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/invoices/{invoice_id}/payments', {
      params: { path: { invoice_id: invoice.id } },
      body: {
        amount, method: form.method, reference: form.reference.trim() || null, note: form.note.trim() || null,
        ...(form.paid_on ? { paid_on: form.paid_on } : {}),
        ...(form.transaction_id ? { transaction_id: form.transaction_id } : form.deposit_ledger_id ? { deposit_ledger_id: form.deposit_ledger_id } : {}),
      },
    })),
    onSuccess(payment) {
      say(`${money(payment.amount, payment.currency)} recorded.`)
      on_close()
      for (const group of TOUCHED) void queries.invalidateQueries({ queryKey: [group] })
    },
  })
  return (
    <Modal opened onClose={on_close} title="Record payment" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (amount !== null) record.mutate()
        }}
      >
        <Stack>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={`Amount in ${invoice.currency}`} inputMode="decimal" required data-autofocus value={form.amount}
              onChange={({ currentTarget: { value } }) => change({ amount: value })}
              error={form.amount && amount === null ? 'This is not an amount.' : null}
              description={`${money(invoice.balance_due, invoice.currency)} is to be paid.`} inputWrapperOrder={['label', 'input', 'description', 'error']}
            />
            <TextInput type="date" label="Paid on" value={form.paid_on} onChange={({ currentTarget: { value } }) => change({ paid_on: value })} />
            <Select
              label="How" allowDeselect={false} data={METHODS.map((value) => ({ value, label: words(value) }))} value={form.method}
              onChange={(value) => change({ method: value as Method })}
            />
            <TextInput
              label="Reference" placeholder="Such as the number of the check" maxLength={200} value={form.reference}
              onChange={({ currentTarget: { value } }) => change({ reference: value })}
            />
          </SimpleGrid>
          {deposits.length > 0 && (
            <Select
              label="Deposit at the bank" description="Where the money is in the bank transactions already. Those that fit best come first."
              placeholder="None: record a new one" clearable searchable
              data={deposits.map(({ transaction, remaining }) => ({
                value: transaction.id,
                label: [
                  money(remaining, transaction.currency), day(transaction.datetime), transaction.counterparty ?? transaction.description ?? '',
                ].join(' · '),
              }))}
              value={form.transaction_id} onChange={(transaction_id) => change({ transaction_id })}
            />
          )}
          {form.transaction_id === null && (
            <Select
              label="Where the money is" placeholder="As set up, else undeposited funds" clearable
              data={banks.map(({ id, name }) => ({ value: id, label: name }))}
              value={form.deposit_ledger_id} onChange={(deposit_ledger_id) => change({ deposit_ledger_id })}
            />
          )}
          <TextInput label="Note" maxLength={2000} value={form.note} onChange={({ currentTarget: { value } }) => change({ note: value })} />
          {record.isError && <Failure error={record.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={on_close}>Cancel</Button>
            <Button type="submit" loading={record.isPending}>Record payment</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
