// The milestones of a contract: the parts in which it is done and billed.
import { api, type Schemas } from '../api.ts'
import { day, money } from '../format.ts'
import { To } from '../parts/details.tsx'
import type { Field } from '../parts/record-form.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { SubRecords, type SubColumn } from '../parts/sub-records.tsx'

/** The form shows either the amount or the share, as it was given. */
type Row = Omit<Schemas['ContractMilestone'], 'amount'> & { amount: number | null; comes_to: number }
type Body = { name: string; amount?: number | null; percent?: string | null; due_on?: string | null; done_on?: string | null }

const columnsIn = (currency: string): SubColumn<Row>[] => [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Due', cell: ({ due_on }) => day(due_on) },
  { title: 'Done', cell: ({ done_on }) => day(done_on) || 'Not yet' },
  { title: 'Invoice', cell: ({ invoice_id }) => invoice_id && <To path={`/invoices/${invoice_id}`}>Open invoice</To> },
  { title: 'Share', figures: true, cell: ({ percent }) => percent && `${percent} %` },
  { title: 'Amount', figures: true, cell: ({ comes_to }) => money(comes_to, currency) },
]

function bodyOf({ amount, percent, ...others }: Body): Schemas['ContractMilestoneInput'] {
  return { ...others, ...(typeof amount === 'number' ? { amount } : {}), ...(percent ? { percent } : {}) }
}

export function ContractMilestones({ contract: { id: contract_id, currency, status, milestones } }: { contract: Schemas['Contract'] }) {
  const writes = useMayWrite() && status !== 'completed' && status !== 'terminated'
  const at = ({ id: milestone_id }: Row) => ({ params: { path: { contract_id, milestone_id } } })
  const fields: Field[] = [
    { name: 'name', label: 'Name', kind: 'text', required: true },
    { name: 'amount', label: 'Amount', kind: 'money', unit: currency, words: 'Either this or a share of the value.' },
    { name: 'percent', label: 'Share of the value', kind: 'text', unit: '%' },
    { name: 'due_on', label: 'Due', kind: 'date' },
    { name: 'done_on', label: 'Done', kind: 'date' },
  ]
  const rows = milestones.map(({ amount, ...others }): Row => ({ ...others, amount: others.percent === null ? amount : null, comes_to: amount }))
  return (
    <SubRecords<Row, Body>
      title="Milestones" noun="milestone" rows={rows} name_of={({ name }) => name} columns={columnsIn(currency)} fields={fields} touched={['contracts']}
      fixed={({ invoice_id }) => invoice_id !== null}
      empty="The contract is not divided. Add milestones to bill it in parts."
      {...(writes ? {
        add: (body: Body) => api.POST('/api/v1/contracts/{contract_id}/milestones', { params: { path: { contract_id } }, body: bodyOf(body) }),
        change: (row: Row, body: Body) => api.PUT('/api/v1/contracts/{contract_id}/milestones/{milestone_id}', { ...at(row), body: bodyOf(body) }),
        remove: (row: Row) => api.DELETE('/api/v1/contracts/{contract_id}/milestones/{milestone_id}', at(row)),
      } : {})}
    />
  )
}
