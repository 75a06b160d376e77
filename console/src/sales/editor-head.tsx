// Who the invoice is for, when it is due and what stands on it beside the lines.
import { Checkbox, Paper, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { ApiError } from '../api.ts'
import { day } from '../format.ts'
import { CustomerPicker } from '../parts/customer-picker.tsx'
import { useTerms } from './choices.ts'
import type { Draft } from './draft.ts'
import type { Invoice } from './invoice-status.tsx'

type Change = (changed: Partial<Draft>) => void
type EditorHeadProps = { draft: Draft; on_change: Change; invoice: Invoice | null; checked: boolean; calculated: Invoice | null; error: unknown }

const CURRENCIES: Invoice['currency'][] = ['USD', 'CAD', 'AUD', 'EUR', 'GBP']
const TAX = [{ value: 'exclusive', label: 'Is added to prices' }, { value: 'inclusive', label: 'Is included in prices' }, { value: 'none', label: 'No tax' }]

/** What the service said of one field. */
const said = (error: unknown, field: string): string | undefined => (
  error instanceof ApiError ? error.problems.find(({ loc }) => loc.at(-1) === field)?.msg : undefined
)

export function EditorHead({ draft, on_change, invoice, checked, calculated, error }: EditorHeadProps) {
  const terms = useTerms()
  const usual = terms.find(({ id }) => id === calculated?.payment_terms_id)?.name
  if (invoice?.status === 'void') return null
  return (
    <Paper withBorder p="md" component="section" aria-label="Customer and dates">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <CustomerPicker
          label="Customer" creates autofocus={invoice === null && draft.customer_id === null} value={draft.customer_id}
          error={checked && !draft.customer_id ? 'Choose a customer.' : said(error, 'customer_id')}
          on_change={(customer_id, customer) => on_change({ customer_id, ...(invoice === null && customer ? { currency: customer.currency } : {}) })}
        />
        <TextInput
          type="date" label="Invoice date" description="Empty: the day it is finalized" value={draft.invoice_date} error={said(error, 'invoice_date')}
          onChange={({ currentTarget: { value } }) => on_change({ invoice_date: value })} inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <Select
          label="Payment terms" placeholder={usual ?? 'Those of the customer'} clearable disabled={invoice !== null && invoice.status !== 'draft'}
          error={said(error, 'payment_terms_id')}
          data={terms.map(({ id, name }) => ({ value: id, label: name }))} value={draft.payment_terms_id}
          onChange={(payment_terms_id) => on_change({ payment_terms_id })}
        />
        <TextInput
          type="date" label="Due date" value={draft.due_date} error={said(error, 'due_date')}
          description={!draft.due_date && calculated?.due_date ? `By the terms: ${day(calculated.due_date)}` : 'Empty: by the terms'}
          onChange={({ currentTarget: { value } }) => on_change({ due_date: value })} inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <TextInput
          label="Number" placeholder="Given when finalized" maxLength={40} value={draft.invoice_number} error={said(error, 'invoice_number')}
          onChange={({ currentTarget: { value } }) => on_change({ invoice_number: value })}
        />
        <TextInput
          label="Purchase order" maxLength={100} value={draft.purchase_order_number} error={said(error, 'purchase_order_number')}
          onChange={({ currentTarget: { value } }) => on_change({ purchase_order_number: value })}
        />
        <Select
          label="Currency" placeholder="That of the customer" disabled={invoice !== null} data={CURRENCIES} value={draft.currency}
          onChange={(currency) => on_change({ currency: currency as Draft['currency'] })}
        />
        <Select
          label="Tax" placeholder="As set up" disabled={invoice !== null} data={TAX} value={draft.tax_mode}
          onChange={(tax_mode) => on_change({ tax_mode: tax_mode as Draft['tax_mode'] })}
        />
      </SimpleGrid>
    </Paper>
  )
}

export function EditorNotes({ draft, on_change, invoice }: { draft: Draft; on_change: Change; invoice: Invoice | null }) {
  const all = invoice?.status !== 'void'
  return (
    <Paper withBorder p="md" component="section" aria-label="Words" miw={280}>
      <Stack gap="sm">
        {all && (
          <Textarea
            label="Message to the customer" description="Printed on the invoice" autosize minRows={2} maxLength={2000} value={draft.customer_message}
            onChange={({ currentTarget: { value } }) => on_change({ customer_message: value })}
          />
        )}
        <Textarea
          label="Description" autosize minRows={1} maxLength={2000} value={draft.description}
          onChange={({ currentTarget: { value } }) => on_change({ description: value })}
        />
        {all && (
          <Textarea
            label="Internal note" description="Nobody outside sees it" autosize minRows={1} maxLength={2000} value={draft.internal_note}
            onChange={({ currentTarget: { value } }) => on_change({ internal_note: value })}
          />
        )}
        {all && (
          <Checkbox
            label={`The customer may pay by card${draft.collect_online === null ? ' (as set up)' : ''}`} checked={draft.collect_online ?? true}
            indeterminate={draft.collect_online === null} onChange={({ currentTarget: { checked } }) => on_change({ collect_online: checked })}
          />
        )}
        {all && (
          <Checkbox
            label={`The customer may pay in parts${draft.allow_partial_payments === null ? ' (as set up)' : ''}`} checked={draft.allow_partial_payments ?? true}
            indeterminate={draft.allow_partial_payments === null} onChange={({ currentTarget: { checked } }) => on_change({ allow_partial_payments: checked })}
          />
        )}
      </Stack>
    </Paper>
  )
}
