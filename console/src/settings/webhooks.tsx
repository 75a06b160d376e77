// Webhooks: systems of the business that are told what happens.
import { Anchor, Button, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment } from '../format.ts'
import { Loaded } from '../parts/details.tsx'
import { Empty } from '../parts/feedback.tsx'
import { Rows } from '../parts/rows.tsx'
import { useSaved } from '../parts/saved.ts'
import { SecretOnce } from '../parts/secret.tsx'
import { SettingsPage } from './frame.tsx'
import { eventWords } from './webhook-events.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookStatus } from './webhook-status.tsx'

type Webhook = Schemas['Webhook']

export function WebhooksPage() {
  const go = useNavigate()
  const saved = useSaved(['o2c-webhooks'])
  const [opened, { open, close }] = useDisclosure()
  const [made, setMade] = useState<Schemas['WebhookWithSecret'] | null>(null)
  const webhooks = useQuery({
    queryKey: ['o2c-webhooks', 'list'], queryFn: () => dataOf(api.GET('/api/v1/o2c-webhooks', { params: { query: { limit: 100 } } })),
  })
  const create = async (body: Schemas['WebhookInput']) => {
    setMade(await dataOf(api.POST('/api/v1/o2c-webhooks', { body })))
    close()
    saved('The webhook was added.')
  }
  const newOne = <Button onClick={open}>Add a webhook</Button>
  return (
    <SettingsPage
      title="Webhooks" words="Each event is posted to these addresses, signed, and tried again for three days where it does not arrive." actions={newOne}
    >
      <Loaded query={webhooks}>
        {({ items }: { items: Webhook[] }) => (items.length === 0 ? (
          <Empty title="No webhooks yet" action={newOne}>Add the address of a system that wants to know when something happens from order to cash.</Empty>
        ) : (
          <Rows
            label="Webhooks" rows={items} id={({ id }) => id} width={720}
            columns={[
              {
                title: 'Address', wraps: true,
                cell: ({ id, url, description }) => (
                  <>
                    <Anchor component={Link} to={`/settings/webhooks/${id}`} size="sm" style={{ overflowWrap: 'anywhere' }}>{url}</Anchor>
                    {description && <Text size="xs" c="dimmed">{description}</Text>}
                  </>
                ),
              },
              {
                title: 'Told of', wraps: true,
                cell: ({ events }) => (events.length > 2
                  ? `${events.slice(0, 2).map(eventWords).join(', ')} and ${events.length - 2} more`
                  : events.map(eventWords).join(', ')),
              },
              { title: 'Status', cell: ({ status }) => <WebhookStatus status={status} /> },
              { title: 'Last arrived', cell: ({ last_success_at }) => moment(last_success_at) || 'Never' },
            ]}
          />
        ))}
      </Loaded>
      {opened && (
        <Modal opened onClose={close} title="Add a webhook" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
          <WebhookForm button="Add" save={create} cancel={close} />
        </Modal>
      )}
      {made?.secret && (
        <SecretOnce
          title="The secret of the webhook" secrets={[{ label: 'Secret', text: made.secret }]}
          close={() => void go({ to: `/settings/webhooks/${made.id}` })}
        >
          <Text size="sm">Your system checks with it that a message is ours: it is signed as Standard Webhooks say.</Text>
        </SecretOnce>
      )}
    </SettingsPage>
  )
}
