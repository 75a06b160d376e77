// Adding a ledger to the chart, or changing one.
import { Button, Checkbox, Drawer, Group, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, ApiError, dataOf, type Schemas } from '../api.ts'
import { words } from '../format.ts'
import { Failure, Loading, say } from '../parts/feedback.tsx'
import { LedgerPicker } from '../parts/fields.tsx'
import { ledgerName } from '../parts/reading.ts'
import { useBusiness } from '../session.tsx'

type Input = Schemas['LedgerInput']
type Parent = Pick<Schemas['Ledger'], 'id' | 'type' | 'subtype' | 'number' | 'name'>
export type Editing = { ledger_id: string | null; parent: Parent | null }

const SUBTYPES: Record<Input['type'], Input['subtype'][]> = {
  asset: [
    'bank', 'cash', 'accounts_receivable', 'inventory', 'prepaid', 'intercompany', 'other_current_asset', 'fixed_asset', 'accumulated_depreciation',
    'intangible', 'other_asset',
  ],
  liability: [
    'accounts_payable', 'credit_card', 'line_of_credit', 'sales_tax', 'payroll_liability', 'deferred_revenue', 'intercompany', 'current_loan', 'long_term_loan',
    'other_current_liability', 'long_term_liability',
  ],
  equity: ['capital', 'distribution', 'retained_earnings', 'opening_balance', 'other_equity'],
  income: ['revenue', 'discount', 'other_income', 'disposal_gain_loss'],
  expense: ['cost_of_goods_sold', 'payroll', 'operating', 'bank_fees', 'depreciation', 'interest_expense', 'income_tax', 'other_expense'],
}

export function LedgerDrawer({ editing, close }: { editing: Editing; close: () => void }) {
  const { ledger_id, parent } = editing
  const ledger = useQuery({
    queryKey: ['ledgers', ledger_id],
    queryFn: () => dataOf(api.GET('/api/v1/ledgers/{ledger_id}', { params: { path: { ledger_id: ledger_id ?? '' } } })),
    enabled: ledger_id !== null,
  })
  const title = ledger_id === null ? (parent ? `New ledger below ${ledgerName(parent)}` : 'New ledger') : 'Change the ledger'
  return (
    <Drawer opened onClose={close} title={title} position="right">
      {ledger_id !== null && ledger.isPending && <Loading />}
      {ledger.isError && <Failure error={ledger.error} again={() => void ledger.refetch()} />}
      {(ledger_id === null || ledger.data) && <Form ledger={ledger.data ?? null} parent={parent} close={close} />}
    </Drawer>
  )
}

function Form({ ledger, parent, close }: { ledger: Schemas['Ledger'] | null; parent: Parent | null; close: () => void }) {
  const { base_currency } = useBusiness()
  const queries = useQueryClient()
  const from = ledger ?? parent
  const form = useForm({
    initialValues: {
      number: ledger?.number ?? '',
      name: ledger?.name ?? '',
      type: from?.type ?? ('expense' as Input['type']),
      subtype: from?.subtype ?? ('operating' as Input['subtype']),
      parent_id: ledger ? ledger.parent_id : parent?.id ?? null,
      currency: ledger?.currency ?? base_currency,
      heading: ledger ? !ledger.posting : false,
      description: ledger?.description ?? '',
    },
  })
  const save = useMutation({
    mutationFn: ({ number, name, type, subtype, parent_id, currency, heading, description }: typeof form.values) => {
      const body = { number: number.trim() || null, name: name.trim(), subtype, parent_id, description: description.trim() || null }
      if (!ledger) return dataOf(api.POST('/api/v1/ledgers', { body: { ...body, type, currency, posting: !heading } }))
      return dataOf(api.PUT('/api/v1/ledgers/{ledger_id}', { params: { path: { ledger_id: ledger.id } }, body }))
    },
    onSuccess: (saved) => {
      say(`${ledgerName(saved)} is saved.`)
      void queries.invalidateQueries({ queryKey: ['ledgers'] })
      void queries.invalidateQueries({ queryKey: ['reports'] })
      close()
    },
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(Object.fromEntries(error.problems.map(({ loc, msg }) => [String(loc.at(-1)), msg])))
    },
  })
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack>
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        <TextInput label="Number" {...form.getInputProps('number')} />
        {!ledger && (
          <Select
            label="Type" required allowDeselect={false} {...form.getInputProps('type')}
            data={Object.keys(SUBTYPES).map((value) => ({ value, label: words(value) }))}
            onChange={(chosen) => {
              const type = chosen as Input['type']
              form.setValues({ type, subtype: SUBTYPES[type][0] as Input['subtype'], parent_id: null })
            }}
          />
        )}
        <Select
          label="Kind" required allowDeselect={false} data={SUBTYPES[form.values.type].map((value) => ({ value, label: words(value) }))}
          {...form.getInputProps('subtype')}
        />
        <LedgerPicker
          label="Below" placeholder="At the top" clearable value={form.values.parent_id} error={form.errors['parent_id']}
          on_change={(chosen) => form.setFieldValue('parent_id', chosen?.id ?? null)}
        />
        {!ledger && <Select label="Currency" allowDeselect={false} data={['USD', 'CAD', 'AUD', 'EUR', 'GBP']} {...form.getInputProps('currency')} />}
        {!ledger && <Checkbox label="A heading, which takes no lines" {...form.getInputProps('heading', { type: 'checkbox' })} />}
        <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
        {save.isError && <Failure error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>Leave it</Button>
          <Button type="submit" loading={save.isPending}>{ledger ? 'Save' : 'Add'}</Button>
        </Group>
      </Stack>
    </form>
  )
}
