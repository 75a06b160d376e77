// The plan of the business: what it is, what is used of it, what it costs, and its invoices.
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money, moment, words } from '../format.ts'
import { Facts, Loaded, Section } from '../parts/details.tsx'
import { SettingsPage } from './frame.tsx'
import { PlanActions } from './plan-actions.tsx'
import { PlanChoice } from './plan-choice.tsx'
import { PlanInvoices } from './plan-invoices.tsx'
import { useIsAdmin } from './roles.ts'

type Billing = Schemas['Billing']
export const TIER_NAMES: Record<string, string> = { grandfathered: 'Grandfathered', trial: 'Trial', self_directed: 'Self-directed', managed: 'Managed' }
const METRICS: Record<string, string> = { members: 'people', api_tokens: 'API tokens' }

const usedWords = (count: number, limit: number | null, what: string, over: boolean): string =>
  (limit === null ? `${count} ${what}, without a limit` : `${count} of ${limit} ${what}${over ? ', more than the plan holds' : ''}`)

export function PlanPage() {
  const manages = useIsAdmin()
  const { checkout } = useSearch({ strict: false }) as { checkout?: string }
  const billing = useQuery({
    queryKey: ['billing', 'current'], queryFn: () => dataOf(api.GET('/api/v1/billing')),
    // Back from the checkout: the plan moves when the processor has said so, which takes a moment.
    refetchInterval: ({ state }) => (checkout === 'done' && state.dataUpdateCount < 20 && state.data?.billing_status !== 'active' ? 2_000 : false),
  })
  return (
    <SettingsPage title="Plan">
      <Loaded query={billing}>
        {(data: Billing) => (
          <Stack gap="lg">
            <Returned checkout={checkout} billing={data} />
            <Standing billing={data} />
            {manages && <PlanActions billing={data} />}
            <PlanChoice billing={data} manages={manages} />
            {manages && <Section title="Invoices for the plan"><PlanInvoices /></Section>}
          </Stack>
        )}
      </Loaded>
    </SettingsPage>
  )
}

function Returned({ checkout, billing: { billing_status, plan_tier } }: { checkout: string | undefined; billing: Billing }) {
  if (checkout === 'stopped') return <Alert color="gray" title="Nothing was bought" role="status">You came back before paying. The plan is as it was.</Alert>
  if (checkout !== 'done') return null
  return billing_status === 'active'
    ? <Alert color="green" title="Thank you" role="status">The plan is {TIER_NAMES[plan_tier]} now.</Alert>
    : (
      <Alert color="blue" title="Thank you" role="status">
        The plan changes as soon as the card processor has confirmed the payment. This page looks by itself.
      </Alert>
    )
}

function Standing({ billing }: { billing: Billing }) {
  const {
    plan_tier, billing_status, billing_interval, trial_ends_on, current_period_end, access, read_only_from, cancel_at_period_end,
    payment_method: card, next_amount, currency, pending_change, pending_session,
  } = billing
  const usage = useQuery({ queryKey: ['billing', 'usage'], queryFn: () => dataOf(api.GET('/api/v1/billing/usage')) })
  const used = usage.data?.usage.map(({ metric, used: count, limit, over }) => usedWords(count, limit, METRICS[metric] ?? words(metric), over)).join('\n')
  return (
    <>
      {access === 'read_only' && (
        <Alert color="red" title="This business can only be read">Choose a plan below, and it can be changed again. Nothing is lost.</Alert>
      )}
      {billing_status === 'past_due' && (
        <Alert color="red" title="A payment is overdue">
          The card was declined. Change it with the button below{read_only_from ? `; from ${day(read_only_from)} on the business can only be read` : ''}.
        </Alert>
      )}
      {cancel_at_period_end && <Alert color="yellow" title="The plan was canceled">It ends on {day(current_period_end)}. Until then nothing changes.</Alert>}
      {pending_change && (
        <Alert color="blue" title="A change is to come">
          From {day(pending_change.effective_at)} on the plan is {TIER_NAMES[pending_change.target_plan]}, paid by the {pending_change.billing_interval}.
        </Alert>
      )}
      {pending_session && (
        <Alert color="blue" title="A checkout is open">
          <Group gap="xs">
            <Text size="sm">
              {TIER_NAMES[pending_session.target_plan]}, paid by the {pending_session.billing_interval}, until {moment(pending_session.expires_at)}.
            </Text>
            <Button size="xs" component="a" href={pending_session.checkout_url}>Go on with the checkout</Button>
          </Group>
        </Alert>
      )}
      <Facts facts={[
        ['Plan', TIER_NAMES[plan_tier]], ['Status', billing_status === 'none' ? 'Nothing is paid for' : words(billing_status)],
        ['Paid by the', billing_interval], ['Trial until', day(trial_ends_on)],
        [cancel_at_period_end ? 'Ends on' : 'Next invoice on', day(current_period_end)],
        ['Next amount', next_amount === null ? null : money(next_amount, currency ?? 'USD')],
        ['Read-only from', day(read_only_from)], ['Card', card && `${words(card.brand)} ending in ${card.last4}, until ${card.exp}`], ['Used', used],
      ]} />
      <Text size="sm">
        <Anchor component={Link} to="/settings/members" size="sm" underline="always">People</Anchor> and{' '}
        <Anchor component={Link} to="/settings/tokens" size="sm" underline="always">API tokens</Anchor> count towards the plan.
      </Text>
    </>
  )
}
