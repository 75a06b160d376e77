// The SQL of contracts.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { ContractRow } from './contract.ts'

constraintMeans('contracts_of_customer', 'This customer is gone: choose another one.')
constraintMeans('contracts_renewal', 'This contract is renewed already.')
constraintMeans('contracts_number', 'Another contract has this number: change the numbering of contracts.')

export const insertContract = insertion('contracts', ContractRow)
export const updateContract = updating(
  'contracts', 'customer_id', 'title', 'currency', 'original_value', 'value', 'billing_type', 'start_date', 'end_date', 'auto_renew', 'renewal_months', 'notice_days',
  'retention_percent', 'allow_overbilling', 'document_ids', 'project_id', 'signed_on', 'status', 'terminated_on', 'termination_reason', 'renewed_by_id')
export const deleteContract = deletion('contracts')
export const findContract = selectionById('contracts', ContractRow)
export const lockContract = selectionById('contracts', ContractRow, true)

const byIds = `select ${columns(ContractRow)} from contracts where business_id = :business_id and id = any(:ids)`
export const contractsByIds = statement(ContractRow, byIds)
/** In the order of ids, so that two calls with the same contracts never wait for each other. */
export const lockContracts = statement(ContractRow, `${byIds} order by id for update`)

const counters = ['billed_amount', 'credited_amount', 'paid_amount', 'billing_status', 'billing_started_on', 'status', 'updated_at', 'version']
export const moveCounters = command(
  `update contracts t set ${counters.map((name) => `${name} = r.${name}`).join(', ')}
   from jsonb_populate_recordset(null::contracts, :rows::jsonb) r where t.business_id = :business_id and t.id = r.id`)

const shown_status = `case when t.status = 'active' and t.end_date < :today then 'expired' else t.status end`

export const contracts = list({
  item: ContractRow,
  from: 'contracts t',
  where: 't.business_id = :business_id',
  sorts: {
    created_at: { column: 't.created_at', type: 'timestamptz' },
    start_date: { column: 't.start_date', type: 'date' },
    end_date: { column: 't.end_date', type: 'date', nullable: true },
    value: { column: 't.value', type: 'bigint' },
    billed_amount: { column: 't.billed_amount', type: 'bigint' },
  },
  filters: {
    // What is kept is found by its index, and what is shown then chooses among it.
    stored_status: 't.status = any(:stored_status::text[])',
    status: `${shown_status} = any(:status::text[])`,
    billing_status: 't.billing_status = :billing_status',
    customer_id: 't.customer_id = :customer_id',
    project_id: 't.project_id = :project_id',
    end_before: 't.end_date < :end_before',
    search: 't.id in (select search_contracts(:business_id, :search))',
    tag_id: `t.id in (select a.resource_id from tag_assignments a where a.business_id = :business_id and a.tag_id = :tag_id and a.resource_type = 'contract')`,
    updated_since: 't.updated_at >= :updated_since',
  },
})

/** A project that belongs to the contract and to another customer. */
export const projectOfOther = statement(
  Type.Object({ code: Type.String() }),
  'select code from projects where business_id = :business_id and contract_id = :id and customer_id <> :customer_id limit 1')
