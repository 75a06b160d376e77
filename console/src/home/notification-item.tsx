// One notification: what it says, where it leads, and what the reader does with it. A live alert lasts as long as its cause and takes no change.
import { Anchor, Badge, Button, Group, Paper, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, type Schemas } from '../api.ts'
import { moment, words } from '../format.ts'
import { sayFailed } from '../parts/feedback.tsx'
import { useChooseBusiness, useSession } from '../session.tsx'
import { linkOf, pageFor } from '../parts/addresses.ts'
import { SEVERITY_COLOURS, SEVERITY_WORDS, type Notification } from './notification-words.ts'
import { SnoozeMenu } from './snooze-menu.tsx'

type Action = 'read' | 'unread' | 'dismiss' | 'reopen' | 'unsnooze'
type Change = { action: Action } | { pinned: boolean } | { until: string }

function write(notification_id: string, change: Change): Promise<unknown> {
  const params = { path: { notification_id } }
  if ('pinned' in change) return api.PUT('/api/v1/notifications/{notification_id}/pin', { params, body: change })
  if ('until' in change) return api.PUT('/api/v1/notifications/{notification_id}/snooze', { params, body: change })
  return api.PUT(`/api/v1/notifications/{notification_id}/${change.action}`, { params })
}

export function NotificationItem({ notification }: { notification: Notification }) {
  const { id, title, body, severity, topic, status, pinned, live, created_at, snoozed_until } = notification
  const queries = useQueryClient()
  const { memberships, business } = useSession()
  const change = useMutation({
    mutationFn: (wanted: Change) => write(id, wanted), onSuccess: () => queries.invalidateQueries({ queryKey: ['notifications'] }), onError: sayFailed,
  })
  const unread = status === 'unread' && !live
  const about = memberships.find(({ business_id }) => business_id === notification.business_id)
  const facts = [
    words(topic),
    about && about.business_id !== business?.id ? about.business_name : null,
    live ? `since ${moment(created_at)}, until it is settled` : moment(created_at),
    snoozed_until && `snoozed until ${moment(snoozed_until)}`,
    status === 'resolved' || status === 'dismissed' ? status : null,
  ]
  const act = (label: string, wanted: Change) => (
    <Button
      size="compact-xs" variant="subtle" disabled={change.isPending} aria-label={`${label}: ${title}`} onClick={() => change.mutate(wanted)}
    >
      {label}
    </Button>
  )
  return (
    <Paper withBorder p="sm" px="md" component="li" style={unread ? { boxShadow: 'inset 4px 0 0 var(--mantine-color-blue-6)' } : {}}>
      <Group gap="xs" align="baseline">
        <Badge color={SEVERITY_COLOURS[severity]} variant="light">{SEVERITY_WORDS[severity]}</Badge>
        <Title notification={notification} on_open={() => unread && change.mutate({ action: 'read' })} />
        {pinned && <Badge color="gray" variant="light">Pinned</Badge>}
        {unread && <Badge variant="filled">Unread</Badge>}
      </Group>
      {body && <Text size="sm" mt={4}>{body}</Text>}
      <Group justify="space-between" gap="xs" mt={4}>
        <Text size="xs" c="dimmed">
          {facts.filter(Boolean).join(' · ')}
        </Text>
        {!live && (
          <Group gap={4}>
            {act(pinned ? 'Unpin' : 'Pin', { pinned: !pinned })}
            {status === 'unread' && act('Mark as read', { action: 'read' })}
            {status === 'read' && act('Mark as unread', { action: 'unread' })}
            {status === 'snoozed' && act('Wake up', { action: 'unsnooze' })}
            {(status === 'unread' || status === 'read') && (
              <SnoozeMenu title={title} disabled={change.isPending} on_choose={(until) => change.mutate({ until })} />
            )}
            {status === 'dismissed' || status === 'resolved' ? act('Reopen', { action: 'reopen' }) : act('Dismiss', { action: 'dismiss' })}
          </Group>
        )}
      </Group>
    </Paper>
  )
}

/** Leads to the page where something can be done; what is about another business is opened there. */
function Title({ notification: { title, action_url, business_id, status, live }, on_open }: { notification: Schemas['Notification']; on_open: () => void }) {
  const go = useNavigate()
  const choose = useChooseBusiness()
  const { business } = useSession()
  const page = pageFor(action_url)
  const weight = status === 'unread' && !live ? 600 : 500
  if (page === null) return <Text size="sm" fw={weight}>{title}</Text>
  const open = async () => {
    on_open()
    if (business_id && business_id !== business?.id) await choose(business_id)
    await go(linkOf(page) as never)
  }
  return <Anchor size="sm" fw={weight} href={page} onClick={(event) => {
    if (event.metaKey || event.ctrlKey) return
    event.preventDefault()
    open().catch(sayFailed)
  }}>{title}</Anchor>
}
