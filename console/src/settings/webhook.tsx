// One webhook: how it stands, its secret, tests, and the log of what was sent.
import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Facts, Loaded, Section } from '../parts/details.tsx'
import { say, sayFailed } from '../parts/feedback.tsx'
import { useSaved } from '../parts/saved.ts'
import { SecretOnce } from '../parts/secret.tsx'
import { Deliveries } from './deliveries.tsx'
import { SettingsPage } from './frame.tsx'
import { eventWords } from './webhook-events.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookStatus } from './webhook-status.tsx'

type Webhook = Schemas['WebhookWithCounts']
const TOUCHED = ['o2c-webhooks'] as const
const WHY = { by_hand: 'Somebody turned it off.', gone: 'It answered that it is gone for good (410).', failures: 'For five days nothing arrived.' } as const

export function WebhookPage() {
  const { webhook_id } = useParams({ strict: false }) as { webhook_id: string }
  const params = { path: { webhook_id } }
  const webhook = useQuery({ queryKey: ['o2c-webhooks', webhook_id], queryFn: () => dataOf(api.GET('/api/v1/o2c-webhooks/{webhook_id}', { params })) })
  return (
    <SettingsPage title="Webhook" actions={webhook.data && <Actions webhook={webhook.data} />}>
      <Loaded query={webhook}>
        {({ url, description, status, disabled_reason, events, last_success_at, last_failure_at, previous_secret_until, last_24_hours: counts }: Webhook) => (
          <Stack gap="lg">
            {disabled_reason && <Alert color="yellow" title="It is off">{WHY[disabled_reason]} It gets nothing; what it missed can be sent again later.</Alert>}
            <Facts facts={[
              ['Address', url], ['What it is', description], ['Status', <WebhookStatus key="status" status={status} />],
              ['Told of', events.map(eventWords).join('\n')], ['Last arrived', moment(last_success_at) || 'Never'],
              ['Last failure', moment(last_failure_at)], ['The old secret works until', moment(previous_secret_until)],
              ['In the last 24 hours', `${counts.delivered} arrived, ${counts.pending} waiting, ${counts.failed} to be tried again, ${counts.dead} given up`],
            ]} />
            <Section title="Deliveries"><Deliveries webhook_id={webhook_id} /></Section>
          </Stack>
        )}
      </Loaded>
    </SettingsPage>
  )
}

function Actions({ webhook }: { webhook: Webhook }) {
  const go = useNavigate()
  const queries = useQueryClient()
  const saved = useSaved(TOUCHED)
  const [opened, { open, close }] = useDisclosure()
  const [secret, setSecret] = useState<string | null>(null)
  const params = { path: { webhook_id: webhook.id } }
  const change = (body: Schemas['WebhookUpdate']) => dataOf(api.PUT('/api/v1/o2c-webhooks/{webhook_id}', { params, body }))
  const save = async (body: Schemas['WebhookInput']) => {
    await change(body)
    close()
    saved('The webhook was saved.')
  }
  const test = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/o2c-webhooks/{webhook_id}/deliveries', { params, body: { test: true } })),
    onError: sayFailed,
    onSuccess() {
      say('A test is on its way. Its outcome stands in the deliveries.')
      // The answer of the other side takes a moment.
      for (const wait of [0, 1_500, 5_000]) setTimeout(() => void queries.invalidateQueries({ queryKey: ['o2c-webhooks', webhook.id] }), wait)
    },
  })
  const left = async () => {
    void queries.invalidateQueries({ queryKey: ['o2c-webhooks', 'list'] })
    await go({ to: '/settings/webhooks' })
  }
  return (
    <Group gap="xs">
      <Button loading={test.isPending} onClick={() => test.mutate()}>Send a test</Button>
      <Button variant="default" onClick={open}>Change</Button>
      <ActionButton
        button="New secret" words="The secret before it stays valid for 24 hours: each message carries a signature of both."
        run={async () => setSecret((await change({ rotate_secret: true })).secret)} touched={TOUCHED} done="The webhook has a new secret."
      />
      {webhook.enabled
        ? (
          <ActionButton
            button="Turn off" words="It gets nothing any more. What it misses can be sent again later." run={() => change({ enabled: false })}
            touched={TOUCHED} done="The webhook is off."
          />
        )
        : (
          <ActionButton
            button="Turn on" words="From now on it is told again." run={() => change({ enabled: true })} touched={TOUCHED} done="The webhook is on."
          />
        )}
      <ActionButton
        button="Delete" grave words="What waits for it is dropped." run={() => api.DELETE('/api/v1/o2c-webhooks/{webhook_id}', { params })}
        touched={[]} done="The webhook was deleted." then={() => void left()}
      />
      {opened && (
        <Modal opened onClose={close} title="Change the webhook" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
          <WebhookForm webhook={webhook} button="Save" save={save} cancel={close} />
        </Modal>
      )}
      {secret !== null && <SecretOnce title="The new secret" secrets={[{ label: 'Secret', text: secret }]} close={() => setSecret(null)} />}
    </Group>
  )
}
