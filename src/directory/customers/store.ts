// The SQL of customers.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { changing, deletion, insertions, selectionById, updatings } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { boolean, id, list as listOf, nullable } from '../../foundation/shapes.ts'
import { CustomerRow, Figures, Live } from './contract.ts'

// Where a column that can be null is not null by the condition, coalesce says so: a statement is held against its shape.

constraintMeans('customers_external_id', 'Another customer has this external_id: update that one, or choose another.')
constraintMeans('customers_payment_terms', 'These payment terms are gone: choose others.')
constraintMeans('customers_default_tax_code', 'A customer has this tax code by default: archive the code, or choose another one there first.')

export const insertCustomers = insertions('customers', CustomerRow)
export const updateCustomers = updatings('customers', changing(CustomerRow))
export const deleteCustomer = deletion('customers')

export const findCustomer = selectionById('customers', CustomerRow)
export const lockCustomer = selectionById('customers', CustomerRow, true)
export const customersByIds = statement(CustomerRow, `select ${columns(CustomerRow)} from customers where business_id = :business_id and id = any(:ids)`)

/** The customer and those that were merged into it. */
export const withAliases = statement(Type.Object({ id: id() }), 'select id from customers where business_id = :business_id and target_id = :id order by id')

const Asked = Type.Object({ asked: Type.String(), ...CustomerRow.properties })
const byExternalId = `select wanted.asked, ${columns(CustomerRow, 't')} from unnest(:external_ids::text[]) as wanted (asked)
   join customers c on c.business_id = :business_id and c.external_id = wanted.asked
   join customers t on t.business_id = c.business_id and t.id = c.target_id`

/** The one that counts: a merged customer's external id is the other's too. */
export const byExternalIds = statement(Asked, byExternalId)
/** In the order of ids, so that two calls never wait for each other. */
export const lockByExternalIds = statement(Asked, `${byExternalId} order by t.id for update of t`)

export const byNames = statement(
  Asked,
  `select wanted.asked, ${columns(CustomerRow, 't')} from unnest(:names::text[]) as wanted (asked)
   join customers t on t.business_id = :business_id and t.name_key = lower(wanted.asked) and t.merged_into is null order by t.id`)

const filters = {
  status: 't.status = :status',
  currency: 't.currency = :currency',
  parent_id: 't.parent_id = :parent_id',
  external_id: 't.id in (select c.target_id from customers c where c.business_id = :business_id and c.external_id = :external_id)',
  email: 't.email_key = lower(:email)',
  tag_id: `t.id in (select a.resource_id from tag_assignments a where a.business_id = :business_id and a.tag_id = :tag_id and a.resource_type = 'customer')`,
  updated_since: 't.updated_at >= :updated_since',
  search: 't.id in (select search_customers(:business_id, :search))',
}

const sorts = { name: { column: 't.name_key', type: 'text' }, created_at: { column: 't.created_at', type: 'timestamptz' } } as const

export const customers = list({ item: CustomerRow, from: 'customers t', where: 't.business_id = :business_id', sorts, filters })

/** Where what they owe decides which come, or in which order: their figures are added up for all of them. */
export const customersByFigures = list({
  item: CustomerRow,
  from: `customers t left join customer_figures(:business_id, :today) f on f.customer_id = t.id`,
  where: 't.business_id = :business_id',
  sorts: {
    ...sorts,
    open_balance: { column: 'coalesce(f.open_balance, 0)', type: 'bigint' },
    last_payment_on: { column: 'f.last_payment_on', type: 'date', nullable: true },
  },
  filters: {
    ...filters,
    has_balance: '(coalesce(f.open_balance, 0) <> 0) = :has_balance',
    overdue: '(coalesce(f.overdue_balance, 0) > 0) = :overdue',
  },
})

