// What can be done with one paper: added, changed, accepted, rejected with a reason, waived, reopened, removed.
import { Group } from '@mantine/core'
import { api, dataOf, type Schemas } from '../api.ts'
import { words } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import type { Field } from '../parts/record-form.tsx'
import { KINDS } from './asked-lines.tsx'
import { isOpen, TOUCHED, type Item, type Request } from './request-status.tsx'

const NEW_ITEM: Field[] = [
  { name: 'label', label: 'What is asked for', kind: 'text', required: true },
  { name: 'kind', label: 'Kind', kind: 'choice', required: true, initial: 'other', choices: KINDS.map((kind) => ({ value: kind, label: words(kind) })) },
  { name: 'period', label: 'Period', kind: 'text', words: 'A year, a quarter or a month: 2026, 2026-Q1, 2026-03.' },
  { name: 'note', label: 'Note', kind: 'text' },
  { name: 'required', label: 'Required', kind: 'switch', initial: true },
]

export function AddItem({ request }: { request: Request }) {
  return (
    <ActionButton<Schemas['DocumentRequestItemInput']>
      small button="Add a paper" touched={TOUCHED} done="Added." fields={NEW_ITEM}
      words={request.status === 'draft' ? 'It is asked for with the others.' : 'It stands on the page of the request at once; remind people to tell them.'}
      run={(body) => dataOf(api.POST('/api/v1/document-requests/{request_id}/items', { params: { path: { request_id: request.id } }, body }))}
    />
  )
}

export function ItemActions({ request, item }: { request: Request; item: Item }) {
  const params = { path: { request_id: request.id, item_id: item.id } }
  const common = { small: true, touched: TOUCHED } as const
  const decided = item.status === 'accepted' || item.status === 'rejected' || item.status === 'waived'
  const removable = item.files.length === 0 && (request.status === 'draft' || (isOpen(request) && request.items.length > 1))
  return (
    <Group gap={6}>
      {isOpen(request) && item.status === 'received' && (
        <>
          <ActionButton
            {...common} main button="Accept" done="Accepted."
            words={`The files are filed as ${words(item.kind).toLowerCase()}${item.period ? ` of ${item.period}` : ''}.`}
            run={() => dataOf(api.PUT('/api/v1/document-requests/{request_id}/items/{item_id}/accept', { params }))}
          />
          <ActionButton<{ reason: string }>
            {...common} button="Reject" done="Rejected." words="Who sent it is mailed the reason and asked to send it again."
            fields={[{ name: 'reason', label: 'Reason', kind: 'long_text', required: true }]}
            run={(body) => dataOf(api.PUT('/api/v1/document-requests/{request_id}/items/{item_id}/reject', { params, body }))}
          />
        </>
      )}
      {isOpen(request) && !decided && (
        <ActionButton<{ reason?: string }>
          {...common} button="Waive" done="Waived." words="It is no longer needed." fields={[{ name: 'reason', label: 'Reason', kind: 'text' }]}
          run={(body) => dataOf(api.PUT('/api/v1/document-requests/{request_id}/items/{item_id}/waive', { params, body }))}
        />
      )}
      {isOpen(request) && decided && (
        <ActionButton
          {...common} button="Reopen" done="Reopened." words={`That it is ${item.status} is taken back.`}
          run={() => dataOf(api.PUT('/api/v1/document-requests/{request_id}/items/{item_id}/reopen', { params }))}
        />
      )}
      {removable && (
        <ActionButton
          {...common} grave button="Remove" done="Removed." words={`“${item.label}” is no longer asked for.`}
          run={() => dataOf(api.DELETE('/api/v1/document-requests/{request_id}/items/{item_id}', { params }))}
        />
      )}
    </Group>
  )
}
