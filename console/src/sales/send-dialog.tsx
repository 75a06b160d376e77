// Mailing an invoice, a reminder or a receipt: to whom, and with which words.
import { Alert, Button, Checkbox, Group, Modal, SegmentedControl, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { Failure, messageOf, say } from '../parts/feedback.tsx'
import { owes, TOUCHED } from './invoice-actions.ts'
import type { Invoice } from './invoice-status.tsx'

type Kind = 'invoice' | 'reminder' | 'receipt'
const start = { kind: 'invoice' as Kind, to: [] as string[], cc: [] as string[], subject: '', message: '', attach_pdf: true, include_payment_link: true }

export function SendDialog({ invoice, on_close }: { invoice: Invoice; on_close: () => void }) {
  const queries = useQueryClient()
  const [mail, setMail] = useState(start)
  const change = (changed: Partial<typeof start>) => setMail({ ...mail, ...changed })
  const { kind, to, cc, subject, message, attach_pdf, include_payment_link } = mail
  const body: Schemas['InvoiceSending'] = {
    kind, attach_pdf, include_payment_link, ...(to.length > 0 ? { to } : {}), ...(cc.length > 0 ? { cc } : {}),
    ...(subject.trim() ? { subject: subject.trim() } : {}), ...(message.trim() ? { message: message.trim() } : {}),
  }
  const call = (dry_run: boolean) => dataOf(
    api.POST('/api/v1/invoices/{invoice_id}/send', { params: { path: { invoice_id: invoice.id }, ...(dry_run ? { query: { dry_run } } : {}) }, body })
  )
  const outlook = useQuery({ queryKey: ['invoices', invoice.id, 'mail', kind, to, cc], queryFn: () => call(true), retry: false, gcTime: 0 })
  const send = useMutation({
    mutationFn: () => call(false),
    onSuccess({ to: reached }) {
      say(`The mail to ${reached.join(', ')} is on its way.`)
      on_close()
      for (const group of TOUCHED) void queries.invalidateQueries({ queryKey: [group] })
    },
  })
  const kinds = [
    { value: 'invoice', label: 'Invoice' }, ...(owes(invoice) ? [{ value: 'reminder', label: 'Reminder' }] : []),
    ...(invoice.payments?.length ? [{ value: 'receipt', label: 'Receipt' }] : []),
  ]
  return (
    <Modal opened onClose={on_close} title="Send by mail" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate()
        }}
      >
        <Stack>
          {invoice.status === 'draft' && <Text size="sm">The draft is finalized and booked first; both happen or neither.</Text>}
          {kinds.length > 1 && <SegmentedControl aria-label="What is sent" data={kinds} value={kind} onChange={(value) => change({ kind: value as Kind })} />}
          <TagsInput
            label="To" description="Press Enter after each address. Empty: the contacts of the customer who receive invoices, else the customer." data-autofocus
            placeholder={to.length === 0 ? outlook.data?.to.join(', ') ?? '' : ''} value={to} onChange={(addresses) => change({ to: addresses })}
            acceptValueOnBlur splitChars={[',', ';', ' ']}
          />
          <TagsInput label="Copies" value={cc} onChange={(addresses) => change({ cc: addresses })} acceptValueOnBlur splitChars={[',', ';', ' ']} />
          <TextInput
            label="Subject" placeholder="The usual one" maxLength={300} value={subject} onChange={({ currentTarget: { value } }) => change({ subject: value })}
          />
          <Textarea
            label="Message" placeholder="The usual words" autosize minRows={4} maxRows={12} maxLength={10_000} value={message}
            onChange={({ currentTarget: { value } }) => change({ message: value })}
          />
          <Group>
            <Checkbox label="Attach the PDF" checked={attach_pdf} onChange={({ currentTarget: { checked } }) => change({ attach_pdf: checked })} />
            <Checkbox
              label="Include the link to pay" checked={include_payment_link}
              onChange={({ currentTarget: { checked } }) => change({ include_payment_link: checked })}
            />
          </Group>
          {outlook.isError && !send.isError && <Alert color="orange" title="As it stands, it cannot be sent">{messageOf(outlook.error)}</Alert>}
          {send.isError && <Failure error={send.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={on_close}>Cancel</Button>
            <Button type="submit" loading={send.isPending}>{invoice.status === 'draft' ? 'Finalize and send' : 'Send'}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
