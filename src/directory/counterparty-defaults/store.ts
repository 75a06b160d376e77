// The SQL of counterparty defaults and of what people chose.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { deletion, selectionById } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { boolean, id, integer, oneOf } from '../../foundation/shapes.ts'
import { DefaultRow, Streak } from './contract.ts'

constraintMeans('counterparty_defaults_place', 'This counterparty has a default for this direction and cash ledger already: change that one.')
constraintMeans('counterparty_defaults_ledger', 'A counterparty default names this ledger: archive the ledger, or choose another one there first.')
constraintMeans('counterparty_defaults_bank_ledger', 'A counterparty default names this ledger: archive the ledger, or choose another one there first.')
constraintMeans('counterparty_defaults_tax_code', 'A counterparty default names this tax code: archive the code, or choose another one there first.')
constraintMeans('counterparty_defaults_customer', 'A counterparty default names this customer: archive the customer, or choose another one there first.')

const names = Object.keys(DefaultRow.properties)

export const insertDefault = command(`insert into counterparty_defaults (counterparty_key, ${names.join(', ')})
  values (:counterparty_key, ${names.map((name) => `:${name}`).join(', ')})`)

const settable = names.filter((name) => !['id', 'business_id', 'created_at', 'applied_count', 'corrected_count', 'last_applied_at'].includes(name))

/** A change by hand or by learning: from here on corrections count anew. */
export const updateDefault = command(`update counterparty_defaults set counterparty_key = :counterparty_key, corrections_in_row = 0, applied_since_correction = 0,
  ${settable.map((name) => `${name} = :${name}`).join(', ')} where business_id = :business_id and id = :id`)

export const deleteDefault = deletion('counterparty_defaults')
export const lockDefault = selectionById('counterparty_defaults', DefaultRow, true)

export const defaults = list({
  item: DefaultRow,
  from: 'counterparty_defaults t',
  where: 't.business_id = :business_id',
  sorts: {
    counterparty: { column: 't.counterparty_key', type: 'text' },
    applied_count: { column: 't.applied_count', type: 'integer' },
    created_at: { column: 't.created_at', type: 'timestamptz' },
  },
  filters: {
    counterparty: 't.counterparty_key = :counterparty',
    direction: 't.direction = :direction',
    ledger_id: 't.ledger_id = :ledger_id',
    source: 't.source = :source',
    auto_apply: 't.auto_apply = :auto_apply',
    q: 'position(:q in t.counterparty_key) > 0',
  },
})

const Keyed = Type.Object({ counterparty_key: Type.String(), ...DefaultRow.properties })
const byKeys = `select counterparty_key, ${columns(DefaultRow)} from counterparty_defaults
  where business_id = :business_id and counterparty_key = any(:keys) order by id`

export const defaultsByKeys = statement(Keyed, byKeys)
export const lockDefaultsByKeys = statement(Keyed, `${byKeys} for update`)

/** They are used, not changed: neither version nor history moves. In the order of ids, so that two calls never wait for each other. */
export const noteApplied = command(`update counterparty_defaults t
  set applied_count = t.applied_count + r.times, applied_since_correction = t.applied_since_correction + r.times, last_applied_at = :now
  from (select d.id, w.times from counterparty_defaults d
    join (select wanted.id, count(*)::int as times from unnest(:ids::uuid[]) as wanted (id) group by wanted.id) w on w.id = d.id
    where d.business_id = :business_id order by d.id for update of d) r
  where t.business_id = :business_id and t.id = r.id`)

export const lockCorrections = statement(
  Type.Object({ ...DefaultRow.properties, corrections_in_row: integer(0), applied_since_correction: integer(0) }),
  `select ${columns(DefaultRow)}, corrections_in_row, applied_since_correction from counterparty_defaults
   where business_id = :business_id and id = any(:ids) order by id for update`)

export const saveCorrection = command(`update counterparty_defaults set corrected_count = :corrected_count, corrections_in_row = :corrections_in_row,
  applied_since_correction = :applied_since_correction, auto_apply = :auto_apply, updated_at = :updated_at, version = :version
  where business_id = :business_id and id = :id`)

export const confirm = command(`update counterparty_defaults set corrections_in_row = 0 where business_id = :business_id and id = any(:ids) and corrections_in_row > 0`)

export const streaksByKeys = statement(Streak, `select ${columns(Streak)} from counterparty_choices where business_id = :business_id and counterparty_key = any(:keys)`)

export const saveStreaks = command(`insert into counterparty_choices (business_id, counterparty_key, direction, choice, run, updated_at)
  select :business_id, r.counterparty_key, r.direction, r.choice, r.run, :now from jsonb_populate_recordset(null::counterparty_choices, :streaks::jsonb) r
  on conflict (business_id, counterparty_key, direction) do update set choice = excluded.choice, run = excluded.run, updated_at = excluded.updated_at`)

export const forget = command('delete from counterparty_choices where business_id = :business_id and counterparty_key = any(:keys)')

/** What defaults name outside the books. */
export const namedByIds = statement(
  Type.Object({ id: id(), kind: oneOf(['tax code', 'customer', 'tag']), name: Type.String(), archived: boolean() }),
  `select coalesce(id) as id, coalesce(kind) as kind, coalesce(name) as name, coalesce(archived, false) as archived from (
     select id, 'tax code' as kind, code as name, archived from tax_codes where business_id = :business_id and id = any(:ids)
     union all select id, 'customer', name, status = 'archived' from customers where business_id = :business_id and id = any(:ids)
     union all select id, 'tag', name, archived from tags where business_id = :business_id and id = any(:ids)) as named`)
