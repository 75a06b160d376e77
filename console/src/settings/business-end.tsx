// Putting a business aside, taking it back, and deleting it.
import { Group, Text } from '@mantine/core'
import { api, type Schemas } from '../api.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Section } from '../parts/details.tsx'
import { useFresh } from './fresh.tsx'
import { useIsAdmin } from './roles.ts'

const TOUCHED = ['session', 'businesses', 'billing'] as const

export function BusinessEnd({ business: { id: business_id, name, status, role } }: { business: Schemas['Business'] }) {
  const { withFresh, dialog } = useFresh()
  const params = { path: { business_id } }
  if (!useIsAdmin()) return null
  return (
    <Section title="Putting it aside">
      <Text size="sm" c="dimmed" maw={720}>
        An archived business can be read, not changed. A deleted one goes with all its data after 30 days; until then it can be taken back.
      </Text>
      <Group gap="xs">
        {status === 'active' && (
          <ActionButton
            button="Archive" words="From now on the business can be read, not changed. You can restore it at any time."
            run={() => api.PUT('/api/v1/businesses/{business_id}/archive', { params })} touched={TOUCHED} done="The business was archived."
          />
        )}
        {status === 'archived' && (
          <ActionButton
            button="Restore" words="The business can be changed again. What fell due in the meantime is not made up for."
            run={() => api.PUT('/api/v1/businesses/{business_id}/restore', { params })} touched={TOUCHED} done="The business was restored." main
          />
        )}
        {status === 'pending_deletion' && role === 'owner' && (
          <ActionButton
            button="Cancel the deletion" words="The business returns to the state it was in before."
            run={() => api.PUT('/api/v1/businesses/{business_id}/cancel-deletion', { params })} touched={TOUCHED} done="The business stays." main
          />
        )}
        {status !== 'pending_deletion' && role === 'owner' && (
          <ActionButton<{ confirm_name: string }>
            button="Delete" words={`The business becomes read-only now and goes with all its data in 30 days. Write its name, ${name}, to be sure.`} grave
            fields={[{ name: 'confirm_name', label: 'Name of the business', kind: 'text', required: true }]}
            run={({ confirm_name }) => withFresh(() => api.DELETE('/api/v1/businesses/{business_id}', { params: { ...params, query: { confirm_name } } }))}
            touched={TOUCHED} done="The business goes in 30 days."
          />
        )}
      </Group>
      {dialog}
    </Section>
  )
}
