// Asks before an action on one invoice: says what would come of it, as the service itself worked it out, and then does it.
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure, messageOf, say } from '../parts/feedback.tsx'
import { TOUCHED, type InvoiceAction, type Values } from './invoice-actions.ts'
import type { Invoice } from './invoice-status.tsx'

type ActionDialogProps = { action: InvoiceAction; invoice: Invoice; on_close: () => void; on_done?: () => void }

export function ActionDialog({ action, invoice, on_close, on_done }: ActionDialogProps) {
  const queries = useQueryClient()
  const [values, setValues] = useState<Values>({ date: '', reason: '' })
  const [date] = useDebouncedValue(values.date, 300)
  const outlook = useQuery({
    queryKey: ['invoices', invoice.id, 'outlook', action.name, date, invoice.version],
    queryFn: () => action.run(invoice, { date, reason: '' }, true), retry: false, gcTime: 0,
  })
  const perform = useMutation({
    mutationFn: () => action.run(invoice, values, false),
    onSuccess(words) {
      say(words)
      on_close()
      on_done?.()
      if (action.name === 'delete') queries.removeQueries({ queryKey: ['invoices', invoice.id] })
      for (const group of TOUCHED) void queries.invalidateQueries({ queryKey: [group] })
    },
  })
  const change = (name: keyof Values, value: string) => setValues({ ...values, [name]: value })
  return (
    <Modal opened onClose={on_close} title={action.button} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          perform.mutate()
        }}
      >
        <Stack>
          <Text size="sm">{action.words}</Text>
          {action.date && <TextInput type="date" label={action.date} value={values.date} onChange={({ currentTarget: { value } }) => change('date', value)} />}
          {action.reason && (
            <TextInput label={action.reason} maxLength={500} value={values.reason} onChange={({ currentTarget: { value } }) => change('reason', value)} />
          )}
          <div role="status">
            {outlook.isSuccess && <Alert color="blue" title="What would happen">{outlook.data}</Alert>}
            {outlook.isError && !perform.isError && <Alert color="red" title="This is not possible">{messageOf(outlook.error)}</Alert>}
          </div>
          {perform.isError && <Failure error={perform.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={on_close}>Cancel</Button>
            <Button type="submit" data-autofocus loading={perform.isPending} disabled={outlook.isError} {...(action.grave ? { color: 'red' } : {})}>
              {action.button}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
