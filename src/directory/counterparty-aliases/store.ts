// The SQL of counterparty aliases.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { deletion, rowsGiven, selectionById } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { boolean, id, integer } from '../../foundation/shapes.ts'
import { CounterpartyAlias } from './contract.ts'

constraintMeans('counterparty_aliases_pattern', 'Another alias has this pattern and match_type: change that one.')
constraintMeans('counterparty_aliases_customer', 'A counterparty alias names this customer: archive the customer, or choose another one there first.')

const names = [...Object.keys(CounterpartyAlias.properties).filter((name) => name !== 'business_id'), 'pattern_key', 'counterparty_key']
const settable = names.filter((name) => !['id', 'created_at', 'hit_count'].includes(name))

export const insertAliases = command(`insert into counterparty_aliases (business_id, ${names.join(', ')})
  select :business_id, ${names.map((name) => `r.${name}`).join(', ')} from ${rowsGiven('counterparty_aliases')}`)

export const updateAliases = command(`update counterparty_aliases t set ${settable.map((name) => `${name} = r.${name}`).join(', ')}
  from ${rowsGiven('counterparty_aliases')} where t.business_id = :business_id and t.id = r.id`)

export const deleteAlias = deletion('counterparty_aliases')
export const findAlias = selectionById('counterparty_aliases', CounterpartyAlias)
export const lockAlias = selectionById('counterparty_aliases', CounterpartyAlias, true)

const Keyed = Type.Object({ pattern_key: Type.String(), ...CounterpartyAlias.properties })
const all = `select pattern_key, ${columns(CounterpartyAlias)} from counterparty_aliases where business_id = :business_id`

export const enabledAliases = statement(Keyed, `${all} and enabled order by id`)
export const aliasesByIds = statement(Keyed, `${all} and id = any(:ids) order by id for update`)
export const aliasesByPatterns = statement(Keyed, `${all} and pattern_key = any(:keys) order by id for update`)
export const aliasesOf = statement(Keyed, `${all} and counterparty_key = any(:keys) order by id for update`)

export const countExpressions = statement(
  Type.Object({ count: integer(0) }), `select count(*) as count from counterparty_aliases where business_id = :business_id and match_type = 'regex'`)

/** They are used, not changed. In the order of ids, so that two imports never wait for each other. */
export const addHits = command(`update counterparty_aliases t set hit_count = t.hit_count + r.times
  from (select a.id, w.times from counterparty_aliases a
    join unnest(:ids::uuid[], :times::int[]) as w (id, times) on w.id = a.id where a.business_id = :business_id order by a.id for update of a) r
  where t.business_id = :business_id and t.id = r.id`)

export const aliases = list({
  item: CounterpartyAlias,
  from: 'counterparty_aliases t',
  where: 't.business_id = :business_id',
  sorts: { counterparty: { column: 't.counterparty_key', type: 'text' }, hit_count: { column: 't.hit_count', type: 'integer' } },
  filters: {
    counterparty: 't.counterparty_key = :counterparty',
    customer_id: 't.customer_id = :customer_id',
    vendor_id: 't.vendor_id = :vendor_id',
    enabled: 't.enabled = :enabled',
    q: '(position(lower(:q) in lower(t.pattern)) > 0 or position(lower(:q) in lower(t.counterparty)) > 0)',
  },
})

export const customersByIds = statement(
  Type.Object({ id: id(), name: Type.String(), archived: boolean() }),
  `select id, name, status = 'archived' as archived from customers where business_id = :business_id and id = any(:ids)`)

/** What banks wrote, the most frequent first. */
export const rawTexts = statement(
  Type.Object({ text: Type.String(), count: integer(1) }),
  `select coalesce(counterparty_raw) as text, count(*)::int as count from transactions
   where business_id = :business_id and kind = 'bank' and counterparty_raw is not null group by counterparty_raw order by count(*) desc, counterparty_raw limit 10000`)

const misnamed = `from transactions t join unnest(:texts::text[], :names::text[]) as w (text, name) on w.text = t.counterparty_raw
  where t.business_id = :business_id and t.kind = 'bank' and t.counterparty is distinct from w.name`

export const countMisnamed = statement(
  Type.Object({ counterparty_raw: Type.String(), counterparty: Type.String(), count: integer(1) }),
  `select coalesce(w.text) as counterparty_raw, coalesce(w.name) as counterparty, count(*)::int as count ${misnamed} group by w.text, w.name order by count(*) desc, w.text`)

export const misnamedRows = statement(
  Type.Object({ id: id(), counterparty: Type.String() }),
  `select t.id, coalesce(w.name) as counterparty ${misnamed} order by t.id limit :limit`)