/** What is worked out when customers are shown. */
export const liveOf = statement(
  Type.Object({ id: id(), ...Live.properties }),
  `select c.id,
     exists (select from tax_exemptions e where e.business_id = c.business_id and e.customer_id = c.id and not e.archived
       and e.valid_from <= :today and coalesce(e.valid_to, 'infinity') >= :today) as tax_exempt,
     array(select a.tag_id from tag_assignments a
       where a.business_id = c.business_id and a.resource_type = 'customer' and a.resource_id = c.id order by a.tag_id) as tag_ids,
     coalesce(f.open_balance, 0) as open_balance, coalesce(f.overdue_balance, 0) as overdue_balance, coalesce(f.unapplied_credit, 0) as unapplied_credit,
     coalesce(f.deposit_balance, 0) as deposit_balance, f.last_payment_on
   from customers c
   left join (select * from customer_figures(:business_id, :today) where customer_id = any(:ids)) f on f.customer_id = c.id
   where c.business_id = :business_id and c.id = any(:ids)`)

export const figuresByIds = statement(
  Type.Object({ customer_id: id(), ...Figures.properties }),
  `select coalesce(customer_id) as customer_id, coalesce(open_balance, 0) as open_balance, coalesce(overdue_balance, 0) as overdue_balance,
     coalesce(unapplied_credit, 0) as unapplied_credit, coalesce(deposit_balance, 0) as deposit_balance, last_payment_on
   from customer_figures(:business_id, :today) where customer_id = any(:ids)`)

const others = 'business_id = :business_id and merged_into is null and id <> :id'

/** Others that have the same e-mail address or name, merged ones left out. */
export const lookalikes = statement(
  Type.Object({ same_email: listOf(id()), same_name: listOf(id()) }),
  `select array(select id from customers where ${others} and email_key = lower(:email) order by id limit 10) as same_email,
     array(select id from customers where ${others} and name_key = lower(:name) order by id limit 10) as same_name`)

export const taxCodesByIds = statement(
  Type.Object({ id: id(), code: Type.String(), archived: boolean() }),
  'select id, code, archived from tax_codes where business_id = :business_id and id = any(:ids)')

export const tagsByIds = statement(
  Type.Object({ id: id(), name: Type.String(), archived: boolean(), group_name: nullable(Type.String()) }),
  'select id, name, archived, group_name from tags where business_id = :business_id and id = any(:ids)')

/** Who belongs to whom, in the whole business. */
export const links = statement(
  Type.Object({ id: id(), parent_id: id() }),
  'select id, coalesce(parent_id) as parent_id from customers where business_id = :business_id and parent_id is not null')

/** For which of these something is posted. */
export const postedFor = statement(
  Type.Object({ id: id() }),
  `select wanted.id from unnest(:ids::uuid[]) as wanted (id)
   where exists (select from analysis_months a where a.business_id = :business_id and a.axis = 'customer' and a.value_id = wanted.id)`)

const withLine = `jsonb_build_array(jsonb_build_object('customer_id', :id::uuid))`

/** Whether something names it that no foreign key holds. */
export const useOf = statement(
  Type.Object({ used: boolean() }),
  `select exists (select from analysis_months a where a.business_id = :business_id and a.axis = 'customer' and a.value_id = :id)
     or exists (select from tax_exemptions e where e.business_id = :business_id and e.customer_id = :id)
     or exists (select from journal_drafts d where d.business_id = :business_id and d.lines @> ${withLine})
     or exists (select from journal_templates m where m.business_id = :business_id and m.lines @> ${withLine}) as used`)

export const openTemplate = statement(
  Type.Object({ name: Type.String(), customer_id: id() }),
  `select name, coalesce(customer_id) as customer_id from recurring_templates
   where business_id = :business_id and customer_id = any(:ids) and status <> 'ended' order by name_key, id limit 1`)

export const recipients = statement(
  Type.Object({ email: Type.String() }),
  `select distinct coalesce(email) as email from customer_contacts
   where business_id = :business_id and customer_id = :customer_id and :kind = any(receives) and email is not null order by email`)
