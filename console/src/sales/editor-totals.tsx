// What the invoice comes to, as the service has just worked it out.
import { Alert, Group, Loader, Paper, Text, Title } from '@mantine/core'
import { messageOf } from '../parts/feedback.tsx'
import type { Calculation } from './calculation.ts'
import { Totals } from './invoice-lines.tsx'

export function EditorTotals({ calculation: { result, error, working }, has_customer }: { calculation: Calculation; has_customer: boolean }) {
  return (
    <Paper withBorder p="md" component="section" aria-label="Totals" miw={280}>
      <Group justify="space-between">
        <Title order={2} size="h4">Totals</Title>{working && has_customer && <Loader size="xs" aria-label="Being worked out" />}
      </Group>
      <div aria-live="polite">
        {result ? <Totals invoice={result} /> : error && has_customer
          ? <Alert mt="sm" color="orange" title="The service would not take it as it stands">{messageOf(error)}</Alert>
          : <Text size="sm" c="dimmed" mt="xs">{has_customer ? 'Complete a line' : 'Choose a customer and complete a line'} to see what it comes to.</Text>}
      </div>
    </Paper>
  )
}
