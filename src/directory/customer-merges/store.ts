// The SQL of merging customers.
import { list } from '../../foundation/database/list.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { CustomerRow } from '../customers/contract.ts'
import { FoundDuplicates } from './contract.ts'

/** These, what was merged into them before and what belongs to them, in the order of ids. */
export const lockWithFollowers = statement(
  CustomerRow,
  `select ${columns(CustomerRow)} from customers
   where business_id = :business_id and (id = any(:ids) or merged_into = any(:source_ids) or parent_id = any(:source_ids)) order by id for update`)

const group = (evidence: string, column: string) => `
  select business_id, '${evidence}' as evidence, ${column} as value, array_agg(id order by id) as customer_ids
  from customers where ${column} is not null and merged_into is null and business_id = :business_id group by business_id, ${column} having count(*) > 1`

export const duplicates = list({
  item: FoundDuplicates,
  select: 't.evidence, t.value, t.customer_ids',
  from: `(select g.business_id, g.evidence, g.value, g.customer_ids, g.customer_ids[1] as id, g.evidence || ' ' || g.value as place
    from (${group('email', 'email_key')} union all ${group('tax_number', 'tax_number_key')} union all ${group('name', 'comparable_name')}) g) t`,
  where: 't.business_id = :business_id',
  sorts: { evidence: { column: 't.place', type: 'text' } },
  filters: { evidence: 't.evidence = :evidence' },
})
