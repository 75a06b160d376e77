// Writing down a contract. It starts as a draft, and its milestones are added on its page.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { Loaded } from '../parts/details.tsx'
import { say } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useProjectChoices } from '../parts/reading.ts'
import { RecordForm, type Field } from '../parts/record-form.tsx'
import { choicesOf, CURRENCY_CHOICES } from './choices.ts'
import { useContract } from './contract.tsx'

type Contract = Schemas['Contract']
type Body = Schemas['ContractInput']

export function NewContract() {
  return <ContractForm />
}

export function EditContract() {
  const { contract_id } = useParams({ strict: false }) as { contract_id: string }
  return <Loaded query={useContract(contract_id)}>{(contract) => <ContractForm contract={contract} />}</Loaded>
}

function ContractForm({ contract }: { contract?: Contract }) {
  const go = useNavigate()
  const queries = useQueryClient()
  const projects = useProjectChoices(true).data ?? []
  // What an active contract keeps is not asked for.
  const agreed: Field[] = [
    { name: 'customer_id', label: 'Customer', kind: 'party', required: true },
    { name: 'original_value', label: 'Value', kind: 'money', required: true },
    { name: 'currency', label: 'Currency', kind: 'choice', choices: CURRENCY_CHOICES, words: 'Empty: that of the customer.' },
    {
      name: 'billing_type', label: 'Billing', kind: 'choice', required: true, initial: 'fixed',
      choices: choicesOf(['fixed', 'milestone', 'time_and_materials', 'retainer']),
    },
    { name: 'retention_percent', label: 'Held back of each invoice', kind: 'text', unit: '%' },
  ]
  const fields: Field[] = [
    { name: 'title', label: 'Title', kind: 'text', required: true },
    ...(contract && contract.status !== 'draft' ? [] : agreed),
    { name: 'start_date', label: 'Start', kind: 'date', required: true, section: 'Term' },
    { name: 'end_date', label: 'End', kind: 'date', words: 'Empty: open.' },
    { name: 'renewal_months', label: 'Months of the next term', kind: 'number' },
    { name: 'notice_days', label: 'Notice', kind: 'number', unit: 'days' },
    { name: 'auto_renew', label: 'It renews by itself', kind: 'switch', words: 'Needs an end and the months of the next term.' },
    { name: 'signed_on', label: 'Signed', kind: 'date' },
    { name: 'project_id', label: 'Project', kind: 'choice', choices: projects, section: 'More' },
    { name: 'allow_overbilling', label: 'More than the value may be billed', kind: 'switch' },
  ]
  const save = async (body: Body) => {
    const saved = contract
      ? await dataOf(api.PUT('/api/v1/contracts/{contract_id}', { params: { path: { contract_id: contract.id } }, body }))
      : await dataOf(api.POST('/api/v1/contracts', { body }))
    void queries.invalidateQueries({ queryKey: ['contracts'] })
    say('Saved.')
    await go({ to: `/contracts/${saved.id}` })
  }
  return (
    <Page title={contract ? `Edit ${contract.number}` : 'New contract'}>
      <RecordForm<Body>
        fields={fields} record={contract} button={contract ? 'Save' : 'Create draft'} save={save}
        cancel={() => void go({ to: contract ? `/contracts/${contract.id}` : '/contracts' })}
      />
    </Page>
  )
}
