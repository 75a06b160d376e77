// The log of a webhook: each message with its tries and what the other side answered.
import { Button, Code, Drawer, Group, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Facts, Section } from '../parts/details.tsx'
import { Empty, Failure, say } from '../parts/feedback.tsx'
import { Rows } from '../parts/rows.tsx'
import { eventWords } from './webhook-events.ts'
import { statusName, WebhookStatus } from './webhook-status.tsx'

type Delivery = Schemas['WebhookDelivery']
const STATUSES = ['pending', 'delivered', 'failed', 'dead', 'dropped']

const answerOf = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1)
  return last ? last.error ?? `Answered ${last.status}` : 'Not tried yet'
}

const columns: Column<Delivery>[] = [
  { name: 'at', title: 'When', width: '195px', cell: ({ created_at }) => moment(created_at) },
  { name: 'type', title: 'What', width: 'minmax(150px, 1fr)', cell: ({ type }) => eventWords(type) },
  { name: 'status', title: 'Status', width: '150px', cell: ({ status }) => <WebhookStatus status={status} /> },
  { name: 'tries', title: 'Tries', width: '70px', figures: true, cell: ({ attempt_count }) => attempt_count },
  { name: 'answer', title: 'Last answer', width: 'minmax(140px, 1fr)', cell: answerOf },
]

export function Deliveries({ webhook_id }: { webhook_id: string }) {
  const [status, setStatus] = useState<string | null>(null)
  const [open, setOpen] = useState<Delivery | null>(null)
  const read = (cursor: string | undefined) => dataOf(api.GET('/api/v1/o2c-webhooks/{webhook_id}/deliveries', {
    params: { path: { webhook_id }, query: { limit: 100, ...(status ? { status: [status] as never } : {}), ...(cursor ? { cursor } : {}) } },
  }))
  const replay = ({ from }: { from: string }) =>
    api.POST('/api/v1/o2c-webhooks/{webhook_id}/deliveries', { params: { path: { webhook_id } }, body: { from: new Date(`${from}T00:00`).toISOString() } })
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end">
        <Select
          aria-label="Status" placeholder="Any status" clearable size="xs" value={status} onChange={setStatus}
          data={STATUSES.map((value) => ({ value, label: statusName(value) }))}
        />
        <ActionButton<{ from: string }>
          button="Send what failed again" small words="All that was not delivered since this day is sent again, with the same ids."
          fields={[{ name: 'from', label: 'Since', kind: 'date', required: true }]}
          run={replay} touched={['o2c-webhooks']} done="What failed is on its way again."
        />
      </Group>
      <DataList
        label="Deliveries" query_key={['o2c-webhooks', webhook_id, 'deliveries', status]} read={read} columns={columns} open={setOpen} height="360px"
        empty={(
          <Empty title={status ? 'No delivery fits' : 'Nothing was sent yet'}>
            {status ? 'Choose another status.' : 'Send a test to see whether the address answers.'}
          </Empty>
        )}
      />
      {open && <DeliveryDrawer delivery={open} close={() => setOpen(null)} />}
    </Stack>
  )
}

function DeliveryDrawer({
  delivery: { id, webhook_id, type, status, attempts, event_id, sequence, next_attempt_at, delivered_at }, close,
}: { delivery: Delivery; close: () => void }) {
  const queries = useQueryClient()
  const again = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/o2c-webhooks/{webhook_id}/deliveries', { params: { path: { webhook_id } }, body: { delivery_ids: [id] } })),
    onSuccess() {
      say('The message is on its way again.')
      close()
      for (const wait of [0, 2_000]) setTimeout(() => void queries.invalidateQueries({ queryKey: ['o2c-webhooks', webhook_id] }), wait)
    },
  })
  return (
    <Drawer opened onClose={close} position="right" size="lg" title={eventWords(type)} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Facts
          facts={[
            ['Status', <WebhookStatus key="status" status={status} />], ['Event', event_id], ['Place in the log', sequence],
            ['Arrived', moment(delivered_at)], ['Next try', moment(next_attempt_at)],
          ]}
        />
        <Section title="Tries">
          {attempts.length === 0 ? <Text size="sm" c="dimmed">It was not tried yet.</Text> : (
            <Rows
              label="Tries" rows={attempts} id={({ at }) => at} width={420}
              columns={[
                { title: 'When', cell: ({ at }) => moment(at) },
                {
                  title: 'Answer', wraps: true,
                  cell: ({ status: code, error, answer }) => (
                    <>
                      <Text size="sm">{error ?? code}</Text>
                      {answer && <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{answer}</Code>}
                    </>
                  ),
                },
                { title: 'Took', figures: true, cell: ({ latency_ms }) => `${latency_ms} ms` },
              ]}
            />
          )}
        </Section>
        {again.isError && <Failure error={again.error} />}
        <Group><Button loading={again.isPending} onClick={() => again.mutate()}>Send again</Button></Group>
      </Stack>
    </Drawer>
  )
}
