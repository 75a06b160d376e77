// The page of one request: where it stands, what can be done with it, its papers and the people who were asked.
import { Button, Group, Stack, Text } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'
import { day, moment, words } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Facts, Loaded, Section } from '../parts/details.tsx'
import { Page } from '../parts/page.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { Rows } from '../parts/rows.tsx'
import { AddItem } from './item-dialogs.tsx'
import { daysInWords } from './reminder-days.ts'
import { RequestItem } from './request-item.tsx'
import { isOpen, RequestStatus, TOUCHED, useRequest, type Request } from './request-status.tsx'

export function RequestPage() {
  const { request_id } = useParams({ strict: false }) as { request_id: string }
  return <Loaded query={useRequest(request_id)}>{(request) => <OneRequest request={request} />}</Loaded>
}

function OneRequest({ request }: { request: Request }) {
  const writes = useMayWrite()
  const ended = request.status === 'completed' || request.status === 'canceled'
  return (
    <Page title={request.title} actions={writes && <RequestActions request={request} />}>
      <Group gap="sm">
        <RequestStatus request={request} />
        <Text size="sm">{request.received_count} of {request.required_count} received</Text>
      </Group>
      {request.message && <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{request.message}</Text>}
      <Facts
        facts={[
          ['Due', day(request.due_date)],
          ['Reminders', daysInWords(request.reminder_days, request.due_date !== null)],
          ['Next reminder', isOpen(request) && request.status !== 'received' && day(request.next_reminder_on)],
          ['Last reminder', moment(request.last_reminded_at)],
          ['Sent', moment(request.sent_at)],
          ['Links work until', isOpen(request) && moment(request.links_expire_at)],
          ['Again', seriesWords(request)],
          ['The next one is sent', day(request.next_on)],
          ['Completed', moment(request.completed_at)],
          ['Canceled', moment(request.canceled_at)],
          ['About', request.resource_type && request.resource_id && <RecordLink type={request.resource_type} id={request.resource_id} />],
        ]}
      />
      <Section title="Papers" actions={writes && !ended && <AddItem request={request} />}>
        {request.items.length === 0 && <Text size="sm" c="dimmed">Nothing is asked for yet. Add a paper.</Text>}
        <Stack gap="sm">{request.items.map((item) => <RequestItem key={item.id} request={request} item={item} writes={writes} />)}</Stack>
      </Section>
      <Section title="Who was asked">
        {request.recipients.length === 0 ? <Text size="sm" c="dimmed">Nobody yet. Change the draft to add somebody.</Text> : (
          <Rows
            label="Recipients" rows={request.recipients} id={({ id }) => id} width={520}
            columns={[
              { title: 'Name', cell: ({ name }) => name }, { title: 'E-mail', cell: ({ email }) => email },
              { title: 'Opened the link', cell: ({ viewed_at }) => moment(viewed_at) || 'Not yet' },
              { title: 'Said they are done', cell: ({ submitted_at }) => moment(submitted_at) || 'Not yet' },
            ]}
          />
        )}
      </Section>
    </Page>
  )
}

function seriesWords({ recurrence }: Request): string | null {
  if (!recurrence) return null
  return `${words(recurrence.frequency)}${recurrence.end_date ? ` until ${day(recurrence.end_date)}` : ''}`
}

function RequestActions({ request }: { request: Request }) {
  const go = useNavigate()
  const params = { path: { request_id: request.id } }
  const open = isOpen(request)
  const change = <Button variant="default" component={Link} to={`/papers/${request.id}/edit`}>Change</Button>
  if (request.status === 'draft') {
    return (
      <>
        <ActionButton
          main button="Send" touched={TOUCHED} done="Sent." run={() => dataOf(api.PUT('/api/v1/document-requests/{request_id}/send', { params }))}
          words={`Each of the ${request.recipients.length} recipients is mailed a link of their own.`}
        />
        {change}
        <ActionButton
          grave button="Delete" touched={TOUCHED} done="Deleted." then={() => void go({ to: '/papers' })} words="The draft is deleted."
          run={() => dataOf(api.DELETE('/api/v1/document-requests/{request_id}', { params }))}
        />
      </>
    )
  }
  if (!open) {
    return (
      <ActionButton
        button="Reopen" touched={TOUCHED} done="It was sent again." words="It is sent again with new links; the old ones stay dead."
        run={() => dataOf(api.PUT('/api/v1/document-requests/{request_id}/reopen', { params }))}
      />
    )
  }
  return (
    <>
      <ActionButton
        main button="Complete" touched={TOUCHED} done="Completed." words="The links stop working. Every required paper must be accepted or waived."
        run={() => dataOf(api.PUT('/api/v1/document-requests/{request_id}/complete', { params }))}
      />
      <ActionButton<{ force?: boolean }>
        button="Remind" touched={TOUCHED} done="Reminded." words="Everybody who was asked is mailed what is still missing."
        fields={[{ name: 'force', label: 'Also if they were reminded today', kind: 'switch' }]}
        run={(body) => dataOf(api.POST('/api/v1/document-requests/{request_id}/remind', { params, body }))}
      />
      {change}
      <ActionButton<{ reason?: string }>
        grave button="Cancel the request" touched={TOUCHED} done="Canceled." words="The links stop working, and nothing follows where it recurs."
        fields={[{ name: 'reason', label: 'Reason', kind: 'text' }]}
        run={(body) => dataOf(api.PUT('/api/v1/document-requests/{request_id}/cancel', { params, body }))}
      />
    </>
  )
}
