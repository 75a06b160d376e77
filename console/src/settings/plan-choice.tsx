// The plans that can be bought: through the checkout of the card processor, or as a change of the one that is paid for.
import { Button, Card, Group, Modal, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money } from '../format.ts'
import { Loaded, Section } from '../parts/details.tsx'
import { Failure, sayFailed } from '../parts/feedback.tsx'
import { Rows } from '../parts/rows.tsx'
import { useSaved } from '../parts/saved.ts'

type Billing = Schemas['Billing']
type Plan = Schemas['Plan']
type Interval = 'month' | 'year'
type Wanted = { target_plan: Plan['plan_tier']; billing_interval: Interval }

const limitWords = (count: number | null, one: string, many: string) => (count === null ? `Any number of ${many}` : `${count} ${count === 1 ? one : many}`)

export function PlanChoice({ billing, manages }: { billing: Billing; manages: boolean }) {
  const plans = useQuery({ queryKey: ['billing', 'plans'], queryFn: () => dataOf(api.GET('/api/v1/billing/plans')), staleTime: 300_000 })
  const [interval, setInterval] = useState<Interval>(billing.billing_interval ?? 'month')
  const [change, setChange] = useState<Wanted | null>(null)
  const isPaid = billing.billing_status === 'active' || billing.billing_status === 'past_due'
  const buy = useMutation({
    mutationFn: (wanted: Wanted) => {
      const body = { ...wanted, success_url: `${location.origin}/settings/plan?checkout=done`, cancel_url: `${location.origin}/settings/plan?checkout=stopped` }
      return dataOf(
        billing.plan_tier === 'grandfathered'
          ? api.POST('/api/v1/billing/migrate-from-grandfathered', { body })
          : api.POST('/api/v1/billing/checkout', { body })
      )
    },
    onSuccess: ({ checkout_url }) => checkout_url && location.assign(checkout_url), onError: sayFailed,
  })
  const isPresent = ({ plan_tier }: Plan) => isPaid && plan_tier === billing.plan_tier && interval === billing.billing_interval
  const button = (plan: Plan) => {
    const wanted = { target_plan: plan.plan_tier, billing_interval: interval }
    if (isPresent(plan) && !billing.pending_change) return <Text size="sm" fw={600}>This is your plan.</Text>
    if (isPaid) return <Button variant="default" onClick={() => setChange(wanted)}>{isPresent(plan) ? 'Stay with it' : 'See the change'}</Button>
    return (
      <Button loading={buy.isPending && buy.variables.target_plan === plan.plan_tier} onClick={() => buy.mutate(wanted)}>
        {billing.plan_tier === 'grandfathered' ? `Move to ${plan.name}` : `Buy ${plan.name}`}
      </Button>
    )
  }
  return (
    <Section title={billing.plan_tier === 'grandfathered' ? 'Plans you can move to' : 'Plans'} actions={(
      <SegmentedControl
        aria-label="Paid by" size="xs" value={interval} onChange={(value) => setInterval(value as Interval)}
        data={[{ value: 'month', label: 'By the month' }, { value: 'year', label: 'By the year' }]}
      />
    )}>
      {billing.plan_tier === 'grandfathered' && (
        <Text size="sm" c="dimmed">You are on the tier from before there were plans. It goes on until you move; afterwards it cannot be had again.</Text>
      )}
      <Loaded query={plans}>
        {(all: Plan[]) => (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {all.map((plan) => {
              const price = plan.prices.find(({ billing_interval }) => billing_interval === interval)
              return (
                <Card key={plan.plan_tier} withBorder component="article">
                  <Stack gap="xs" h="100%">
                    <Title order={3} size="h4">{plan.name}</Title>
                    <Text size="sm">{plan.description}</Text>
                    <Text size="xl" fw={700} style={{ fontVariantNumeric: 'tabular-nums' }}>
                      {price ? money(price.amount, price.currency) : 'Not sold here'}
                      {price && <Text span size="sm" c="dimmed"> a {interval}</Text>}
                    </Text>
                    <Text size="sm" c="dimmed" style={{ flex: 1 }}>
                      {limitWords(plan.limits.members, 'person', 'people')},{' '}
                      {limitWords(plan.limits.api_tokens, 'API token', 'API tokens').toLowerCase().replace('api', 'API')}
                    </Text>
                    {manages && price && <Group>{button(plan)}</Group>}
                  </Stack>
                </Card>
              )
            })}
          </SimpleGrid>
        )}
      </Loaded>
      {!manages && <Text size="sm" c="dimmed">Owners and admins can change the plan.</Text>}
      {change && <ChangeDialog wanted={change} close={() => setChange(null)} />}
    </Section>
  )
}

const EFFECTS = {
  none: 'Nothing changes.', upgrade: 'It comes at once, and the card is charged now.', downgrade: 'It comes when the period ends.',
  start: 'Nothing is paid for yet.',
} as const

function ChangeDialog({ wanted, close }: { wanted: Wanted; close: () => void }) {
  const saved = useSaved(['billing', 'session'])
  const preview = useQuery({
    queryKey: ['billing', 'preview', wanted], queryFn: () => dataOf(api.GET('/api/v1/billing/plan-preview', { params: { query: wanted } })),
    staleTime: 0, gcTime: 0,
  })
  const change = useMutation({
    mutationFn: (expected_amount: number) => dataOf(api.PUT('/api/v1/billing/plan', { body: { ...wanted, expected_amount } })),
    onSuccess() {
      close()
      saved('The change of the plan was asked for.')
    },
    // The amount may have moved: the next try shows the present one.
    onError: () => void preview.refetch(),
  })
  return (
    <Modal opened onClose={close} title="Change the plan" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Loaded query={preview}>
        {({ effect, amount, tax, currency, effective_at, next_amount, lines, billing_interval }: Schemas['PlanPreview']) => (
          <Stack>
            <Text size="sm">{EFFECTS[effect]} {effect === 'downgrade' && `That is on ${day(effective_at)}.`}</Text>
            {lines.length > 0 && (
              <Rows
                label="What it costs" rows={lines} id={({ description }) => description} width={300}
                columns={[
                  { title: 'For', wraps: true, cell: ({ description }) => description },
                  { title: 'Amount', figures: true, cell: (line) => money(line.amount, currency) },
                ]}
              />
            )}
            <Text fw={600}>
              {amount < 0 ? `Credited: ${money(-amount, currency)}` : `Charged: ${money(amount, currency)}`}{tax > 0 && `, with ${money(tax, currency)} tax`}
            </Text>
            {next_amount !== null && <Text size="sm">Afterwards {money(next_amount, currency)} a {billing_interval}.</Text>}
            {change.isError && <Failure error={change.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>Not now</Button>
              <Button loading={change.isPending} disabled={effect === 'start'} onClick={() => change.mutate(amount)}>Change the plan</Button>
            </Group>
          </Stack>
        )}
      </Loaded>
    </Modal>
  )
}
