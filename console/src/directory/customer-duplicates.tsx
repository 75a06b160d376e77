// Customers that are likely there twice, with the way to make one of them.
import { Group, Paper, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Loaded, To } from '../parts/details.tsx'
import { Empty } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useMayCorrect } from '../parts/roles.ts'
import { mergeInto } from './customer-merge.tsx'

type Duplicates = Schemas['CustomerDuplicates']
const EVIDENCE: Record<string, string> = { tax_number: 'The same tax number', email: 'The same e-mail address', name: 'The same name' }

export function CustomerDuplicates() {
  const found = useQuery({
    queryKey: ['customers', 'duplicates'], queryFn: () => dataOf(api.GET('/api/v1/customers/duplicates', { params: { query: { limit: 100 } } })),
  })
  return (
    <Page title="Customers that may be there twice">
      <Loaded query={found}>
        {({ items }) => (items.length === 0
          ? <Empty title="No duplicates">No two customers share a name, an e-mail address or a tax number.</Empty>
          : <Stack>{items.map((group) => <DuplicateGroup key={`${group.evidence} ${group.value}`} group={group} />)}</Stack>)}
      </Loaded>
    </Page>
  )
}

function DuplicateGroup({ group: { evidence, value, customers } }: { group: Duplicates }) {
  const corrects = useMayCorrect()
  const [kept, keep] = useState(customers[0]?.id ?? '')
  const name = customers.find(({ id }) => id === kept)?.name ?? ''
  const others = customers.map(({ id }) => id).filter((id) => id !== kept)
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Radio.Group label={`${EVIDENCE[evidence] ?? evidence}: ${value}`} description={corrects ? 'Which one stays?' : ''} value={kept} onChange={keep}>
          <Stack gap="xs" mt="xs">
            {customers.map((customer) => (
              <Group key={customer.id} gap="xs">
                <Radio value={customer.id} label={customer.name} />
                <Text size="sm" c="dimmed">{[customer.email, customer.tax_number, customer.external_id].filter(Boolean).join(' · ')}</Text>
                <To path={`/customers/${customer.id}`}>Open</To>
              </Group>
            ))}
          </Stack>
        </Radio.Group>
        {corrects && (
          <Group>
            <ActionButton
              small button={`Merge into ${name}`} grave touched={['customers', 'invoices']} done={`Merged into ${name}.`} run={() => mergeInto(kept, others)}
              words={`All others in this group become part of ${name} and are archived. This cannot be undone.`}
            />
          </Group>
        )}
      </Stack>
    </Paper>
  )
}
