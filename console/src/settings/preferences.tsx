// How the business works: the switches of every part of the service.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { useTaxChoices } from '../directory/choices.ts'
import { Loaded } from '../parts/details.tsx'
import type { Field } from '../parts/record-form.tsx'
import { StandingForm } from '../parts/standing-form.tsx'
import { useBankLedgers } from '../sales/choices.ts'
import { useBusiness } from '../session.tsx'
import { SettingsPage } from './frame.tsx'

type Settings = Schemas['BusinessSettings']

function useFields(): Field[] {
  const codes = useTaxChoices()
  const banks = useBankLedgers().map(({ id, name }) => ({ value: id, label: name }))
  return [
    { name: 'sales.invoice_footer', label: 'Footer of invoices', kind: 'long_text', section: 'Sales' },
    { name: 'sales.reply_to', label: 'Answers to mailed documents go to', kind: 'text', words: 'An e-mail address.' },
    {
      name: 'sales.reminder_days', label: 'Remind customers on these days', kind: 'text',
      words: 'Days after the due date, such as 3, 10, 30; below zero: before it. Empty: no reminders.',
    },
    { name: 'sales.deposit_ledger_id', label: 'Payments go to', kind: 'choice', choices: banks, words: 'Empty: undeposited funds.' },
    {
      name: 'sales.credit_policy', label: 'Credit limits', kind: 'choice', required: true,
      choices: [{ value: 'off', label: 'Are not enforced' }, { value: 'block', label: 'Stop an invoice above them' }],
    },
    {
      name: 'sales.auto_match_threshold', label: 'Accept suggested payments from', kind: 'number', unit: '% sure',
      words: '50 to 100. Empty: a person accepts each.',
    },
    { name: 'tax.prices_include_tax', label: 'Prices of sales contain the tax', kind: 'switch', section: 'Tax' },
    { name: 'tax.default_sales_code_id', label: 'Tax code of sales', kind: 'choice', choices: codes, words: 'For lines that have none.' },
    { name: 'tax.default_purchase_code_id', label: 'Tax code of purchases', kind: 'choice', choices: codes, words: 'For lines that have none.' },
    {
      name: 'accounting.approval_required', label: 'Entries by hand need approval', kind: 'switch',
      words: 'By somebody else than who prepared them.', section: 'Books and bank',
    },
    { name: 'accounting.approval_threshold', label: 'Approval from', kind: 'money', words: 'Entries whose total is below need none.' },
    { name: 'banking.auto_match', label: 'Match bank transactions by themselves', kind: 'switch', words: 'Where only one document fits.' },
    { name: 'banking.low_cash_threshold', label: 'Warn when a bank account is below', kind: 'money' },
    {
      name: 'purchases.duplicate_bill', label: 'A bill that is there twice', kind: 'choice', required: true,
      choices: [{ value: 'warn', label: 'Warns' }, { value: 'block', label: 'Is stopped' }], section: 'Purchases and stock',
    },
    {
      name: 'inventory.costing_method', label: 'Cost of stock', kind: 'choice', required: true,
      choices: [{ value: 'fifo', label: 'First in, first out' }, { value: 'weighted_average', label: 'Weighted average' }],
    },
    { name: 'inventory.allow_negative_stock', label: 'Stock may fall below zero', kind: 'switch' },
    { name: 'inventory.backdating_days', label: 'Stock may be moved back', kind: 'number', unit: 'days', words: 'Empty: in any open period.' },
    { name: 'documents.inbox_enabled', label: 'Take documents by mail', kind: 'switch', section: 'Documents and assistance' },
    { name: 'documents.retention_years', label: 'Keep documents for', kind: 'number', unit: 'years', required: true },
    { name: 'ai.enabled', label: 'Suggestions', kind: 'switch' },
    {
      name: 'ai.provider', label: 'Suggestions come from', kind: 'choice', required: true,
      choices: [{ value: 'rules', label: 'Rules: nothing leaves the service' }, { value: 'model', label: 'A language model' }],
    },
    { name: 'ai.may_send_documents', label: 'Documents may be sent to the model', kind: 'switch' },
    { name: 'ai.monthly_runs', label: 'At most', kind: 'number', unit: 'runs a month', required: true },
    { name: 'security.require_two_factor', label: 'Everybody needs two-factor sign-in', kind: 'switch', words: 'Turn yours on first.', section: 'Security' },
    { name: 'security.share_links_allowed', label: 'Links for people outside are allowed', kind: 'switch' },
    { name: 'security.token_max_days', label: 'A new API token lives at most', kind: 'number', unit: 'days', words: 'Empty: as long as its maker says.' },
  ]
}

/** The days are typed as a list with commas; what is no number is left to the API to refuse. */
function toChanges(body: Record<string, unknown>): Schemas['BusinessSettingsUpdate'] {
  const sales = body['sales'] as { reminder_days?: string | null } | undefined
  if (!sales) return body as Schemas['BusinessSettingsUpdate']
  const days = (sales.reminder_days ?? '').split(/[\s,;]+/).filter(Boolean).map((text) => (/^-?\d+$/.test(text) ? Number(text) : text))
  return { ...body, sales: { ...sales, reminder_days: days } } as Schemas['BusinessSettingsUpdate']
}

export function PreferencesPage() {
  const { id: business_id } = useBusiness()
  const fields = useFields()
  const params = { path: { business_id } }
  const settings = useQuery({
    queryKey: ['businesses', business_id, 'settings'], queryFn: () => dataOf(api.GET('/api/v1/businesses/{business_id}/settings', { params })),
  })
  return (
    <SettingsPage title="How it works" words="What holds for the whole business. Each change is kept in the audit trail.">
      <Loaded query={settings}>
        {(data: Settings) => (
          <StandingForm
            fields={fields} record={{ ...data, sales: { ...data.sales, reminder_days: data.sales.reminder_days.join(', ') } }}
            save={(body: Record<string, unknown>) => api.PATCH('/api/v1/businesses/{business_id}/settings', { params, body: toChanges(body) })}
            touched={['businesses', 'session']} done="The settings were saved."
          />
        )}
      </Loaded>
    </SettingsPage>
  )
}
