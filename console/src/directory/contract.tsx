// A contract: what of its value is billed and paid, its milestones and its invoices.
import { Group, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money, words } from '../format.ts'
import { Facts, Figures, Loaded, Section, Status, To } from '../parts/details.tsx'
import { Page } from '../parts/page.tsx'
import { ContractActions } from './contract-actions.tsx'
import { ContractMilestones } from './contract-milestones.tsx'
import { CustomerName } from './customer-name.tsx'
import { LatestInvoices } from './latest-invoices.tsx'

type Contract = Schemas['Contract']

export const useContract = (contract_id: string) =>
  useQuery({ queryKey: ['contracts', contract_id], queryFn: () => dataOf(api.GET('/api/v1/contracts/{contract_id}', { params: { path: { contract_id } } })) })

export function ContractPage() {
  const { contract_id } = useParams({ strict: false }) as { contract_id: string }
  return <Loaded query={useContract(contract_id)}>{(contract) => <Shown contract={contract} />}</Loaded>
}

function Shown({ contract }: { contract: Contract }) {
  const { id, number, title, currency, value, status, billed_amount } = contract
  const share = value > 0 ? Math.round((billed_amount / value) * 100) : 0
  const amount = (cents: number) => money(cents, currency)
  return (
    <Page title={`${number} ${title}`} actions={<ContractActions contract={contract} />}>
      <Group gap="xs"><Status status={status} /><Text size="sm" c="dimmed">{share} % of the value is billed.</Text></Group>
      <Progress value={Math.min(share, 100)} aria-label="Share of the value that is billed" />
      <Figures
        figures={[
          { label: 'Value', value: amount(value) }, { label: 'Billed', value: amount(billed_amount) },
          { label: 'Not billed yet', value: amount(contract.unbilled_amount) },
          { label: 'Paid', value: amount(contract.paid_amount) }, { label: 'Held back', value: amount(contract.retained_amount) },
        ]}
      />
      <Section title="Details">
        <Facts
          facts={[
            ['Customer', <CustomerName customer_id={contract.customer_id} />], ['Billing', words(contract.billing_type)], ['Start', day(contract.start_date)],
            ['End', day(contract.end_date) || 'Open'],
            ['Signed', day(contract.signed_on)], ['Renews by itself', contract.auto_renew && `Yes, for ${contract.renewal_months} months`],
            ['Notice', contract.notice_days === null ? null : `${contract.notice_days} days`],
            ['Held back of each invoice', contract.retention_percent && `${contract.retention_percent} %`],
            ['Credited', contract.credited_amount > 0 && amount(contract.credited_amount)],
            ['More than the value may be billed', contract.allow_overbilling && 'Yes'],
            ['Project', contract.project_id && <To path={`/projects/${contract.project_id}`}>Open the project</To>],
            ['Term before', contract.renewed_from_id && <To path={`/contracts/${contract.renewed_from_id}`}>Open</To>],
            ['Next term', contract.renewed_by_id && <To path={`/contracts/${contract.renewed_by_id}`}>Open</To>],
            ['Terminated', contract.terminated_on && [day(contract.terminated_on), contract.termination_reason].filter(Boolean).join(', ')],
          ]}
        />
      </Section>
      <ContractMilestones contract={contract} />
      <LatestInvoices contract_id={id} />
    </Page>
  )
}
