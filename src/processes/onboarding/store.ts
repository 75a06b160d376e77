// The SQL of onboarding: its own row, and the facts that steps follow.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { insertion, updating } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { Facts, OnboardingRow } from './contract.ts'

constraintMeans('onboardings_one', 'Somebody else has just begun the set-up: read it again.')

export const insertOnboarding = insertion('onboardings', OnboardingRow)
export const updateOnboarding = updating('onboardings', 'answers', 'steps', 'told', 'status', 'ended_at')

const select = `select ${columns(OnboardingRow)} from onboardings where business_id = :business_id`
export const findOnboarding = statement(OnboardingRow, select)
export const lockOnboarding = statement(OnboardingRow, `${select} for update`)

/** Each by an index, however large the books are. */
export const facts = statement(
  Facts,
  `select
     case when b.industry is not null then coalesce((select min(e.occurred_at) from events e
       where e.business_id = :business_id and e.type in ('business.created', 'business.updated') and e.data ->> 'industry' is not null), b.updated_at) end as profile,
     case when (select count(distinct l.role) from ledgers l where l.business_id = :business_id and l.role = any(:roles) and not l.archived)
       = cardinality(:roles::text[]) then b.created_at end as chart,
     (select min(p.created_at) from accounting_periods p where p.business_id = :business_id and p.start_date <= :today and p.end_date >= :today) as fiscal_year,
     (select j.recorded_at from journal_entries j
       where j.business_id = :business_id and j.source_type = 'opening' and j.reversed_by_id is null and j.reversal_of_id is null limit 1) as opening_balances,
     (select t.created_at from transactions t where t.business_id = :business_id
       and exists (select from ledgers l where l.business_id = t.business_id and l.id = t.ledger_id and l.is_bank) order by t.created_at, t.id limit 1) as bank,
     (select min(r.created_at) from tax_rates r where r.business_id = :business_id and not r.archived) as tax,
     (select min(c.created_at) from processor_connections c where c.business_id = :business_id and c.status in ('active', 'restricted')) as payments,
     least((select m.created_at from memberships m where m.business_id = :business_id and m.status = 'active' order by m.created_at offset 1 limit 1),
       (select min(i.created_at) from invitations i where i.business_id = :business_id and i.status = 'pending' and i.expires_at > :now::timestamptz)) as team,
     (select v.finalized_at from invoices v where v.business_id = :business_id and v.status <> 'draft' order by v.created_at, v.id limit 1) as first_invoice
   from businesses b where b.id = :business_id`)

/** The ledgers that nothing names. */
export const unnamedLedgers = statement(Type.Object({ id: id() }), 'select coalesce(l) as id from unnamed_ledgers(:business_id) as l')
