// Where the set-up of the business stands, as long as it is not over.
import { Button, Group, Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useOnboarding } from '../entry/use-onboarding.ts'
import { useBusiness } from '../session.tsx'

export function SetupHint() {
  const { is_sample } = useBusiness()
  const { data } = useOnboarding(!is_sample)
  if (!data || data.status === 'finished' || data.status === 'dismissed') return null
  return (
    <Paper withBorder p="md" component="section" aria-label="Set-up">
      <Group justify="space-between">
        <Text size="sm">The set-up is {data.percent} % done. A few steps make the books fit your business.</Text>
        <Button size="xs" component={Link} to="/welcome">Go on with the set-up</Button>
      </Group>
    </Paper>
  )
}
