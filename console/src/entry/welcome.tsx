// The set-up of a business: a few questions, then a checklist whose steps lead to where they are done.
import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { Failure, Loading } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useBusiness } from '../session.tsx'
import { OnboardingQuestions } from './onboarding-questions.tsx'
import { OnboardingStep } from './onboarding-step.tsx'
import { useOnboarding, useOnboardingChange, type Onboarding } from './use-onboarding.ts'

export function Welcome() {
  const business = useBusiness()
  const onboarding = useOnboarding()
  if (onboarding.isPending) return <Loading what="Loading the set-up" />
  if (onboarding.isError) return <Failure error={onboarding.error} again={() => void onboarding.refetch()} />
  const { status } = onboarding.data
  return (
    <Page title={`Set up ${business.name}`} actions={<Button component={Link} to="/" variant="default">Go home</Button>}>
      {status === 'finished' && <Text>The set-up is finished. What you did stays as it is.</Text>}
      {status === 'dismissed' && <Text>The set-up is put away. What you did stays as it is.</Text>}
      {(status === 'in_progress' || status === 'not_started') && <Ending onboarding={onboarding.data} />}
      <OnboardingQuestions answers={onboarding.data.answers} />
      <Paper withBorder p="md" component="section" aria-label="Steps" maw={860}>
        <Title order={2} size="h4" mb="sm">Steps</Title>
        <Stack gap="md" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
          {onboarding.data.steps.map((step) => <OnboardingStep key={step.step} step={step} next={onboarding.data.next_step === step.step} />)}
        </Stack>
      </Paper>
    </Page>
  )
}

function Ending({ onboarding: { percent, steps } }: { onboarding: Onboarding }) {
  const go = useNavigate()
  const change = useOnboardingChange()
  const blocked = steps.some(({ blocking, status }) => blocking && status === 'todo')
  const end = (how: 'finish' | 'dismiss') => change.mutate({ end: how }, { onSuccess: () => void go({ to: '/' }) })
  return (
    <Paper withBorder p="md" maw={860}>
      <Group justify="space-between" mb="xs">
        <Text>
          {percent} % is done.{blocked ? ' What is marked as needed comes first; everything else can wait.' : ' The rest can wait: finish whenever you like.'}
        </Text>
        <Group gap="xs">
          <Button size="xs" disabled={blocked} loading={change.isPending} onClick={() => end('finish')}>Finish the set-up</Button>
          <Button size="xs" variant="subtle" disabled={blocked || change.isPending} onClick={() => end('dismiss')}>Put it away</Button>
        </Group>
      </Group>
      <Progress value={percent} aria-label="How much of the set-up is done" />
    </Paper>
  )
}
