// What can be done with a contract, by its status.
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { ActionButton } from '../parts/action-button.tsx'
import type { Field } from '../parts/record-form.tsx'
import { useMayWrite } from '../parts/roles.ts'

const TOUCHED = ['contracts']
const signed: Field[] = [{ name: 'signed_on', label: 'Signed on', kind: 'date' }]
const waived: Field[] = [{ name: 'waive_unbilled', label: 'What is not billed will never be', kind: 'switch' }]
const termination: Field[] = [{ name: 'date', label: 'On', kind: 'date', words: 'Empty: today.' }, { name: 'reason', label: 'Why', kind: 'text' }]

export function ContractActions({ contract: { id, title, status, end_date, renewal_months, renewed_by_id } }: { contract: Schemas['Contract'] }) {
  const go = useNavigate()
  const of_this = { params: { path: { contract_id: id } } }
  const running = status === 'active' || status === 'expired'
  const renew = async () => {
    const { id: next } = await dataOf(api.POST('/api/v1/contracts/{contract_id}/renew', of_this))
    await go({ to: `/contracts/${next}` })
  }
  if (!useMayWrite()) return null
  return (
    <>
      {status === 'draft' && (
        <ActionButton<{ signed_on?: string }>
          main button="Activate" words="Its customer, currency, value and billing stay as they are from now on." fields={signed}
          run={(body) => api.PUT('/api/v1/contracts/{contract_id}/activate', { ...of_this, body })} touched={TOUCHED} done={`${title} is active.`}
        />
      )}
      {(status === 'draft' || running) && <Button variant="default" component={Link} to={`/contracts/${id}/edit`}>Edit</Button>}
      {running && (
        <ActionButton<{ waive_unbilled?: boolean }>
          button="Complete" words="Everything is done and billed." fields={waived}
          run={(body) => api.PUT('/api/v1/contracts/{contract_id}/complete', { ...of_this, body })}
          touched={TOUCHED} done={`${title} is complete.`}
        />
      )}
      {status !== 'draft' && status !== 'terminated' && end_date && renewal_months && !renewed_by_id && (
        <ActionButton
          button="Renew" words={`A new active contract of the same value begins the day after the end, for ${renewal_months} months.`} run={renew}
          touched={TOUCHED} done="Renewed: this is the next term."
        />
      )}
      {running && (
        <ActionButton<{ date?: string; reason?: string }>
          button="Terminate" grave words="It ends early. Nothing more can be billed for it." fields={termination}
          run={(body) => api.PUT('/api/v1/contracts/{contract_id}/terminate', { ...of_this, body })} touched={TOUCHED} done={`${title} is terminated.`}
        />
      )}
      {status === 'draft' && (
        <ActionButton
          button="Delete" grave words="The draft is deleted for good." run={() => api.DELETE('/api/v1/contracts/{contract_id}', of_this)}
          touched={TOUCHED} done={`${title} was deleted.`} then={() => void go({ to: '/contracts' })}
        />
      )}
    </>
  )
}
