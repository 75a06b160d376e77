// How far the business has come: shown until it is under way or put away, with a sample to look around in.
import { Anchor, Button, Group, Paper, Progress, SimpleGrid, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { sayFailed } from '../parts/feedback.tsx'
import { useBusiness, useChooseBusiness } from '../session.tsx'
import { firstPage } from '../parts/addresses.ts'

type Milestone = Schemas['MilestoneStatus']['milestone']

/** What the list shows, and where it is done. */
const STEPS: Partial<Record<Milestone, { words: string; pages: string[] }>> = {
  bank_connected: { words: 'Bring in bank transactions', pages: ['/transactions'] },
  first_transaction_categorized: { words: 'Categorize a transaction', pages: ['/transactions'] },
  first_invoice_sent: { words: 'Send an invoice', pages: ['/invoices/new'] },
  first_invoice_paid: { words: 'Get an invoice paid', pages: ['/invoices'] },
  report_viewed: { words: 'Look at a report', pages: ['/reports'] },
  opening_balances_posted: { words: 'Post opening balances', pages: ['/settings/opening-balances', '/journal/new'] },
  first_period_closed: { words: 'Close a month', pages: ['/periods'] },
  second_member: { words: 'Work with somebody else', pages: ['/settings/members', '/settings/team', '/settings'] },
}

export const useActivation = () => {
  const { id } = useBusiness()
  return useQuery({ queryKey: ['activation', id], queryFn: () => dataOf(api.GET('/api/v1/activation')), staleTime: 60_000 })
}

/** Told of the business in the header, which need not be the one that is looked at by then. */
export const reportMilestone = (milestone: Milestone, business_id: string): Promise<Schemas['ActivationStatus']> =>
  dataOf(api.POST('/api/v1/activation/{milestone}', { params: { path: { milestone } }, headers: { 'x-business-id': business_id } }))

export function Activation() {
  const business = useBusiness()
  const queries = useQueryClient()
  const { data } = useActivation()
  const dismiss = useMutation({
    mutationFn: () => reportMilestone('checklist_dismissed', business.id), onSuccess: (status) => queries.setQueryData(['activation', business.id], status),
    onError: sayFailed,
  })
  const away = data?.milestones.some(({ milestone, reached }) => milestone === 'checklist_dismissed' && reached)
  if (!data || business.is_sample || data.activated || away) return null
  const shown = data.milestones.filter(({ milestone }) => milestone in STEPS)
  const reached = shown.filter((each) => each.reached).length
  return (
    <Paper withBorder p="md" component="section" aria-label="First steps">
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h5">First steps</Title>
        <Group gap="xs">
          <SampleButton business_id={business.id} />
          <Button size="xs" variant="subtle" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>Put this list away</Button>
        </Group>
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {reached} of {shown.length} are done. In the sample you can try everything with three months of books; it is gone after 14 days.
      </Text>
      <Progress value={(reached / shown.length) * 100} size="sm" mb="sm" aria-label="First steps done" />
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="xs" verticalSpacing={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {shown.map((step) => <li key={step.milestone}><Step {...step} /></li>)}
      </SimpleGrid>
    </Paper>
  )
}

function Step({ milestone, reached }: Schemas['MilestoneStatus']) {
  const { words = '', pages = [] } = STEPS[milestone] ?? {}
  const page = firstPage(pages)
  if (reached) return <Text size="sm" c="dimmed">✓ {words} <Text span inherit>(done)</Text></Text>
  return <Text size="sm">○ {page ? <Anchor component={Link} to={page} size="sm">{words}</Anchor> : words}</Text>
}

function SampleButton({ business_id }: { business_id: string }) {
  const choose = useChooseBusiness()
  const go = useNavigate()
  const open = useMutation({
    mutationFn: async () => {
      const { sample_business_id } = await dataOf(api.POST('/api/v1/activation/sample-preview', { body: {} }))
      await reportMilestone('sample_explored', business_id)
      await choose(sample_business_id)
      await go({ to: '/' })
    },
    onError: sayFailed,
  })
  return <Button size="xs" variant="default" loading={open.isPending} onClick={() => open.mutate()}>Open the sample business</Button>
}
