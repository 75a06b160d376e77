// One step of the set-up: whether it is done, where it is done, and passing over it.
import { Badge, Button, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { day } from '../format.ts'
import { firstPage } from '../parts/addresses.ts'
import { IndustryForm } from './industry-form.tsx'
import { STEPS } from './onboarding-steps.ts'
import { useOnboardingChange, type Step } from './use-onboarding.ts'

export function OnboardingStep({ step: { step, status, done_at, derived, blocking }, next }: { step: Step; next: boolean }) {
  const { title, words, pages, button } = STEPS[step]
  const page = firstPage(pages)
  const unserved = status === 'todo' && derived && page === null && step !== 'profile'
  const change = useOnboardingChange()
  const act = (label: string, action: 'complete' | 'skip' | 'reopen') => (
    <Button
      size="xs" variant="subtle" loading={change.isPending} aria-label={`${label}: ${title}`} onClick={() => change.mutate({ step, action })}
    >
      {label}
    </Button>
  )
  return (
    <li aria-current={next ? 'step' : undefined}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <div style={{ flex: '1 1 260px' }}>
          <Group gap="xs">
            <Title order={3} size="h6">{status === 'done' ? '✓' : status === 'skipped' ? '–' : '○'} {title}</Title>
            {status === 'done' && <Badge color="green" variant="light">Done{done_at ? ` ${day(done_at)}` : ''}</Badge>}
            {status === 'skipped' && <Badge color="gray" variant="light">Skipped</Badge>}
            {status === 'todo' && blocking && <Badge color="orange" variant="light">Needed</Badge>}
            {status === 'todo' && next && !blocking && <Badge variant="light">Next</Badge>}
          </Group>
          <Text size="sm" c="dimmed">
            {words}{unserved ? ' The console has no page for it yet: the API does it, and an advisor can help.' : ''}
          </Text>
        </div>
        <Group gap={4}>
          {page !== null && <Button size="xs" variant={next && status === 'todo' ? 'filled' : 'default'} component={Link} to={page}>{button}</Button>}
          {status === 'todo' && !derived && act('Tick off', 'complete')}
          {status === 'todo' && !blocking && act('Skip', 'skip')}
          {(status === 'skipped' || (status === 'done' && !derived)) && act('Take up again', 'reopen')}
        </Group>
      </Group>
      {step === 'profile' && status === 'todo' && <IndustryForm />}
    </li>
  )
}
