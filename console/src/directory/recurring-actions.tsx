// What can be done with a recurring template: change, make one now, skip, pause, resume, end, delete.
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { api, type Schemas } from '../api.ts'
import { day } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import type { Field } from '../parts/record-form.tsx'
import { useMayWrite } from '../parts/roles.ts'

const TOUCHED = ['recurring', 'invoices', 'customers']
const until: Field[] = [{ name: 'until', label: 'Until', kind: 'date', words: 'It goes on by itself on this day. Empty: until you resume it.' }]
const catchUp: Field[] = [{ name: 'catch_up', label: 'Make the missed invoices too', kind: 'switch' }]

export function RecurringActions({ template: { id, name, status, next_date, occurrences_generated } }: { template: Schemas['RecurringTemplateWithDates'] }) {
  const go = useNavigate()
  const of_this = { params: { path: { template_id: id } } }
  if (!useMayWrite() || status === 'ended') return null
  return (
    <>
      <Button component={Link} to={`/recurring/${id}/edit`}>Edit</Button>
      {status === 'active' && next_date && (
        <>
          <ActionButton
            button="Make the next now" words={`The invoice of ${day(next_date)} is made now, with that date.`}
            run={() => api.POST('/api/v1/recurring/{template_id}/generate', of_this)} touched={TOUCHED} done="The invoice was made."
          />
          <ActionButton
            button="Skip the next" words={`No invoice is made for ${day(next_date)}.`} run={() => api.POST('/api/v1/recurring/{template_id}/skip', of_this)}
            touched={TOUCHED} done={`${day(next_date)} is skipped.`}
          />
        </>
      )}
      {status === 'active' && (
        <ActionButton<{ until?: string }>
          button="Pause" words="No invoices are made meanwhile." fields={until}
          run={(body) => api.PUT('/api/v1/recurring/{template_id}/pause', { ...of_this, body })} touched={TOUCHED} done={`${name} is paused.`}
        />
      )}
      {status === 'paused' && (
        <ActionButton<{ catch_up?: boolean }>
          button="Resume" words="Dates that were missed are skipped, unless you want them made." fields={catchUp}
          run={(body) => api.PUT('/api/v1/recurring/{template_id}/resume', { ...of_this, body })} touched={TOUCHED} done={`${name} goes on.`}
        />
      )}
      <ActionButton
        button="End" grave words="It makes no invoices any more, for good. What it has made stays."
        run={() => api.PUT('/api/v1/recurring/{template_id}/end', of_this)} touched={TOUCHED} done={`${name} has ended.`}
      />
      {occurrences_generated === 0 && (
        <ActionButton
          button="Delete" grave words="It is deleted for good." run={() => api.DELETE('/api/v1/recurring/{template_id}', of_this)} touched={['recurring']}
          done={`${name} was deleted.`} then={() => void go({ to: '/recurring' })}
        />
      )}
    </>
  )
}
