// What can be done about the plan that is paid for: the card, the end, and taking the end back.
import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { day } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { sayFailed } from '../parts/feedback.tsx'

const TOUCHED = ['billing', 'session'] as const

export function PlanActions({ billing: { billing_status, cancel_at_period_end, current_period_end } }: { billing: Schemas['Billing'] }) {
  const portal = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/billing/portal', { body: { return_url: `${location.origin}/settings/plan` } })),
    onSuccess: ({ url }) => url && location.assign(url), onError: sayFailed,
  })
  if (!['active', 'past_due', 'canceled'].includes(billing_status)) return null
  return (
    <Group gap="xs">
      <Button variant="default" loading={portal.isPending} onClick={() => portal.mutate()}>Cards and addresses</Button>
      {billing_status !== 'canceled' && !cancel_at_period_end && (
        <ActionButton
          button="Cancel the plan" grave words={`Until ${day(current_period_end)} nothing changes; afterwards the business can be read and exported.`}
          run={() => api.PUT('/api/v1/billing/cancel')} touched={TOUCHED} done="The plan ends with its period."
        />
      )}
      {billing_status !== 'canceled' && cancel_at_period_end && (
        <ActionButton
          button="Keep the plan" main words="The plan goes on as before." run={() => api.PUT('/api/v1/billing/resume')} touched={TOUCHED}
          done="The plan goes on."
        />
      )}
    </Group>
  )
}
