// Taking back an invoice, in whole or in part, by a credit memo that settles it as far as it is open.
import { Button, Checkbox, Group, Modal, Select, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { cents, words } from '../format.ts'
import { Failure, say } from '../parts/feedback.tsx'
import { TOUCHED } from './invoice-actions.ts'
import type { Invoice } from './invoice-status.tsx'

type Reason = NonNullable<Schemas['CreditMemo']['reason']>
const REASONS: Reason[] = ['return', 'discount', 'error', 'goodwill', 'other']

export function CreditDialog({ invoice, on_close }: { invoice: Invoice; on_close: () => void }) {
  const queries = useQueryClient()
  const go = useNavigate()
  const [form, setForm] = useState({ mode: 'full' as 'full' | 'amount', amount: '', reason: 'return' as Reason, description: '', restock: false })
  const change = (changed: Partial<typeof form>) => setForm({ ...form, ...changed })
  const amount = cents(form.amount)
  const create = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/credit-memos/from-invoice', {
      body: {
        invoice_id: invoice.id, mode: form.mode, reason: form.reason, description: form.description.trim() || null, restock: form.restock, finalize: true,
        apply: true,
        ...(form.mode === 'amount' ? { amount } : {}),
      },
    })),
    onSuccess({ id, number }) {
      say(`Credit memo ${number ?? ''} is made.`)
      for (const group of TOUCHED) void queries.invalidateQueries({ queryKey: [group] })
      void go({ to: `/credit-memos/${id}` })
    },
  })
  return (
    <Modal opened onClose={on_close} title={`Credit ${invoice.number ?? ''}`} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (form.mode === 'full' || amount !== null) create.mutate()
        }}
      >
        <Stack>
          <Text size="sm">A credit memo is made, booked and applied to this invoice as far as that is open. What remains is to the customer’s credit.</Text>
          <SegmentedControl
            aria-label="How much" data={[{ value: 'full', label: 'All that is left of it' }, { value: 'amount', label: 'An amount' }]} value={form.mode}
            onChange={(mode) => change({ mode: mode as 'full' | 'amount' })}
          />
          {form.mode === 'amount' && (
            <TextInput
              label={`Amount in ${invoice.currency}, with tax`} required inputMode="decimal" value={form.amount}
              onChange={({ currentTarget: { value } }) => change({ amount: value })}
              error={form.amount && amount === null ? 'This is not an amount.' : null}
            />
          )}
          <Select
            label="Why" allowDeselect={false} data={REASONS.map((value) => ({ value, label: words(value) }))} value={form.reason}
            onChange={(reason) => change({ reason: reason as Reason })}
          />
          <TextInput
            label="Description" maxLength={2000} value={form.description} onChange={({ currentTarget: { value } }) => change({ description: value })}
          />
          {form.mode === 'full' && (
            <Checkbox
              label="Delivered goods come back into stock" checked={form.restock} onChange={({ currentTarget: { checked } }) => change({ restock: checked })}
            />
          )}
          {create.isError && <Failure error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={on_close}>Cancel</Button>
            <Button type="submit" loading={create.isPending}>Credit</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
